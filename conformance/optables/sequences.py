"""Rows of ops on sequences in time: memory cells, and the loss of sequences of labels."""

from __future__ import annotations

from typing import Any

from conformance.optables.row import Digits, Fresh, Row, Setting, Span, integers, op_row

WEIGHTS = Span(-1.5, 1.5)


def lstm(first: bool) -> Any:
    """A cell over a few steps, with and without peepholes and a limit of its state."""

    def setting(draw: Digits, dtype: str) -> Setting:
        steps, batch, inputs, cells = 1 + draw(2), 1 + draw(2), 1 + draw(2), 1 + draw(2)
        state, peep = Fresh((batch, cells), span=WEIGHTS), Fresh((cells,), span=WEIGHTS)
        named: dict[str, Any] = {"seq_len_max": integers(steps, "int64"), "x": Fresh((steps, batch, inputs))}
        named |= {"cs_prev": state, "h_prev": state, "w": Fresh((inputs + cells, 4 * cells), span=WEIGHTS)}
        named |= {"wci": peep, "wcf": peep, "wco": peep, "b": Fresh((4 * cells,), span=WEIGHTS)}
        if draw(2):
            named["use_peephole"] = True
        if draw(3) == 2:
            named["cell_clip"] = (0.5, -1.0)[draw(2)]
        if first and draw(3) == 2:
            named["forget_bias"] = (0.0, 2.0)[draw(2)]
        return Setting((), named, then=(f"attribute.{('h', 'cs')[draw(4) == 3]}",))

    return setting


def ctc(draw: Digits, dtype: str) -> Setting:
    """Sequences long enough for their labels, and, now and then, not; labels repeated, merged or kept apart."""
    batch, classes = 1 + draw(2), 4 - draw(3)
    labels = [[draw(classes - 1) for _ in range((2, 1, 3, 0)[draw(4)])] for _ in range(batch)]
    times = max(2, *map(len, labels)) + draw(3)
    places = [(b, k) for b, own in enumerate(labels) for k in range(len(own))]
    named: dict[str, Any] = {"inputs": Fresh((times, batch, classes))}
    if not places:
        labels[0], places = [0], [(0, 0)]
    named |= {"labels_indices": integers([list(place) for place in places], "int64")}
    named |= {"labels_values": integers([labels[b][k] for b, k in places])}
    named |= {"sequence_length": integers([times - draw(2) * draw(2) for _ in range(batch)])}
    if draw(3) == 2:
        named["preprocess_collapse_repeated"] = True
    if draw(3) == 2:
        named["ctc_merge_repeated"] = False
    return Setting((), named, then=("attribute.loss",))


_UNTRACED: dict[str, Any] = {"unasked": ("jacobian", "forward_mode")}
_LSTM = frozenset({"float32", "float16"})

ROWS: tuple[Row, ...] = (
    op_row("raw_ops.BlockLSTM", lstm(True), _LSTM, "curved", **_UNTRACED),
    op_row("raw_ops.BlockLSTMV2", lstm(False), _LSTM, "curved", **_UNTRACED),
    op_row("raw_ops.CTCLoss", ctc, frozenset({"float32"}), "curved", (0.0, 1.0, -2.0), True, **_UNTRACED, often=3),
)
