"""`python -m tests.mutants [NAME ...]`: is each planted fault found by generated programs alone, and shown small?

The default profile's generated programs are asked of TensorFlow once. Every fault then runs them until the first
difference, which is shrunk against live TensorFlow. At the end the scripts run on plain TensorFlow and must print the
wanted answers. Exit code 1 when a fault is not found, its program has more than 4 steps besides constants, variables,
enter, exit and watch, or its script does not show the wanted answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adapters import load, open_tape
from adapters.language import Program
from adapters.local import LocalTape
from adapters.messages import normalise
from adapters.observations import Observation
from conformance.generating import sources
from conformance.judging.judge import FAILED, judge
from conformance.running.plan import DEFAULT_SEED, PROFILES
from conformance.scripting.script import expected_output, script
from conformance.shrinking.shrink import shrink
from conformance.shrinking.weight import steps_besides
from tests.mutants import MUTANTS, faulty

STEPS_AT_MOST = 4
Answers = Sequence[Observation]


@dataclass(frozen=True, slots=True)
class Found:
    """A fault that was found: after how many programs, how it shows, and the smallest program."""

    name: str
    after: int
    title: str
    program: Program
    want: tuple[Observation, ...]
    steps: int


def find(name: str, drawn: Sequence[Any], wants: Sequence[Answers], oracle: Any) -> Found | None:
    """Run the programs on a faulty engine until one differs; shrink that one."""
    tape, healthy = LocalTape(faulty(name)), LocalTape(load("reference"))
    for number, ((choices, program), want) in enumerate(zip(drawn, wants), 1):
        judged = judge(program, want, tape.run(program))
        if judged.verdict in FAILED:
            break
    else:
        return None

    def still_fails(candidate: Program) -> bool:
        want = oracle.run(candidate)
        if judge(candidate, want, healthy.run(candidate)).verdict in FAILED:
            return False
        return judge(candidate, want, tape.run(candidate)).cause == judged.cause

    smallest = shrink(choices, still_fails, max_calls=1_000)
    wanted = oracle.run(smallest)
    title = judge(smallest, wanted, tape.run(smallest)).title
    return Found(name, number, title, smallest, wanted, steps_besides(smallest))


def scripts_show_the_wanted_answers(found: Sequence[Found]) -> dict[str, str]:
    """Run each script on plain TensorFlow; what each prints wrongly, by name."""
    wrong: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        for one in found:
            (Path(folder) / f"{one.name}.py").write_text(script(one.program, one.want))
        runner = (
            "import runpy, io, contextlib, json, pathlib, sys\n"
            "import tensorflow\n"
            "out = {}\n"
            "for path in sorted(pathlib.Path(sys.argv[1]).glob('*.py')):\n"
            "    with contextlib.redirect_stdout(io.StringIO()) as text:\n"
            "        try:\n"
            "            runpy.run_path(str(path))\n"
            "        except Exception as error:\n"
            "            print('SCRIPT FAILED', type(error).__name__, error)\n"
            "    out[path.stem] = text.getvalue()\n"
            "print(json.dumps(out))\n"
        )
        ran = subprocess.run([sys.executable, "-c", runner, folder], capture_output=True, text=True, check=True)
    printed = json.loads(ran.stdout.splitlines()[-1])
    for one in found:
        lines = _bare(printed[one.name])
        missing = [line for line in expected_output(one.program, one.want) if _bare(line) not in lines]
        if missing:
            wrong[one.name] = missing[0]
    return wrong


def _bare(text: str) -> str:
    """Printed text without white space, node names and addresses."""
    return "".join(normalise(text).split())


def main(names: list[str]) -> int:
    unknown = [name for name in names if name not in MUTANTS]
    if unknown:
        print(f"There is no planted fault {unknown[0]!r}; there are {', '.join(MUTANTS)}.", file=sys.stderr)
        return 2
    count = PROFILES["default"]
    drawn = list(sources.seeded(DEFAULT_SEED, 0, count))
    began = time.monotonic()
    with open_tape("tensorflow") as oracle:
        wants = list(oracle.run_many(program for _, program in drawn))
        print(f"TensorFlow answered {count} generated programs in {time.monotonic() - began:.0f} s", flush=True)
        results = {name: find(name, drawn, wants, oracle) or print_missed(name) for name in names or MUTANTS}
    found = [one for one in results.values() if isinstance(one, Found)]
    wrong = scripts_show_the_wanted_answers(found)
    for one in found:
        remark = f"  SCRIPT DOES NOT SHOW: {wrong[one.name]}" if one.name in wrong else ""
        large = "  TOO LARGE" if one.steps > STEPS_AT_MOST else ""
        print(f"{one.name:42} after {one.after:5} programs, {one.steps} steps: {one.title[:90]}{large}{remark}")
    small = [one for one in found if one.steps <= STEPS_AT_MOST and one.name not in wrong]
    print(
        f"{len(found)} of {len(results)} planted faults found by generated programs, {len(small)} shown small and rightly"
    )
    return 0 if len(small) == len(results) else 1


def print_missed(name: str) -> None:
    print(f"{name:42} NOT FOUND", flush=True)
