"""Sources, shape manipulation, indexing, sorting and control flow."""
import numpy as np

import tables
from values import BOOL, DT, F32, I32, NP, Unsupported, Val, f32, is_float, is_quant, op, store


@op('SharedDeviceTensor', 'VolatileSharedDeviceTensor', 'SharedDeviceTensorWithFormat',
    'ImmutableTensor', 'MultipleDeviceTensorHolder', 'MultipleDeviceTensorWithFormatHolder')
def holder(ctx, o, xs):
    return [t.value() for t in o.tensors]


@op('Host2DeviceCopy')
def source(ctx, o, xs):
    return [ctx.input(o.tensors[0])]


@op('Copy', 'Identity', 'MarkDynamicVar', 'MarkNoBroadcastElemwise', 'PersistentOutputStorage',
    'VirtualDep', 'Sleep')
def forward(ctx, o, xs):
    return [xs[0]]


@op('AssertEqual')
def assert_equal(ctx, o, xs):
    a, b = f32(xs[0]), f32(xs[1])
    err = np.abs(a - b) / np.maximum(np.minimum(abs(a), abs(b)), 1)
    worst = float(err.max()) if err.size else 0.0
    if not worst <= o.p.maxerr:
        ctx.failures.append('AssertEqual "%s": error %g > %g' % (o.name, worst, o.p.maxerr))
    return [xs[0]]


def ints(v):
    return [int(i) for i in v.a.reshape(-1)]


@op('GetVarShapeV1')
def get_var_shape(ctx, o, xs):
    shape = np.broadcast_shapes(*[v.shape for v in xs])
    axis = o.p.get('axis', 7)
    if axis != 7:
        shape = [shape[axis]]
    return [Val(np.array(shape, 'i4'), I32)]


@op('ReshapeV1')
def reshape(ctx, o, xs):
    shape = ints(xs[1])
    axis = o.p.get('axis', 7)
    if axis != 7:
        shape[axis] = -1
    return [Val(xs[0].a.reshape(shape), xs[0].dt)]


@op('Broadcast')
def broadcast(ctx, o, xs):
    return [Val(np.broadcast_to(xs[0].a, ints(xs[1])), xs[0].dt)]


@op('Dimshuffle')
def dimshuffle(ctx, o, xs):
    x, pattern = xs[0].a, o.p.pattern
    kept = [d for d in pattern if d >= 0]
    gone = [d for d in range(x.ndim) if d not in kept]
    if any(x.shape[d] != 1 for d in gone):
        raise ValueError('dimshuffle drops a dim that is not 1')
    x = x.transpose(kept + gone).reshape([x.shape[d] for d in kept])
    return [Val(x.reshape([1 if d < 0 else xs[0].a.shape[d] for d in pattern]), xs[0].dt)]


@op('AxisAddRemove')
def axis_add_remove(ctx, o, xs):
    x = xs[0].a
    for method, axis in o.p.desc:
        x = np.expand_dims(x, axis) if method == 0 else np.squeeze(x, axis)
    return [Val(x if x.ndim else x.reshape(1), xs[0].dt)]


@op('Concat')
def concat(ctx, o, xs):
    return [Val(np.concatenate([v.a for v in xs], o.p.axis), xs[0].dt)]


@op('ParamPackConcat')
def param_pack_concat(ctx, o, xs):
    return [Val(np.concatenate([v.a.reshape(-1) for v in xs]), xs[0].dt)]


@op('Split')
def split(ctx, o, xs):
    sizes = [ints(v)[0] for v in xs[1:]]
    parts = np.split(xs[0].a, np.cumsum(sizes)[:-1], o.p.axis)
    return [Val(a, xs[0].dt) for a in parts]


def index_tuple(ndim, items, feed, point=lambda a: int(a.reshape(-1)[0])):
    """Index per axis from the mask items; feed yields the run-time index arrays."""
    idx = [slice(None)] * ndim
    for axis, begin, end, step, whole in items:
        if whole:
            idx[axis] = point(next(feed))
        else:
            idx[axis] = slice(*[int(next(feed).reshape(-1)[0]) if f else None for f in (begin, end, step)])
    return tuple(idx)


def _feed(xs):
    return iter([v.a for v in xs])


def _at_least_1d(a):
    return a if np.ndim(a) else np.reshape(a, (1,))


@op('Subtensor')
def subtensor(ctx, o, xs):
    x = xs[0].a
    return [Val(_at_least_1d(x[index_tuple(x.ndim, o.p['items'], _feed(xs[1:]))]), xs[0].dt)]


def _modified(o, xs, index, add):
    y = xs[0].a.copy()
    if add:
        np.add.at(y, index, xs[1].a)
    else:
        y[index] = xs[1].a
    return [Val(y, xs[0].dt)]


@op('SetSubtensor', 'IncrSubtensor')
def set_subtensor(ctx, o, xs):
    index = index_tuple(xs[0].a.ndim, o.p['items'], _feed(xs[2:]))
    y = xs[0].a.copy()
    part = y[index]
    y[index] = part + xs[1].a if o.type[0] == 'I' else xs[1].a
    return [Val(y, xs[0].dt)]


@op('IndexingMultiAxisVec')
def multi_axis_vec(ctx, o, xs):
    x = xs[0].a
    return [Val(x[index_tuple(x.ndim, o.p['items'], _feed(xs[1:]), lambda a: a)], xs[0].dt)]


@op('IndexingSetMultiAxisVec', 'IndexingIncrMultiAxisVec')
def set_multi_axis_vec(ctx, o, xs):
    index = index_tuple(xs[0].a.ndim, o.p['items'], _feed(xs[2:]), lambda a: a)
    return _modified(o, xs, index, 'Incr' in o.type)


def _mesh(shape, items, feed):
    idx = index_tuple(len(shape), items, feed, lambda a: a)
    return [np.arange(n)[i] if isinstance(i, slice) else i for n, i in zip(shape, idx)]


def _mesh_index(o, x, feed):
    axes = _mesh(x.shape, o.p['items'], feed)
    if 'Batched' not in o.type:
        return np.ix_(*[a.reshape(-1) % n for a, n in zip(axes, x.shape)])
    out = []
    for axis, a in enumerate(axes):
        if axis == 0:
            a = np.arange(x.shape[0])
        shape = [1] * x.ndim
        shape[axis] = a.shape[-1]
        if a.ndim == 2:
            shape[0] = a.shape[0]
        out.append(a.reshape(shape))
    return tuple(out)


@op('MeshIndexing', 'BatchedMeshIndexing')
def mesh_indexing(ctx, o, xs):
    return [Val(xs[0].a[_mesh_index(o, xs[0].a, _feed(xs[1:]))], xs[0].dt)]


@op('SetMeshIndexing', 'BatchedSetMeshIndexing', 'IncrMeshIndexing', 'BatchedIncrMeshIndexing')
def set_mesh_indexing(ctx, o, xs):
    return _modified(o, xs, _mesh_index(o, xs[0].a, _feed(xs[2:])), 'Incr' in o.type)


@op('IndexingOneHot')
def indexing_one_hot(ctx, o, xs):
    axis = o.p.axis % xs[0].a.ndim
    return [Val(np.take_along_axis(xs[0].a, np.expand_dims(xs[1].a, axis), axis), xs[0].dt)]


@op('IndexingSetOneHot')
def indexing_set_one_hot(ctx, o, xs):
    y, axis = xs[0].a.copy(), o.p.axis % xs[0].a.ndim
    np.put_along_axis(y, np.expand_dims(xs[1].a, axis), xs[2].a, axis)
    return [Val(y, xs[0].dt)]


@op('IndexingRemap')
def indexing_remap(ctx, o, xs):
    return [Val(xs[0].a[tuple(np.moveaxis(xs[1].a, -1, 0))], xs[0].dt)]


@op('Diag')
def diag(ctx, o, xs):
    return [Val(np.array(np.diag(xs[0].a, o.p.k)), xs[0].dt)]


@op('Eye')
def eye(ctx, o, xs):
    n = ints(xs[0])
    dt = DT(tables.DTYPES[o.p.dtype], 0.0, 0)
    return [Val(np.eye(n[0], n[-1], o.p.k, NP[dt.name]), dt)]


@op('Linspace')
def linspace(ctx, o, xs):
    lo, hi, n = [v.a.reshape(-1)[0] for v in xs]
    return [Val(np.linspace(float(lo), float(hi), int(n), endpoint=o.p.endpoint).astype('f4'), F32)]


@op('Alloc')
def alloc(ctx, o, xs):
    dt = o.p.dtype if isinstance(o.p.dtype, DT) else DT(tables.DTYPES[o.p.dtype], 0.0, 0)
    return [Val(np.zeros(ints(xs[0]), NP[dt.name]), dt)]


@op('Padding')
def padding(ctx, o, xs):
    x, p = xs[0].a, o.p
    width = [(p['front_offset_dim%d' % i], p['back_offset_dim%d' % i]) for i in range(x.ndim)]
    if p.padding_mode == 2:
        y = np.pad(x, width, constant_values=np.array(p.padding_val).astype(x.dtype))
    else:
        y = np.pad(x, width, 'reflect' if p.padding_mode else 'edge')
    return [Val(y, xs[0].dt)]


@op('Argmax', 'Argmin')
def argmax(ctx, o, xs):
    fn = np.argmax if o.type == 'Argmax' else np.argmin
    return [Val(np.expand_dims(fn(xs[0].a, o.p.axis), o.p.axis).astype('i4'), I32)]


@op('Argsort')
def argsort(ctx, o, xs):
    x = xs[0].a
    order = np.argsort(x if o.p.order == 0 else -x.astype('f8'), -1, kind='stable')
    return [Val(np.take_along_axis(x, order, -1), xs[0].dt), Val(order.astype('i4'), I32)]


@op('TopK')
def topk(ctx, o, xs):
    x, k = xs[0].a, int(xs[1].a.reshape(-1)[0])
    order = np.argsort(x if k > 0 else -x.astype('f8'), -1, kind='stable')[:, :abs(k)]
    values = np.take_along_axis(x, order, -1)
    if o.p.mode == 0:
        return [Val(values[:, -1].copy(), xs[0].dt)]
    return [Val(values, xs[0].dt), Val(order.astype('i4'), I32)]


@op('CondTake')
def cond_take(ctx, o, xs):
    x, m = xs[0].a.reshape(-1), xs[1].a.reshape(-1)
    val = np.float32(o.p.val)
    eq = abs(m.astype('f4') - val) < o.p.eps if m.dtype.kind == 'f' else m == val
    take = [eq, ~eq, m < val, (m < val) | eq, m > val, (m > val) | eq][o.p.mode]
    idx = np.nonzero(take)[0]
    return [Val(x[idx], xs[0].dt), Val(idx.astype('i4'), I32)]


@op('NonZero')
def nonzero(ctx, o, xs):
    return [Val(np.array(np.nonzero(xs[0].a), 'i4'), I32)]


@op('CumsumV1')
def cumsum(ctx, o, xs):
    axis = o.p.axis
    x = xs[0].a
    x = np.flip(x, axis) if o.p.reverse else x
    y = np.cumsum(x, axis, dtype='f8' if is_float(xs[0].dt) else x.dtype)
    y = y - x if o.p.exclusive else y
    return [store(np.flip(y, axis) if o.p.reverse else y, xs[0].dt)]


@op('NMSKeepMGB')
def nms_keep(ctx, o, xs):
    boxes, limit = xs[0].a.astype('f4'), o.p.max_output
    index = np.zeros((boxes.shape[0], limit), 'i4')
    count = np.zeros(boxes.shape[0], 'i4')
    for b, rows in enumerate(boxes):
        area = (rows[:, 2] - rows[:, 0]) * (rows[:, 3] - rows[:, 1])
        kept = []
        for i, r in enumerate(rows):
            if len(kept) == limit:
                break
            k = rows[kept]
            w = np.maximum(np.minimum(k[:, 2], r[2]) - np.maximum(k[:, 0], r[0]), 0)
            h = np.maximum(np.minimum(k[:, 3], r[3]) - np.maximum(k[:, 1], r[1]), 0)
            inter = w * h
            if not np.any(inter > np.float32(o.p.iou_thresh) * (area[kept] + area[i] - inter)):
                kept.append(i)
        count[b] = len(kept)
        if kept:
            index[b] = (kept + [kept[-1]] * limit)[:limit]
    return [Val(index, I32), Val(count, I32)]


@op('CheckNonFinite')
def check_non_finite(ctx, o, xs):
    bad = any(not np.isfinite(v.a).all() for v in xs)
    return [Val(np.array([int(bad)], 'i4'), I32)]


_PPV = DT('PPV', 0.0, 0)


@op('CondExecPred')
def cond_exec_pred(ctx, o, xs):
    keys, pred = [float(v.a.reshape(-1)[0]) for v in xs[:-1]], float(xs[-1].a.reshape(-1)[0])
    if o.p.mode == 2:
        slot = sum(pred >= k for k in keys)
        hit = [i == slot for i in range(len(keys) + 1)]
    else:
        hit = [abs(pred - k) < o.p.eps for k in keys]
        if o.p.mode == 1:
            hit.append(not any(hit))
    return [Val(np.array([h]), _PPV) for h in hit]


@op('CondExecPredLogical')
def cond_exec_pred_logical(ctx, o, xs):
    bits = [bool(v.a[0]) for v in xs]
    r = [any(bits), all(bits), sum(bits) % 2 == 1][o.p.mode % 3]
    return [Val(np.array([r != (o.p.mode >= 3)]), _PPV)]


@op('CondExecMark', 'CondExecMarkIfNeed')
def cond_exec_mark(ctx, o, xs):
    if o.type == 'CondExecMarkIfNeed':
        return [Val(xs[0].a if xs[1].a is not None else None, xs[0].dt)]
    return [Val(v.a if xs[-1].a[0] else None, v.dt) for v in xs[:-1]]


@op('CondExecMerge')
def cond_exec_merge(ctx, o, xs):
    n = o.p.nr_output
    if o.p.mode > 1:
        raise Unsupported('CondExecMerge in a summing mode')
    branches = [xs[i:i + n] for i in range(0, len(xs), n)]
    ran = [b for b in branches if all(v.a is not None for v in b)]
    if len(ran) != 1:
        raise ValueError('%d branches of %s ran' % (len(ran), o))
    return list(ran[0])


@op('UniformRNGV1', 'GaussianRNGV1')
def random(ctx, o, xs):
    dt = DT(tables.DTYPES[o.p.dtype], 0.0, 0)
    rng = np.random.RandomState(o.p.seed & 0xffffffff)
    a = rng.random_sample(ints(xs[0]))
    if o.type[0] == 'G':
        a = rng.standard_normal(ints(xs[0])) * o.p.std + o.p.mean
    return [store(a, dt)]
