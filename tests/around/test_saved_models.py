"""Saved models and checkpoints: what comes back, and what a bad file does."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reference_impl as tf


@tf.custom_gradient
def halved(x: Any) -> Any:
    return tf.identity(x), lambda upstream: 0.5 * upstream


class Saved(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = tf.Variable([1.0, 2.0], name="w")
        self.count = tf.Variable(0, trainable=False)
        self.parts = [tf.Variable(3.0), {"b": tf.Variable(4.0)}]
        self.number = 7

    @tf.function
    def f(self, x: Any, k: int = 2) -> Any:
        self.count.assign_add(1)
        y = tf.reduce_sum(x * self.w) * float(k)
        y = tf.cond(y > 0.0, lambda: y, lambda: -y)
        return {"y": y, "n": tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [tf.constant(0)])[0]}

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def g(self, x: Any) -> Any:
        return halved(x * self.w[0])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    module = Saved()
    module.f(tf.constant([1.0, -3.0]))
    tf.saved_model.save(module, tmp_path / "model")
    return tmp_path / "model"


def test_functions_variables_and_containers_come_back(folder: Path) -> None:
    loaded = tf.saved_model.load(folder)
    assert loaded.w.numpy().tolist() == [1.0, 2.0] and loaded.w.name == "w:0"
    assert loaded.count.trainable is False and loaded.parts[1]["b"].numpy() == 4.0
    result = loaded.f(tf.constant([1.0, -3.0]))
    assert (float(result["y"]), int(result["n"]), int(loaded.count)) == (10.0, 3, 2)
    assert not hasattr(loaded, "number")


def test_gradients_pass_through_a_loaded_function_and_its_custom_gradient(folder: Path) -> None:
    loaded = tf.saved_model.load(folder)
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.g(x)
    by_x, by_w = tape.gradient(y, [x, loaded.w])
    assert by_x.numpy().tolist() == [0.5, 0.5, 0.5]
    assert tf.convert_to_tensor(by_w).numpy().tolist() == [3.0, 0.0]


def test_arguments_that_no_trace_was_saved_for_are_refused(folder: Path) -> None:
    loaded = tf.saved_model.load(folder)
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        loaded.f(tf.constant([1.0]))
    with pytest.raises(ValueError, match="Could not find matching concrete function"):
        loaded.f(tf.constant([1.0, 2.0]), k=3)


def test_without_its_custom_gradient_a_fresh_process_gets_a_lookup_error_and_this_one_does_not(tmp_path: Path) -> None:
    options = tf.saved_model.SaveOptions(experimental_custom_gradients=False)
    tf.saved_model.save(Saved(), tmp_path / "m", options=options)
    code = f"""
import reference_impl as tf
x, loaded = tf.constant([1.0]), tf.saved_model.load({str(tmp_path / "m")!r})
try:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.g(x)
    print(tape.gradient(y, x).numpy())
except LookupError as error:
    print(error)
"""
    root = Path(__file__).resolve().parents[2]
    there = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root).stdout
    assert there.startswith(
        "No gradient defined for operation'IdentityN' (op type: IdentityN). In general every operation"
    )
    x, loaded = tf.constant([1.0]), tf.saved_model.load(tmp_path / "m")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = loaded.g(x)
    assert tape.gradient(y, x).numpy().tolist() == [0.5]


def test_a_function_of_python_is_not_saved_and_nothing_is_written(tmp_path: Path) -> None:
    class Calls(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def f(self, x: Any) -> Any:
            return tf.py_function(lambda a: a, [x], tf.float32)

    with pytest.raises(ValueError, match="py_function"):
        tf.saved_model.save(Calls(), tmp_path / "m")
    assert not (tmp_path / "m").exists()


def test_a_folder_without_a_model_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="SavedModel file does not exist at"):
        tf.saved_model.load(tmp_path)


def _changed(folder: Path, change: Any) -> None:
    path = folder / "saved_model.json"
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def _call(content: dict, name: str) -> None:
    content["graphs"][0]["steps"][0]["call"] = name


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.update(version=2), "newer version"),
        (lambda c: c.update(format="something else"), "does not say that it is"),
        (lambda c: c.pop("graphs"), "damaged"),
        (lambda c: _call(c, "os.system"), "no op of this engine"),
        (lambda c: _call(c, "tf.py_function"), "no op of this engine"),
        (lambda c: _call(c, "tf.print"), "no op of this engine"),
        (lambda c: c["graphs"][0].update(size=10**12), "out of range"),
        (lambda c: c["objects"][0]["children"].update(w=10**6), "damaged"),
    ],
)
def test_a_newer_foreign_or_hostile_file_is_an_os_error_that_says_so(folder: Path, change: Any, message: str) -> None:
    _changed(folder, change)
    with pytest.raises(OSError, match=message):
        tf.saved_model.load(folder)


def test_truncated_files_are_os_errors(folder: Path) -> None:
    arrays = folder / "variables.npz"
    whole = arrays.read_bytes()
    arrays.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(OSError, match="no npz of plain arrays"):
        tf.saved_model.load(folder)
    path = folder / "saved_model.json"
    path.write_text(path.read_text()[:100])
    with pytest.raises(OSError, match="no JSON"):
        tf.saved_model.load(folder)


def test_arrays_are_never_unpickled(folder: Path) -> None:
    np.savez(folder / "variables.npz", a0=np.array([{"an": "object"}], dtype=object))
    with pytest.raises(OSError, match="does not hold what it says"):
        tf.saved_model.load(folder)
    with zipfile.ZipFile(folder / "variables.npz", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a0.npy", b"0" * 1000)
    with pytest.raises(OSError, match="compressed"):
        tf.saved_model.load(folder)


def test_a_checkpoint_brings_values_back_by_name(tmp_path: Path) -> None:
    module, optimizer = Saved(), tf.keras.optimizers.SGD(0.5)
    checkpoint = tf.train.Checkpoint(model=module, optimizer=optimizer)
    path = checkpoint.write(tmp_path / "c")
    module.w.assign([9.0, 9.0])
    optimizer.learning_rate = 0.1
    checkpoint.read(path).assert_consumed()
    assert module.w.numpy().tolist() == [1.0, 2.0] and float(optimizer.learning_rate) == 0.5
    keys = [key for key, _ in tf.train.list_variables(path)]
    assert "model/parts/1/b/.ATTRIBUTES/VARIABLE_VALUE" in keys


def test_a_checkpoint_that_does_not_fit_changes_nothing(tmp_path: Path) -> None:
    path = tf.train.Checkpoint(a=tf.Variable(1.0), b=tf.Variable(2.0)).write(tmp_path / "c")
    a, b = tf.Variable(5.0), tf.Variable([6.0])
    with pytest.raises(ValueError, match="incompatible tensor with shape"):
        tf.train.Checkpoint(a=a, b=b).read(path)
    assert float(a) == 5.0
    with pytest.raises(AssertionError, match="Unresolved object in checkpoint"):
        tf.train.Checkpoint(a=a).read(path).assert_consumed()
    with pytest.raises(tf.errors.NotFoundError, match="Failed to find any matching files"):
        tf.train.Checkpoint(a=a).read(tmp_path / "nothing")
    (tmp_path / "c.npz").write_bytes(b"junk")
    with pytest.raises(OSError, match="no npz"):
        tf.train.Checkpoint(a=a).read(path)


def test_a_manager_keeps_the_last_checkpoints(tmp_path: Path) -> None:
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(v=tf.Variable(1.0)), tmp_path, max_to_keep=2)
    for _ in range(3):
        manager.save()
    assert [Path(p).name for p in manager.checkpoints] == ["ckpt-2", "ckpt-3"]
    assert tf.train.latest_checkpoint(tmp_path) == manager.latest_checkpoint


def test_an_object_with_a_traced_call_can_be_called_when_it_is_loaded(tmp_path: Path) -> None:
    class Scaled(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = tf.Variable(2.0)

        @tf.function(input_signature=[tf.TensorSpec([], tf.float32)])
        def __call__(self, x: Any) -> Any:
            return x * self.w

    tf.saved_model.save(Scaled(), tmp_path)
    loaded = tf.saved_model.load(tmp_path)
    assert float(loaded(tf.constant(3.0))) == 6.0
    assert list(loaded.signatures) == ["serving_default"]
    assert float(loaded.signatures["serving_default"](tf.constant(4.0))["output_0"]) == 8.0
    tf.saved_model.save(Saved(), tmp_path / "other")
    assert not callable(tf.saved_model.load(tmp_path / "other"))


def test_a_sequential_model_is_saved_with_its_layers(tmp_path: Path) -> None:
    class Served(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.net = tf.keras.Sequential([tf.keras.layers.Dense(2)])
            self.net.build((None, 3))

        @tf.function(input_signature=[tf.TensorSpec([None, 3])])
        def serve(self, x: Any) -> Any:
            return self.net(x)

    module = Served()
    tf.saved_model.save(module, tmp_path)
    x = tf.ones((4, 3))
    assert np.array_equal(tf.saved_model.load(tmp_path).serve(x), module.serve(x))


def test_a_checkpoint_waits_for_what_is_made_later_and_then_lets_go(tmp_path: Path) -> None:
    from reference_impl.foundation.arrivals import listeners

    first, later = tf.Module(), tf.Module()
    first.a, first.b = tf.Variable(1.0), [tf.Variable(2.0)]
    status = tf.train.Checkpoint(later).read(tf.train.Checkpoint(first).write(tmp_path / "x"))
    later.a = tf.Variable(0.0)
    assert float(later.a) == 1.0 and id(later) in listeners
    with pytest.raises(AssertionError, match=r"Unresolved object in checkpoint \(root\)\.b\.0"):
        status.assert_consumed()
    later.b = [tf.Variable(0.0)]
    status.assert_consumed()
    assert float(later.b[0]) == 2.0 and id(later) not in listeners


def test_a_checkpoint_names_a_variable_by_its_shortest_path_and_finds_it_by_every_path(tmp_path: Path) -> None:
    layer, adam = tf.keras.Sequential([tf.keras.layers.Dense(2)]), tf.keras.optimizers.Adam()
    layer.build((None, 3))
    adam.build(layer.trainable_variables)
    path = tf.train.Checkpoint(model=layer, optimizer=adam).write(tmp_path / "both")
    keys = [key.removesuffix("/.ATTRIBUTES/VARIABLE_VALUE") for key, _ in tf.train.list_variables(path)]
    assert keys[3:5] == ["optimizer/_trainable_variables/0", "optimizer/_trainable_variables/1"]
    assert not any(key.startswith("model") for key in keys)
    other = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    other.build((None, 3))
    tf.train.Checkpoint(model=other).read(path)
    assert all(np.array_equal(a, b) for a, b in zip(other.get_weights(), layer.get_weights()))
