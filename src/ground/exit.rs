//! The table of exit codes. It is fixed: scripts rely on it.

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Every property holds.
    Holds,
    /// A property is violated.
    Violated,
    /// No property is violated and one is undecided.
    Unknown,
    /// The command line is wrong.
    Usage,
    /// The input is wrong.
    Input,
    /// Boolero is wrong.
    Internal,
    /// The user stopped the run.
    Interrupted,
}

impl Exit {
    /// The process exit code.
    #[must_use]
    pub fn code(self) -> u8 {
        match self {
            Self::Holds => 0,
            Self::Violated => 10,
            Self::Unknown => 5,
            Self::Usage => 1,
            Self::Input => 2,
            Self::Internal => 6,
            Self::Interrupted => 130,
        }
    }
}
