"""The assertions of ``tf.debugging``."""
