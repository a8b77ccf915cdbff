# -*- Python -*-
"""Configuration of the lit tests."""
import os
import shutil

import lit.formats

config.name = "Modelwright"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "lit.cfg.py", "data", "oracle"]
config.test_source_root = os.path.join(config.source_root, "test")
config.test_exec_root = os.path.join(config.binary_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.binary_root, "bin"),
        config.llvm_tools_dir,
        config.environment["PATH"],
    ]
)
for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "MODELWRIGHT_CORPUS_DIR"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
if os.environ.get("MODELWRIGHT_CORPUS_DIR"):
    config.available_features.add("corpus")
    config.substitutions.append(("%corpus", os.environ["MODELWRIGHT_CORPUS_DIR"]))

# An emulator of AArch64 and the C library for it (Debian: qemu-user,
# libc6-dev-arm64-cross).
AARCH64_ROOT = "/usr/aarch64-linux-gnu"
if shutil.which("qemu-aarch64") and os.path.exists(os.path.join(AARCH64_ROOT, "lib", "crt1.o")):
    config.available_features.add("qemu-aarch64")
config.substitutions.append(("%aarch64-root", AARCH64_ROOT))

config.substitutions.append(("%data", os.path.join(config.test_source_root, "data")))
config.substitutions.append(("%oracle", os.path.join(config.test_source_root, "oracle")))
config.substitutions.append(("%python", config.python))
config.substitutions.append(("%llvm-tblgen", os.path.join(config.llvm_tools_dir, "llvm-tblgen")))
config.substitutions.append(("%llvm-include", config.llvm_include))
config.substitutions.append(("%bin", os.path.join(config.binary_root, "bin")))
