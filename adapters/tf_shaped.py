"""Any module shaped like `tensorflow` as a `Backend`: `TfShaped(module)`.

A step is spelled as the user of such a module would spell it: `module.constant(...)`, `module.GradientTape()`,
`tape.gradient(...)`, and a call by its dotted name (`math.sin` is `module.math.sin`). What the module lacks is
unsupported, not wrong. What an implementation needs besides (log counters cleared, arrays of another kind put in) goes
into `Hooks`, as `adapters/tensorflow.py` and `adapters/reference.py` show.
"""

from __future__ import annotations

import builtins
import logging
from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from adapters import lacking
from adapters.arrays import from_numpy, to_numpy
from adapters.backend import Capabilities, Identity, UnsupportedStep
from adapters.language import Array
from adapters.messages import normalise
from adapters.noted_gradients import NotedGradients
from adapters.observations import Done, Host, Nest, Outcome, RaggedTensor, SparseSlices, Tensor
from adapters.python_calls import python_call

LOGGER = "tensorflow"
_KINDS = ("Variable", "Tensor", "IndexedSlices", "RaggedTensor", "SparseTensor", "TensorShape", "DType")
_ASSIGNMENTS = ("assign", "assign_add", "assign_sub")


class _Collector(logging.Handler):
    """Keeps the warnings that are logged; what TensorFlow logs as errors describes its graph when one is raised."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno > logging.WARNING:
            return
        self.texts.append(normalise(record.getMessage()))


def _nothing() -> None:
    """The hook of a module that keeps no state between programs."""


def _as_it_is(body: Callable[..., Any]) -> Any:
    return body


@dataclass(frozen=True, slots=True)
class Hooks:
    """What an implementation needs besides being shaped like TensorFlow.

    `before` runs before each program (clear counters of warnings that are logged only the first time, prove that no
    tape is active), `between` after each step, and `after` once everything is closed. `function` prepares a user's
    function. `make_tensor` makes a tensor of an exact array in `constant`'s place; `open_tensor` gives the outcome for
    a tensor, or None to have it described as usual. `foreign` says that the module may be small: what it has no
    attribute, parameter or operator for is unsupported; the modules that mean to have all of it leave this out.
    """

    before: Callable[[], None] = _nothing
    between: Callable[[], None] = _nothing
    after: Callable[[], None] = _nothing
    function: Callable[[Callable[..., Any]], Any] = _as_it_is
    make_tensor: Callable[[Array], Any] | None = None
    open_tensor: Callable[[Any], Outcome | None] | None = None
    details: dict[str, str] = field(default_factory=dict)
    foreign: bool = False


class TfShaped:
    """See the module docstring. `name` is what reports call the implementation (the module's name by default).

    `gradients`: its registry of gradient functions, where it has one that can be asked (see `noted_gradients.py`).
    """

    gradients: NotedGradients | None = None

    def __init__(
        self,
        module: Any,
        name: str | None = None,
        capabilities: Capabilities | None = None,
        hooks: Hooks | None = None,
    ) -> None:
        self.module = module
        self.name = name or str(module.__name__)
        self.hooks = hooks or Hooks()
        self._capabilities = capabilities or Capabilities()
        self._collector = _Collector()
        self._found: dict[str, Any] = {}
        self._kinds: dict[type, str] = {}

    def identity(self) -> Identity:
        version = str(getattr(self.module, "__version__", "unknown"))
        return Identity(self.name, version, dict(self.hooks.details))

    def capabilities(self) -> Capabilities:
        return self._capabilities

    def program_scope(self) -> AbstractContextManager[None]:
        return self._scope()

    @contextmanager
    def _scope(self) -> Iterator[None]:
        """Warnings go to the collector and nowhere else while a program runs."""
        logger = logging.getLogger(LOGGER)
        before = logger.handlers[:], logger.propagate, logger.disabled
        level = logger.level
        deaf = logger.getEffectiveLevel() > logging.WARNING
        self.hooks.before()
        logger.handlers[:], logger.propagate, logger.disabled = [self._collector], False, False
        if deaf:  # only then: changing a level empties the caches of all loggers
            logger.setLevel(logging.WARNING)
        try:
            yield
        finally:
            logger.handlers[:], logger.propagate, logger.disabled = before
            if deaf:
                logger.setLevel(level)
            self.hooks.after()

    def captured_warnings(self) -> list[str]:
        self.hooks.between()
        if not self._collector.texts:
            return []
        texts, self._collector.texts = self._collector.texts, []
        return texts

    # ------------------------------------------------------------ values

    def named(self, path: str) -> Any:
        """What the module has under a dotted public name; UnsupportedStep when it has none."""
        if path in self._found:
            return self._found[path]
        found = self.module
        for word in path.split("."):
            try:
                found = getattr(found, word)
            except AttributeError:
                raise UnsupportedStep(f"{self.name} has no {path}") from None
        self._found[path] = found
        return found

    def constant(self, array: Array) -> Any:
        if self.hooks.make_tensor:
            return self.hooks.make_tensor(array)
        return self.named("constant")(to_numpy(array))

    def numpy(self, array: Array) -> Any:
        made = to_numpy(array)
        return made if array.shape else made[()]

    def dtype(self, name: str) -> Any:
        return self.named(name)

    def marker(self, name: str) -> Any:
        match name:
            case "ellipsis":
                return ...
            case "newaxis":
                return None
            case "object":
                return object()
        return self.named(name)

    def slices(self, values: Any, indices: Any, dense_shape: Any) -> Any:
        return self.named("IndexedSlices")(values, indices, dense_shape)

    def ragged(self, values: Any, row_splits: Any) -> Any:
        return self.named("RaggedTensor.from_row_splits")(values, row_splits)

    def variable(self, initial: Any, trainable: bool) -> Any:
        make = self.named("Variable")
        return make(initial) if trainable else make(initial, trainable=False)

    def assign(self, variable: Any, value: Any, how: str) -> Any:
        if how not in _ASSIGNMENTS:
            raise UnsupportedStep(f"there is no assignment called {how}")
        return self._do(variable, how, value)

    def function(self, body: Callable[..., Any]) -> Any:
        return self.hooks.function(body)

    def call(self, op: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            found = self._found.get(op) or python_call(op) or self.named(op)
        except LookupError as error:
            raise UnsupportedStep(str(error)) from None
        if self.hooks.foreign:
            return lacking.called(op, found, args, kwargs, lambda value: bool(self._kind(value)))
        return found(*args, **kwargs)

    def invoke(self, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return function(*args, **kwargs)

    def _do(self, receiver: Any, name: str, *args: Any, **kwargs: Any) -> Any:
        """`receiver.name(...)`."""
        if self.hooks.foreign:
            return lacking.taken(lacking.method_of(receiver, name), args, kwargs)
        return getattr(receiver, name)(*args, **kwargs)

    # ------------------------------------------------------------ tapes

    def tape(self, persistent: Any, watch_accessed_variables: Any) -> Any:
        settings: dict[str, Any] = {}
        if persistent is not False:
            settings["persistent"] = persistent
        if watch_accessed_variables is not True:
            settings["watch_accessed_variables"] = watch_accessed_variables
        make = self.named("GradientTape")  # defaults are left to the module, so they are tested too
        return lacking.taken(make, (), settings) if self.hooks.foreign else make(**settings)

    def enter(self, context: Any) -> Any:
        return context.__enter__()

    def exit(self, context: Any, error: BaseException | None) -> Any:
        if error is None:
            return context.__exit__(None, None, None)
        return context.__exit__(type(error), error, error.__traceback__)

    def watch(self, tape: Any, tensor: Any) -> Any:
        return self._do(tape, "watch", tensor)

    def stop_recording(self, tape: Any) -> Any:
        context = self._do(tape, "stop_recording")
        context.__enter__()
        return context

    def reset(self, tape: Any) -> Any:
        return self._do(tape, "reset")

    def gradient(self, tape: Any, target: Any, sources: Any, **options: Any) -> Any:
        return self._do(tape, "gradient", target, sources, **options)

    def jacobian(self, tape: Any, target: Any, sources: Any, batch: bool, **options: Any) -> Any:
        return self._do(tape, "batch_jacobian" if batch else "jacobian", target, sources, **options)

    def watched_variables(self, tape: Any) -> Any:
        return self._do(tape, "watched_variables")

    def accumulator(self, primals: Any, tangents: Any) -> Any:
        return self.named("autodiff.ForwardAccumulator")(primals, tangents)

    def jvp(self, accumulator: Any, primals: Any, **options: Any) -> Any:
        return self._do(accumulator, "jvp", primals, **options)

    # ------------------------------------------------------------ looking

    def read(self, value: Any) -> Any:
        return self._do(value, "numpy")

    def variable_key(self, value: Any) -> Hashable | None:
        if self._kind(value) != "Variable":
            return None
        # what `assign` returns is a wrapper that shares the name which TensorFlow gives a variable once
        return getattr(value, "_unique_id", None) or id(value)

    def observe(self, value: Any) -> Outcome | None:
        match self._kind(value):
            case "Tensor":
                return self._tensor(value)
            case "IndexedSlices":
                return SparseSlices(*(self._part(value, name) for name in ("values", "indices", "dense_shape")))
            case "RaggedTensor":
                return RaggedTensor(self._part(value, "values"), self._part(value, "row_splits"))
            case "SparseTensor":
                names = ("indices", "values", "dense_shape")
                return Nest("SparseTensor", tuple(self._part(value, name) for name in names), names)
            case "TensorShape" | "DType" as kind:
                return Host(kind, from_numpy(str(value)))
        return None

    def _kind(self, value: Any) -> str:
        """Which of the module's public classes a value belongs to, "" when to none."""
        cls = type(value)
        if cls not in self._kinds:
            named = ((kind, getattr(self.module, kind, None)) for kind in _KINDS)
            self._kinds[cls] = next(
                (kind for kind, base in named if isinstance(base, type) and isinstance(value, base)), ""
            )
        return self._kinds[cls]

    def _tensor(self, value: Any) -> Outcome:
        if getattr(value.dtype, "name", None) in ("resource", "variant"):
            return Done()  # a handle: nothing in it can be read
        opened = self.hooks.open_tensor(value) if self.hooks.open_tensor else None
        if opened is not None:
            return opened
        return Tensor(from_numpy(value.numpy()))

    def _part(self, value: Any, name: str) -> Outcome:
        from adapters.describe import describe  # describes nests by this very class

        return describe(getattr(value, name), self, {}, 0)

    # ------------------------------------------------------------ errors

    def error_name(self, error: BaseException) -> str:
        errors = getattr(self.module, "errors", None)
        for cls in type(error).__mro__:
            if getattr(errors, cls.__name__, None) is cls:
                return f"errors.{cls.__name__}"
            if getattr(builtins, cls.__name__, None) is cls:
                return type(error).__name__ if cls is Exception else cls.__name__
        return type(error).__name__

    def error_message(self, error: BaseException) -> str:
        try:
            return normalise(str(error))
        except Exception as failure:  # a tape's own exception class may be broken: that is an answer too
            return f"its message cannot be read: {type(failure).__name__}"
