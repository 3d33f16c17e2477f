//! Predicates against one contradiction of a path: candidates in stages, until some exclude it.

use super::backward::{self, Start};
use super::counting::Forms;
use super::forward::{self, Facts};
use super::ghosts::{self, Ghosts};
use super::linked::{Conflict, Exclusion, Linked};
use super::{Candidate, Refinement, Sources, condition_atoms, guard_atoms, loops, siblings};
use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::Predicate;
use crate::program::Program;
use crate::program::counting::Counting;
use indexmap::{IndexMap, IndexSet};

/// Predicates that differ in numbers only: so many in one scope, then others are preferred.
const ALIKE: usize = 10;

/// So many at most.
const TOO_ALIKE: usize = 60;

/// A guard with more atoms than this is rather excluded by the values of its variables.
const FEW: usize = 4;

/// A variable that is compared with so many numbers by predicates is a state.
const STATES: usize = 2;

/// Candidates of one stage beyond these are left out.
const MOST: usize = 60;

/// So many predicates are added where none is known to help.
const SPARE: usize = 10;

/// What one query may cost, first and last.
const RESOURCES: u32 = 2_000_000;
const LEAST_RESOURCES: u32 = 100_000;

/// A search for predicates.
pub(super) struct Search<'a> {
    conflict: Conflict<'a>,
    /// The same with more guards, if there is a loop.
    wide: Option<Conflict<'a>>,
    /// The same to the end of the path.
    end: Option<Conflict<'a>>,
    known: &'a [Candidate],
    forms: Forms,
    counting: &'a Counting,
    facts: Facts,
    iteration: usize,
    /// Where predicates may come from.
    sources: Sources,
    ghosts: &'a mut Ghosts,
    /// What one query may cost.
    resources: u32,
    limits: &'a Limits,
}

/// Where candidates come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Source {
    Core,
    Constants,
    Guards,
    Loops,
    Starts,
    /// Bounds, relations and guards, against the whole path.
    Ends,
    Preconditions,
    /// What variables are, in terms of what they were at the entry of their procedure.
    Ghosts,
    /// Other values that a variable is compared with.
    Siblings,
    /// Preconditions that are like many others.
    Unwinding,
}

impl Source {
    fn reason(self) -> &'static str {
        match self {
            Self::Core => "guard that contradicts others",
            Self::Constants => "value of a variable on the path",
            Self::Guards => "guard on the path",
            Self::Loops => "bound or relation of variables that a loop moves",
            Self::Starts => "value that a variable of a loop starts with",
            Self::Ends => "what a loop leaves behind",
            Self::Preconditions => "weakest precondition",
            Self::Ghosts => "value in terms of that at the entry",
            Self::Siblings => "value that a variable is compared with",
            Self::Unwinding => "weakest precondition, one more like many",
        }
    }

    /// Whether the user lets predicates come from here.
    fn is_among(self, sources: Sources) -> bool {
        match sources {
            Sources::Auto => true,
            Sources::Preconditions => matches!(self, Self::Preconditions | Self::Unwinding),
            Sources::Guards => matches!(self, Self::Core | Self::Guards),
            Sources::Steps => false,
        }
    }

    /// So many predicates may be alike.
    fn alike(self) -> usize {
        if self == Self::Unwinding { TOO_ALIKE } else { ALIKE }
    }
}

impl<'a> Search<'a> {
    pub fn new(
        program: &mut Program,
        conflict: Conflict<'a>,
        known: &'a [Candidate],
        (counting, ghosts): (&'a Counting, &'a mut Ghosts),
        (iteration, sources, limits): (usize, Sources, &'a Limits),
    ) -> Result<Self, Stop> {
        let looping = !loops::loops(program, conflict.path).is_empty();
        Ok(Self {
            wide: looping.then(|| conflict.widened(program)),
            end: looping.then(|| conflict.to_the_end(program)),
            facts: forward::facts(program, conflict.path, limits)?,
            forms: Forms::of(&program.store, known),
            conflict,
            known,
            counting,
            iteration,
            sources,
            ghosts,
            resources: RESOURCES,
            limits,
        })
    }

    /// Predicates against this contradiction.
    pub fn refine(&mut self, program: &mut Program) -> Result<Refinement, Stop> {
        let mut offered: IndexMap<Candidate, Source> = IndexMap::new();
        for source in self.order(program)? {
            let before = offered.len();
            for candidate in self.candidates(program, source)? {
                if offered.len() < before + MOST && self.is_welcome(program, candidate, source) {
                    offered.entry(candidate).or_insert(source);
                }
            }
            if offered.len() > before
                && let Some(chosen) = self.excluding(program, &offered, source)?
            {
                // What is known would have been enough.
                return match chosen.is_empty() {
                    true => self.spare(program),
                    false => Ok(self.with_siblings(program, &mut offered, &chosen)),
                };
            }
        }
        let known = offered.is_empty() && self.excluding(program, &offered, Source::Guards)?.is_some();
        Ok(if known { repeated() } else { self.rest(program, &offered) })
    }

    /// What has to be excluded.
    fn conflict(&self, source: Source) -> &Conflict<'_> {
        if let (Source::Ends, Some(end)) = (source, &self.end) {
            return end;
        }
        let wide = self.wide.as_ref().filter(|_| !matches!(source, Source::Core | Source::Constants));
        wide.unwrap_or(&self.conflict)
    }

    /// Where to look, in which order.
    fn order(&mut self, program: &mut Program) -> Result<Vec<Source>, Stop> {
        let many = self.candidates(program, Source::Core)?.len() > FEW;
        let mut order = match many {
            true => vec![Source::Constants, Source::Core],
            false => vec![Source::Core, Source::Constants],
        };
        order.extend(match self.wide.is_none() {
            true => &[Source::Preconditions, Source::Guards][..],
            false => &[Source::Guards, Source::Loops, Source::Starts, Source::Ends, Source::Preconditions],
        });
        order.extend([Source::Ghosts, Source::Unwinding]);
        order.retain(|source| source.is_among(self.sources));
        Ok(order)
    }

    /// The predicates exclude the path, were the abstraction as precise as they allow. It is not, where calls lose how
    /// values hang together: predicates closer to the contradiction may need less of that.
    fn spare(&mut self, program: &mut Program) -> Result<Refinement, Stop> {
        let mut offered = IndexMap::new();
        let order = [Source::Core, Source::Preconditions, Source::Guards, Source::Unwinding];
        let sources = self.sources;
        for source in order.into_iter().filter(|source| source.is_among(sources)) {
            for candidate in self.candidates(program, source)? {
                if self.is_welcome(program, candidate, source) {
                    offered.entry(candidate).or_insert(source);
                }
            }
            if !offered.is_empty() {
                let chosen: Vec<Candidate> = offered.keys().copied().take(SPARE).collect();
                return Ok(self.predicates(&offered, &chosen));
            }
        }
        Ok(repeated())
    }

    /// Whether a candidate is new, about what matters, and not one of too many.
    fn is_welcome(&self, program: &Program, candidate: Candidate, source: Source) -> bool {
        let store = &program.store;
        !self.known.contains(&candidate)
            && self.conflict(source).concerns(store, candidate.term)
            && match self.counting.touches(store, candidate.term) {
                true => source != Source::Constants && self.forms.like(store, candidate) < source.alike(),
                false => true,
            }
    }

    fn candidates(&mut self, program: &mut Program, source: Source) -> Result<IndexSet<Candidate>, Stop> {
        let Conflict { path, core, .. } = self.conflict;
        let backward = |program: &mut Program, start| {
            backward::candidates(program, path, core, &self.facts, (start, self.limits))
        };
        self.limits.check()?;
        Ok(match source {
            Source::Core => guard_atoms(program, path, |position| core.contains(&position)),
            Source::Constants => backward(program, Start::Constants)?,
            Source::Guards => condition_atoms(program, path),
            Source::Loops => loops::candidates(program, path, loops::Kind::Relations),
            Source::Starts => loops::candidates(program, path, loops::Kind::Starts),
            Source::Ends => {
                let mut found = condition_atoms(program, self.conflict.whole);
                found.extend(loops::candidates(program, self.conflict.whole, loops::Kind::Relations));
                found
            }
            Source::Siblings => IndexSet::new(),
            Source::Preconditions | Source::Unwinding => backward(program, Start::Guards)?,
            // Other threads may write what a ghost was copied from.
            Source::Ghosts if program.starts_threads() => IndexSet::new(),
            Source::Ghosts => ghosts::candidates(program, path, self.conflict.symbols(), self.ghosts),
        })
    }

    /// The offered candidates that exclude the path, as few as a few queries can tell.
    fn excluding(
        &mut self,
        program: &Program,
        offered: &IndexMap<Candidate, Source>,
        source: Source,
    ) -> Result<Option<Vec<Candidate>>, Stop> {
        let old = self.known.len();
        let all: Vec<Candidate> = self.known.iter().chain(offered.keys()).copied().collect();
        let mut linked = Linked::new(program, self.conflict(source), &all, self.limits)?;
        let everything: Vec<usize> = (0..all.len()).collect();
        linked.set_resources(self.resources);
        let mut needed = match linked.excluding(&everything)? {
            Exclusion::By(needed) => needed,
            Exclusion::Not => return Ok(None),
            Exclusion::Unknown => {
                // What was too hard will not become easy with more candidates.
                self.resources = (self.resources / 4).max(LEAST_RESOURCES);
                return Ok(None);
            }
        };
        linked.set_resources(self.resources / 4);
        // What came last is the most special, and tried first.
        for number in needed.clone().into_iter().filter(|&number| number >= old).rev() {
            let fewer: Vec<usize> = (0..old)
                .chain(needed.iter().copied().filter(|&other| other >= old && other != number))
                .collect();
            match linked.excluding(&fewer)? {
                Exclusion::By(smaller) => needed = smaller,
                Exclusion::Not => {}
                Exclusion::Unknown => break,
            }
        }
        Ok(Some(needed.into_iter().filter(|&number| number >= old).map(|number| all[number]).collect()))
    }

    /// The chosen ones, and the siblings of those that are like others.
    fn with_siblings(
        &self,
        program: &mut Program,
        offered: &mut IndexMap<Candidate, Source>,
        chosen: &[Candidate],
    ) -> Refinement {
        let mut all: IndexSet<Candidate> = chosen.iter().copied().collect();
        for &one in chosen {
            let store = &program.store;
            if self.sources == Sources::Auto
                && self.forms.like(store, one) >= STATES
                && !self.counting.touches(store, one.term)
            {
                let new = siblings::siblings(program, one).into_iter();
                for candidate in new.filter(|candidate| !self.known.contains(candidate)) {
                    offered.entry(candidate).or_insert(Source::Siblings);
                    all.insert(candidate);
                }
            }
        }
        let all: Vec<Candidate> = all.into_iter().collect();
        self.predicates(offered, &all)
    }

    fn predicates(&self, offered: &IndexMap<Candidate, Source>, chosen: &[Candidate]) -> Refinement {
        let predicate = |candidate: &Candidate| Predicate {
            term: candidate.term,
            scope: candidate.scope,
            iteration: self.iteration,
            reason: offered[candidate].reason().to_owned(),
        };
        Refinement::Predicates(chosen.iter().map(predicate).collect())
    }

    /// Nothing excludes the path: some preconditions at least, or no progress.
    fn rest(&self, program: &Program, offered: &IndexMap<Candidate, Source>) -> Refinement {
        let useful = |&(_, source): &(&Candidate, &Source)| {
            matches!(source, Source::Core | Source::Preconditions | Source::Unwinding)
        };
        let chosen: Vec<Candidate> =
            offered.iter().filter(useful).map(|(&candidate, _)| candidate).take(SPARE).collect();
        if chosen.is_empty() {
            return Refinement::NoProgress(self.place(program));
        }
        self.predicates(offered, &chosen)
    }

    /// The loop that is to blame.
    fn place(&self, program: &Program) -> String {
        let Some(one) = loops::loops(program, self.conflict.path).into_iter().next_back() else {
            return "no predicate excludes the path".to_owned();
        };
        let procedure = &program.procedures[one.procedure];
        let line = procedure.locations[one.head].place.map_or_else(
            || format!("location {}", one.head.index()),
            |place| format!("{}:{}", program.files[place.file], place.line),
        );
        format!("no predicate found for the loop in {} at {line}", procedure.name)
    }
}

fn repeated() -> Refinement {
    Refinement::Repeated("the predicates exclude the path already".to_owned())
}
