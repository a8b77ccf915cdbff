#!/usr/bin/python3
"""Runs mgbeval over every folder of a corpus directory: check_corpus.py DIR [--filter=TEXT] [--failed]

A folder holds NAME*.mge, in_i.npy and out_i.npy. Prints one line per model file (with --failed only
those that did not pass) and the totals. Exit status 0 if all passed.
"""
import argparse
import contextlib
import glob
import io
import os
import sys
import time

sys.dont_write_bytecode = True

import mgbeval

# Outputs that cannot be compared by value.
SHAPE_ONLY = ('uniform_rng', 'gaussian_rng', 'alloc_typed')


def extra_args(name, path):
    if '.opt_f16io' in path:
        return ['--atol-rel=3e-3']
    if os.path.basename(os.path.dirname(os.path.dirname(path))) == 'known_bad':
        return ['--ignore-z']
    if name == 'topk_nosort':
        return ['--sort-rows']
    if name == 'elemwise_SIGN' and 'nc.mge' in path:
        return ['--negate']     # the stored output is that of the rewritten (wrong) form
    if name in ('resize_u8_nhwc',):
        return ['--codes=1']
    return []


def check(folder, path):
    """(verdict, detail)"""
    name = os.path.basename(folder)
    argv = [path, '--input-dir=' + folder]
    if name not in SHAPE_ONLY:
        argv.append('--expect-dir=' + folder)
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        code = mgbeval.main(argv + extra_args(name, path))
    lines = text.getvalue().strip().split('\n')
    bad = [s for s in lines if 'MISMATCH' in s] or lines
    verdict = {0: 'pass', 3: 'FAIL', 4: 'unsupported'}.get(code, 'ERROR')
    return verdict, (bad[0] if code else lines[0])[:150]


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('dir')
    ap.add_argument('--filter', default='', help='only folders whose name contains this')
    ap.add_argument('--failed', action='store_true', help='print only what did not pass')
    args = ap.parse_args()
    counts = {}
    folders = sorted({os.path.dirname(p) for p in glob.glob(os.path.join(args.dir, '**', '*.mge'), recursive=True)})
    for folder in folders:
        if args.filter not in os.path.basename(folder):
            continue
        for path in sorted(glob.glob(os.path.join(folder, '*.mge'))):
            start = time.time()
            verdict, detail = check(folder, path)
            counts[verdict] = counts.get(verdict, 0) + 1
            if verdict != 'pass' or not args.failed:
                print('%-11s %5.1fs %-44s %s' % (verdict, time.time() - start, os.path.basename(path), detail),
                      flush=True)
    failed = sum(n for v, n in counts.items() if v not in ('pass', 'unsupported'))
    print('%d passed, %d failed, %d unsupported' % (counts.get('pass', 0), failed, counts.get('unsupported', 0)))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
