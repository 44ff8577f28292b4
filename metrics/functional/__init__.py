"""Every quantity as a pure function: tensors in, a tensor or a frozen result out.

All check their arguments: the TypeError or ValueError names the value, the limit and what to do.
"""

from metrics.functional.alignment_score import alignment_score
from metrics.functional.attack_penalty import attack_penalty
from metrics.functional.average_geometry import average_geometry
from metrics.functional.certified_accuracy import certified_accuracy
from metrics.functional.compare_fits import compare_fits
from metrics.functional.description_length import description_length
from metrics.functional.fgsm import fgsm
from metrics.functional.fit_lognormal import fit_lognormal
from metrics.functional.fit_mixture import fit_mixture
from metrics.functional.fit_power_law import fit_power_law
from metrics.functional.generalized_directions import generalized_directions
from metrics.functional.geometry import Geometry, covariance_of
from metrics.functional.geometry_correlation import geometric_velocity, geometry_correlation
from metrics.functional.geometry_evolution import geometry_evolution
from metrics.functional.geometry_of import geometry_of
from metrics.functional.intrinsic_dimension import intrinsic_dimension
from metrics.functional.jacobian_spectrum import jacobian_spectrum
from metrics.functional.label_sharpness import label_sharpness
from metrics.functional.likelihood_ratio import likelihood_ratio
from metrics.functional.mle_dimension import mle_dimension
from metrics.functional.neighbour_certificate import nearest_neighbour_certificate
from metrics.functional.neighbour_scaling import neighbour_scaling
from metrics.functional.neighbours import Neighbours, neighbours
from metrics.functional.pgd import pgd
from metrics.functional.required_samples import required_samples
from metrics.functional.scaling_law import fit_scaling_law
from metrics.functional.smoothed_certificate import smoothed_certificate, smoothed_estimate
from metrics.functional.split_spectrum import split_spectrum
from metrics.functional.task_difficulty import task_difficulty_ratio
from metrics.functional.twonn_dimension import twonn_dimension

__all__ = [
    "Geometry",
    "Neighbours",
    "alignment_score",
    "attack_penalty",
    "average_geometry",
    "certified_accuracy",
    "compare_fits",
    "covariance_of",
    "description_length",
    "fgsm",
    "fit_lognormal",
    "fit_mixture",
    "fit_power_law",
    "fit_scaling_law",
    "generalized_directions",
    "geometric_velocity",
    "geometry_correlation",
    "geometry_evolution",
    "geometry_of",
    "intrinsic_dimension",
    "jacobian_spectrum",
    "label_sharpness",
    "likelihood_ratio",
    "mle_dimension",
    "nearest_neighbour_certificate",
    "neighbour_scaling",
    "neighbours",
    "pgd",
    "required_samples",
    "smoothed_certificate",
    "smoothed_estimate",
    "split_spectrum",
    "task_difficulty_ratio",
    "twonn_dimension",
]
