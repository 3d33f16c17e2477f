//! The abstraction against runs of programs, against exact images, and in front of the engines.

