#!/usr/bin/python3
"""Runs passes over random graphs: what is computed, outputs' names, fixpoints.

usage: check_passes.py BIN_DIR [--graphs=N] [--seconds=S] [--seed=FIRST] [--keep=DIR]

For each seed a graph (random_graphs.py) is written to a .mge untouched. Then
`-O1`, one pass, and a random sequence of all passes each must
  1. compute the same on random inputs: within 1e-4 of the largest magnitude of
     an output (f16 inside: 1e-2; an int8 code that differs is a fault of either),
  2. keep number, order and names of the outputs,
  3. change nothing if run again, byte for byte (not the sequence, in which a
     late pass may make work for an early one).
A fault is printed with its seed and flags; --keep writes its files. The passes
are those of --list-passes, so that a new one is in at once; over all graphs,
each must have done something. --tests names the folder in which each has a lit
test of its name that runs it twice.
"""
import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True

import interp
import mgbeval
import random_graphs

# MLIR's transforms. All but the two that the project promises are left out; a
# pass that is not listed here is the project's.
MLIR = set("""bubble-down-memory-space-casts composite-fixed-point-pass control-flow-sink
generate-runtime-verification inline loop-invariant-code-motion loop-invariant-subset-hoisting mem2reg
print-ir print-op-stats remove-dead-values sccp snapshot-op-locations sroa strip-debuginfo symbol-dce
symbol-privatize topological-sort trivial-dce view-op-graph""".split())


# On the way to native code: what comes out is no graph any more. Each must have
# a test of its name in one of these folders beside that of --tests.
LOWERING = set("""add-thread-pool allocate-scratch assign-halos call-libm choose-kernels convert-nn-to-cpu
emit-kernels fuse-elementwise fuse-epilogues fuse-matmul-epilogues instrument-units lower-runtime-checks number-ops
outline-loops parallelize-kernels plan-memory prepare-entry propagate-blocking relax-float-math separate-results
split-destinations""".split())
LOWERING_TESTS = ('../Target/CPU', '../Conversion')
# Its tests are those of the op families.
FAMILIES = {'convert-nn-to-linalg'}


def run(*args):
    return subprocess.run(args, capture_output=True, text=True, errors='replace', timeout=120)


def list_passes(opt):
    """The project's passes and MLIR's that it promises, from --list-passes."""
    text = run(opt, '--list-passes').stdout.split('Pass Pipelines')[0]
    found = set(re.findall(r'^  --([\w-]+) ', text, re.M))
    assert LOWERING | FAMILIES <= found, 'no passes any more: %s' % sorted((LOWERING | FAMILIES) - found)
    return sorted(found - MLIR - LOWERING - FAMILIES)


# No .mge has what these look for: their lit tests alone show that they fire.
NOT_IN_GRAPHS = {'inline-branches'}


class Fault(Exception):
    pass


class Checker:
    def __init__(self, bin_dir, folder):
        self.opt, self.info = (os.path.join(bin_dir, t) for t in ('model-opt', 'model-info'))
        self.folder = folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def optimize(self, flags, source, target):
        result = run(self.opt, *flags, self.path(source), '-o', self.path(target))
        if result.returncode:
            raise Fault('exit %d: %s' % (result.returncode, result.stderr[-600:]))

    def outputs(self, name):
        return [o['name'] for o in json.loads(run(self.info, '--json', self.path(name)).stdout)['outputs']]

    def evaluate(self, name, seed, like=None):
        graph, _ = mgbeval.load(self.path(name))
        feeds = mgbeval.random_inputs(graph, seed, (-1.5, 1.5), like)
        return feeds, interp.run(graph, feeds)[0]

    def check(self, seed, flags, source, want, names, feeds, rel, fixpoint):
        self.optimize(flags, source, 'out.mge')
        got = self.evaluate('out.mge', seed, feeds)[1]
        if len(got) != len(want):
            raise Fault('%d outputs, expected %d' % (len(got), len(want)))
        for k, (a, b) in enumerate(zip(got, want)):
            same, text = mgbeval.difference(a, b, rel, 0)
            if not same:
                raise Fault('output %d: %s' % (k, text))
        # A result without a name in MLIR gets one from its op, which may go; one
        # without any may gain one.
        got = self.outputs('out.mge')
        if any(a != b for a, b in zip(got, names) if (b and source == 'base.mge') or b.startswith('out')):
            raise Fault('outputs are called %s, expected %s' % (got, names))
        if fixpoint:
            self.optimize(flags, 'out.mge', 'again.mge')
            with open(self.path('out.mge'), 'rb') as a, open(self.path('again.mge'), 'rb') as b:
                if a.read() != b.read():
                    raise Fault('a second run changes the file')

    def idle(self, passes):
        """Those of the passes that change nothing."""
        print_with = lambda *flags: run(self.opt, *flags, self.path('in.mlir')).stdout
        before = print_with()
        return {name for name in passes if print_with('--' + name) == before}


def runs(passes, seed, rng):
    """Flags, and whether they must be a fixpoint."""
    yield ['-O1'], True
    yield ['--' + passes[seed % len(passes)]], True
    if rng.random() < 0.3:
        yield ['-O1', '--gpu'], True
    yield ['--' + p for p in rng.sample(passes, len(passes))], False


def untested_lowerings(folder):
    for name in sorted(LOWERING):
        paths = [os.path.join(folder, other, name + '.mlir') for other in LOWERING_TESTS]
        if not any(map(os.path.exists, paths)):
            yield '%s has no test %s' % (name, paths[0])


def untested(passes, folder):
    for name in sorted(passes):
        path = os.path.join(folder, name + '.mlir')
        if not os.path.exists(path):
            yield '%s has no test %s' % (name, path)
            continue
        with open(path) as f:
            lines = [line for line in f if line.startswith('// RUN:')]
        if sum('--' + name in line for line in lines) < 3 or not any('diff' in line for line in lines):
            yield '%s does not run --%s twice and compare' % (path, name)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('bin_dir')
    ap.add_argument('--graphs', type=int, default=1000000)
    ap.add_argument('--seconds', type=float, default=45)
    ap.add_argument('--seed', type=int, default=1)
    ap.add_argument('--passes', help='comma separated (default: all)')
    ap.add_argument('--keep', metavar='DIR')
    ap.add_argument('--tests', metavar='DIR')
    args = ap.parse_args()
    start, faults, graphs, checks = time.time(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(args.bin_dir, folder)
        passes = args.passes.split(',') if args.passes else list_passes(checker.opt)
        if args.tests:
            faulty = list(untested(set(passes) - {'canonicalize', 'cse'}, args.tests))
            for fault in faulty + list(untested_lowerings(args.tests)):
                faults += 1
                print('FAIL ' + fault)
        idle = set(passes) - NOT_IN_GRAPHS
        for seed in range(args.seed, args.seed + args.graphs):
            if time.time() - start > args.seconds:
                break
            graphs += 1
            text = random_graphs.make(seed)
            with open(checker.path('in.mlir'), 'w') as f:
                f.write(text)
            rel = 1e-2 if 'xf16>' in text else 1e-4
            rng = random.Random(seed)
            flags = []
            try:
                checker.optimize([], 'in.mlir', 'base.mge')
                feeds, want = checker.evaluate('base.mge', seed)
                names = checker.outputs('base.mge')
                idle = checker.idle(idle) if idle else idle
                for flags, fixpoint in runs(passes, seed, rng):
                    source = rng.choice(['in.mlir', 'base.mge'])
                    checks += 1
                    checker.check(seed, flags, source, want, names, feeds, rel, fixpoint)
            except (Fault, subprocess.TimeoutExpired, interp.RunError, mgbeval.Unsupported) as fault:
                faults += 1
                print('FAIL seed %d %s: %s' % (seed, ' '.join(flags), fault), flush=True)
                if args.keep:
                    shutil.copytree(folder, os.path.join(args.keep, str(seed)), dirs_exist_ok=True)
    for name in sorted(idle) if graphs >= 4 * len(passes) else ():
        faults += 1
        print('FAIL %s never did anything' % name)
    print('%d graphs, %d runs, %d faults in %.0f s' % (graphs, checks, faults, time.time() - start))
    return 1 if faults or not checks else 0


if __name__ == '__main__':
    sys.exit(main())
