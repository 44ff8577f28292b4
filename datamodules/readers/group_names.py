"""Names of columns and arrays that may be of patients or other groups of images."""

import re

GROUPS = re.compile("patient|subject|person|group|case|lesion|study", re.IGNORECASE)
# words of names that contain these but are of a property: `age_group`, `PatientSex`, `study date`
PROPERTIES = re.compile(
    "age|sex|gender|race|ethnicity|weight|height|size|blood|date|time|year|type|kind|status|"
    "position|label|class|diagnosis",
    re.IGNORECASE,
)


def names_groups(name: str) -> bool:
    """Whether a column or array has the name of patients or the like, not of a property of them.

    >>> [names_groups(name) for name in ("PatientID", "lesion_id", "Patient Age", "age_group")]
    [True, True, False, False]
    """
    words = re.findall("[A-Z]?[a-z]+|[A-Z]+", name)
    return bool(GROUPS.search(name)) and not any(map(PROPERTIES.fullmatch, words))
