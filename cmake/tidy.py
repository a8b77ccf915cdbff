#!/usr/bin/env python3
"""Runs clang-tidy over the tree; any finding is an error.

usage: tidy.py BUILD_DIR [FILTER]

A source is looked at again when its object is newer than its last clean run:
the build knows which headers it reads. FILTER is a part of the path.
"""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys


def find_work(build, source, pattern):
    """(source file, stamp) of all that is to be looked at."""
    with open(os.path.join(build, "compile_commands.json")) as f:
        entries = json.load(f)
    config = os.path.getmtime(os.path.join(source, ".clang-tidy"))
    for entry in entries:
        words = shlex.split(entry["command"])
        path, object_file = entry["file"], words[words.index("-o") + 1]
        if path.startswith(build + os.sep) or not path.startswith(source + os.sep) or pattern not in path:
            continue
        stamp = os.path.join(build, "tidy", object_file)
        newest = max(config, os.path.getmtime(os.path.join(build, object_file)))
        if not os.path.exists(stamp) or os.path.getmtime(stamp) < newest:
            yield path, stamp


def check(tidy, build, path, stamp):
    result = subprocess.run([tidy, "-p", build, "--quiet", "--warnings-as-errors=*", path],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if result.returncode:
        return result.stdout
    os.makedirs(os.path.dirname(stamp), exist_ok=True)
    with open(stamp, "w"):
        pass
    return None


def main():
    build = os.path.abspath(sys.argv[1])
    source = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    tidy = shutil.which("clang-tidy-22")
    if not tidy:
        print("clang-tidy-22 is not installed")
        return 2
    work = list(find_work(build, source, sys.argv[2] if len(sys.argv) > 2 else ""))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for fault in pool.map(lambda item: check(tidy, build, *item), work):
            if fault is not None:
                failed += 1
                print(fault, flush=True)
    print(f"clang-tidy: {len(work)} sources, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
