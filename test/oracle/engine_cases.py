"""Ops on given numbers, written as one MLIR function, run by model-run and compared with what the evaluator
says. The parts that the tests of op families share."""
import json
import os
import subprocess
import tempfile

import numpy as np

from values import from_npy, is_quant, to_npy

STORAGE = dict(QuantizedS8='i8', Quantized8Asymm='u8', QuantizedS32='i32', QuantizedS16='i16', QuantizedS4='i4',
               Quantized4Asymm='u4')
PLAIN = dict(Float32='f32', Float16='f16', BFloat16='bf16', Int8='i8', Int16='i16', Int32='i32', Uint8='ui8',
             Uint16='ui16', Byte='si8', Bool='i1')


class Params:
    """Parameters by name; what is not given is 0."""

    def __init__(self, **values):
        self.__dict__.update(values)

    def __getattr__(self, name):
        return 0

    def __getitem__(self, name):
        return getattr(self, name)


def element_type(dt):
    if is_quant(dt):
        zero = ':%d' % dt.zp if dt.zp else ''
        return '!quant.uniform<%s:f32, %r%s>' % (STORAGE[dt.name], float(dt.scale), zero)
    return PLAIN[dt.name]


def tensor_type(v, dynamic=False):
    return 'tensor<%s>' % ''.join(['%sx' % ('?' if dynamic else n) for n in v.shape] + [element_type(v.dt)])


class Cases:
    """Cases in modules of CHUNK ops: compilation takes more than linear time."""
    CHUNK = 12
    OPTIONS = ['--opt-level=0']

    def __init__(self):
        self.cases = []

    def add(self, label, text, operands, expected, tolerance=0, dynamic=False):
        """`text` holds the op without its types, %0, %1 ... in place of its operands. `expected` is a value or, for
        an op with more results, a list. `dynamic` leaves all sizes to be found at run time."""
        results = expected if isinstance(expected, list) else [expected]
        self.cases.append((label, text, operands, results, tolerance, dynamic))

    @staticmethod
    def write_module(cases, path):
        """The values of the function's arguments."""
        body, inputs, arguments, outputs = [], [], [], []
        for number, (_, text, operands, results, _, dynamic) in enumerate(cases):
            for k in reversed(range(len(operands))):
                text = text.replace('%%%d' % k, '%%in%d' % (len(inputs) + k))
            types = [tensor_type(v, dynamic) for v in operands]
            arguments += ['%%in%d: %s {nn.name = "in%d"}' % (len(inputs) + k, t, len(inputs) + k)
                          for k, t in enumerate(types)]
            inputs += operands
            out = '%%out%d' % number
            own = [tensor_type(v, dynamic) for v in results]
            body.append('  %s:%d = %s : (%s) -> (%s)\n' % (out, len(own), text, ', '.join(types), ', '.join(own)))
            outputs += [('%s#%d' % (out, k), t) for k, t in enumerate(own)]
        types = ', '.join(t for _, t in outputs)
        with open(path, 'w') as f:
            f.write('func.func @main(%s) -> (%s) {\n%s  return %s : %s\n}\n' % (
                ', '.join(arguments), types, ''.join(body), ', '.join(name for name, _ in outputs), types))
        return inputs

    @classmethod
    def run(cls, bin_dir, cases, options):
        """What is wrong, a line for each output."""
        with tempfile.TemporaryDirectory() as tmp:
            model, out = os.path.join(tmp, 'model.mlir'), os.path.join(tmp, 'out')
            args = [os.path.join(bin_dir, 'model-run'), model, '--output-dir=' + out] + cls.OPTIONS + list(options)
            # Only .npy files tell the sizes, but not those of packed elements.
            is_dynamic = [case[5] for case in cases for _ in case[2]]
            for k, v in enumerate(cls.write_module(cases, model)):
                path = os.path.join(tmp, 'in%d.%s' % (k, 'npy' if is_dynamic[k] else 'bin'))
                array = np.ascontiguousarray(to_npy(v))
                if is_dynamic[k]:
                    np.save(path, array)
                else:
                    array.tofile(path)
                args.append('--input=in%d=%s' % (k, path))
            result = subprocess.run(args, capture_output=True, text=True)
            if result.returncode:
                return [result.stderr]
            with open(os.path.join(out, 'outputs.json')) as f:
                listed = json.load(f)
            arrays = [np.load(os.path.join(out, entry['file'])) for entry in listed]
        return [line for case in cases for line in cls.compare(case, arrays)]

    @staticmethod
    def compare(case, arrays):
        """What is wrong with the results of a case, which are taken off the front of `arrays`."""
        label, _, _, results, tolerance, dynamic = case
        for expected in results:
            array = arrays.pop(0)
            if dynamic and array.shape != expected.shape:
                yield '%s: the shape is %s, not %s' % (label, array.shape, expected.shape)
                continue
            actual = from_npy(array, expected.dt, expected.shape).a.reshape(expected.shape).astype('f8')
            want = expected.a.astype('f8')
            same = (actual == want) | (np.isnan(actual) & np.isnan(want))
            finite = want[np.isfinite(want)]
            bad = ~same & ~(abs(actual - want) <= tolerance * abs(finite).max(initial=0))
            if bad.any():
                yield '%s: %d of %d differ, first %s for %s' % (
                    label, bad.sum(), bad.size, actual[bad][0], want[bad][0])

    def list(self):
        """Prints a line for each op and element type of its first operand, with the number of cases."""
        found = {}
        for _, text, operands, results, _, _ in self.cases:
            key = text.split()[0], (operands or results)[0].dt.name
            found[key] = found.get(key, 0) + 1
        for (name, dtype), count in found.items():
            print(name, dtype, count)

    def main(self, bin_dir, least, options=()):
        """The exit code; there must be `least` cases at least. `options` are model-run's, or --list, which prints
        what there are cases for."""
        if '--list' in options:
            self.list()
            return 0
        wrong = []
        for start in range(0, len(self.cases), self.CHUNK):
            wrong += self.run(bin_dir, self.cases[start:start + self.CHUNK], options)
        print('\n'.join(wrong + ['%d cases, %d failures' % (len(self.cases), len(wrong))]))
        return 1 if wrong or len(self.cases) < least else 0
