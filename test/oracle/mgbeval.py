#!/usr/bin/python3
"""Evaluates MegEngine graph files with numpy.

  mgbeval.py MODEL --input-dir=DIR [--expect-dir=DIR] [--save=DIR]
  mgbeval.py MODEL --random=SEED [--save=DIR]
  mgbeval.py MODEL                      (mgbtest0: its own test cases; else graphs without inputs)
  mgbeval.py --compare A B [--random=SEED | --input-dir=DIR]

Exit status: 0 fine, 1 failed to run, 2 usage, 3 outputs differ, 4 operator not supported.
"""
import argparse
import glob
import json
import os
import sys
import zlib

import numpy as np

sys.dont_write_bytecode = True

import interp
import mgbfile
from ops_elemwise import cast
from values import (F32, NIBBLES, RANGE, Unsupported, Val, decode, from_npy, is_float, is_quant, quantize,
                    real, store, to_npy)

TOLERANCE = {'Float16': 2e-3, 'BFloat16': 1e-2}


def load_inputs(graph, folder):
    order, files = [t.name for t in graph.inputs()], {}
    for path in sorted(glob.glob(os.path.join(folder, '*.json'))):
        if '.opt' in os.path.basename(path):
            continue
        with open(path) as f:
            entries = json.load(f).get('inputs') or []
        files = {e['name']: e for e in entries if e.get('npy')}
        break
    feeds = {}
    for i, t in enumerate(graph.inputs()):
        entry = files.get(t.name, {})
        path = os.path.join(folder, entry.get('npy') or 'in_%d.npy' % order.index(t.name))
        if os.path.exists(path):
            feeds[t.name] = from_npy(np.load(path), t.dtype, entry.get('shape', t.shape))
    return feeds


def random_input(t, seed, span):
    rng = np.random.RandomState((zlib.crc32(t.name.encode()) ^ seed * 2654435761) & 0xffffffff)
    name = t.dtype.name
    if is_float(t.dtype):
        return store(rng.uniform(span[0], span[1], t.shape), t.dtype)
    if name in RANGE:
        return Val(quantize(rng.uniform(span[0], span[1], t.shape), t.dtype), t.dtype)
    if name == 'Bool':
        return Val(rng.randint(0, 2, t.shape) != 0, t.dtype)
    lo, hi = {'Uint8': (0, 256), 'Int8': (-128, 128), 'Byte': (0, 256)}.get(name, (0, 4))
    return store(rng.randint(lo, hi, t.shape), t.dtype)


def random_inputs(graph, seed, span, like=None):
    """Seeded by input name. like: feeds of another graph, reused by name and converted."""
    feeds = {}
    for t in graph.inputs():
        if t.data is not None:
            continue
        if like and t.name in like:
            v = like[t.name]
            if v.dt != t.dtype:
                v = cast(Val(real(v), F32), t.dtype)
            if list(v.shape) != list(t.shape):
                raise interp.RunError('input "%s" has shape %s and %s' % (t.name, list(v.shape), list(t.shape)))
            feeds[t.name] = v
        else:
            feeds[t.name] = random_input(t, seed, span)
    return feeds


def expected(arr, got):
    """A stored .npy as a value comparable with got."""
    if got.dt.name in NIBBLES and arr.dtype == np.uint8:
        return Val(decode(got.dt, got.shape, np.ascontiguousarray(arr).tobytes()), got.dt)
    if got.dt.name == 'BFloat16' and arr.dtype == np.uint16:
        return from_npy(arr, got.dt, got.shape)
    return Val(arr, got.dt)


def difference(got, want, rel, codes):
    """(ok, text)"""
    if tuple(got.shape) != tuple(want.shape):
        return False, 'shape %s, expected %s' % (list(got.shape), list(want.shape))
    if got.a.size == 0:
        return True, 'empty'
    a, b = got.a, want.a
    if is_quant(got.dt) and is_quant(want.dt) and got.dt.name != want.dt.name:
        a, b = real(got), real(want)
    if a.dtype.kind == 'f' or b.dtype.kind == 'f':
        a, b = a.astype('f8'), b.astype('f8')
        odd = ~(np.isfinite(a) & np.isfinite(b))
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        bad = int((odd & ~same).sum())
        d = np.where(odd, 0, np.abs(np.where(odd, 0, a) - np.where(odd, 0, b)))
        top = float(np.abs(np.where(odd, 0, b)).max())
        worst = float(d.max())
        ratio = worst / top if top else worst
        text = 'max-abs %.3g rel %.3g of %.4g' % (worst, ratio, top)
        return not bad and ratio <= rel, text + (', %d non-finite differ' % bad if bad else '')
    d = np.abs(a.astype('i8') - b.astype('i8'))
    text = 'max-abs %d, %d of %d differ' % (d.max(), (d > 0).sum(), d.size)
    return int(d.max()) <= codes, text


def tolerance(args, *dts):
    if args.atol_rel is not None:
        return args.atol_rel
    return max(TOLERANCE.get(dt.name, 1e-4) for dt in dts)


def load(path):
    main, cases = mgbfile.read_file(path)
    lack = set()
    for g in [main] + cases:
        lack |= set(interp.missing(g))
    if lack:
        raise Unsupported(', '.join(sorted(lack)))
    return main, cases


def report(outs, wants, args):
    good = len(outs) == len(wants)
    for i, (got, want) in enumerate(zip(outs, wants)):
        if args.negate:
            want = Val(-want.a, want.dt)
        if args.sort_rows:
            if i > 0:
                break       # indices follow the order of the values
            got, want = (Val(np.sort(v.a, -1), v.dt) for v in (got, want))
        ok, text = difference(got, want, tolerance(args, got.dt, want.dt), args.codes)
        good &= ok
        if not args.quiet or not ok:
            print('out %d %s%s: %s: %s' % (i, got.dt.name, list(got.shape), text, 'ok' if ok else 'MISMATCH'))
    return good


def run_cases(main, cases, args):
    names = sorted(t.name for t in main.inputs())
    good = True
    for k, case in enumerate(cases):
        consts, _ = interp.run(case, {})
        outs, failures = interp.run(main, dict(zip(names, consts)))
        for f in failures:
            print('case %d: %s' % (k, f))
        print('case %d: %s' % (k, 'MISMATCH' if failures else 'ok'))
        good &= not failures
    return 0 if good else 3


def main(argv=None):
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument('model', nargs='*')
    ap.add_argument('--compare', action='store_true', help='run two models on the same inputs')
    ap.add_argument('--input-dir', help='folder with in_0.npy ... (and perhaps a manifest)')
    ap.add_argument('--expect-dir', help='folder with out_0.npy ...')
    ap.add_argument('--random', type=int, metavar='SEED', help='seeded random inputs')
    ap.add_argument('--range', default='-1,1', help='range of random floats (default -1,1)')
    ap.add_argument('--atol-rel', type=float, help='bound relative to the largest magnitude '
                    '(default 1e-4, Float16 2e-3, BFloat16 1e-2)')
    ap.add_argument('--codes', type=int, default=0, help='allowed difference of integers and codes')
    ap.add_argument('--save', metavar='DIR', help='write in_i.npy and out_i.npy there')
    ap.add_argument('--ignore-z', action='store_true', help="leave out ConvBias's z, as the peer's x86 code does")
    ap.add_argument('--negate', action='store_true', help='expect the negated outputs')
    ap.add_argument('--sort-rows', action='store_true', help='compare only output 0, as a set per row')
    ap.add_argument('--trace', action='store_true', help='print every computed value')
    ap.add_argument('--quiet', action='store_true')
    args = ap.parse_args(argv)
    if len(args.model) != (2 if args.compare else 1):
        ap.error('needs %s' % ('two models' if args.compare else 'one model'))
    try:
        return work(args)
    except Unsupported as e:
        print('not supported: %s' % e)
        return 4
    except (interp.RunError, mgbfile.FormatError, OSError, ValueError) as e:
        print('error: %s' % e)
        return 1
    except Exception as e:      # damaged files may break anything
        if args.trace:
            raise
        print('error: %s: %s' % (type(e).__name__, e))
        return 1


def feeds_for(graph, args, span, like=None):
    if args.input_dir:
        return load_inputs(graph, args.input_dir)
    if args.random is not None or like is not None:
        return random_inputs(graph, args.random or 0, span, like)
    return {}


def trace(k, o, i, v):
    if v.a is not None and v.a.size:
        a = v.a.astype('f8') if v.a.dtype.kind != 'c' else np.abs(v.a)
        print('%4d %-28s var %d %s%s mean %.6g absmax %.6g' % (
            k, o.type, i, v.dt.name, list(v.shape), a.mean(), np.abs(a).max()))


def work(args):
    span = [float(x) for x in args.range.split(',')]
    graph, cases = load(args.model[0])
    watch = trace if args.trace else None
    if cases and not args.input_dir and args.random is None and not args.compare:
        return run_cases(graph, cases, args)
    if args.compare and args.random is None:
        args.random = 0
    feeds = feeds_for(graph, args, span)
    outs, failures = interp.run(graph, feeds, watch, args.ignore_z)
    for f in failures:
        print(f)
    if args.save:
        os.makedirs(args.save, exist_ok=True)
        for i, t in enumerate(graph.inputs()):
            if t.name in feeds:
                np.save(os.path.join(args.save, 'in_%d.npy' % i), to_npy(feeds[t.name]))
        for i, v in enumerate(outs):
            np.save(os.path.join(args.save, 'out_%d.npy' % i), to_npy(v))
    if args.compare:
        other, _ = load(args.model[1])
        outs2, failures2 = interp.run(other, feeds_for(other, args, span, feeds), watch, args.ignore_z)
        if len(outs) != len(outs2):
            print('%d outputs and %d outputs: MISMATCH' % (len(outs), len(outs2)))
            return 3
        return 0 if report(outs2, outs, args) and not failures2 else 3
    if args.expect_dir:
        wants = []
        for i, v in enumerate(outs):
            path = os.path.join(args.expect_dir, 'out_%d.npy' % i)
            if not os.path.exists(path):
                print('%s is missing' % path)
                return 3
            wants.append(expected(np.load(path), v))
        return 0 if report(outs, wants, args) and not failures else 3
    if not args.quiet:
        for i, v in enumerate(outs):
            a = real(v).astype('f8') if v.a.dtype.kind != 'c' else np.abs(v.a)
            print('out %d %s%s mean %.6g absmax %.6g' % (i, v.dt.name, list(v.shape), a.mean() if a.size else 0,
                                                         np.abs(a).max() if a.size else 0))
    return 3 if failures else 0


if __name__ == '__main__':
    sys.exit(main())
