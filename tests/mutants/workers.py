"""Run one function over many items, each in a forked process of its own, two at a time.

What the items share is loaded once, before the fork. An item whose process dies or takes too long gives `lost(item)`.
"""

from __future__ import annotations

import gc
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")
SECONDS = 180.0


def each_apart(
    work: Callable[[Item], Made], items: Sequence[Item], lost: Callable[[Item], Made], processes: int = 2
) -> Iterator[Made]:
    """What `work` makes of each item, in order of completion."""
    context = multiprocessing.get_context("fork")
    waiting, running = list(reversed(items)), {}
    gc.collect()
    gc.freeze()  # what is shared is not to be copied by the first collection in a child
    try:
        while waiting or running:
            while waiting and len(running) < processes:
                item = waiting.pop()
                end, other = context.Pipe(duplex=False)
                process = context.Process(target=_child, args=(work, item, other), daemon=True)
                process.start()
                other.close()
                running[end] = (process, item, time.monotonic() + SECONDS)
            yield from _finished(running, lost)
    finally:
        gc.unfreeze()
        for process, _, _ in running.values():
            process.kill()


def _child(work: Callable[[Any], Any], item: Any, end: Connection) -> None:
    end.send(work(item))
    end.close()


def _finished(running: dict[Any, Any], lost: Callable[[Any], Any]) -> Iterator[Any]:
    """Those that are done, dead or late."""
    for end in wait(list(running), timeout=1.0):
        process, item, _ = running.pop(end)
        try:
            yield end.recv()  # type: ignore[union-attr]
        except EOFError:
            yield lost(item)
        process.join()
        end.close()
    for end, (process, item, until) in list(running.items()):
        if time.monotonic() > until:
            del running[end]
            process.kill()
            process.join()
            yield lost(item)
