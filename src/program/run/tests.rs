//! Small programs by hand, and generated ones against an evaluation of terms that is naive on purpose.
