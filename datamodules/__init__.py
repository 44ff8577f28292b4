"""Images, labels, splits and cache. Depends on files and labels; no network, no maths."""
