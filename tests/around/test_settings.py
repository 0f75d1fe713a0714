"""``tf.config``, ``tf.version`` and what else programs ask before they start, as TensorFlow 2.21 answers on a CPU."""

from __future__ import annotations

import pytest

import reference_impl as tf

CPU = tf.config.list_physical_devices("CPU")[0]


def test_the_preamble_of_a_training_script_runs() -> None:
    for gpu in tf.config.experimental.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    tf.config.set_visible_devices([], "GPU")
    tf.config.experimental.set_visible_devices([], "GPU")
    tf.config.experimental.enable_op_determinism()
    tf.config.threading.set_inter_op_parallelism_threads(0)
    tf.config.set_soft_device_placement(True)
    assert tf.config.get_visible_devices("GPU") == []
    assert tf.config.list_logical_devices()[0].name == "/device:CPU:0"
    assert not tf.test.is_gpu_available() and tf.test.gpu_device_name() == ""
    assert tf.version.VERSION == "2.21.0"


def test_the_cpu_has_no_settings_of_memory() -> None:
    with pytest.raises(ValueError, match="Cannot set memory growth on non-GPU and non-Pluggable devices"):
        tf.config.experimental.set_memory_growth(CPU, True)
    with pytest.raises(ValueError, match="Unrecognized device: 'GPU:0'"):
        tf.config.experimental.set_memory_growth("GPU:0", True)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="No matching devices found for 'GPU:0'"):
        tf.config.experimental.get_memory_info("GPU:0")
    with pytest.raises(ValueError, match="Allocator stats not available for device 'CPU:0'"):
        tf.config.experimental.get_memory_info("CPU:0")
    with pytest.raises(RuntimeError, match="Virtual devices cannot be modified after being initialized"):
        tf.config.set_logical_device_configuration(CPU, [tf.config.LogicalDeviceConfiguration()])


def test_switches_are_kept() -> None:
    tf.config.optimizer.set_jit(True)
    assert tf.config.optimizer.get_jit() == "autoclustering"
    tf.config.optimizer.set_jit(False)
    assert tf.config.optimizer.get_jit() == ""
    tf.config.experimental.enable_tensor_float_32_execution(False)
    assert tf.config.experimental.tensor_float_32_execution_enabled() is False
    tf.config.experimental.enable_tensor_float_32_execution(True)


def test_scopes_of_names_are_known() -> None:
    with tf.name_scope("a"), tf.name_scope("b"):
        assert tf.get_current_name_scope() == "a/b"
    assert tf.get_current_name_scope() == ""


def test_options_of_datasets_are_kept_and_checked() -> None:
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    options.deterministic = False
    dataset = tf.data.Dataset.range(2).with_options(options)
    assert dataset.options().deterministic is False
    with pytest.raises(AttributeError, match=r"Cannot set the property foo on Options\."):
        options.foo = 1
    with pytest.raises(TypeError, match="Property \"deterministic\" must be of type <class 'bool'>, got: 3"):
        options.deterministic = 3
    left = iter(dataset)
    assert [int(left.get_next()), int(next(left))] == [0, 1]
    with pytest.raises(tf.errors.OutOfRangeError, match=r"End of sequence \[Op:IteratorGetNext\]"):
        left.get_next()
