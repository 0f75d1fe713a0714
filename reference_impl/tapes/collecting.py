"""What a walk must know before it begins: which records it reaches, how often each tensor is used, where to start."""

from __future__ import annotations

from typing import Any

from ..tensors.tensor import EagerTensor
from .recording import Held, Port, index_of
from .records import has_record, number_of, record_at
from .start_order import start_order


def collect(walk: Any, roots: list) -> None:
    """Count the uses of every node that the records reachable backwards from ``roots`` use; find where to start."""
    trace, records, uses = walk.trace, walk.records, walk.uses
    top, done, stack, size = set(roots), set(), list(roots), number_of(walk.records)
    order: list[int] = []
    while stack:
        node = stack.pop()
        i = node.i if node.trace is trace else index_of(node, trace)
        if not 0 <= i < size or (node in top and node in done):
            continue
        record = record_at(records, i)
        if record is None:
            continue
        if node in top:
            done.add(node)
        if type(node) is Port and _another_port(walk, node, i):
            continue
        order.append(i)
        for x in trace.beside.get(i, ()) if walk.loose else ():
            walk.grads.pop(x if x in walk.loose else None, None)
        kind = record[0].kind
        for x in (record[1], record[2]) if kind == 2 else (record[1],) if kind == 1 else record[1]:
            if type(x) is EagerTensor:
                x = x._n
            if x is None:
                continue
            if x in walk.loose:  # TensorFlow loses the gradient of an unknown target that a recorded op used
                walk.grads.pop(x, None)
            held = x.trace
            if (x.i if held is trace else x.i.get(trace, -1) if type(held) is Held else -1) < 0:
                continue
            count = uses.get(x)
            if count is None:
                uses[x] = 1
                stack.append(x)
            else:
                uses[x] = count + 1
    _find_starts(walk, roots, order)


def _another_port(walk: Any, node: Port, i: int) -> bool:
    """Note an output of a record with several; True when the record was collected by way of another one."""
    known = walk.ports.setdefault(i, {})
    known[node.k] = node
    return len(known) > 1


def _find_starts(walk: Any, roots: list, order: list[int]) -> None:
    """Queue the records whose outputs no collected record uses; they are among those that made the targets."""
    uses = walk.uses
    for i, ports in walk.ports.items():
        walk.missing[i] = sum(node in uses for node in ports.values())
    ready = {}
    for node in roots:
        i = index_of(node, walk.trace)
        if i >= 0 and node not in uses and not walk.missing.get(i):
            ready[i] = node
    collected = set(order) if len(ready) > 1 else ready
    ready = {i: node for i, node in ready.items() if i in collected}
    sequence = start_order(list(ready), order) if len(ready) > 1 else ready
    walk.queue.extend(ready[i] for i in sequence if has_record(walk.records, i))


def inputs_of(record: tuple) -> list:
    """The nodes of a record's inputs."""
    given = record[1] if type(record[1]) is tuple else record[1 : 1 + record[0].kind]
    nodes = [x._n if type(x) is EagerTensor else x for x in given]
    return [n for n in nodes if n is not None]


def leads_to_source(walk: Any, x: Any) -> bool:
    """True when the walk goes on from ``x``, a Tensor or Node in a record, to one of its sources."""
    done, stack = set(), [x._n if type(x) is EagerTensor else x]
    while stack:
        node = stack.pop()
        if node in walk.wanted:
            return True
        if node in done:
            continue
        done.add(node)
        i = index_of(node, walk.trace)
        record = record_at(walk.records, i) if has_record(walk.records, i) else None
        if record is not None:
            stack += inputs_of(record)
    return False
