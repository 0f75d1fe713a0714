"""The groups of workloads: each function runs one and returns its rows and, beside times, the figures it measured."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from benchmarks import data, memory, starting
from benchmarks.contestants import ENGINE, HAND, TENSORFLOW, TfShaped, candidates
from benchmarks.measure import Row, check_agreement, cpu_seconds, side_by_side
from benchmarks.op_calls import small_calls
from benchmarks.settings import quiet_stderr

Holders = dict[str, Any]
_SHOWN = 12  # ops of the group of ops, the slowest against TensorFlow


@dataclass(slots=True)
class Found:
    """What a group measured: rows, and figures that are not seconds, by name."""

    rows: list[Row] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    def ratio(self, workload: str, contestant: str, to: str) -> float | None:
        """How many times as long a contestant takes as another one; None when one of them is not there."""
        seconds = {r.contestant: r.seconds for r in self.rows if r.workload == workload}
        return seconds[contestant] / seconds[to] if contestant in seconds and to in seconds else None

    def seconds(self, workload: str, contestant: str) -> float | None:
        """Seconds of one run."""
        return next((r.seconds for r in self.rows if (r.workload, r.contestant) == (workload, contestant)), None)


def _compare(holders: Holders, name: str, workload: str, *arguments: Any, rounds: int = 15) -> list[Row]:
    runs = candidates(holders, workload, *arguments)
    with quiet_stderr():
        if workload != "empty_tape":
            check_agreement(name, runs)
        return side_by_side(name, runs, rounds)


def chains(holders: Holders) -> Found:
    """W1: 999 small ops, forward and gradient."""
    found = Found()
    for label, shape in (("scalar", ()), ("8 elements", (8,))):
        found.rows += _compare(holders, f"W1 {label}", "chain", data.start(shape), 999)
    numbers = {HAND: candidates(holders, "chain", data.start((8,)), 999)[HAND]}
    tf_like = {name: holder for name, holder in holders.items() if isinstance(holder, TfShaped)}
    numbers |= candidates(tf_like, "chain_of_numbers", data.start((8,)), 999)
    with quiet_stderr():
        check_agreement("W1 8 elements, with a number", numbers)
        found.rows += side_by_side("W1 8 elements, with a number", numbers)
    return found


def step(holders: Holders) -> Found:
    """W2: the gradient of a small classifier."""
    return Found(_compare(holders, "W2", "mlp", *data.digits()))


def training(holders: Holders) -> Found:
    """A step of training of the small classifier as Keras layers, with Adam."""
    x, labels, _ = data.digits()
    tf_like = {name: holder for name, holder in holders.items() if isinstance(holder, TfShaped)}
    return Found(_compare(tf_like, "training", "training", x, labels))


def depth(holders: Holders) -> Found:
    """W3: is a chain of a million ops differentiated in linear time, and how many bytes does an op take?"""
    found = Found()
    for name in (HAND, ENGINE):
        times = {}
        for ops in (999, 9_999, 99_999, 999_999):
            run = holders[name].chain(data.start(()), ops)
            times[ops] = min(cpu_seconds(run) for _ in range(15 if ops < 99_999 else 3))
            found.rows.append(Row(f"W3 per op of {ops}", name, times[ops] / ops, 1.0))
        found.figures[f"W3 exponent, {name}"] = memory.exponent(times)
    for label, shape in (("scalar", ()), ("8 elements", (8,))):
        found.figures[f"W3 bytes an op, {label}"] = memory.bytes_an_op(shape)
    return found


def orders(holders: Holders) -> Found:
    """W4: derivatives of order 1 to 3 of a polynomial of 100 ops."""
    return Found([r for n in (1, 2, 3) for r in _compare(holders, f"W4 order {n}", "polynomial", n)])


def jacobians(holders: Holders) -> Found:
    """W5, batch jacobians and a Hessian."""
    rows = _compare(holders, "W5a", "dense_jacobian", 7, 5, 10)
    rows += _compare(holders, "W5b", "dense_jacobian", 4, 64, 64)
    rows += _compare(holders, "batch_jacobian 7", "batch_jacobian", 7)
    rows += _compare(holders, "batch_jacobian 128", "batch_jacobian", 128)
    return Found(rows + _compare(holders, "hessian", "hessian", 7))


def large(holders: Holders) -> Found:
    """W6: ten elementwise ops over ten million numbers."""
    return Found(_compare(holders, "W6", "elementwise", data.large(), rounds=5))


def tapes(holders: Holders) -> Found:
    """W7: what a tape costs when next to nothing happens in it."""
    rows = _compare(holders, "empty tape", "empty_tape")
    return Found(rows + _compare(holders, "tape, sin, gradient", "one_op"))


def imports(_holders: Holders) -> Found:
    """W8: what importing costs."""
    rows, figures = starting.compare()
    return Found(rows, figures)


def ops(holders: Holders) -> Found:
    """One small call of every op with its gradient, against TensorFlow: which is nearest to it, or slower?"""
    if TENSORFLOW not in holders:
        return Found()
    modules = {name: holders[name].module for name in (ENGINE, TENSORFLOW)}
    measured: dict[str, list[Row]] = {}
    with quiet_stderr():
        for name, runs in small_calls(modules):
            measured[name] = side_by_side(f"op {name}", runs, rounds=3)
    slowest_first = sorted(measured.values(), key=lambda pair: pair[1].ratio)
    figures = {
        "ops measured": float(len(measured)),
        "ops slower than tensorflow": float(sum(pair[1].ratio < 1 for pair in slowest_first)),
        "ops, median of tensorflow / engine": statistics.median(pair[1].ratio for pair in slowest_first),
    }
    return Found([row for pair in slowest_first[:_SHOWN] for row in pair], figures)


def middling(holders: Holders) -> Found:
    """Matmul, convolution, cross entropy, normalisation, gather and einsum on arrays of middling size."""
    found = Found()
    for name in data.MIDDLING:
        found.rows += _compare(holders, name, "middling", name)
    return found


GROUPS: dict[str, Callable[[Holders], Found]] = {
    "chains": chains, "step": step, "training": training, "depth": depth, "orders": orders, "jacobians": jacobians,
    "large": large, "tapes": tapes, "imports": imports, "ops": ops, "middling": middling,
}  # fmt: skip


def run(names: list[str], holders: Holders) -> Iterator[Found]:
    """Run groups one after another."""
    for name in names:
        yield GROUPS[name](holders)
