#!/usr/bin/env python3
"""Checks where and how the tools write: an output file appears whole or not at all.

usage: output.py DATA_DIR SCRATCH_DIR
"""
import os
import resource
import shutil
import stat
import subprocess
import sys

failures = []


def run(*command, **options):
    return subprocess.run(command, capture_output=True, **options)


def expect(condition, what):
    if not condition:
        failures.append(what)


def read(path):
    with open(path, "rb") as f:
        return f.read()


def in_place(data):
    """The output may be the input, whose weights are mapped."""
    shutil.copy(os.path.join(data, "resnet18.mge"), "in.mge")
    expect(run("model-opt", "-O1", "in.mge", "-o", "expected.mge").returncode == 0, "model to model")
    expect(run("model-opt", "-O1", "in.mge", "-o", "in.mge").returncode == 0, "model over itself")
    expect(read("in.mge") == read("expected.mge"), "a model optimized over itself is another")
    expect(run("model-translate", "--mgb-to-mlir", "in.mge", "-o", "in.mlir").returncode == 0, "model to text")
    expect(run("model-opt", "--cse", "in.mlir", "-o", "text.mlir").returncode == 0, "text to text")
    expect(run("model-opt", "--cse", "in.mlir", "-o", "in.mlir").returncode == 0, "text over itself")
    expect(read("in.mlir") == read("text.mlir"), "text optimized over itself is another")


def failed_run():
    """A run that fails leaves the target as it was."""
    for command in (["model-opt"], ["model-opt", "--summary"], ["model-translate", "--emit=mlir"]):
        with open("bad.mlir", "w") as f:
            f.write("module { bad }")
        expect(run(*command, "bad.mlir", "-o", "bad.mlir").returncode == 1, f"{command}: bad text is good")
        expect(read("bad.mlir") == b"module { bad }", f"{command}: a failed run touched its target")


def full_disk(data):
    """A disk that fills up: here, a limit on the size of files."""

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    model = os.path.join(data, "resnet18.mge")
    with open("kept.mge", "w") as f:
        f.write("before")
    for source, *options in ([model], [model, "--emit=mlirbc"], ["in.mlir", "--emit=mlir"], [model, "--emit=mlir"]):
        for target in ("kept.mge", "new.mge"):
            result = run("model-opt", source, *options, "-o", target, preexec_fn=limit)
            expect(result.returncode == 1, f"{source} {options}: exit {result.returncode} on a full disk")
            expect(b"error: cannot write '" + target.encode() in result.stderr, f"says {result.stderr[:300]}")
    expect(read("kept.mge") == b"before", "a failed write touched its target")
    expect(not os.path.exists("new.mge"), "a failed write left a part")
    for command in (
        ["model-opt", model],
        ["model-opt", "in.mlir"],
        ["model-info", model],
        ["model-info", "--dump", model],
        ["model-translate", "--mgb-to-mlir", model],
    ):
        with open("/dev/full", "w") as full:
            result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE)
        expect(result.returncode == 1, f"{command}: exit {result.returncode} on a full stdout")
        expect(b"error: cannot write" in result.stderr, f"{command}: says {result.stderr[:300]}")


def kinds_of_targets(data):
    """Links are followed, modes are kept, pipes are written and not replaced."""
    model = os.path.join(data, "xornet.mge")
    shutil.copy(os.path.join(data, "resnet18.mge"), "real.mge")
    os.chmod("real.mge", 0o640)
    os.symlink("real.mge", "link.mge")
    expect(run("model-opt", model, "-o", "link.mge").returncode == 0, "through a link")
    expect(os.path.islink("link.mge"), "the link was replaced")
    expect(read("real.mge") == read(model), "the file behind the link is not the output")
    expect(stat.S_IMODE(os.stat("real.mge").st_mode) == 0o640, "the mode changed")

    os.mkfifo("pipe")
    # Open for both ways: a run that does not write leaves no reader waiting.
    pipe = os.open("pipe", os.O_RDWR)
    result = run("model-opt", model, "--emit=mgb", "-o", "pipe")
    expect(result.returncode == 0, "to a pipe")
    expect(stat.S_ISFIFO(os.stat("pipe").st_mode), "the pipe was replaced")
    os.set_blocking(pipe, False)
    try:
        expect(os.read(pipe, 1 << 16) == read(model), "the pipe got something else")
    except BlockingIOError:
        expect(False, "the pipe got nothing")
    os.close(pipe)

    # In file names '%' means nothing, and the longest name is a name.
    os.mkdir("100%")
    expect(run("model-opt", model, "-o", "100%/50%.mge").returncode == 0, "a name with %")
    expect(os.path.exists("100%/50%.mge"), "the name with % is another")
    expect(run("model-opt", model, "-o", "x" * 251 + ".mge").returncode == 0, "the longest name")

    if os.geteuid() != 0:  # The superuser may write everything.
        os.chmod("real.mge", 0o440)
        result = run("model-opt", model, "-o", "real.mge")
        expect(result.returncode == 1 and b"Permission denied" in result.stderr, "wrote a read-only file")


def main():
    data, scratch = sys.argv[1:]
    shutil.rmtree(scratch, ignore_errors=True)
    os.mkdir(scratch)
    os.chdir(scratch)
    in_place(data)
    failed_run()
    full_disk(data)
    kinds_of_targets(data)
    expect(not [n for n in os.listdir(".") if n.startswith(".")], "temporary files are left")
    print("\n".join(failures))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
