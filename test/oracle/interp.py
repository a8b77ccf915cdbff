"""Runs a graph: values per var id, in stored order."""
import numpy as np

import layout       # noqa: F401  (the ops_* modules register their operators)
import ops_conv     # noqa: F401
import ops_elemwise  # noqa: F401
import ops_image    # noqa: F401
import ops_nn       # noqa: F401
import ops_region   # noqa: F401
import ops_shape    # noqa: F401
from values import REGISTRY, Unsupported, Val


class RunError(Exception):
    pass


class Context:
    def __init__(self, graph, feeds, ignore_z=False):
        self.graph, self.feeds, self.failures, self.ignore_z = graph, feeds, [], ignore_z

    def input(self, tensor):
        v = self.feeds.get(tensor.name)
        if v is None:
            if tensor.data is None:
                raise RunError('no value for input "%s"' % tensor.name)
            v = tensor.value()
        return v


def missing(graph):
    """Operator types of the graph that cannot be run."""
    return sorted({o.type for o in graph.oprs if o.type not in REGISTRY})


def _last_uses(graph):
    """Var ids in use order cannot be told in V1 files before running; keep outputs, count reads."""
    left = {}
    for o in graph.oprs:
        for i in o.inputs:
            left[i] = left.get(i, 0) + 1
    for i in graph.outputs:
        left[i] = left.get(i, 0) + 1
    return left


def run(graph, feeds, watch=None, ignore_z=False):
    """Output Vals of the graph, and the list of failed assertions."""
    ctx, vals, next_id = Context(graph, feeds, ignore_z), {}, 0
    left = _last_uses(graph)
    with np.errstate(all='ignore'):
        for k, o in enumerate(graph.oprs):
            try:
                xs = [vals[i] for i in o.inputs]
                fn = REGISTRY.get(o.type)
                if fn is None:
                    raise Unsupported(o.type)
                if o.type != 'CondExecMerge' and any(v.a is None for v in xs[:-1] or xs):
                    outs = [Val(None, xs[0].dt)] * (len(o.outs) if o.outs else 1)
                else:
                    outs = fn(ctx, o, xs)
            except (RunError, Unsupported):
                raise
            except KeyError as e:
                raise RunError('opr %d %s: var %s is not defined' % (k, o, e))
            except Exception as e:
                raise RunError('opr %d %s: %s: %s' % (k, o, type(e).__name__, e))
            ids = range(next_id, next_id + len(outs))
            if o.outs is not None and len(o.outs) != len(outs):
                raise RunError('opr %d %s has %d outputs, computed %d' % (k, o, len(o.outs), len(outs)))
            ids = o.outs if o.outs is not None else ids
            next_id += len(outs)
            for i, v in zip(ids, outs):
                vals[i] = v
                if watch is not None:
                    watch(k, o, i, v)
            for i in o.inputs:
                left[i] -= 1
                if left[i] == 0:
                    vals.pop(i, None)
    lost = [i for i in graph.outputs if i not in vals]
    if lost:
        raise RunError('graph outputs %s are not defined' % lost)
    return [vals[i] for i in graph.outputs], ctx.failures
