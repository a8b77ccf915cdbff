"""Reader of MegEngine graph files: V1 (MGBS, MGBC), V2 (mgv2) and the mgbtest0 container.

Stand-alone: a small FlatBuffers cursor, XXH64 for the operator ids, and plain Python objects out.
"""
import re
import struct

import tables
from values import DT, Val, decode

_M64 = (1 << 64) - 1
_P = (11400714785074694791, 14029467366897019727, 1609587929392839161,
      9650029242287828579, 2870177450012600261)


class FormatError(Exception):
    pass


def xxh64(data, seed):
    def rotl(x, r):
        return ((x << r) | (x >> (64 - r))) & _M64

    def mix(acc, lane):
        return rotl((acc + lane * _P[1]) & _M64, 31) * _P[0] & _M64

    pos, n = 0, len(data)
    if n >= 32:
        acc = [(seed + _P[0] + _P[1]) & _M64, (seed + _P[1]) & _M64, seed & _M64, (seed - _P[0]) & _M64]
        while pos + 32 <= n:
            acc = [mix(a, lane) for a, lane in zip(acc, struct.unpack_from('<4Q', data, pos))]
            pos += 32
        h = sum(rotl(a, r) for a, r in zip(acc, (1, 7, 12, 18))) & _M64
        for a in acc:
            h = ((h ^ mix(0, a)) * _P[0] + _P[3]) & _M64
    else:
        h = (seed + _P[4]) & _M64
    h = (h + n) & _M64
    while pos + 8 <= n:
        h = (rotl(h ^ mix(0, struct.unpack_from('<Q', data, pos)[0]), 27) * _P[0] + _P[3]) & _M64
        pos += 8
    if pos + 4 <= n:
        h = (rotl(h ^ (struct.unpack_from('<I', data, pos)[0] * _P[0] & _M64), 23) * _P[1] + _P[2]) & _M64
        pos += 4
    for byte in data[pos:]:
        h = rotl(h ^ (byte * _P[4] & _M64), 11) * _P[0] & _M64
    h = (h ^ (h >> 33)) * _P[1] & _M64
    h = (h ^ (h >> 29)) * _P[2] & _M64
    return h ^ (h >> 32)


def _opr_ids():
    bare, full = {}, {}
    for name in tables.OPRS:
        stem = re.sub(r'V\d$', '', name)
        bare[xxh64(stem.encode(), 20160701) or 1] = name
        for text in (stem, name):
            full[xxh64(text.encode() + b'\0', 20160701) or 1] = name
    return bare, full


_BARE, _FULL = _opr_ids()


class Table:
    """A FlatBuffers table inside buf."""

    def __init__(self, buf, pos):
        self.buf, self.pos = buf, pos
        self.vt = pos - struct.unpack_from('<i', buf, pos)[0]
        self.slots = struct.unpack_from('<H', buf, self.vt)[0] // 2 - 2

    @staticmethod
    def root(buf, at):
        return Table(buf, at + struct.unpack_from('<I', buf, at)[0])

    def at(self, slot):
        if slot >= self.slots:
            return None
        rel = struct.unpack_from('<H', self.buf, self.vt + 4 + 2 * slot)[0]
        return self.pos + rel if rel else None

    def num(self, slot, fmt, default=0):
        p = self.at(slot)
        return default if p is None else struct.unpack_from('<' + fmt, self.buf, p)[0]

    def deref(self, slot):
        p = self.at(slot)
        return None if p is None else p + struct.unpack_from('<I', self.buf, p)[0]

    def table(self, slot):
        p = self.deref(slot)
        return None if p is None else Table(self.buf, p)

    def span(self, slot):
        """(first element, count) of a vector."""
        p = self.deref(slot)
        return (0, 0) if p is None else (p + 4, struct.unpack_from('<I', self.buf, p)[0])

    def text(self, slot):
        p, n = self.span(slot)
        return self.buf[p:p + n].decode('utf-8', 'replace')

    def raw(self, slot):
        p, n = self.span(slot)
        return self.buf[p:p + n]

    def nums(self, slot, fmt):
        p, n = self.span(slot)
        return list(struct.unpack_from('<%d%s' % (n, fmt), self.buf, p)) if n else []

    def structs(self, slot, fmt):
        p, n = self.span(slot)
        size = struct.calcsize('<' + fmt)
        return [struct.unpack_from('<' + fmt, self.buf, p + i * size) for i in range(n)]

    def tables(self, slot):
        p, n = self.span(slot)
        out = []
        for i in range(n):
            q = p + 4 * i
            out.append(Table(self.buf, q + struct.unpack_from('<I', self.buf, q)[0]))
        return out


def _param_tables():
    out, line = {}, ''
    logical = []
    for raw in tables.PARAMS.strip().split('\n'):
        if raw.startswith('  '):
            logical[-1] += raw
        else:
            logical.append(raw)
    for line in logical:
        number, name, *fields = line.split()
        spec = []
        for f in fields:
            f, _, default = f.partition('=')
            kind, _, fname = f.rpartition(':')
            kind = kind or 'I'
            value = (float if kind in 'fd' else int)(default or 0)
            spec.append((fname, kind, bool(value) if kind == '?' else value))
        out[int(number)] = (name, spec)
    return out


_PARAMS = _param_tables()


def read_dtype(t):
    if t is None:
        return None
    name = tables.DTYPES[t.num(0, 'b')]
    q = t.table(2) if t.num(1, 'B') else None
    return DT(name, q.num(0, 'f') if q else 0.0, q.num(1, 'B') if q else 0)


class Param(dict):
    __getattr__ = dict.__getitem__


def read_param(number, t):
    if number == 67:
        return 'DType', Param(dtype=read_dtype(t))
    if number not in _PARAMS:
        return '?%d' % number, Param()
    name, spec = _PARAMS[number]
    p = Param()
    for slot, (fname, kind, default) in enumerate(spec):
        if kind == 'v':
            p[fname] = t.nums(slot, 'i')
        elif kind == 'A':
            p[fname] = t.structs(slot, 'bxxxi')
        elif kind == 'M':
            p[fname] = t.structs(slot, 'b????')
        elif kind == 'S':
            at = t.at(slot)
            p[fname] = (0, b'\0' * 4) if at is None else (t.buf[at], bytes(t.buf[at + 1:at + 5]))
        else:
            p[fname] = t.num(slot, kind, default)
    return name, p


class Tensor:
    def __init__(self, name, shape, dtype, data):
        self.name, self.shape, self.dtype, self.data = name, shape, dtype, data

    def value(self):
        return Val(decode(self.dtype, self.shape, self.data), self.dtype)


class Opr:
    """type: registered name or '?id'; p: the first parameter; outs: var ids (None in V1 files)."""

    def __str__(self):
        return '%s "%s"' % (self.type, self.name)


class Graph:
    def inputs(self):
        return [o.tensors[0] for o in self.oprs if o.type == 'Host2DeviceCopy']


_V1 = dict(id=0, param=1, inputs=3, outdt=6, tensors=7, blobs=9, more=10, name=12)
_V2 = dict(id=1, name=2, param=3, more=5, inputs=7, outs=8, outdt=10, tensors=11, blobs=14)


def _read_opr(t, slots, ids, take):
    o = Opr()
    number = t.num(slots['id'], 'Q')
    o.type = ids(number)
    o.name = t.text(slots['name'])
    o.inputs = t.nums(slots['inputs'], 'I')
    o.outs = t.nums(slots['outs'], 'I') if 'outs' in slots else None
    o.output_dtype = read_dtype(t.table(slots['outdt']))
    kinds = [t.num(slots['param'], 'B')] + t.nums(slots['more'], 'B')
    params = [t.table(slots['param'] + 1)] + t.tables(slots['more'] + 1)
    o.params = [read_param(k, p) for k, p in zip(kinds, params) if k and p is not None]
    o.p = o.params[0][1] if o.params else Param()
    o.ptype = o.params[0][0] if o.params else None
    o.tensors = [take(x) for x in t.tables(slots['tensors'])]
    o.blobs = [b.raw(0) for b in t.tables(slots['blobs'])]
    return o


def _read_v1(buf, base):
    old = buf[base:base + 4] == b'MGBS'
    head = 16 if old else 24
    size, = struct.unpack_from('<Q', buf, base + head - 8)
    state = {'pos': base + head}
    fb = base + head + size
    if fb + 12 > len(buf) or buf[fb + 8:fb + 12] != b'mgb1':
        raise FormatError('no mgb1 graph behind the tensor area')
    root = Table.root(buf, fb + 4)

    def take(x):
        start, n, skip = state['pos'], x.num(4, 'I'), x.num(5, 'I')
        state['pos'] += n
        data = buf[start + skip:start + n] if n else None
        return Tensor(x.text(0), x.nums(1, 'I'), read_dtype(x.table(3)), data)

    known = _BARE if old else _FULL
    g = Graph()
    g.kind = 'MGBS' if old else 'MGBC'
    g.version = root.num(0, 'I')
    g.oprs = [_read_opr(t, _V1, lambda i: known.get(i, '?%016x' % i), take) for t in root.tables(3)]
    g.outputs = [a for a, _ in root.structs(4, 'II')]
    if state['pos'] != fb:
        raise FormatError('tensor area has %d bytes, %d are referenced' % (size, state['pos'] - base - head))
    return g, fb + 4 + struct.unpack_from('<I', buf, fb)[0]


def _read_v2(buf, base):
    root = Table.root(buf, base + 4)

    def take(x):
        data = x.raw(6) if x.at(6) is not None else None
        return Tensor(x.text(0), x.nums(1, 'I'), read_dtype(x.table(3)), data)

    g = Graph()
    g.kind = 'mgv2'
    g.version = root.num(0, 'I')
    ids = lambda i: _FULL.get(i) or _BARE.get(i) or '?%016x' % i
    g.oprs = [_read_opr(t, _V2, ids, take) for t in root.tables(2)]
    outs = [(x.num(0, 'I'), x.num(1, 'I')) for x in root.tables(4)]
    alias = [x.num(0, 'I') for x in root.tables(5)]
    if alias:
        by_original = {orig: cid for cid, orig in outs}
        outs = [(by_original[i], i) for i in alias]
    g.outputs = [a for a, _ in outs]
    return g, base + 4 + struct.unpack_from('<I', buf, base)[0]


def read_graph(buf, base):
    if buf[base:base + 4] in (b'MGBS', b'MGBC'):
        return _read_v1(buf, base)
    if buf[base + 8:base + 12] == b'mgv2':
        return _read_v2(buf, base)
    raise FormatError('not a MegEngine graph: %r' % bytes(buf[base:base + 12]))


def read_file(path):
    """(main graph, list of testcase graphs)."""
    with open(path, 'rb') as f:
        buf = f.read()
    base, cases = (12, struct.unpack_from('<I', buf, 8)[0]) if buf[:8] == b'mgbtest0' else (0, 0)
    try:
        main, base = read_graph(buf, base)
        rest = []
        for _ in range(cases):
            g, base = read_graph(buf, base)
            rest.append(g)
    except (struct.error, IndexError) as e:
        raise FormatError('damaged file: %s' % e)
    return main, rest
