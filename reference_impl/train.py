"""``tf.train``: checkpoints; see checkpoints.py."""

from .surroundings.checkpoints import Checkpoint, CheckpointManager, latest_checkpoint, list_variables, load_variable

__all__ = ["Checkpoint", "CheckpointManager", "latest_checkpoint", "list_variables", "load_variable"]
