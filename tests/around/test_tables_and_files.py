"""``tf.lookup``, ``tf.io``, ``tf.sets`` and what stands beside them; answers of TensorFlow 2.21."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import reference_impl as tf


def _static() -> Any:
    init = tf.lookup.KeyValueTensorInitializer(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    return tf.lookup.StaticHashTable(init, -1)


def test_a_static_table_finds_values_and_its_default() -> None:
    table = _static()
    assert table.lookup(tf.constant(["a", "z"])).numpy().tolist() == [1, -1]
    assert int(table[tf.constant("b")]) == 2 and int(table.size()) == 2
    assert table.lookup(tf.ragged.constant([["a"], []])).to_list() == [[1], []]
    keys, values = table.export()
    assert (keys.numpy().tolist(), values.numpy().tolist()) == ([b"a", b"b"], [1, 2])
    assert tf.function(lambda x: table.lookup(x) * 2)(tf.constant(["a", "q"])).numpy().tolist() == [2, -2]
    v = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        y = tf.gather(v, table.lookup(tf.constant(["a", "b", "a"])))
    assert tape.gradient(y, v).indices.numpy().tolist() == [1, 2, 1]


def test_what_makes_no_static_table() -> None:
    make = tf.lookup.KeyValueTensorInitializer
    with pytest.raises(tf.errors.FailedPreconditionError, match="Key a has 1 and trying to add value 2"):
        tf.lookup.StaticHashTable(make(["a", "a"], [1, 2]), -1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected shape \[2\] for value, got \[1\]"):
        tf.lookup.StaticHashTable(make(["a", "b"], [1]), -1)
    with pytest.raises(
        TypeError, match="Dtype of argument `keys` must be <dtype: 'string'>, received: <dtype: 'int32'>"
    ):
        _static().lookup(tf.constant([1]))
    with pytest.raises(ValueError, match="are not compatible"):
        tf.lookup.StaticHashTable(make(["a"], [1]), [1, 2])


def test_words_out_of_a_vocabulary_have_tensorflows_buckets() -> None:
    init = tf.lookup.KeyValueTensorInitializer(["a", "b"], tf.constant([0, 1], tf.int64))
    table = tf.lookup.StaticVocabularyTable(init, 3)
    words = tf.constant(["a", "b", "zz", "yy", "xx", "hello", ""])
    assert table.lookup(words).numpy().tolist() == [0, 1, 3, 3, 4, 3, 4]
    numbers = tf.lookup.KeyValueTensorInitializer(tf.constant([5, 6], tf.int64), tf.constant([0, 1], tf.int64))
    table = tf.lookup.StaticVocabularyTable(numbers, 4)
    assert table.lookup(tf.constant([5, 6, 7, 8, -1, 1000], tf.int64)).numpy().tolist() == [0, 1, 2, 5, 4, 3]
    assert int(table.size()) == 6
    with pytest.raises(ValueError, match="`num_oov_buckets` must be > 0"):
        tf.lookup.StaticVocabularyTable(init, 0)


def test_tables_of_the_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("x\ny\nz\n")
    index = tf.lookup.TextFileIndex
    init = tf.lookup.TextFileInitializer(str(path), tf.string, index.WHOLE_LINE, tf.int64, index.LINE_NUMBER)
    assert tf.lookup.StaticHashTable(init, -1).lookup(tf.constant(["y", "q"])).numpy().tolist() == [1, -1]


def test_tables_that_change() -> None:
    table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, -1)
    table.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    assert table.lookup(tf.constant(["a", "q"])).numpy().tolist() == [1, -1]
    assert table.lookup(tf.constant(["a", "zz"]), tf.constant([7, 8], tf.int64)).numpy().tolist() == [1, 8]
    table.remove(tf.constant(["a"]))
    assert int(table.size()) == 1
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Expected shape \[2\] for value, got \[1\]"):
        table.insert(tf.constant(["a", "b"]), tf.constant([1], tf.int64))

    @tf.function
    def count(x: Any) -> Any:
        table.insert(x, tf.ones_like(table.lookup(x)) * 9)
        return table.lookup(x)

    assert count(tf.constant(["n"])).numpy().tolist() == [9]
    assert int(table.size()) == 2
    rows = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, [0.0, 0.0])
    rows.insert(tf.constant([1, 2], tf.int64), [[1.0, 2.0], [3.0, 4.0]])
    assert rows.lookup(tf.constant([2, 3], tf.int64)).numpy().tolist() == [[3.0, 4.0], [0.0, 0.0]]
    dense = tf.lookup.experimental.DenseHashTable(tf.int64, tf.int64, -1, -100, -200)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Using the empty_key as a table key is not allowed"):
        dense.insert(tf.constant([-100], tf.int64), tf.constant([1], tf.int64))


def test_files_are_read_and_written_whole(tmp_path: Path) -> None:
    path = str(tmp_path / "a" / "b")
    tf.io.write_file(path, "hello")
    assert tf.io.read_file(path).numpy() == b"hello"
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        tf.io.read_file(path + "c")
    with pytest.raises(TypeError, match="Cannot convert 1 to EagerTensor of dtype string"):
        tf.io.write_file(path, 1)


_SERIALIZED = [
    (
        lambda: tf.constant([[1.0, 2.0]]),
        b'\x08\x01\x12\x08\x12\x02\x08\x01\x12\x02\x08\x02"\x08\x00\x00\x80?\x00\x00\x00@',
    ),
    (lambda: tf.constant(1), b'\x08\x03\x12\x00"\x04\x01\x00\x00\x00'),
    (lambda: tf.constant(["a", "bb"]), b"\x08\x07\x12\x04\x12\x02\x08\x02B\x01aB\x02bb"),
    (lambda: tf.constant([], tf.float64), b"\x08\x02\x12\x02\x12\x00"),
    (lambda: tf.constant(1.5, tf.float16), b'\x08\x13\x12\x00"\x02\x00>'),
]


@pytest.mark.parametrize(("value", "data"), _SERIALIZED)
def test_tensors_as_bytes_and_back(value: Any, data: bytes) -> None:
    x = value()
    written = tf.io.serialize_tensor(x)
    assert written.numpy() == data
    again = tf.io.parse_tensor(written, x.dtype)
    assert again.shape == x.shape and again.numpy().tolist() == x.numpy().tolist()


def test_bytes_that_are_no_such_tensor() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"parsed tensor \(float\) and dtype \(int32\)"):
        tf.io.parse_tensor(tf.io.serialize_tensor(tf.constant(1.0)), tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="Cannot parse tensor from proto"):
        tf.io.parse_tensor("xx", tf.int32)


def test_bytes_as_numbers() -> None:
    assert tf.io.decode_raw(tf.constant(["abcd", "efgh"]), tf.int16).numpy().tolist() == [
        [25185, 25699],
        [26213, 26727],
    ]
    assert tf.io.decode_raw(tf.constant("abcd"), tf.int32, little_endian=False).numpy().tolist() == [1633837924]
    assert tf.io.decode_raw(tf.constant("ab"), tf.uint8, fixed_length=4).numpy().tolist() == [97, 98, 0, 0]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match="has length 5 that is not a multiple of 4, the size of int32"
    ):
        tf.io.decode_raw(tf.constant("abcde"), tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match="but element 1 has size 4 != 3"):
        tf.io.decode_raw(tf.constant(["abcd", "efg"]), tf.uint8)
    assert tf.io.encode_base64("hello?>").numpy() == b"aGVsbG8_Pg"
    assert tf.io.decode_base64("aGVsbG8_Pg").numpy() == b"hello?>"


def test_files_by_name(tmp_path: Path) -> None:
    files, path = tf.io.gfile, str(tmp_path / "f")
    with files.GFile(path, "w") as file:
        file.write("one\ntwo\n")
    with files.GFile(path, "rb") as file:
        assert (file.read(3), file.readline(), file.readlines()) == (b"one", b"\n", [b"two\n"])
    assert files.exists(path) and files.stat(path).length == 8
    files.makedirs(str(tmp_path / "d" / "e"))
    files.copy(path, str(tmp_path / "d" / "g"))
    with pytest.raises(tf.errors.AlreadyExistsError, match="file already exists"):
        files.copy(path, str(tmp_path / "d" / "g"))
    assert sorted(files.listdir(str(tmp_path / "d"))) == ["e", "g"]
    files.rmtree(str(tmp_path / "d"))
    with pytest.raises(tf.errors.NotFoundError, match="No such file or directory"):
        files.remove(str(tmp_path / "d"))
    with pytest.raises(tf.errors.InvalidArgumentError, match="mode is not 'r' or 'w' or 'a'"):
        files.GFile(path, "z")


def test_sets_of_rows() -> None:
    a, b = tf.constant([[1, 2], [3, 3]]), tf.constant([[2, 5], [3, 9]])
    assert tf.sparse.to_dense(tf.sets.union(a, b)).numpy().tolist() == [[1, 2, 5], [3, 9, 0]]
    assert tf.sparse.to_dense(tf.sets.intersection(a, b)).numpy().tolist() == [[2], [3]]
    assert tf.sparse.to_dense(tf.sets.difference(a, b)).numpy().tolist() == [[1], [0]]
    assert tf.sets.difference(a, b, aminusb=False).values.numpy().tolist() == [5, 9]
    assert tf.sets.size(tf.sets.union(a, b)).numpy().tolist() == [3, 2]
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Shape \[2\] has rank 1 < 2"):
        tf.sets.union(tf.constant([1, 2]), tf.constant([2]))


def test_distances_of_sequences() -> None:
    h = tf.SparseTensor([[0, 0], [1, 0], [1, 1]], ["a", "b", "c"], [2, 2])
    t = tf.SparseTensor([[0, 0], [0, 1], [1, 0]], ["a", "x", "c"], [2, 2])
    assert tf.edit_distance(h, t).numpy().tolist() == [0.5, 1.0]
    assert tf.edit_distance(h, t, normalize=False).numpy().tolist() == [1.0, 1.0]
    nothing = tf.SparseTensor(np.zeros([0, 2], np.int64), tf.constant([], tf.string), [1, 1])
    assert tf.edit_distance(tf.SparseTensor([[0, 0]], ["a"], [1, 1]), nothing).numpy().tolist() == [np.inf]
    with pytest.raises(tf.errors.InvalidArgumentError, match="expected to be a string tensor but is a int32 tensor"):
        tf.edit_distance(h, tf.SparseTensor([[0, 0]], [1], [2, 2]))


def test_numbers_of_bins_and_stacks_in_functions() -> None:
    bins = tf.histogram_fixed_width_bins([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0], [0.0, 5.0], nbins=5)
    assert bins.numpy().tolist() == [0, 0, 1, 2, 4, 4] and bins.dtype is tf.int32
    with pytest.raises(tf.errors.InvalidArgumentError, match="must > 0"):
        tf.histogram_fixed_width_bins([1.0], [0.0, 1.0], 0)
    with pytest.raises(RuntimeError, match="not compatible with eager execution"):
        tf.parallel_stack([tf.constant(1.0)])
    stacked = tf.function(lambda x: tf.parallel_stack([x, x]))(tf.constant([1.0, 2.0]))
    assert stacked.numpy().tolist() == [[1.0, 2.0], [1.0, 2.0]]


def test_creators_of_variables() -> None:
    seen: list[Any] = []

    def five(following: Any, **kwargs: Any) -> Any:
        kwargs["initial_value"] = 5.0
        return following(**kwargs)

    def noted(following: Any, **kwargs: Any) -> Any:
        made = following(**kwargs)
        seen.append((made.name, float(made)))
        return made

    with tf.variable_creator_scope(five), tf.variable_creator_scope(noted):
        v = tf.Variable(1.0, name="q", trainable=False)
    assert (v.name, float(v), v.trainable, seen) == ("q:0", 5.0, False, [("q:0", 5.0)])
    assert float(tf.Variable(1.0)) == 1.0
    with tf.variable_creator_scope(lambda following, **kwargs: 7):
        assert tf.Variable(1.0) == 7
