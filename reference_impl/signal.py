"""``tf.signal``: Fourier transforms."""

# ruff: noqa: F401  # this file lists names

from .ops.fourier import fft, fft2d, fft3d, fftshift, ifft, ifft2d, ifft3d, ifftshift, irfft, irfft2d, rfft, rfft2d
