# Thin helpers over CMake's own commands. What is only a means (tests, fuzzers,
# tools that load plugins) links the MLIR and LLVM shared libraries. Tools that
# people run link the parts they use, which start in 10 ms rather than 50 and
# take 50 MB less of memory.

# Compiler cache, linker and sanitizers, for the whole tree.
function(modelwright_configure_toolchain)
  find_program(MODELWRIGHT_CCACHE ccache)
  if(MODELWRIGHT_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER ${MODELWRIGHT_CCACHE} PARENT_SCOPE)
    # ccache sees through a precompiled header only with these sloppinesses.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${MODELWRIGHT_CCACHE} PARENT_SCOPE)
  endif()
  find_program(MODELWRIGHT_LLD NAMES ld.lld-22 ld.lld)
  if(MODELWRIGHT_LLD)
    add_link_options(--ld-path=${MODELWRIGHT_LLD})
  endif()
  if(MODELWRIGHT_SANITIZE)
    # MLIR's library is not instrumented: container overflow checks would
    # misread vectors that cross the border.
    add_compile_options(-fsanitize=${MODELWRIGHT_SANITIZE}
      -fno-sanitize=vptr,function -fno-sanitize-recover=all
      -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${MODELWRIGHT_SANITIZE})
    if(MODELWRIGHT_BUILD_FUZZERS)
      add_compile_options(-fsanitize=fuzzer-no-link)
    endif()
  endif()
  # Warnings are errors of taste here, not of the build: third-party headers
  # are SYSTEM, ours are clean. clang needs the timestamp off for ccache.
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Xclang>
      $<$<COMPILE_LANGUAGE:CXX>:-fno-pch-timestamp>)
  endif()
  add_compile_options(-Wall -Wextra -Wno-unused-parameter)
endfunction()

# Shared libraries of MLIR and LLVM for what a library of the tree is linked into,
# unless that is a static tool, which brings their parts.
foreach(lib MLIR LLVM MLIRExecutionEngineShared)
  set(MODELWRIGHT_SHARED_${lib}
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:MODELWRIGHT_STATIC>>>:${lib}>)
endforeach()

# add_modelwright_library(name sources... [DEPENDS t...] [LINK_LIBS l...] [PCH])
# A static library of the tree. PCH: compile against the shared MLIR header.
function(add_modelwright_library name)
  cmake_parse_arguments(ARG "PCH" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(ARG_PCH)
    if(NOT TARGET ModelwrightPCH)
      message(FATAL_ERROR "ModelwrightPCH must be defined before ${name}")
    endif()
    target_precompile_headers(${name} REUSE_FROM ModelwrightPCH)
  endif()
endfunction()

# The parts of MLIR that a static tool may use: all but what other languages and
# tests need. The linker takes what is referred to.
function(modelwright_get_static_mlir result)
  get_property(libs GLOBAL PROPERTY MLIR_ALL_LIBS)
  set(files)
  foreach(lib ${libs})
    get_target_property(type ${lib} TYPE)
    # As files: the targets would bring LLVM's shared library along.
    if(type STREQUAL STATIC_LIBRARY AND NOT lib MATCHES "CAPI|Test")
      list(APPEND files $<TARGET_FILE:${lib}>)
    endif()
  endforeach()
  set(${result} ${files} PARENT_SCOPE)
endfunction()

# add_modelwright_tool(name sources... [LINK_LIBS l...] [STATIC])
# STATIC: without the shared libraries of MLIR and LLVM, if the tree is built so.
function(add_modelwright_tool name)
  cmake_parse_arguments(ARG "STATIC" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  if(ARG_STATIC AND MODELWRIGHT_STATIC_TOOLS AND NOT MODELWRIGHT_SANITIZE)
    set_target_properties(${name} PROPERTIES MODELWRIGHT_STATIC ON)
    modelwright_get_static_mlir(mlir)
    llvm_map_components_to_libnames(llvm ${MODELWRIGHT_LLVM_COMPONENTS})
    target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${mlir} ${llvm})
    target_link_options(${name} PRIVATE -Wl,--gc-sections)
  else()
    target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} MLIR LLVM)
  endif()
  target_precompile_headers(${name} REUSE_FROM ModelwrightPCH)
  install(TARGETS ${name} RUNTIME COMPONENT tools)
endfunction()

# modelwright_tablegen(td OUT flags... ) pairs, as mlir_tablegen, into
# the mirrored include folder. Usage:
#   modelwright_tablegen(TARGET Foo.td  Foo.h.inc -gen-op-decls  ...)
function(modelwright_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(args ${ARGN})
  while(args)
    list(POP_FRONT args out flags)
    separate_arguments(flags)
    mlir_tablegen(${out} ${flags})
  endwhile()
  add_public_tablegen_target(${target})
endfunction()
