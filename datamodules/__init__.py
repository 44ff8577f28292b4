"""Images, labels, splits and cache. Knows files and labels; no network, no maths."""
