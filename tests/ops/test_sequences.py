"""Sequences in time and pools of unequal windows, as TensorFlow 2.21 answered them."""

from __future__ import annotations

import numpy as np
import pytest

import reference_impl as tf

LOGITS = np.array([[[0.5, 0.0, 1.0]], [[0.0, 1.0, -1.0]], [[1.0, 1.0, 0.0]]], np.float32)


def loss(labels, **options):
    places = [[0, k] for k in range(len(labels))]
    given = {"inputs": LOGITS, "labels_indices": places, "labels_values": labels, "sequence_length": [3], **options}
    return tf.raw_ops.CTCLoss(**given)


@pytest.mark.parametrize(
    "labels, options, want",
    [
        ([0], {}, 1.97625),
        ([0], {"ctc_merge_repeated": False}, 3.15095),
        ([0, 1], {}, 1.54257),
        ([0, 0], {}, 4.44987),
        ([0, 0], {"ctc_merge_repeated": False}, 2.58089),
        ([0, 0], {"preprocess_collapse_repeated": True}, 1.97625),
        ([0], {"sequence_length": [2]}, 1.48374),
        ([0, 0, 0], {}, np.inf),
    ],
)
def test_the_loss_of_labels_adds_up_all_paths(labels, options, want) -> None:
    assert np.allclose(loss(labels, **options).loss, want, rtol=1e-5)


def test_too_little_time_is_counted_without_the_blanks_between_equal_labels() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\(required: 4, available: 3\)0You can turn this error"):
        loss([0, 1, 0, 1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Labels length is zero in batch 1"):
        tf.raw_ops.CTCLoss(
            inputs=np.repeat(LOGITS, 2, axis=1), labels_indices=[[0, 0]], labels_values=[0], sequence_length=[3, 3]
        )


def test_the_loss_of_labels_has_a_first_derivative_alone() -> None:
    x = tf.constant(LOGITS)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            value = loss([0, 1], inputs=x).loss
        g = inner.gradient(value, x)
    assert np.allclose(g[0, 0], [-0.448, 0.18632, 0.26168], atol=1e-5)
    with pytest.raises(LookupError, match="Gradient explicitly disabled"):
        outer.gradient(g, x)


@pytest.mark.parametrize(
    "seed, spaced, rows",
    [(1, False, [0, 1, 2, 4, 5, 7]), (1, True, [0, 2, 4, 5, 6, 7]), (3, False, [0, 1, 2, 3, 5, 7])],
)
def test_windows_are_drawn_from_a_seed_as_tensorflow_draws_them(seed: int, spaced: bool, rows: list[int]) -> None:
    x = np.zeros((1, 7, 6, 1), np.float32)
    how = {"deterministic": True, "seed": 87654321, "seed2": seed}  # what tf.nn makes of a seed where no other is set
    found = tf.raw_ops.FractionalMaxPool(value=x, pooling_ratio=[1.0, 1.4, 1.7, 1.0], pseudo_random=spaced, **how)
    assert found.row_pooling_sequence.numpy().tolist() == rows
    assert found.col_pooling_sequence.numpy().tolist() == [0, 2, 4, 6]


def test_overlapping_windows_share_their_edges() -> None:
    x = tf.constant(np.repeat(np.reshape([5.0, 5, 5, 1, 2, 2, 3, 3], (1, 2, 4, 1)), 2, axis=-1).astype("f"))
    how = {"pooling_ratio": [1.0, 1.0, 2.0, 1.0], "overlapping": True, "deterministic": True, "seed": 3, "seed2": 4}
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        largest, mean = (getattr(tf.raw_ops, f"Fractional{k}Pool")(value=x, **how).output for k in ("Max", "Avg"))
    upstream = tf.reshape(tf.range(1.0, 9.0), [1, 2, 2, 2])
    by_largest, by_mean = (tape.gradient(y, x, upstream).numpy().ravel() for y in (largest, mean))
    assert by_largest.tolist() == [1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 12, 14, 0, 0]
    assert np.allclose(by_mean[-4:], [6.0833335, 7.3333335, 4.25, 5.0])


def test_the_gradient_of_the_second_memory_cell_takes_the_gates_in_the_order_of_the_first() -> None:
    """As TensorFlow has it: its gradient function knows one order of the gates."""
    x, state, peep = np.full((1, 1, 1), 0.5, "f"), np.full((1, 1), 0.25, "f"), np.zeros(1, "f")
    w, b = tf.constant(np.linspace(-1, 1, 8, dtype="f").reshape(2, 4)), np.zeros(4, "f")
    cell = {"seq_len_max": tf.constant(1, tf.int64), "x": x, "cs_prev": state, "h_prev": state, "w": w, "b": b}
    cell |= {"wci": peep, "wcf": peep, "wco": peep}
    with tf.GradientTape() as tape:
        tape.watch(w)
        found = tf.raw_ops.BlockLSTMV2(**cell)
    g = tape.gradient(found.h, w).numpy()
    dcs = (1 - found.co**2) * found.o
    by_candidate, by_forget = dcs * (1 - found.ci**2) * found.i, found.f * (1 - found.f) * dcs * 0.25
    assert np.allclose(g[0, 1:3], 0.5 * np.array([by_candidate[0, 0, 0], by_forget[0, 0, 0]]), rtol=1e-5)
