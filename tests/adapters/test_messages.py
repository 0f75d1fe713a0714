"""Messages lose what changes from run to run, and nothing else."""

import pytest

from adapters.messages import normalise


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Tape is not recording.", "Tape is not recording."),
        ("tensor x name: y", "tensor x name: y"),
        ("<object object at 0x7f00a1>", "<object object at 0x…>"),
        ("<tensorflow.python.module.Module object at 0x7f00a1>", "<Module object at 0x…>"),
        ('Tensor("gradient_tape/Reshape_2:0", shape=(2,), dtype=int32)', "Tensor(shape=(2,), dtype=int32)"),
        (
            "{{function_node __wrapped__Mul_device_/job:localhost/replica:0/task:0/device:CPU:0}} Incompatible shapes: "
            "[3] vs. [2] [Op:Mul] name: ",
            "Incompatible shapes: [3] vs. [2] [Op:Mul]",
        ),
        (
            "<built-in function len> returned a result with an exception set",
            "a call returned a result with an exception set",
        ),
        (
            "<function ABCMeta.__instancecheck__ at 0x7fb2> returned a result with an exception set",
            "a call returned a result with an exception set",
        ),
        ("bad [Op:StridedSlice] name: strided_slice/", "bad [Op:StridedSlice]"),
        ("From /usr/lib/python3/tensorflow/dispatch.py:1264: div", "From …/dispatch.py: div"),
        ("__inference_f_123 failed", "__inference_f failed"),
        ("'__forward___forward_f_12_345' returned", "'__forward___forward_f' returned"),
        (
            'in user code:\n\n    File "<program>", line 3, in function  *\n        return _body((p0, ))\n'
            "    ValueError: no keywords here\n",
            "in user code:\n    ValueError: no keywords here",
        ),
    ],
)
def test_a_message_is_normalised(text, plain):
    assert normalise(text) == plain
    assert normalise(plain) == plain
