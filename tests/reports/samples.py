"""Records to make reports of: `run(...)` gives one run's, from no difference to many, interrupted or hostile.

They are worded as the suite words them, and made up: nothing is run here.
"""

from __future__ import annotations

from dataclasses import replace

from reports.records import (
    Cause, CauseCount, End, Evidence, Header, Line, Notice, Outcome, Record, RuleResult, Share, Timing,
)  # fmt: skip

HOSTILE = "<script>document.title='owned'</script></script><img src=x onerror=alert(1)>\"'`&amp;\u202eevil\x00\ud800"

HEADER = Header(
    implementation="reference", implementation_version="0.1.0", oracle="tensorflow", oracle_version="2.21.0",
    command="pytest conformance/ --implementation reference --profile default --seed 7", profile="default", seed=7,
    planned=0,
    environment={
        "python": "3.11.9", "numpy": "2.4.6", "tapecheck": "0.1.0", "platform": "Linux x86_64",
        "cpu features": "avx avx2 fma", "oneDNN": "off",
    },
)  # fmt: skip

RULES = (
    ("LIFE-01", "A tape records only between entering and leaving its block.", "documented", "LIFE"),
    ("LIFE-04", "A tape that is not persistent answers gradient() once; the second call raises RuntimeError.", "documented", "LIFE"),
    ("WATCH-03", "Watching a tensor twice is the same as watching it once.", "observed", "WATCH"),
    ("WATCH-25", "Once one input is watched, all outputs of an op are known to the tape, integer ones too.", "observed", "WATCH"),
    ("UNC-02", "With UnconnectedGradients.ZERO a missing gradient is zeros of the source's shape and dtype.", "documented", "UNC"),
    ("TIE-01", "At a tie maximum sends the whole gradient to its first operand.", "against the docs", "TIE"),
    ("HIGH-02", "An inner gradient computed inside an outer tape is recorded by it.", "documented", "HIGH"),
    ("ORDER-09", "Three or more contributions are added in the order in which they arrive.", "observed", "ORDER"),
    ("THREAD-03", "A watch on a thread without an active tape does nothing.", "observed", "THREAD"),
)  # fmt: skip


def tie_cause() -> Cause:
    """Two arrays that differ in every element: the tie of maximum."""
    return Cause(
        id="9c2e41d07ab3", signature=("TIE-01", "tensor", "tensor", "float"),
        title="gradient of maximum at a tie: wanted [1, 0], got [0.5, 0.5]",
        rule="TIE-01", rule_sentence=RULES[5][1], rule_standing="against the docs", attribution="pinned", op="maximum",
        program={"language": 1, "steps": [{"step": "constant", "array": {"dtype": "float32", "shape": [2], "values": [2.0, 3.0]}}]},
        program_id="1f3a77c0b2d9",
        script=(
            "import tensorflow as tf\n\n"
            "x = tf.constant([2.0, 3.0])\n"
            "y = tf.constant([2.0, 5.0])\n"
            "with tf.GradientTape() as t:\n"
            "    t.watch(x)\n"
            "    z = tf.maximum(x, y)\n"
            "    w = tf.reduce_sum(z)\n"
            "g = t.gradient(w, x)\n"
            "print(g)  # tf.Tensor([1. 0.], shape=(2,), dtype=float32)\n"
        ),
        trace=(
            Line(0, "x = tf.constant([2.0, 3.0])", "float32 (2,) [2.0, 3.0]", "float32 (2,) [2.0, 3.0]", "same"),
            Line(1, "y = tf.constant([2.0, 5.0])", "float32 (2,) [2.0, 5.0]", "float32 (2,) [2.0, 5.0]", "same"),
            Line(2, "t = tf.GradientTape()", "done", "done", "same"),
            Line(3, "t.__enter__()", "done", "done", "same"),
            Line(4, "t.watch(x)", "done", "done", "same"),
            Line(5, "z = tf.maximum(x, y)", "float32 (2,) [2.0, 5.0]", "float32 (2,) [2.0, 5.0]", "same"),
            Line(6, "w = tf.reduce_sum(z)", "float32 () 7.0", "float32 () 7.0", "same"),
            Line(7, "t.__exit__(None, None, None)", "done", "done", "same"),
            Line(
                8, "g = t.gradient(w, x)", "float32 (2,) [1.0, 0.0]", "float32 (2,) [0.5, 0.0]", "differs",
                "first at [0]: wanted 1.0, got 0.5; relative error 0.5, 8,388,608 ULPs, bound 0 (exact lane)",
            ),
            Line(9, "h = g * 2.0", "float32 (2,) [2.0, 0.0]", "float32 (2,) [1.0, 0.0]", "after"),
        ),
        blame="tape",
        evidence=(
            Evidence("differences of the tape's own forward, h = 1e-4 and 1e-5", "0.50000000000000000 (a kink: the two sides are 1 and 0)", "neither"),
            Evidence("TensorFlow's rule, run in rationals", "1", "want"),
        ),
        replay="pytest conformance/ --implementation reference --replay reports/records/cause-9c2e41d07ab3.json",
        steps_besides=3,
    )  # fmt: skip


def none_cause() -> Cause:
    """None where an array was wanted, and a warning along with it."""
    return Cause(
        id="4b7d01aa93f2", signature=("HIGH-02", "tensor", "none", "float"),
        title="second derivative through an inner tape: wanted 12.0, got None",
        rule="HIGH-02", rule_sentence=RULES[6][1], rule_standing="documented", attribution="looks like", op=None,
        program={"language": 1, "steps": []}, program_id="77aa0c11fe02",
        script=(
            "import tensorflow as tf\n\n"
            "x = tf.constant(2.0)\n"
            "with tf.GradientTape() as outer:\n"
            "    outer.watch(x)\n"
            "    with tf.GradientTape() as inner:\n"
            "        inner.watch(x)\n"
            "        y = x * x * x\n"
            "    g = inner.gradient(y, x)\n"
            "print(outer.gradient(g, x))  # tf.Tensor(12.0, shape=(), dtype=float32)\n"
        ),
        trace=(
            Line(0, "x = tf.constant(2.0)", "float32 () 2.0", "float32 () 2.0", "same"),
            Line(1, "outer = tf.GradientTape()", "done", "done", "same"),
            Line(2, "outer.watch(x)", "done", "done", "same"),
            Line(3, "inner = tf.GradientTape()", "done", "done", "same"),
            Line(4, "inner.watch(x)", "done", "done", "same"),
            Line(5, "y = x * x", "float32 () 4.0", "float32 () 4.0", "same"),
            Line(6, "z = y * x", "float32 () 8.0", "float32 () 8.0", "same"),
            Line(7, "g = inner.gradient(z, x)", "float32 () 12.0", "float32 () 12.0", "same"),
            Line(8, "h = outer.gradient(g, x)", "float32 () 12.0", "None", "differs", "a value was wanted, None was returned"),
            Line(9, "k = h + 1.0", "float32 () 13.0", "raised ValueError: Attempt to convert a value (None) to a Tensor.", "after"),
            Line(10, "m = k * k", "float32 () 169.0", "skipped", "skipped"),
        ),
        blame="tape", evidence=(Evidence("differences of the tape's own forward, second order", "11.999999999998", "want"),),
        replay="pytest conformance/ --replay reports/records/cause-4b7d01aa93f2.json", steps_besides=4,
    )  # fmt: skip


def ulps_cause() -> Cause:
    """A numeric difference in the last digits, expected, where TensorFlow is the one that is off."""
    want = "float64 (3,) [0.76159415595576485, 0.96402758007581690, -0.0049865253]"
    got = "float64 (3,) [0.76159415595576485, 0.96402758007593102, -0.0049871110]"
    return Cause(
        id="e0513c9fd884", signature=("tanh", "tensor", "tensor", "float"),
        title="gradient of tanh in the tail: relative error 1.2e-13 beyond the bound",
        rule=None, rule_sentence="", rule_standing="", attribution="unexplained", op="math.tanh",
        program={"language": 1, "steps": []}, program_id="c0ffee150042",
        script="import tensorflow as tf\n\nx = tf.constant([1.0, 2.0, -5.3], tf.float64)\nwith tf.GradientTape() as t:\n    t.watch(x)\n    y = tf.tanh(x)\nprint(t.gradient(y, x))\n",
        trace=(
            Line(0, "x = tf.constant([1.0, 2.0, -5.3], tf.float64)", "float64 (3,) [1.0, 2.0, -5.3]", "float64 (3,) [1.0, 2.0, -5.3]", "same"),
            Line(1, "with tf.GradientTape() as t:", "done", "done", "same"),
            Line(2, "    t.watch(x)", "done", "done", "same"),
            Line(3, "    y = tf.tanh(x)", want, got, "differs", "largest at [1]: 1,028 ULPs, relative error 1.2e-13, bound 8.9e-16"),
            Line(4, "g = t.gradient(y, x)", "float64 (3,) [0.41997434161402608, nan, inf]", "float64 (3,) [0.41997434161402608, 0.0, inf]", "after"),
        ),
        blame="TensorFlow differs from the mathematics",
        evidence=(
            Evidence("mpmath, 50 digits", "0.96402758007593102", "got"),
            Evidence("differences of the tape's own forward", "0.96402758007593", "got"),
        ),
        replay="pytest conformance/ --replay reports/records/cause-e0513c9fd884.json", steps_besides=2,
        expected="the kernel loses digits in the tail; reported to TensorFlow", expected_kind="TensorFlow's fault",
    )  # fmt: skip


def raised_cause() -> Cause:
    """Nothing was raised where an error was wanted."""
    error = "raised RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)"
    return Cause(
        id="07b1f2c3d4e5", signature=("LIFE-04", "raised", "tensor", "float"),
        title="second gradient() of a tape that is not persistent: wanted RuntimeError, got a value",
        rule="LIFE-04", rule_sentence=RULES[1][1], rule_standing="documented", attribution="pinned", op=None,
        program={"language": 1, "steps": []}, program_id="aa11bb22cc33",
        script="import tensorflow as tf\n\nx = tf.constant(3.0)\nwith tf.GradientTape() as t:\n    t.watch(x)\n    y = x * x\ng = t.gradient(y, x)\ntry:\n    h = t.gradient(y, x)\nexcept RuntimeError as error:\n    print(error)\n",
        trace=(
            Line(0, "x = tf.constant(3.0)", "float32 () 3.0", "float32 () 3.0", "same"),
            Line(1, "t = tf.GradientTape()", "done", "done", "same"),
            Line(2, "t.watch(x)", "done", "done", "same"),
            Line(3, "y = x * x", "float32 () 9.0", "float32 () 9.0", "same"),
            Line(4, "g = t.gradient(y, x)", "float32 () 6.0", "float32 () 6.0", "same"),
            Line(5, "h = t.gradient(y, x)", error, "float32 () 6.0", "differs", "an error was wanted, a value was returned"),
        ),
        blame="tape", evidence=(), replay="pytest conformance/ --replay reports/records/cause-07b1f2c3d4e5.json", steps_besides=3,
    )  # fmt: skip


def hostile_cause(text: str = HOSTILE) -> Cause:
    """Every string that an implementation can choose is `text`."""
    line = Line(0, text, text, "got " + text, "differs", text)
    return replace(
        tie_cause(), id="hostile-1", title=text, rule=text, rule_sentence=text, rule_standing=text, attribution=text, op=text,
        program={"text": text.replace("\ud800", "")}, program_id=text, script=text, trace=(line,), blame=text,
        evidence=(Evidence(text, text, text),), replay=text, expected=text, expected_kind=text,
    )  # fmt: skip


ALL_CAUSES = (tie_cause, none_cause, ulps_cause, raised_cause)


def outcomes(count: int, causes: tuple[Cause, ...] = ()) -> list[Outcome]:
    """`count` outcomes in all lanes; each cause takes some, the first ones most."""
    made = []
    ops = ("math.sin", "matmul", "maximum", "reduce_sum", "math.tanh", "gather", "nn.softmax")
    for at in range(count):
        lane = ("exact", "numeric", "numeric", "structural")[at % 4]
        bound = 1e-7 * (1 + at % 50) if lane == "numeric" else None
        made.append(Outcome(
            f"{at:012x}", "corpus" if at % 20 == 0 else "generated", "agrees", lane, 4 + at % 9,
            ops=(ops[at % 7], ops[(at // 7) % 7]), finite_nonzero_gradient=at % 4 != 3, error_bound=bound,
            max_ulps=0.0 if lane == "exact" else 1.0,
        ))  # fmt: skip
    at = 0
    for place, cause in enumerate(causes):
        for _ in range(max(1, 60 >> place * 2)):
            if at < count:
                made[at] = replace(made[at], verdict="differs", cause=cause.id)
                at += 1
    for spare in range(at, min(at + count // 100, count)):
        made[spare] = replace(made[spare], verdict="ill-conditioned", lane="ill-conditioned")
    return made


def rule_results(failed: tuple[str, ...] = (), expected: tuple[str, ...] = ()) -> list[RuleResult]:
    """A result for each sample rule."""
    results = []
    for rule, sentence, standing, group in RULES:
        status = "failed" if rule in failed else "expected" if rule in expected else "passed"
        status = "not asked" if group == "THREAD" else status
        results.append(RuleResult(rule, sentence, standing, group, status, (f"{rule.lower()}-program",)))
    return results


def run(count: int = 400, causes: tuple[Cause, ...] = (), interrupted: bool = False, header: Header = HEADER) -> list[Record]:
    """The records of one run."""
    records: list[Record] = [replace(header, planned=count * 2 if interrupted else count)]
    records += outcomes(count, causes)
    records += [*causes, *(CauseCount(cause.id, max(1, 60 >> place * 2)) for place, cause in enumerate(causes))]
    if not interrupted:
        records += rule_results(tuple(cause.rule for cause in causes if cause.rule and cause.expected is None))
        records += [
            Share("second order", count // 8, count, 0.05), Share("persistent tapes", count // 5, count, 0.05),
            Share("stop_recording", count // 30, count, 0.02), Share("kinks", count // 3, count, 0.1),
            Share("sparse slices", count // 90, count, 0.02),
        ]  # fmt: skip
    records += [Timing("oracle", 41.25), Timing("tape", 9.5), Timing("shrinking", 3.125)]
    if interrupted:
        records.append(Notice("The run was stopped by Ctrl-C."))
    records.append(End("interrupted" if interrupted else "completed", 1 if causes else 0))
    return records


def many_causes(count: int = 400) -> list[Record]:
    """A run with four causes, one of them expected."""
    return run(count, tuple(make() for make in ALL_CAUSES))


def hostile_run(text: str = HOSTILE) -> list[Record]:
    """A run in which every string is `text`."""
    header = Header(text, text, text, text, text, text, 1, 3, {text: text})
    cause = hostile_cause(text)
    return [
        header, Outcome(text, text, "differs", text, 3, (text,), (text,), (text,), cause.id), cause,
        Outcome("plain", "generated", text, "exact", 3), Outcome("other", "generated", "differs", "exact", 3, cause=text),
        Outcome("third", "generated", "crashed", "exact", 3),
        RuleResult(text, text, text, text, text, (text,)), Share(text, 1, 3, 0.5), Notice(text), Timing(text, 1.0),
        End("completed", 1),
    ]  # fmt: skip


def several() -> list[list[Record]]:
    """The runs of three implementations."""
    names = (("reference", "0.1.0"), ("mytape.tf_api", "3.2.0"), ("a_tape_with_a_very_long_dotted.module.path:TapeBackend", "2025.11.29"))
    causes = ((), (tie_cause(), none_cause()), tuple(make() for make in ALL_CAUSES))
    return [
        run(400, some, header=replace(HEADER, implementation=name, implementation_version=version))
        for (name, version), some in zip(names, causes, strict=True)
    ]
