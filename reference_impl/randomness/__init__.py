"""Random tensors: the same shapes, dtypes and distributions as TensorFlow's, from NumPy's generators (other bits)."""
