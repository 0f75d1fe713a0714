"""Relations between gradients of one section: linearity, sums, chains, symmetry, rows, forward mode, functions."""

from __future__ import annotations

from collections.abc import Callable

from adapters import language as lang
from adapters.language import Param, Py, Ref
from conformance.relations.related import Related
from conformance.relations.section import Section
from conformance.relations.writing import Writing, array, count, part
from conformance.shrinking.rewrite import change_refs

_UPSTREAMS = (1.0, 0.5, 2.0, 0.25)  # positive, so that no upstream is zero: kernels may stop a zero


# TensorFlow's gradients of these are not the transposes of their derivatives.
_NOT_TRANSPOSED = frozenset(("raw_ops.ImageProjectiveTransformV2", "raw_ops.ImageProjectiveTransformV3"))
# TensorFlow gives the results of these no tangents, or none that are right.
_WITHOUT_TANGENT = _NOT_TRANSPOSED | frozenset(
    (
        "sparse.add", "raw_ops.SparseAdd", "quantization.fake_quant_with_min_max_args",
        "quantization.fake_quant_with_min_max_vars", "quantization.fake_quant_with_min_max_vars_per_channel",
        "image.resize", "image.resize_with_pad",
    )
)  # fmt: skip


def linearity(s: Section) -> Related | None:
    """The gradient for 2u + v is twice that for u plus that for v."""
    size = count(s.shape)
    u = [_UPSTREAMS[k % 4] for k in range(size)]
    v = [_UPSTREAMS[(k + 1) % 4] for k in range(size)]
    w, sources, t, y = _recorded(s)
    found = []
    for values in ([2 * a + b for a, b in zip(u, v)], u, v):
        found.append(w.gradient(t, y, sources, w.constant(array(s.dtype, s.shape, values))))
    return _each_source(w, s, found, lambda both, g, h: w.call("math.add", w.call("math.multiply", g, Py(2.0)), h))


def list_is_sum(s: Section) -> Related | None:
    """The gradient of a list of targets is the sum of theirs."""
    w, sources, t, y, z = _recorded_with(s, lambda w, y: w.call("math.multiply", y, y))
    found = [
        w.gradient(t, lang.Items("list", (y, z)), sources),
        w.gradient(t, y, sources),
        w.gradient(t, z, sources),
    ]
    return _each_source(w, s, found, lambda both, g, h: w.call("math.add", g, h))


def chain_rule(s: Section) -> Related | None:
    """A gradient asked in two pieces, the first the upstream of the second, is the gradient asked at once."""
    w, sources, t, y, z = _recorded_with(s, lambda w, y: w.call("math.multiply", w.call("math.tanh", y), Py(0.5)))
    whole = w.gradient(t, z, sources)
    middle = w.gradient(t, z, [y])
    second = w.gradient(t, y, sources, part(middle, 0))
    return _each_source(w, s, [whole, second, second], lambda both, g, h: w.call("identity", g))


def hessian_symmetry(s: Section) -> Related | None:
    """The second derivatives of a sum by one source are symmetric."""
    if s.ops() & _NOT_TRANSPOSED:
        return None
    at = s.sources[0]
    size = count(s.array(at).shape)
    if size < 2 or s.array(at).dtype != s.dtype:
        return None
    w = Writing()
    places = s.constants(w)
    with w.tape() as outer:
        w.watch(outer, places[at])
        with w.tape(persistent=False) as inner:
            w.watch(inner, places[at])
            y = w.call("reduce_sum", _weighed(w, s, s.calls(w, places)))
        first = w.gradient(inner, y, [places[at]])
    second = w.jacobian(outer, part(first, 0), places[at])
    square = w.call("reshape", second, _shape(size, size))
    turned = w.call("transpose", square)
    return Related(w.program(), ((square.step, turned.step),))


def jacobian_rows(s: Section) -> Related | None:
    """The rows of a jacobian are the gradients of the target's elements."""
    at, size = s.sources[0], count(s.shape)
    w, sources, t, y = _recorded(s)
    whole = w.jacobian(t, y, sources[0])
    rows = []
    for k in range(size):
        one = w.constant(array(s.dtype, s.shape, [float(k == j) for j in range(size)]))
        rows.append(w.dense(part(w.gradient(t, y, [sources[0]], one), 0)))
    stacked = w.call("stack", lang.Items("list", tuple(rows)))
    shaped = w.call("reshape", whole, _shape(size, *s.array(at).shape))
    return Related(w.program(), ((stacked.step, shaped.step),))


def batch_jacobian_blocks(s: Section) -> Related | None:
    """A batch jacobian is the jacobian summed over the target's batch: its diagonal blocks where rows do not mix."""
    at = s.sources[0]
    source = s.array(at).shape
    if len(s.shape) < 2 or len(source) < 2 or s.shape[0] != source[0]:
        return None
    w, sources, t, y = _recorded(s)
    whole = w.jacobian(t, y, sources[0])
    blocks = w.jacobian(t, y, sources[0], batch=True)
    summed = w.call("reduce_sum", whole, axis=Py(0))
    inner = len(s.shape) - 1
    order = (inner, *range(inner), *range(inner + 1, inner + len(source)))
    turned = w.call("transpose", summed, lang.Items("list", tuple(Py(k) for k in order)))
    return Related(w.program(), ((turned.step, blocks.step),))


def forward_is_reverse(s: Section) -> Related | None:
    """A tangent weighed by an upstream is the gradient for that upstream weighed by the tangents."""
    at = s.sources[0]
    if s.array(at).dtype != s.dtype or s.ops() & _WITHOUT_TANGENT:
        return None
    w, sources, t, y = _recorded(s)
    x, shape = sources[0], s.array(at).shape
    upstream = w.constant(array(s.dtype, s.shape, [_UPSTREAMS[k % 4] for k in range(count(s.shape))]))
    direction = w.constant(array(s.dtype, shape, [_UPSTREAMS[(k + 2) % 4] for k in range(count(shape))]))
    backward = w.dense(part(w.gradient(t, y, [x], upstream), 0))
    reverse = w.total(w.call("math.multiply", backward, direction))
    forward = w.add(lang.MakeAccumulator(x, direction))
    w.add(lang.Enter(forward))
    again = s.calls(w, _places(s, w))
    w.add(lang.Exit(forward))
    tangent = w.add(lang.Jvp(forward, again, Py("zero")))
    ahead = w.total(w.call("math.multiply", tangent, upstream))
    return Related(w.program(), ((reverse.step, ahead.step),))


def function_is_eager(s: Section) -> Related | None:
    """A traced function gives the gradients of its body."""
    w, sources, t, y = _recorded(s)
    found = [w.gradient(t, y, sources)]
    traced = w.call("function", _as_function(s))
    with w.tape() as other:
        w.watch(other, *sources)
        z = w.add(lang.Invoke(traced, tuple(sources)))
    found += [w.gradient(other, z, sources)] * 2
    return _each_source(w, s, found, lambda both, g, h: w.call("identity", g))


# ---------------------------------------------------------------- parts


def _recorded(s: Section) -> tuple[Writing, list[Ref], Ref, Ref]:
    """The section under a persistent tape that watches its sources: writing, sources, tape, target."""
    return _recorded_with(s, lambda w, y: y)[:4]


def _recorded_with(s: Section, then: Callable[[Writing, Ref], Ref]) -> tuple[Writing, list[Ref], Ref, Ref, Ref]:
    """The same, and what ``then`` makes of the target on the same tape."""
    w = Writing()
    places = s.constants(w)
    sources = [places[at] for at in s.sources]
    with w.tape() as t:
        w.watch(t, *sources)
        y = s.calls(w, places)
        z = then(w, y)
    return w, sources, t, y, z


def _places(s: Section, w: Writing) -> dict[int, Ref]:
    """Where the constants of a section stand that was written first of all."""
    constants = [at for at, step in s.steps.items() if isinstance(step, lang.Constant)]
    return {at: Ref(k) for k, at in enumerate(constants)}


def _each_source(w: Writing, s: Section, found: list[Ref], combine: object) -> Related:
    """For each source: the first gradient against what `combine` makes of the two others."""
    pairs = []
    for k in range(len(s.sources)):
        whole, g, h = (w.dense(part(one, k)) for one in found)
        pairs.append((whole.step, combine(whole, g, h).step))  # type: ignore[operator]
    return Related(w.program(), tuple(pairs))


def _weighed(w: Writing, s: Section, y: Ref) -> Ref:
    """The target times weights, so that no symmetry is due to the sum."""
    weights = w.constant(array(s.dtype, s.shape, [_UPSTREAMS[k % 4] for k in range(count(s.shape))]))
    return w.call("math.multiply", w.call("math.multiply", y, y), weights)


def _shape(*sizes: int) -> lang.Items:
    return lang.Items("list", tuple(Py(size) for size in sizes))


def _as_function(s: Section) -> lang.Function:
    """The section as a function of its sources; other constants are made inside."""
    places: dict[int, lang.Operand] = {at: Param(k) for k, at in enumerate(s.sources)}
    steps: list[lang.Step] = []
    for at, step in s.steps.items():
        if at not in places:
            steps.append(change_refs(step, lambda ref: _inside(ref, places)))
            places[at] = Ref(len(steps) - 1)
    return lang.Function(len(s.sources), tuple(steps), _inside(s.target, places))


def _inside(ref: Ref, places: dict[int, lang.Operand]) -> lang.Operand:
    found = places[ref.step]
    return Ref(found.step, ref.part) if isinstance(found, Ref) else found
