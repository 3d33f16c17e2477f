//! Verdicts: what a run found out about each property, and what that comes to. One vocabulary for Boolean programs, nets
//! and C, which differ in the runs that violate a property.

use super::assurance::Assurance;
use super::exit::Exit;
use super::reason::{Reason, Stop};
use std::fmt;

/// The verdict on one property; `R` is a run that violates it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict<R> {
    /// The property holds in every run.
    Holds,
    /// The run, which was replayed, violates it.
    Violated(Box<R>),
    /// Neither is known.
    Unknown(Reason),
}

impl<R> Verdict<R> {
    /// The verdict when a search has found no violation: only one that left nothing out may say "holds".
    #[must_use]
    pub fn unviolated(assurance: &Assurance) -> Self {
        if assurance.sound { Self::Holds } else { Self::Unknown(Reason::NotEveryRun) }
    }

    /// The verdict in one word.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Violated(_) => "violated",
            Self::Unknown(_) => "unknown",
        }
    }

    /// The run that violates the property.
    #[must_use]
    pub fn run(&self) -> Option<&R> {
        match self {
            Self::Violated(run) => Some(run),
            _ => None,
        }
    }

    /// Why neither is known.
    #[must_use]
    pub fn reason(&self) -> Option<&Reason> {
        match self {
            Self::Unknown(reason) => Some(reason),
            _ => None,
        }
    }
}

/// What the verdicts on all properties come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Overall {
    /// Every property holds.
    Holds,
    /// A property is violated.
    Violated,
    /// None is violated; this is why the first undecided one is undecided. A defect of ours comes before other reasons.
    Unknown(Reason),
}

impl Overall {
    /// The verdicts combined: any violated, else any unknown, else holds. Nothing holds as a whole if something was left out;
    /// `rest` says what, where that is known.
    #[must_use]
    pub fn of<'a, R: 'a>(
        verdicts: impl IntoIterator<Item = &'a Verdict<R>>,
        assurance: &Assurance,
        rest: Option<&Reason>,
    ) -> Self {
        let mut unknown = None;
        for verdict in verdicts {
            match verdict {
                Verdict::Violated(_) => return Self::Violated,
                Verdict::Unknown(reason) => unknown = weightier(unknown, reason),
                Verdict::Holds => {}
            }
        }
        let left_out = || (!assurance.sound).then_some(Reason::NotEveryRun);
        unknown.or(rest).cloned().or_else(left_out).map_or(Self::Holds, Self::Unknown)
    }

    /// How the process ends.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match self {
            Self::Holds => Exit::Holds,
            Self::Violated => Exit::Violated,
            Self::Unknown(Reason::Stopped(Stop::Interrupted)) => Exit::Interrupted,
            Self::Unknown(Reason::Defect(_)) => Exit::Internal,
            Self::Unknown(_) => Exit::Unknown,
        }
    }
}

/// The reason to tell: the first one, unless a later one is a defect, which must not hide behind a limit.
fn weightier<'a>(known: Option<&'a Reason>, reason: &'a Reason) -> Option<&'a Reason> {
    match known {
        Some(Reason::Defect(_)) => known,
        Some(_) if !matches!(reason, Reason::Defect(_)) => known,
        _ => Some(reason),
    }
}

impl fmt::Display for Overall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Holds => f.write_str("holds"),
            Self::Violated => f.write_str("violated"),
            Self::Unknown(reason) => write!(f, "unknown ({reason})"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::reason::Defect;
    use super::*;

    fn overall(verdicts: &[Verdict<()>]) -> Overall {
        Overall::of(verdicts, &Assurance::exact(), None)
    }

    #[test]
    fn violations_come_before_unknowns_before_holds() {
        let unknown = || Verdict::Unknown(Stop::Timeout.into());
        let violated = || Verdict::Violated(Box::new(()));
        assert_eq!(overall(&[]), Overall::Holds);
        assert_eq!(overall(&[Verdict::Holds, Verdict::Holds]), Overall::Holds);
        assert_eq!(overall(&[unknown(), violated(), Verdict::Holds]), Overall::Violated);
        let undecided = overall(&[Verdict::Holds, unknown(), Verdict::Unknown(Stop::Memory.into())]);
        assert_eq!(undecided.to_string(), "unknown (timeout)");
        assert_eq!(undecided.exit(), Exit::Unknown);
        let interrupted = overall(&[Verdict::Unknown(Stop::Interrupted.into())]);
        assert_eq!(interrupted.exit(), Exit::Interrupted);
    }

    #[test]
    fn defects_are_no_bounds() {
        let defect = |text: &str| Verdict::Unknown(Defect::CertificateRejected(text.to_owned()).into());
        let bound = || Verdict::Unknown(Stop::Bound("40 iterations".to_owned()).into());
        let whole = overall(&[bound(), defect("first"), bound(), defect("second")]);
        assert_eq!(whole.to_string(), "unknown (certificate rejected: first)");
        assert_eq!(whole.exit(), Exit::Internal);
        assert_eq!(overall(&[defect("first"), Verdict::Violated(Box::new(()))]).exit(), Exit::Violated);
    }

    #[test]
    fn without_soundness_nothing_holds() {
        let unsound = Assurance { sound: false, ..Assurance::exact() };
        assert_eq!(Verdict::<()>::unviolated(&unsound), Verdict::Unknown(Reason::NotEveryRun));
        let whole = Overall::of(&[Verdict::<()>::Holds], &unsound, None);
        assert_eq!(whole.to_string(), "unknown (not every run was looked at)");
        let rest = Reason::Unsupported("inline assembly".to_owned());
        let whole = Overall::of(&[Verdict::<()>::Holds], &unsound, Some(&rest));
        assert_eq!(whole.to_string(), "unknown (inline assembly)");
        let violated = [Verdict::Violated(Box::new(()))];
        assert_eq!(Overall::of(&violated, &unsound, Some(&rest)), Overall::Violated);
    }
}
