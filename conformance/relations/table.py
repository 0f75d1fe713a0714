"""The relations: each a rule of the group REL."""

from __future__ import annotations

from conformance.relations import algebra, lives
from conformance.relations.related import Relation

_LACKING_AN_AXIS = frozenset(("raw_ops.RaggedTensorToVariant",))

RELATIONS: tuple[Relation, ...] = (
    Relation("REL-01", "linearity", "A gradient is linear in its output_gradients.", of_section=algebra.linearity),
    Relation(
        "REL-02", "list target", "The gradient of a list of targets is the sum of the gradients of each.",
        of_section=algebra.list_is_sum,
        broken="where a slope is infinite: the zero upstream of one target is nan there, but not once it was added to "
        "that of another",
    ),
    Relation(
        "REL-03", "persistent", "A persistent tape gives the gradient that a tape for one gradient gives.",
        of_program=lives.persistent_is_not,
    ),
    Relation(
        "REL-04", "watch order", "The order in which sources are watched does not matter.", of_program=lives.watch_order
    ),
    Relation("REL-05", "reset", "A tape that was reset is as good as a new one.", of_program=lives.reset_is_fresh),
    Relation(
        "REL-06", "chain rule",
        "A gradient asked in two pieces, the first being the upstream of the second, is the gradient asked at once.",
        of_section=algebra.chain_rule,
    ),
    Relation(
        "REL-07", "Hessian", "Second derivatives do not depend on the order of differentiation.",
        of_section=algebra.hessian_symmetry,
        broken="where a derivative is infinite: a zero times it is nan on one side of the diagonal alone; and by the "
        "cross entropy of a value with itself, whose gradient by the labels is forgotten the second time; and by a "
        "list that is given several elements for one place: the last one stays, but all have its gradient",
        broken_by=frozenset(
            ("nn.softmax_cross_entropy_with_logits", "raw_ops.TensorListScatter", "raw_ops.TensorListScatterV2")
        ),
    ),
    Relation(
        "REL-08", "jacobian rows", "The rows of a jacobian are the gradients of the target's elements.",
        of_section=algebra.jacobian_rows,
        broken="by a variant of one row, whose gradient lacks that axis",
        broken_by=_LACKING_AN_AXIS,
    ),
    Relation(
        "REL-09", "batch blocks",
        "A batch jacobian is the jacobian summed over the target's batch axis.",
        of_section=algebra.batch_jacobian_blocks,
        broken="where a derivative is infinite: vectorizing multiplies it with zeros of other rows, which are nan; and "
        "by a variant of one row, whose gradient lacks that axis",
        broken_by=_LACKING_AN_AXIS,
    ),
    Relation(
        "REL-10", "forward mode", "Forward mode and reverse mode give the same directional derivative.",
        of_section=algebra.forward_is_reverse,
        broken="where a number is infinite: forward mode multiplies it with the zero tangents of other operands; and "
        "by gradients of a pool that are given what is not its output: one of the modes looks at it, the other does "
        "not",
        broken_by=frozenset(f"raw_ops.MaxPool{kind}" for kind in ("Grad", "GradGrad", "3DGrad", "3DGradGrad")),
    ),
    Relation(
        "REL-11", "function", "A traced function has the gradients of its body.", of_section=algebra.function_is_eager
    ),
)  # fmt: skip
