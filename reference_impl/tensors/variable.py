"""Variable: a value that can be assigned to.  On tapes it has one identity, its handle, however often it is read.

A read is an op on the handle, recorded like any other; an assignment is not differentiable.  Reading a trainable
variable makes the active tapes watch it.
"""

from __future__ import annotations

import itertools
import weakref
from typing import Any

import numpy as np

from .. import dtypes
from ..dtypes import NARROW, as_dtype, is_trainable
from ..errors import DEVICE, invalid
from ..foundation.building import Building, graph_being_built, intercepted
from ..ops.arithmetic import add, subtract
from ..ops.declare import Op
from ..ops.gathering import gather_gradient, gather_nd, read_rows
from ..ops.indexing import checked, get_item, index_of
from ..ops.operators import attach
from ..ops.scatter import scatter_set
from ..surroundings.scopes import prefixed
from ..tapes.recording import LEAF, Node, active, active_traces, node_of, place, record, record_new
from ..tapes.recording import index_of as index_in
from ..tapes.records import PLACES, UNKNOWN
from .conversion import constant, convert_to_tensor
from .creators import Created
from .shapes import TensorShape, as_shape
from .tensor import EagerTensor, Reference, wrap
from .variable_updates import attach_updates

_ORDER = itertools.count()
READ = Op("read", "ReadVariableOp", None, lambda F, dy, _y, _x: dy, 1, {"sparse": True})
READ_ROWS = Op("read_rows", "ResourceGather", None, gather_gradient, 3, {"ordered": True})


class Resource:
    """The storage a variable's handle stands for: the current value, replaced by every assignment."""

    __slots__ = ("__weakref__", "name", "order", "value")
    dtype = dtypes.resource.numpy
    shape: tuple[int, ...] = ()
    ndim = 0

    def __init__(self, value: Any, name: str):
        self.value, self.name, self.order = value, name, next(_ORDER)

    def __repr__(self) -> str:
        enum = dtypes.of(self.value.dtype).as_datatype_enum
        shape = ",".join(map(str, self.value.shape))
        return (
            f'<ResourceHandle(name="{self.name}/{self.order}", device="{DEVICE}", container="Anonymous", '
            f'type="tensorflow::Var", dtype and shapes : "[ DType enum: {enum}, Shape: [{shape}] ]")>'
        )


class ResourceVariable(metaclass=Created):
    """``tf.Variable(initial_value, trainable=True, ..., name=None, dtype=None, ..., shape=None)``.

    ``initial_value`` is what ``convert_to_tensor`` takes, or a function of no arguments that returns it.  ``shape``
    may leave sizes, or everything, open to later assignments.
    """

    __slots__ = ("__weakref__", "_constraint", "_handle", "_name", "_options", "_shape", "_trainable")
    __array_priority__ = 100

    def __init__(
        self, initial_value: Any = None, trainable: Any = None, validate_shape: bool = True, caching_device: Any = None,
        name: str | None = None, variable_def: Any = None, dtype: Any = None, import_scope: Any = None,
        constraint: Any = None, synchronization: Any = None, aggregation: Any = None, shape: Any = None,
        experimental_enable_variable_lifting: bool = True,
    ):  # fmt: skip
        if initial_value is None:
            raise ValueError(
                "The `initial_value` arg to `tf.Variable` must be specified except when you are not providing a "
                "`variable_def`. You provided neither."
            )
        if constraint is not None and not callable(constraint):
            kind = type(constraint)
            text = "Argument `constraint` must be None or a callable. a callable."
            raise ValueError(f"{text} Got a {kind}:  {constraint}")
        if name is not None and not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        if active.tracing is not None:
            active.tracing.creates(self)
        if type(active.cur) is Building:
            initial_value = active.cur.graph.initial_value(initial_value)
        value = _initial(initial_value() if callable(initial_value) else initial_value, dtype)
        if shape is not None and not as_shape(shape).is_compatible_with(value.shape):
            raise ValueError(
                f"In this `tf.Variable` creation, the initial value's shape ({TensorShape(value.shape)}) is not "
                f"compatible with the explicitly supplied `shape` argument ({shape})."
            )
        self._name = prefixed("Variable" if name is None else str(name))
        self._handle = wrap(Resource(value, self._name))
        self._trainable = True if trainable is None else bool(trainable)
        self._shape = None if shape is None else as_shape(shape)
        self._constraint, self._options = constraint, (synchronization, aggregation)

    # ------------------------------------------------------------------------------------ what it is

    @property
    def name(self) -> str:
        """The name with the output number TensorFlow adds: ``"Variable:0"``."""
        return f"{self._name}:0"

    @property
    def shape(self) -> TensorShape:
        """The shape every value must fit."""
        return TensorShape(self._handle._a.value.shape) if self._shape is None else self._shape

    @property
    def dtype(self) -> Any:
        """The dtype of the value."""
        return dtypes.of(self._handle._a.value.dtype)

    @property
    def trainable(self) -> bool:
        """True when tapes watch the variable as soon as it is read."""
        return self._trainable

    @property
    def handle(self) -> EagerTensor:
        """The resource tensor that is the variable's identity on tapes."""
        return self._handle

    @property
    def device(self) -> str:
        """Where the value lives."""
        return DEVICE

    @property
    def constraint(self) -> Any:
        """The function optimizers apply after an update."""
        return self._constraint

    @property
    def synchronization(self) -> Any:
        """When copies on several devices would be synchronized, as it was given; AUTO by default."""
        from ..surroundings.inquiring import VariableSynchronization

        return self._options[0] or VariableSynchronization.AUTO

    @property
    def aggregation(self) -> Any:
        """How updates on several devices would become one, as it was given; NONE by default."""
        from ..surroundings.inquiring import NO_AGGREGATION

        return self._options[1] or NO_AGGREGATION

    @property
    def initializer(self) -> None:
        """Always None in eager mode."""
        return None

    @property
    def initial_value(self) -> Any:
        """Graph-only: RuntimeError."""
        raise RuntimeError("This property is not supported when eager execution is enabled.")

    @property
    def op(self) -> Any:
        """Graph-only: AttributeError."""
        raise AttributeError("Tensor.op is undefined when eager execution is enabled.")

    @property
    def graph(self) -> Any:
        """Graph-only: AttributeError."""
        raise AttributeError("Tensor.graph is undefined when eager execution is enabled.")

    @property
    def _shared_name(self) -> str:
        return self._name

    @property
    def _unique_id(self) -> str:
        return f"{self._name}_{self._handle._a.order}"

    def get_shape(self) -> TensorShape:
        """The shape every value must fit."""
        return self.shape

    def set_shape(self, shape: Any) -> None:
        """ValueError when the shape is not compatible."""
        self.shape.assert_is_compatible_with(shape)

    def is_initialized(self, name: str | None = None) -> EagerTensor:
        """Always True; does not read the variable."""
        return wrap(np.bool_(True))

    def ref(self) -> Reference:
        """A hashable stand-in for this variable, for sets and dict keys."""
        return Reference(self)

    experimental_ref = ref

    # ------------------------------------------------------------------------------------ reading

    def value(self) -> EagerTensor:
        """The value as a tensor; a read."""
        return read(self)

    def read_value(self) -> EagerTensor:
        """The value as a new tensor; a read, of which tapes lose sight where no gradients are possible."""
        value = read(self)
        eager = type(value) is EagerTensor
        return wrap(value._a) if eager and not is_trainable(value._a.dtype) else value

    def numpy(self) -> Any:
        """The value as a new ndarray; counts as a read for tapes."""
        return read(self).numpy()

    def eval(self, session: Any = None) -> Any:
        """Graph-only: RuntimeError."""
        raise RuntimeError("This operation is not supported when eager execution is enabled.")

    to_proto = eval

    @intercepted
    def sparse_read(self, indices: Any, name: str | None = None) -> EagerTensor:
        """The rows at ``indices``; the gradient of this is IndexedSlices."""
        accessed(self)
        indices = convert_to_tensor(indices)
        value = self._handle._a.value
        y = wrap(read_rows(value, indices._a))
        if active.cur is not None:
            options = {"literal": 0, "axis": 0, "batch_dims": 0, "source": value.shape}
            record(READ_ROWS, (self._handle, indices), (y,), options)
        return y

    @intercepted
    def gather_nd(self, indices: Any, name: str | None = None) -> EagerTensor:
        """The elements or slices at index tuples."""
        return gather_nd(self, indices)

    # ------------------------------------------------------------------------------------ writing

    @intercepted
    def assign(self, value: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True) -> Any:
        """Replace the value; the variable, to be read later.  ValueError for a shape or dtype that does not fit."""
        new = convert_to_tensor(value, dtype=self.dtype)._a
        if not self.shape.is_compatible_with(new.shape):
            raise ValueError(
                f"Cannot assign value to variable ' {self.name}': Shape mismatch.The variable shape {self.shape}, "
                f"and the assigned value shape {TensorShape(new.shape)} are incompatible."
            )
        return self._store(new, read_value)

    @intercepted
    def assign_add(self, delta: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True) -> Any:
        """Add to the value.  InvalidArgumentError unless the shapes are equal."""
        return self._update("AssignAddVariableOp", add, delta, read_value)

    @intercepted
    def assign_sub(self, delta: Any, use_locking: Any = None, name: str | None = None, read_value: bool = True) -> Any:
        """Subtract from the value.  InvalidArgumentError unless the shapes are equal."""
        return self._update("AssignSubVariableOp", subtract, delta, read_value)

    def _update(self, kernel: str, function: Any, delta: Any, read_value: bool) -> Any:
        old, change = self._handle._a.value, convert_to_tensor(delta, dtype=self.dtype)._a
        if old.shape != change.shape:
            a, b = ("[" + ",".join(map(str, s)) + "]" for s in (old.shape, change.shape))
            text = f"Cannot update variable with shape {a} using a Tensor with shape {b}, shapes must be equal."
            raise invalid(kernel, text)
        checking, active.checking = active.checking, None  # variables may become inf and nan: what reads them may not
        try:
            new = function(wrap(old), wrap(change))._a
        finally:
            active.checking = checking
        return self._store(new, read_value)

    def _store(self, new: Any, read_value: bool = True) -> Any:
        self._handle._a.value = new
        if not read_value:
            return None
        accessed(self)
        return unread(self)

    # ------------------------------------------------------------------------------------ Python

    def __getitem__(self, key: Any) -> EagerTensor:
        part = get_item(read(self), key)
        _remember(part, self, key)
        return part

    def __iter__(self) -> Any:
        return iter(read(self))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(read(self)._a, dtype=dtype)

    def __bool__(self) -> bool:
        return bool(read(self))

    def __int__(self) -> int:
        return int(read(self))

    def __float__(self) -> float:
        return float(read(self))

    def __complex__(self) -> complex:
        return complex(read(self))

    def __index__(self) -> int:
        return read(self).__index__()

    def __hash__(self) -> int:
        raise TypeError(f"Variable is unhashable. Instead, use variable.ref() as the key. (Variable: {self!r})")

    def __copy__(self) -> ResourceVariable:
        return self

    def __reduce__(self) -> tuple:
        return _restored, (self.numpy(), self._trainable, self._name, self._shape)

    def __deepcopy__(self, memo: dict) -> ResourceVariable:
        twin = self._twin(wrap(Resource(read(self)._a, self._name)))
        memo[id(self)] = twin
        return twin

    def _twin(self, handle: EagerTensor) -> ResourceVariable:
        twin = object.__new__(ResourceVariable)
        for slot in ("_name", "_trainable", "_shape", "_constraint", "_options"):
            object.__setattr__(twin, slot, getattr(self, slot))
        twin._handle = handle
        return twin

    def __repr__(self) -> str:
        return _described(self, self.name)

    def _dense_(self, want: Any = None) -> EagerTensor:
        if want is not None and want is not self.dtype:
            raise ValueError(
                f"Incompatible type conversion requested to type {want.name} for `tf.Variable of type "
                f"{self.dtype.name}. (Variable: {self!r})"
            )
        return read(self)

    def _peek(self) -> Any:
        """The bare value, without a read that tapes notice."""
        return self._handle._a.value


class _UnreadVariable(ResourceVariable):
    """What an assignment returns: the same variable, read when it is used."""

    __slots__ = ("_parent",)

    def __repr__(self) -> str:
        return _described(self, "UnreadVariable")


Variable = ResourceVariable
attach(ResourceVariable)
attach_updates(ResourceVariable)


def _restored(value: Any, trainable: bool, name: str, shape: Any) -> ResourceVariable:
    """A variable out of what was stored of one."""
    variable = ResourceVariable(value, trainable, shape=shape)
    variable._name = variable._handle._a.name = name
    return variable


def _described(variable: ResourceVariable, name: str) -> str:
    if graph_being_built() is not None:  # there it has no value
        return f"<tf.Variable '{name}' shape={variable.shape} dtype={variable.dtype.name}>"
    text = repr(read(variable)).partition("numpy=")[2][:-1]
    return f"<tf.Variable '{name}' shape={variable.shape} dtype={variable.dtype.name}, numpy={text}>"


def _initial(value: Any, dtype: Any) -> Any:
    """The array of an initial value; reading another variable for it is no access."""
    want = None if dtype is None else as_dtype(dtype)
    peek = getattr(type(value), "_peek", None)
    if peek is not None:
        value = wrap(peek(value))
    if type(value) is EagerTensor and want is not None and value.dtype is not want:
        raise ValueError(
            f"initial_value: Tensor conversion requested dtype {want.name} for Tensor with dtype {value.dtype.name}: "
            f"{value!r}"
        )
    if type(value) in (list, tuple):
        return convert_to_tensor(value, want)._a
    return value._a if type(value) is EagerTensor else constant(value, want)._a


def unread(variable: ResourceVariable) -> _UnreadVariable:
    """The variable as an assignment returns it."""
    twin = object.__new__(_UnreadVariable)
    for slot in ("_handle", "_name", "_trainable", "_shape", "_constraint", "_options"):
        object.__setattr__(twin, slot, getattr(variable, slot))
    twin._parent = variable
    return twin


def accessed(variable: ResourceVariable) -> None:
    """Tell watchers of a trainable variable that is accessed, and let the tapes that watch such variables watch it."""
    if not variable._trainable:
        return
    if active.watchers:
        _tell_watchers(variable)
    for trace in active_traces():
        if trace.watch_accessed:
            _make_leaf(trace, variable)


def _tell_watchers(variable: ResourceVariable) -> None:
    for watcher in active.watchers:
        watcher.setdefault(variable._handle._a.order, getattr(variable, "_parent", variable))


def watch_variable(trace: Any, variable: ResourceVariable) -> None:
    """Make a variable a leaf of a trace, and list it among its watched variables."""
    if active.watchers:
        _tell_watchers(variable)
    _make_leaf(trace, variable)


def _make_leaf(trace: Any, variable: ResourceVariable) -> None:
    handle = variable._handle
    if handle._a.order not in trace.variables:
        known = variable if type(variable) is ResourceVariable else getattr(variable, "_parent", variable)
        trace.variables[handle._a.order] = known
    node = node_of(handle)
    if node.trace is not trace and index_in(node, trace) == UNKNOWN:
        place(node, trace, LEAF, True)


def read(variable: ResourceVariable) -> EagerTensor:
    """The value as a tensor, recorded as an op on the handle."""
    handle, cur = variable._handle, active.cur
    if type(cur) is Building:
        return cur.graph.call(read, (variable,), {})
    y = wrap(handle._a.value)
    if cur is not None or active.watchers:
        accessed(variable)
        n = handle._n
        if cur is None or n is None:
            return y
        if n.trace is cur and not NARROW and is_trainable(y._a.dtype):
            y._n = m = Node()
            records = cur.records
            m.trace, m.i = cur, len(records) // PLACES
            records += READ, n, None, None, n.i, UNKNOWN
        else:
            record_new(cur, (READ, n, None, None), (handle,), y, n)
    return y


_SLICES: dict[int, tuple[Any, ResourceVariable, Any]] = {}  # id of a tensor that is variable[key] -> where it came from


def _remember(part: EagerTensor, variable: ResourceVariable, key: Any) -> None:
    ident = id(part)
    _SLICES[ident] = (weakref.ref(part, lambda _: _SLICES.pop(ident, None)), variable, key)


def slice_assigner(part: EagerTensor) -> Any:
    """``variable[key].assign`` for a tensor that came from ``variable[key]``, None for any other tensor."""
    found = _SLICES.get(id(part))
    if found is None or found[0]() is not part:
        return None
    _, variable, key = found

    def assign(value: Any, name: str | None = None) -> Any:
        old = variable._handle._a.value
        new = convert_to_tensor(value, dtype=variable.dtype)._a
        index = checked(old.shape, index_of(key))
        place = old[index].shape
        if new.ndim > len(place) or any(n not in (1, p) for n, p in zip(new.shape[::-1], place[::-1])):
            have, want = ("[" + ",".join(map(str, shape)) + "]" for shape in (new.shape, place))
            text = f"Cannot broadcast input shape {have} into final shape {want}"
            raise invalid("ResourceStridedSliceAssign", text, "strided_slice/_assign")
        return variable._store(scatter_set(old, index, new))

    return assign
