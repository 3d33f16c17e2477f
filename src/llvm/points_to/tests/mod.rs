//! Tests of the points-to analysis.
