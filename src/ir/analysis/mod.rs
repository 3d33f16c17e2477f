//! What can be found out about a module without running it. Nothing here changes it.

pub mod points_to;
