"""The NumPy engine of this project as a backend: `ReferenceBackend()`.

`ReferenceBackend(make_array=..., open_array=...)` runs the same engine on arrays of another kind: `make_array` gives
the array-like (a rational, a number with an error bound) for an exact `Array`, the engine wraps and differentiates it
as it would an ndarray, and `open_array` turns what comes out into an outcome. `lift` does for arrays that the engine
itself makes (of Python numbers and NumPy arrays, the ones and zeros that a gradient starts from) what `make_array`
does for constants.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from adapters.language import Array
from adapters.observations import Outcome
from adapters.tf_shaped import Hooks, TfShaped


def ReferenceBackend(
    make_array: Callable[[Array], Any] | None = None,
    open_array: Callable[[Any], Outcome | None] | None = None,
    lift: Callable[[Any], Any] | None = None,
    engine: Any = None,
) -> TfShaped:
    """The engine behind the common interface.

    `make_array(array)`: what stands for a constant's values. `open_array(inner)`: the outcome for what a result
    wraps, or None for "describe it as usual". Both or neither are usually given. `lift(array)`: what stands for an
    array (or NumPy scalar) that the engine makes while a program runs. `engine`: another copy of the engine's package.
    """
    engine = engine or import_module("reference_impl")

    def make_tensor(array: Array) -> Any:
        assert make_array is not None
        return engine.wrap(make_array(array))

    def open_tensor(value: Any) -> Outcome | None:
        assert open_array is not None
        return open_array(engine.unwrap(value))

    import numpy as np

    clear = getattr(engine, "clear_log_counters", lambda: None)
    forget_gradients = getattr(engine, "clear_registered_gradients", lambda: None)
    lifting = _Lifting(lift) if lift else None
    recording = import_module(f"{engine.__name__}.tapes.recording")
    retracing = import_module(f"{engine.__name__}.tracing.retracing")

    def before() -> None:
        retracing.count_traces(False)  # functions are made by an interpreter: advice about it tells nothing
        recording.active.cur = None  # a tape that an earlier program left open records nothing of this one
        clear()
        forget_gradients()
        if lifting:
            lifting.begin()

    def after() -> None:
        retracing.count_traces(True)
        if lifting:
            lifting.end()

    hooks = Hooks(
        before=before,
        after=after,
        make_tensor=make_tensor if make_array else None,
        open_tensor=open_tensor if open_array else None,
        details={"numpy": np.__version__},
    )
    backend = TfShaped(engine, "reference", hooks=hooks)
    if lifting:
        lifting.results_of(backend)
    return backend


class _Forgetful(dict[float, Any]):
    """Keeps nothing: what the engine remembers of numbers is not lifted."""

    def __setitem__(self, key: float, value: Any) -> None:
        pass


class _Lifting:
    """While a program runs, arrays that the engine makes of plain values pass through `lift`."""

    def __init__(self, lift: Callable[[Any], Any]) -> None:
        conversion = import_module("reference_impl.tensors.conversion")
        walk = import_module("reference_impl.tapes.walk")
        tensor = import_module("reference_impl.tensors.tensor")
        calling = [import_module(f"reference_impl.ops.{name}") for name in ("run", "operators")]
        casting = import_module("reference_impl.ops.casting")
        kind = tensor.EagerTensor
        self._lift, self._tensor = lift, kind
        plain_array, plain_ones, plain_zeros = conversion.array_of, walk.Walk.ones, walk.Walk.zeros
        plain_number, remembered = calling[0].number_like, calling[0]._remembered

        def lifted(value: Any) -> Any:
            if type(value) is kind:
                return engine_wrap(lift(tensor.unwrap(value)))
            return value if value is None else lift(value)

        engine_wrap = tensor.wrap
        self._places = (
            (conversion, "array_of", plain_array, lambda value, want: lift(plain_array(value, want))),
            (walk.Walk, "ones", plain_ones, lambda own, target: lifted(plain_ones(own, target))),
            (walk.Walk, "zeros", plain_zeros, lambda own, output: lifted(plain_zeros(own, output))),
            *(
                (module, "number_like", plain_number, lambda value, other: lifted(plain_number(value, other)))
                for module in calling
            ),
            (calling[0], "_remembered", remembered, lambda value, other: lift(remembered(value, other))),
            *(
                (op, "forward", op.forward, self._lifted_cast(op.forward))
                for op in (casting.cast_.op, casting.cast_to_complex.op)
            ),
            *((calling[0], name, getattr(calling[0], name), _Forgetful()) for name in ("SCALARS", "WITHOUT_AXES")),
        )

    def _lifted_cast(self, plain: Callable[..., Any]) -> Callable[..., Any]:
        """A cast within an op: whole numbers that become floating ones there are lifted, too."""
        return lambda a, dtype: self._lift(plain(a, dtype))

    def results_of(self, backend: TfShaped) -> None:
        """Lift what calls give as well: `ones(2)` or a cast of integers is made of plain values alone."""
        for name in ("call", "invoke", "gradient", "jacobian", "jvp"):
            setattr(backend, name, self._lifting_results(getattr(backend, name)))

    def _lifting_results(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def lifting(*arguments: Any, **options: Any) -> Any:
            made = method(*arguments, **options)
            self._lift_inside(made)
            return made

        return lifting

    def _lift_inside(self, made: Any) -> None:
        if type(made) is self._tensor:
            made._a = self._lift(made._a)
        elif isinstance(made, (list, tuple)):
            for each in made:
                self._lift_inside(each)
        elif isinstance(made, dict):
            for each in made.values():
                self._lift_inside(each)

    def begin(self) -> None:
        for place, name, _, lifting in self._places:
            setattr(place, name, lifting)

    def end(self) -> None:
        for place, name, plain, _ in self._places:
            setattr(place, name, plain)
