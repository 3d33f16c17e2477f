//! Tests of the machine on whole programs.
