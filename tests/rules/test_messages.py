"""The words of errors that users and libraries look for stand in the corpus, as TensorFlow said them."""

from __future__ import annotations

import pytest

from adapters.observations import Raised
from conformance import corpus

NO_DTYPE = "Cannot convert the argument `type_value`: {} to a TensorFlow DType."
VECTORISED = (
    "Encountered an exception while vectorizing the {} computation. Vectorization can be disabled by setting "
    "experimental_use_pfor to False."
)
NEEDS_PERSISTENT = (
    "GradientTape must be created with persistent=True to compute the {} with eager execution enabled and {}"
)

WORDS = [
    ("LIFE-06", "RuntimeError", "GradientTape can only be used to compute one set of gradients (or jacobians)"),
    ("LIFE-31", "RuntimeError", "GradientTape can only be used tocompute one set of gradients (or jacobians)"),
    ("LIFE-15", "ValueError", "Tape is still recording, This can happen if you try to re-enter an already-active"),
    ("LIFE-12", "ValueError", "Tape is not recording."),
    ("LIFE-11", "RuntimeError", "Trying to stop recording a tape which is not recording."),
    ("LIFE-25", "AttributeError", "'NoneType' object has no attribute '_tape'"),
    ("WATCH-04", "ValueError", "Passed in object None of type 'NoneType', not tf.Tensor or tf.Variable or Extension"),
    ("TGT-19", "TypeError", "Argument `target` should be a list or nested structure of Tensors, Variables or"),
    ("TGT-05", "TypeError", NO_DTYPE.format("None")),
    ("SRC-07", "TypeError", NO_DTYPE.format("'s'")),
    ("TGT-07", "AttributeError", "'float' object has no attribute 'dtype'"),
    ("TGT-07", "AttributeError", "'numpy.ndarray' object has no attribute '_id'"),
    ("UNC-02", "ValueError", "Unknown value for unconnected_gradients: 'ZERO'"),
    ("TGT-20", "ValueError", "Type SparseTensor is not supported as a gradient source or gradient target."),
    ("LIFE-73", "RuntimeError", "gradient() cannot be invoked within the GradientTape context"),
    ("LIFE-72", "errors.InternalError", "Internal state of the gradient tape is invalid: failed to find operation"),
    ("HIGH-22", "LookupError", "gradient registry has no entry for: Bitcast"),
    ("FUNC-23", "LookupError", "No gradient defined for operation'Bitcast' (op type: Bitcast)."),
    ("JAC-11", "RuntimeError", NEEDS_PERSISTENT.format("jacobian", "with  experimental_use_pfor set to False.")),
    ("BJAC-09", "RuntimeError", NEEDS_PERSISTENT.format("batch_jacobian", " with experimental_use_pfor set to False.")),
    ("JAC-10", "ValueError", VECTORISED.format("jacobian")),
    ("BJAC-16", "ValueError", VECTORISED.format("batch_jacobian")),
    ("BJAC-04", "ValueError", "Need first dimension of target shape ((4, 2)) and source shape ((2, 2)) to match."),
    ("BJAC-03", "ValueError", "Shape (2,) must have rank at least 2"),
    ("BJAC-03", "IndexError", "list index out of range"),
    ("JAC-06", "AttributeError", "'list' object has no attribute 'shape'"),
    ("CUST-04", "ValueError", "custom_gradient function expected to return 2 gradients, but returned 1 instead."),
    ("CUST-25", "TypeError", "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since"),
    ("CUST-29", "ValueError", "Must return gradient for each variable from @custom_gradient grad_fn."),
    ("FWD-21", "NotImplementedError", "Consider not using recompute_grad in forward modeautodiff"),
    ("TFG-01", "RuntimeError", "tf.gradients is not supported when eager execution is enabled. Use tf.GradientTape"),
    ("REG-01", "KeyError", "Registering two gradient with name 'Square'!"),
    ("FWD-06", "ValueError", "Tensor {} was specified as a primal multiple times."),
    ("FWD-13", "ValueError", "Accumulator is already recording."),
    ("FWD-03", "ValueError", "'bad' is not a valid UnconnectedGradients"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "cls", "words"), WORDS)
def test_the_words_of_an_error_are_recorded(rule: str, cls: str, words: str) -> None:
    raised = [
        (answer.outcome.cls, answer.outcome.message.replace("\\'", "'"))
        for pinned in corpus.load(rule)
        for answer in pinned.answers
        if isinstance(answer.outcome, Raised)
    ]
    assert any(seen == cls and words in message for seen, message in raised), raised
