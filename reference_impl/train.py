"""``tf.train``: checkpoints and moving averages; see checkpoints.py and moving_averages.py of surroundings."""

from .surroundings.checkpoints import Checkpoint, CheckpointManager, latest_checkpoint, list_variables, load_variable
from .surroundings.moving_averages import ExponentialMovingAverage

__all__ = [
    "Checkpoint", "CheckpointManager", "ExponentialMovingAverage", "latest_checkpoint", "list_variables",
    "load_variable",
]  # fmt: skip
