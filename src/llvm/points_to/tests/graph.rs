//! The graph by itself.
