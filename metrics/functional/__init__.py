"""Every quantity as a pure function: tensors in, a frozen result out."""
