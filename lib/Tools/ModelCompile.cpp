//===- ModelCompile.cpp - model-compile -----------------------------------===//
//
// Part of Modelwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputShapes.h"
#include "OutputFile.h"
#include "modelwright/InitAll.h"
#include "modelwright/Target/CPU/ConstEval.h"
#include "modelwright/Target/CPU/Library.h"
#include "modelwright/Tools/ModelIO.h"
#include "modelwright/Tools/ToolMains.h"
#include "modelwright/Transforms/Passes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace modelwright;
namespace cl = llvm::cl;
namespace fs = llvm::sys::fs;

namespace {

/// What the command line asks for.
struct CompileCommand {
  std::string model, output, header, weights, features;
  std::vector<std::string> inputShapes;
  bool optimize = true, multiversion = false, report = false;
  cpu::LibraryOptions library;
};

/// The kinds of libraries.
enum class LibraryKind { Object, Archive, Shared };

} // namespace

static int failInput(const llvm::Twine &message) {
  llvm::errs() << "model-compile: error: " << message << "\n";
  return kExitBadInput;
}

static std::optional<LibraryKind> getKind(StringRef path) {
  StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".o")
    return LibraryKind::Object;
  if (extension == ".a")
    return LibraryKind::Archive;
  if (extension == ".so")
    return LibraryKind::Shared;
  return std::nullopt;
}

/// "dir/libnet-v2.so" is called net_v2.
static std::string getDefaultPrefix(StringRef path) {
  StringRef stem = llvm::sys::path::stem(path);
  if (stem.size() > 3)
    stem.consume_front("lib");
  std::string prefix = stem.str();
  for (char &letter : prefix)
    if (!llvm::isAlnum(letter))
      letter = '_';
  return prefix;
}

/// Whether two paths are those of one file, which need not exist.
static bool isSameFile(StringRef a, StringRef b) {
  if (a == b)
    return true;
  bool same = false;
  if (a == "-" || b == "-")
    return false;
  if (!fs::equivalent(a, b, same))
    return same;
  // A file that is not there yet has a name in a folder that is.
  auto getFolder = [](StringRef path) {
    StringRef folder = llvm::sys::path::parent_path(path);
    return folder.empty() ? StringRef(".") : folder;
  };
  return llvm::sys::path::filename(a) == llvm::sys::path::filename(b) &&
         !fs::equivalent(getFolder(a), getFolder(b), same) && same;
}

/// Files that would overwrite each other, or the model.
static std::string checkPaths(const CompileCommand &command) {
  std::pair<StringRef, StringRef> files[] = {{"the model", command.model},
                                             {"-o", command.output},
                                             {"--emit-header", command.header},
                                             {"--weights", command.weights}};
  for (auto [i, file] : llvm::enumerate(files)) {
    for (auto [otherName, other] : llvm::ArrayRef(files).drop_front(i + 1)) {
      if (other.empty() || file.second.empty())
        continue;
      // Standard input is not standard output.
      if (i == 0 && other == "-")
        continue;
      if (isSameFile(file.second, other))
        return (file.first + " and " + otherName + " are the same file, '" +
                other + "'")
            .str();
    }
  }
  return "";
}

/// What is wrong with the command line; empty for nothing.
static std::string checkUsage(CompileCommand &command) {
  cpu::LibraryOptions &library = command.library;
  if (!getKind(command.output))
    return "-o " + command.output +
           ": a library is an object (.o), an archive (.a) or a shared "
           "library (.so)";
  if (library.prefix.empty())
    library.prefix = getDefaultPrefix(command.output);
  if (!cpu::isCIdentifier(library.prefix))
    return "'" + library.prefix +
           "' is no C identifier: choose another with --prefix";
  if (library.compile.optLevel > 3)
    return "--opt-level is 0 to 3";
  if (command.multiversion &&
      (!library.compile.cpu.empty() || !command.features.empty()))
    return "--multiversion chooses the CPUs: not with --cpu or --features";
  if (command.multiversion && !library.triple.empty() &&
      llvm::Triple(llvm::Triple::normalize(library.triple)).getArch() !=
          llvm::Triple::x86_64)
    return "--multiversion is for x86-64 only, not for '" + library.triple +
           "'";
  return checkPaths(command);
}

/// The kinds of CPUs to make code for.
static std::vector<cpu::LibraryVersion>
getVersions(const CompileCommand &command) {
  if (command.multiversion)
    return {{"x86_64_v3", "x86-64-v3", ""},
            {"x86_64_v4", "x86-64-v4", "+avx512vnni,+avx512bf16"}};
  return {{"", command.library.compile.cpu, command.features}};
}

/// A check's place and message, as a diagnostic has it, but without folders:
/// libraries are the same wherever they were made.
static std::string describeCheck(StringRef filename, Location loc,
                                 StringRef message) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ModelDiagnosticHandler handler(loc.getContext(), filename, os);
  emitError(loc) << message;
  StringRef rest = StringRef(text).trim();
  rest.consume_front(filename);
  return (llvm::sys::path::filename(filename) + rest).str();
}

static llvm::Error failWrite(StringRef path, llvm::Error error) {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + llvm::toString(std::move(error)));
}

/// Writes all files, each of which appears whole or not at all.
static llvm::Error writeFiles(const CompileCommand &command,
                              const cpu::Library &library) {
  StringRef name = llvm::sys::path::filename(command.output);
  std::unique_ptr<llvm::MemoryBuffer> linked;
  StringRef code(library.object.data(), library.object.size());
  LibraryKind kind = *getKind(command.output);
  if (kind != LibraryKind::Object) {
    auto made =
        kind == LibraryKind::Shared
            ? cpu::linkLibrary(library, name)
            : cpu::archiveLibrary(library, command.library.prefix + ".o");
    if (!made)
      return made.takeError();
    linked = std::move(*made);
    code = linked->getBuffer();
  }
  std::pair<StringRef, StringRef> files[] = {
      {command.weights,
       StringRef(library.weights.data(), library.weights.size())},
      {command.header, library.header},
      {command.output, code}};
  SmallVector<std::pair<StringRef, std::unique_ptr<OutputFile>>> open;
  for (auto [path, contents] : files) {
    if (path.empty())
      continue;
    auto file = OutputFile::create(path);
    if (!file)
      return failWrite(path, file.takeError());
    (*file)->os() << contents;
    open.emplace_back(path, std::move(*file));
  }
  // What a full disk cannot take fails before any file is replaced.
  for (auto &[path, file] : open)
    if (llvm::Error error = file->close())
      return failWrite(path, std::move(error));
  for (auto &[path, file] : open)
    if (llvm::Error error = file->keep())
      return failWrite(path, std::move(error));
  return llvm::Error::success();
}

static void printReport(const cpu::Library &library) {
  llvm::outs() << "target      " << library.triple << ", "
               << llvm::join(library.versions, ", ") << "\n"
               << "code        " << library.codeBytes << " bytes\n"
               << "weights     " << library.weightBytes << " bytes\n"
               << "arena       " << library.arenaBytes << " bytes, "
               << library.arenaLowerBound << " alive at once\n";
}

static int compileModel(CompileCommand &command) {
  auto buffer = openInput(command.model);
  if (!buffer)
    return failInput("cannot open '" + command.model +
                     "': " + buffer.getError().message());
  DialectRegistry registry;
  registerAllDialects(registry);
  cpu::registerConstantEvaluator(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  std::string filename = command.model == "-" ? "<stdin>" : command.model;
  ModelDiagnosticHandler handler(&context, filename, llvm::errs());
  auto module = readModel(std::move(*buffer), filename, &context);
  if (failed(module))
    return kExitBadInput;
  if (llvm::Error error = setInputShapes(**module, command.inputShapes))
    return failInput(llvm::toString(std::move(error)));
  if (command.optimize &&
      command.library.compile.pipeline.schedule == cpu::Schedule::Full) {
    PassManager pm(&context);
    buildO1Pipeline(pm);
    if (failed(pm.run(**module)))
      return kExitBadInput;
  }
  command.library.versions = getVersions(command);
  command.library.separateWeights = !command.weights.empty();
  command.library.describeCheck = [&](Location loc, StringRef message) {
    return describeCheck(filename, loc, message);
  };
  auto library = cpu::compileLibrary(**module, command.library);
  if (failed(library))
    return kExitBadInput;
  if (llvm::Error error = writeFiles(command, *library))
    return failInput(llvm::toString(std::move(error)));
  if (command.report)
    printReport(*library);
  return flushStdout("model-compile") ? kExitGood : kExitBadInput;
}

int modelwright::modelCompileMain(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  initTool(argc, argv);
  CompileCommand command;
  cpu::CompileOptions &compile = command.library.compile;
  cl::OptionCategory category("model-compile options");
  cl::opt<std::string, true> model(cl::Positional, cl::desc("<model>"),
                                   cl::Required, cl::location(command.model),
                                   cl::cat(category));
  cl::opt<std::string, true> output(
      "o",
      cl::desc("The library: an object (.o), an archive (.a) or a shared "
               "library (.so)"),
      cl::value_desc("file"), cl::Required, cl::location(command.output),
      cl::cat(category));
  cl::opt<std::string, true> header(
      "emit-header", cl::desc("Write the C header here"),
      cl::value_desc("file"), cl::location(command.header), cl::cat(category));
  cl::opt<std::string, true> weights(
      "weights",
      cl::desc("Write the weights to this file, which the program maps and "
               "hands over, rather than into the library"),
      cl::value_desc("file"), cl::location(command.weights), cl::cat(category));
  cl::opt<std::string, true> prefix(
      "prefix",
      cl::desc("What all names of the library start with (default: the name of "
               "the file without lib)"),
      cl::value_desc("name"), cl::location(command.library.prefix),
      cl::cat(category));
  cl::list<std::string, std::vector<std::string>> inputShapes(
      "input-shape",
      cl::desc("Set the shape of an input, whose dims may be unknown; the name "
               "may be left out if the model has one input"),
      cl::value_desc("[name=]1x3x224x224"), cl::location(command.inputShapes),
      cl::cat(category));
  cl::opt<std::string, true> target(
      "target",
      cl::desc("Make code for this triple, x86_64 or aarch64 (default: this "
               "machine's)"),
      cl::value_desc("triple"), cl::location(command.library.triple),
      cl::cat(category));
  cl::opt<std::string, true> cpu(
      "cpu",
      cl::desc("Make code for this CPU, by LLVM's name, such as x86-64-v3 "
               "(default: the one that is here, or the target's generic one); "
               "the library refuses to run on those that lack something"),
      cl::value_desc("name"), cl::location(compile.cpu), cl::cat(category));
  cl::opt<std::string, true> features(
      "features",
      cl::desc("What the CPU can beyond its name, as LLVM's names: "
               "+avx512vnni,-avx512bf16"),
      cl::value_desc("list"), cl::location(command.features),
      cl::cat(category));
  cl::opt<bool, true> multiversion(
      "multiversion",
      cl::desc("Make code for x86-64-v3 and for x86-64-v4 with VNNI and BF16; "
               "the library chooses where it runs"),
      cl::location(command.multiversion), cl::cat(category));
  cl::opt<cpu::Schedule, true> schedule(
      "schedule", cl::desc("How much of the target's own kernels to use"),
      cl::values(clEnumValN(cpu::Schedule::Plain, "plain",
                            "loops as linalg has them: slow, for every op"),
                 clEnumValN(cpu::Schedule::Full, "full",
                            "kernels on blocked tensors (default)")),
      cl::location(compile.pipeline.schedule), cl::init(cpu::Schedule::Full),
      cl::cat(category));
  cl::opt<bool, true> optimize(
      "optimize",
      cl::desc("Run model-opt's -O1 on the graph first (default; not with "
               "--schedule=plain, which runs the model as it is)"),
      cl::location(command.optimize), cl::init(true), cl::cat(category));
  cl::opt<bool, true> winograd(
      "winograd",
      cl::desc("Let Winograd's algorithm compute 3x3 convolutions, faster and "
               "with somewhat larger rounding errors (default)"),
      cl::location(compile.pipeline.winograd), cl::init(true),
      cl::cat(category));
  cl::opt<bool, true> strassen(
      "strassen",
      cl::desc("Let Strassen's algorithm compute 1x1 convolutions, faster and "
               "with somewhat larger rounding errors (default)"),
      cl::location(compile.pipeline.strassen), cl::init(true),
      cl::cat(category));
  cl::opt<unsigned, true> optLevel(
      "opt-level", cl::desc("Level of LLVM's passes, 0 to 3"),
      cl::location(compile.optLevel), cl::init(1), cl::cat(category));
  cl::opt<bool, true> report(
      "report",
      cl::desc("Print the bytes of code, of weights and of the arena"),
      cl::location(command.report), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Compiles a model to a library with a plain C interface.\n\n"
          "  model-compile net.mge -o libnet.so --emit-header=net.h\n"
          "  model-compile net.om -o net.o --emit-header=net.h --multiversion\n"
          "  model-compile net.mge -o net.a --emit-header=net.h "
          "--target=aarch64-linux-gnu\n\n"
          "Exit codes: 0 good, 1 bad input, 2 usage.",
          &llvm::errs()))
    return kExitUsage;
  if (std::string wrong = checkUsage(command); !wrong.empty()) {
    llvm::errs() << "model-compile: error: " << wrong << "\n";
    return kExitUsage;
  }
  return compileModel(command);
}
