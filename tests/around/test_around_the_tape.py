"""Modules, parts of variables, random numbers, datasets and pictures of tapes."""

from __future__ import annotations

import xml.etree.ElementTree
from typing import Any

import numpy as np
import pytest

import reference_impl as tf
from reference_impl import viz


def test_a_module_lists_its_own_variables_by_attribute_name_before_those_below_it() -> None:
    class Part(tf.Module):
        def __init__(self) -> None:
            super().__init__(name="part")
            self.w = tf.Variable(1.0, name="w")

    whole = tf.Module(name="whole")
    whole.parts = [Part(), {"b": Part(), "a": tf.Variable(2.0, name="a", trainable=False)}]  # type: ignore[attr-defined]
    whole.z = tf.Variable(3.0, name="z")  # type: ignore[attr-defined]
    assert [v.name for v in whole.variables] == ["a:0", "z:0", "w:0", "w:0"]
    assert [v.name for v in whole.trainable_variables] == ["z:0", "w:0", "w:0"]
    assert [m.name for m in whole.submodules] == ["part", "part"]
    with pytest.raises(ValueError, match="'a b' is not a valid module name"):
        tf.Module(name="a b")


def test_scopes_prefix_the_names_of_variables() -> None:
    with tf.name_scope("outer"), tf.name_scope("inner") as prefix:
        assert (prefix, tf.Variable(1.0, name="v").name) == ("outer/inner/", "outer/inner/v:0")
    assert tf.Variable(1.0, name="v").name == "v:0"


@pytest.mark.parametrize(
    ("way", "want"),
    [("update", 3.0), ("add", 5.0), ("sub", -1.0), ("mul", 6.0), ("div", 2.0 / 3.0), ("max", 3.0), ("min", 2.0)],
)
def test_rows_of_a_variable_are_updated_in_every_way(way: str, want: float) -> None:
    v = tf.Variable([1.0, 2.0])
    getattr(v, f"scatter_{way}")(tf.IndexedSlices(tf.constant([3.0]), tf.constant([1])))
    np.testing.assert_allclose(v.numpy(), [1.0, want], rtol=1e-6)


def test_an_update_outside_a_variable_changes_nothing() -> None:
    v = tf.Variable([1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"indices\[0\] = 3 is not in \[0, 1\)"):
        v.scatter_add(tf.IndexedSlices(tf.constant([1.0]), tf.constant([3])))
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot broadcast input shape"):
        v[:].assign([1.0, 2.0])
    assert v.numpy().tolist() == [1.0]


def test_seeds_repeat_a_program_and_calls_differ() -> None:
    def drawn() -> list[float]:
        tf.random.set_seed(1)
        return [float(tf.random.normal([])), float(tf.random.normal([])), float(tf.random.uniform([], seed=3))]

    first = drawn()
    assert first == drawn() and len(set(first)) == 3


def test_random_numbers_have_their_distributions_and_gradients_reach_their_parameters() -> None:
    tf.random.set_seed(0)
    mean, deviation = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape() as tape:
        x = tf.random.normal([20_000], mean, deviation)
        total = tf.reduce_mean(x)
    assert abs(float(total) - 2.0) < 0.1 and abs(float(tf.math.reduce_std(x)) - 3.0) < 0.1
    assert float(tape.gradient(total, mean)) == pytest.approx(1.0)
    assert float(tf.reduce_max(abs(tf.random.truncated_normal([20_000])))) <= 2.0
    u = tf.random.uniform([20_000], 1, 4, tf.int32)
    assert u.dtype == tf.int32 and set(u.numpy().tolist()) == {1, 2, 3}
    with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
        tf.random.uniform([2], dtype=tf.int32)


def test_a_generator_goes_on_and_starts_again() -> None:
    g = tf.random.Generator.from_seed(3)
    first, second = g.normal([2]).numpy(), g.normal([2]).numpy()
    g.reset_from_seed(3)
    assert (g.normal([2]).numpy() == first).all() and (first != second).all()


def test_a_dataset_is_computed_as_it_is_iterated() -> None:
    xs = np.arange(5, dtype=np.float32)
    data = tf.data.Dataset.from_tensor_slices({"x": xs}).map(lambda e: e["x"] * 2.0).batch(2).repeat(2).skip(1).take(3)
    assert [b.numpy().tolist() for b in data] == [[4.0, 6.0], [8.0], [0.0, 2.0]]
    assert len(data) == 3
    assert repr(data.element_spec) == "TensorSpec(shape=(None,), dtype=tf.float32, name=None)"


def test_a_shuffled_dataset_has_the_same_elements_in_another_order_each_time() -> None:
    tf.random.set_seed(0)
    data = tf.data.Dataset.range(50).shuffle(50)
    first, second = (list(data.as_numpy_iterator()) for _ in range(2))
    assert sorted(first) == sorted(second) == list(range(50)) and first != second
    fixed = tf.data.Dataset.range(50).shuffle(50, seed=1, reshuffle_each_iteration=False)
    assert list(fixed.as_numpy_iterator()) == list(fixed.as_numpy_iterator())


def test_a_picture_shows_the_ops_between_the_sources_and_the_target() -> None:
    x, w = tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0], name="w")
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sin(x) * w)
        tf.exp(x)
    picture = viz.draw(tape, y)
    assert [p.label.partition(" ")[0] for p in picture.points if p.kind in ("op", "target")] == [
        "Sin", "ReadVariableOp", "Mul", "Sum",
    ]  # fmt: skip
    assert 'label="w:0 (2,)"' in picture.dot and picture.dot.startswith("digraph tape {")
    root = xml.etree.ElementTree.fromstring(picture._repr_svg_())
    assert root.tag.endswith("svg") and len(list(root.iter("{http://www.w3.org/2000/svg}text"))) == len(picture.points)


def test_nothing_recorded_is_nothing_to_draw() -> None:
    with tf.GradientTape() as tape:
        x: Any = tf.Variable(1.0)
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(ValueError, match="There is nothing to draw"):
        viz.draw(tape)


def test_tensors_go_straight_into_plots(tmp_path: Any) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    x = tf.linspace(-1.0, 1.0, 11)
    h = tf.reshape(tf.range(12.0), [3, 4])
    lim, s = tf.reduce_max(abs(h)), h.shape
    line = plt.plot(x, tf.square(x))[0]
    image = plt.imshow(h, vmin=-lim, vmax=lim, extent=[-0.5, s[1] - 0.5, -0.5, s[0] - 0.5])
    plt.savefig(tmp_path / "plot.png")
    assert line.get_ydata()[0] == 1.0 and image.get_clim() == (-11.0, 11.0)
    plt.close("all")


def test_windows_of_a_dataset_and_datasets_in_turn() -> None:
    numbers = tf.data.Dataset.range(7)
    found = [list(w.as_numpy_iterator()) for w in numbers.window(2, shift=4, stride=2)]
    assert found == [[0, 2], [4, 6]] and len(numbers.window(3, 1, 2, True)) == 3
    rows = numbers.window(3, 2, drop_remainder=True).flat_map(lambda w: w.batch(3))
    assert [r.tolist() for r in rows.as_numpy_iterator()] == [[0, 1, 2], [2, 3, 4], [4, 5, 6]]
    turns = tf.data.Dataset.range(1, 5).interleave(lambda x: tf.data.Dataset.from_tensors(x).repeat(3), 2, 2)
    assert list(turns.as_numpy_iterator()) == [1, 1, 2, 2, 1, 2, 3, 3, 4, 4, 3, 4]


def test_whole_numbers_need_a_range() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Need minval < maxval, got 3 >= 3"):
        tf.random.uniform([2], 3, 3, tf.int32)


def test_a_program_that_looks_for_a_gpu_finds_none() -> None:
    assert tf.config.list_physical_devices("GPU") == []
    tf.get_logger().setLevel("WARNING")


def test_stacks_and_joins_mix_tensors_arrays_and_numbers() -> None:
    x = tf.constant([1.0, 2.0])
    assert tf.stack([1, x[0], 3.5]).numpy().tolist() == [1.0, 1.0, 3.5]
    assert tf.stack([x[1], 2], axis=0).dtype == tf.float32
    assert tf.concat([x, np.ones(1), [3]], 0).numpy().tolist() == [1.0, 2.0, 1.0, 3.0]
    assert tf.stack([np.ones(2), np.arange(2)], axis=1).dtype == tf.float64
    assert tf.stack([1, 2.0]).dtype == tf.float32 and tf.stack([]).shape == (0,)
    with pytest.raises(TypeError, match=r"Cannot convert 2\.0 to EagerTensor of dtype int32"):
        tf.stack([tf.constant(1), 2.0])
