//! Programs written by hand, one technique each.
