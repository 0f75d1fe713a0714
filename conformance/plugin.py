"""The pytest side of a run: its options, its session, its progress, its report at the end.

    pytest conformance/ --implementation mytape.tf_api --profile quick -n 2

Works the same with and without workers: every chunk of programs is one test item, workers leave their records in the
run's folder, and the process that was started by the user finishes the run.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from adapters import AdapterError, FailedToStart
from adapters.program_json import ProgramError
from conformance import corpus
from conformance.levels import NAMES as LEVEL_NAMES
from conformance.running.campaign import chunks_of
from conformance.running.here import importable_from_here
from conformance.running.plan import DEFAULT_SEED, PROFILES, Chunk, Plan, PlanError
from conformance.running.run import Ending, Finished, RunFolder, default_report, finish, not_started
from conformance.running.session import Session, believed

PLAN = pytest.StashKey[Plan]()
CHUNKS = pytest.StashKey[Sequence[Chunk]]()
FOLDER = pytest.StashKey[RunFolder]()
FINISHED = pytest.StashKey[Finished]()
BEGAN = pytest.StashKey[float]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tapecheck", "conformance of gradient tapes")
    add = group.addoption
    add(
        "--implementation",
        default="reference",
        help="the tape to check: a name, a tf-shaped module, or package.module:Class",
    )
    add("--oracle", default="tensorflow", help="the tape whose answers are wanted")
    add("--profile", default="default", help=f"how many programs: {', '.join(f'{k} {v}' for k, v in PROFILES.items())}")
    add("--programs", type=int, default=None, help="how many generated programs, whatever the profile")
    add("--seed", type=int, default=DEFAULT_SEED, help="which programs are generated")
    add("--rule", default=None, help="only pinned programs of rules that fit, such as WATCH-03 or 'LIFE-*'")
    add("--ops", default=None, help="only programs that use an op that fits, such as 'nn.*'")
    add("--max-seconds", type=float, default=None, help="start no further chunk after so many seconds")
    add("--timeout", type=float, default=None, help="seconds that the tape may take for one program")
    add("--in-process", action="store_true", help="run the tape in this process, for debugging")
    add("--level", default=None, choices=LEVEL_NAMES, help="ask nothing beyond this level of conformance")
    add("--report", default=None, help="where the HTML report goes")
    add("--replay", default=None, help="run only the programs of a file (a program, or the records of a run)")
    add("--expectations", default=None, help="a file of expected deviations in place of the one that ships")
    add("--no-corpus", action="store_true", help="leave the pinned programs out")


def plan_of(config: pytest.Config) -> Plan:
    """The plan that the options ask for, with the oracle that this machine has."""
    option = config.getoption
    return believed(
        Plan(
            implementation=option("--implementation"),
            oracle=option("--oracle"),
            profile=option("--profile"),
            seed=option("--seed"),
            programs=option("--programs"),
            corpus=not option("--no-corpus"),
            rule=option("--rule"),
            ops=option("--ops"),
            max_seconds=option("--max-seconds"),
            level=option("--level"),
            timeout=option("--timeout"),
            in_process=option("--in-process"),
            expectations=option("--expectations"),
            replay=option("--replay"),
        )
    )


def pytest_configure(config: pytest.Config) -> None:
    importable_from_here()
    try:
        config.stash[PLAN] = plan = plan_of(config)
        config.stash[CHUNKS] = chunks_of(plan)
    except (PlanError, corpus.CorpusError, ProgramError) as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[BEGAN] = time.monotonic()
    shared = getattr(config, "workerinput", {}).get("tapecheck_folder")
    config.stash[FOLDER] = RunFolder(Path(shared) if shared else None)
    if not shared:
        _check_that_it_opens(plan, config)


def _command(config: pytest.Config) -> str:
    return "pytest " + shlex.join(str(arg) for arg in config.invocation_params.args)


def _check_that_it_opens(plan: Plan, config: pytest.Config) -> None:
    """A tape that cannot be opened ends the run at once, with one sentence; one whose process fails gets a report."""
    try:
        with Session(plan) as session:
            session.tape.identity()
    except FailedToStart as error:
        page = Path(config.getoption("--report") or default_report())
        told = not_started(plan, _command(config), str(error), page)
        raise pytest.UsageError(f"{error}\nReport:  {told.report}") from error
    except AdapterError as error:
        raise pytest.UsageError(str(error)) from error


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker where the run's folder is."""
    node.workerinput["tapecheck_folder"] = str(node.config.stash[FOLDER].path)


def pytest_report_header(config: pytest.Config) -> list[str]:
    plan = config.stash[PLAN]
    total = sum(chunk.count for chunk in config.stash[CHUNKS])
    lines = [f"tapecheck: {plan.implementation} against {plan.oracle}, {total} generated programs, seed {plan.seed}"]
    if plan.oracle != config.getoption("--oracle"):
        lines.append(
            "tapecheck: TensorFlow is not installed; recorded answers judge the corpus, the reference engine the rest"
        )
    return lines


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "chunk" not in metafunc.fixturenames:
        return
    kinds = getattr(metafunc.function, "chunk_kinds", ())
    chosen = [chunk for chunk in metafunc.config.stash[CHUNKS] if chunk.kind in kinds]
    metafunc.parametrize("chunk", chosen, ids=[chunk.name for chunk in chosen])


@pytest.fixture(scope="session")
def tapes(request: pytest.FixtureRequest) -> Any:
    """The two open tapes of this worker."""
    with Session(request.config.stash[PLAN]) as session:
        yield session


@pytest.hookimpl(trylast=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" and sys.stderr.isatty():
        for name, count in report.user_properties:
            if name in _TOTAL and isinstance(count, int):
                _TOTAL[name] += count
        if _TOTAL["programs"]:
            print(f"\r{_TOTAL['programs']} programs, {_TOTAL['differ']} differ ", end="", file=sys.stderr, flush=True)


_TOTAL = {"programs": 0, "differ": 0}


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """In the process that the user started: finish the run and decide how it ended."""
    config = session.config
    if hasattr(config, "workerinput") or config.getoption("collectonly"):
        return
    plan, folder = config.stash[PLAN], config.stash[FOLDER]
    ending = Ending(
        plan=plan,
        command=_command(config),
        chunks=config.stash[CHUNKS],
        interrupted=exitstatus == pytest.ExitCode.INTERRUPTED,
        seconds=time.monotonic() - config.stash[BEGAN],
    )
    report = Path(config.getoption("--report") or default_report())
    with Session(plan) as tapes:
        config.stash[FINISHED] = finished = finish(ending, folder, tapes, report)
    if exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) and finished.exit_code:
        session.exitstatus = finished.exit_code


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    finished = config.stash.get(FINISHED, None)
    if finished is not None:
        terminalreporter.section("tapecheck")
        terminalreporter.write_line(finished.text)
