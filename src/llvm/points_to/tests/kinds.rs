//! How precise regions are.
