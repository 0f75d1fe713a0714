"""What people write around a tape, as whole programs: each trains something for twenty steps from given weights.

A program is a function of a `World` (a module shaped like `tensorflow`, and a folder). It is written once; run on
TensorFlow and on another module it must give the same losses and gradients (`agreement.py`). `PROGRAMS` lists them.
"""

from __future__ import annotations

from collections.abc import Callable

from conformance.around import (
    functional,
    input_gradients,
    keras_models,
    layer_kinds,
    measures,
    modules,
    optimizer_kinds,
    recurrent,
    saved,
    second_order,
    sequence_models,
    tapes,
)
from conformance.around.world import Record, World

Program = Callable[[World], Record]

PROGRAMS: dict[str, Program] = {
    program.__name__: program
    for program in (
        modules.module_with_sparse_updates,
        tapes.persistent_and_nested_tapes,
        tapes.stopped_and_reset_tapes,
        tapes.clipped_by_custom_gradients,
        input_gradients.input_gradient_regularisation,
        input_gradients.wgan_with_gradient_penalty,
        second_order.newton_steps,
        second_order.batch_jacobians_beside_batch_normalisation,
        recurrent.recurrent_cells,
        keras_models.mlp_with_two_optimizers,
        keras_models.classifier_on_a_dataset,
        keras_models.convolutional_net,
        keras_models.embedding_with_sparse_gradients,
        functional.generator_and_discriminator,
        functional.heat_maps_of_a_classifier,
        sequence_models.transformer_block,
        sequence_models.texts_read_both_ways,
        sequence_models.variational_autoencoder,
        layer_kinds.kinds_of_layers,
        optimizer_kinds.kinds_of_optimizers,
        measures.kinds_of_metrics,
        measures.kinds_of_losses,
        saved.custom_gradient_in_a_fresh_process,
    )
}

__all__ = ["PROGRAMS", "Program", "Record", "World"]
