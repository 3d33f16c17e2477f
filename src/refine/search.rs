//! Predicates against one contradiction of a path: candidates in stages, until some exclude it.
//!
//! Each stage adds the candidates of one source to those that were offered before, and one query tells whether all together
//! exclude the path (`linked`). Of those that do, the ones that came last are left out as long as the rest is enough: so what
//! is taken is what the cheaper sources propose. A query that is too hard makes later ones cheaper, which end sooner.

use super::counting::Forms;
use super::forward::{self, Facts};
use super::linked::{Conflict, Excluded, Linked};
use super::sources::budgets::{FEW, LEAST_RESOURCES, MOST, RESOURCES, SPARE, STATES};
use super::sources::guards::Core;
use super::sources::siblings::{Siblings, siblings};
use super::sources::{self, Place, Question, Target};
use super::{Candidate, Refinement, Sources, loops};
use crate::ground::index::Index as _;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::predicate::Predicate;
use crate::program::Program;
use crate::program::counting::Counting;
use crate::program::overlay::Frozen;
use indexmap::{IndexMap, IndexSet};

/// What is offered, and by which source.
type Offered = IndexMap<Candidate, Place>;

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
    /// What one query may cost.
    resources: u32,
    limits: &'a Limits,
}

impl<'a> Search<'a> {
    pub fn new(
        program: &mut Frozen<'_>,
        conflict: Conflict<'a>,
        known: &'a [Candidate],
        counting: &'a Counting,
        (iteration, sources, limits): (usize, Sources, &'a Limits),
    ) -> Result<Self, Stop> {
        let looping = !loops::loops(program, &conflict.line).is_empty();
        Ok(Self {
            wide: looping.then(|| conflict.widened(program)),
            end: looping.then(|| conflict.to_the_end(program)),
            facts: forward::facts(program, &conflict.line, limits)?,
            forms: Forms::of(&program.store, known),
            conflict,
            known,
            counting,
            iteration,
            sources,
            resources: RESOURCES,
            limits,
        })
    }

    /// Predicates against this contradiction.
    pub fn refine(&mut self, program: &mut Frozen<'_>) -> Result<Refinement, Stop> {
        let mut offered = Offered::new();
        for source in self.order(program)? {
            let before = offered.len();
            for candidate in self.candidates(program, source)? {
                if offered.len() < before + MOST && self.is_welcome(program, candidate, source) {
                    offered.entry(candidate).or_insert(source);
                }
            }
            if offered.len() > before
                && let Some(chosen) = self.excluding(program, &offered, source.target())?
            {
                // What is known would have been enough.
                return match chosen.is_empty() {
                    true => self.spare(program),
                    false => Ok(self.with_siblings(program, &mut offered, &chosen)),
                };
            }
        }
        let known = offered.is_empty() && self.excluding(program, &offered, Target::Wide)?.is_some();
        Ok(if known { repeated() } else { self.rest(program, &offered) })
    }

    /// What has to be excluded.
    fn conflict(&self, target: Target) -> &Conflict<'_> {
        let conflict = match target {
            Target::Core => None,
            Target::Wide => self.wide.as_ref(),
            Target::End => self.end.as_ref(),
        };
        conflict.unwrap_or(&self.conflict)
    }

    /// Where to look, in which order.
    fn order(&mut self, program: &mut Frozen<'_>) -> Result<Vec<Place>, Stop> {
        let many = self.candidates(program, &Core)?.len() > FEW;
        let mut order = sources::order(many, self.wide.is_some());
        order.retain(|source| source.is_among(self.sources));
        Ok(order)
    }

    /// The known predicates would exclude the path: some from nearer to the contradiction.
    fn spare(&mut self, program: &mut Frozen<'_>) -> Result<Refinement, Stop> {
        let mut offered = Offered::new();
        let among = self.sources;
        for source in sources::NEARBY.into_iter().filter(|source| source.is_among(among)) {
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
    fn is_welcome(&self, program: &Program, candidate: Candidate, source: Place) -> bool {
        let store = &program.store;
        !self.known.contains(&candidate)
            && self.conflict(source.target()).concerns(store, candidate.term)
            && (!self.counting.touches(store, candidate.term)
                || self.forms.like(store, candidate) < source.alike())
    }

    fn candidates(&mut self, program: &mut Frozen<'_>, source: Place) -> Result<IndexSet<Candidate>, Stop> {
        self.limits.check()?;
        source.candidates(&mut Question {
            program: program.lend(),
            conflict: &self.conflict,
            facts: &self.facts,
            limits: self.limits,
        })
    }

    /// The offered candidates that exclude the path, as few as a few queries can tell.
    fn excluding(
        &mut self,
        program: &Program,
        offered: &Offered,
        target: Target,
    ) -> Result<Option<Vec<Candidate>>, Stop> {
        let old = self.known.len();
        let all: Vec<Candidate> = self.known.iter().chain(offered.keys()).copied().collect();
        let mut linked = Linked::new(program, self.conflict(target), &all, self.limits)?;
        let everything: Vec<usize> = (0..all.len()).collect();
        linked.set_resources(self.resources);
        let mut needed = match linked.excluding(&everything)? {
            Excluded::By(needed) => needed,
            Excluded::Not => return Ok(None),
            Excluded::Unknown => {
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
                Excluded::By(smaller) => needed = smaller,
                Excluded::Not => {}
                Excluded::Unknown => break,
            }
        }
        Ok(Some(needed.into_iter().filter(|&number| number >= old).map(|number| all[number]).collect()))
    }

    /// The chosen ones, and the siblings of those that are like others.
    fn with_siblings(
        &self,
        program: &mut Frozen<'_>,
        offered: &mut Offered,
        chosen: &[Candidate],
    ) -> Refinement {
        let mut all: IndexSet<Candidate> = chosen.iter().copied().collect();
        for &one in chosen {
            let store = &program.store;
            if self.sources == Sources::Auto
                && self.forms.like(store, one) >= STATES
                && !self.counting.touches(store, one.term)
            {
                let new = siblings(program, one).into_iter();
                for candidate in new.filter(|candidate| !self.known.contains(candidate)) {
                    offered.entry(candidate).or_insert(&Siblings);
                    all.insert(candidate);
                }
            }
        }
        let all: Vec<Candidate> = all.into_iter().collect();
        self.predicates(offered, &all)
    }

    fn predicates(&self, offered: &Offered, chosen: &[Candidate]) -> Refinement {
        let predicate = |candidate: &Candidate| Predicate {
            term: candidate.term,
            scope: candidate.scope,
            iteration: self.iteration,
            reason: offered[candidate].reason().to_owned(),
        };
        Refinement::Predicates(chosen.iter().map(predicate).collect())
    }

    /// Nothing is known to exclude the path: some candidates at least, or no progress.
    fn rest(&self, program: &Program, offered: &Offered) -> Refinement {
        let useful = |&(_, source): &(&Candidate, &Place)| source.is_offered_anyway();
        let chosen: Vec<Candidate> =
            offered.iter().filter(useful).map(|(&candidate, _)| candidate).take(SPARE).collect();
        if chosen.is_empty() {
            return Refinement::NoProgress(self.place(program));
        }
        self.predicates(offered, &chosen)
    }

    /// The loop that is to blame.
    fn place(&self, program: &Program) -> String {
        let Some(one) = loops::loops(program, &self.conflict.line).into_iter().next_back() else {
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
