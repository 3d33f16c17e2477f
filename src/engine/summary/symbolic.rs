//! Statements as relations: the symbolic form of a program [Bas10, 3.2, 10.8].
//!
//! An expression with choices is a pair of sets of states ([`Possible`]). Relations are built when a node is first executed and kept.

use super::order::{Levels, Roles};
use crate::bdd::{Bdd, Level, LevelSet, Manager, Renaming};
use crate::boolean::cfg::{
    Copy, Expression, NodeId, Op, ProcedureId, Program, Read, Target, Time, VariableId,
};
use crate::engine::possible::Possible;
use crate::ground::index::IndexVec;
use crate::ground::reason::Stop;

/// What a step does to the variables in scope.
#[derive(Clone, Copy)]
pub struct Relation {
    /// Over the current values, and the next values of what is written.
    pub body: Bdd,
    /// The current values of what is written.
    pub written: LevelSet,
    /// Next to current, for what is written.
    pub forward: Renaming,
    /// The next values of what is written.
    pub after: LevelSet,
    /// Current to next, for what is written.
    pub backward: Renaming,
}

/// The symbolic form of a program: a BDD manager, the levels, and the relations built so far.
pub struct Symbolic<'p> {
    /// The program.
    pub program: &'p Program,
    /// The back end.
    pub manager: Box<dyn Manager>,
    /// The levels of the variables.
    pub levels: Levels,
    relations: IndexVec<NodeId, Option<Relation>>,
    enforced: IndexVec<ProcedureId, Option<Bdd>>,
    failing: IndexVec<NodeId, Option<Bdd>>,
    /// How many images were computed: the engine's measure of work.
    pub images: u64,
}

impl<'p> Symbolic<'p> {
    /// The symbolic form of a program, over a manager that has the levels.
    pub fn new(program: &'p Program, levels: Levels, manager: Box<dyn Manager>) -> Self {
        let relations = IndexVec::filled(None, program.nodes.len());
        let enforced = IndexVec::filled(None, program.procedures.len());
        let failing = IndexVec::filled(None, program.nodes.len());
        Self { program, manager, levels, relations, enforced, failing, images: 0 }
    }

    /// The levels of a variable.
    pub fn roles(&self, variable: VariableId) -> Roles {
        self.levels.variables[variable]
    }

    /// Everything that must survive a collection of the manager.
    pub fn roots(&self) -> impl Iterator<Item = Bdd> {
        let relations = self.relations.iter().flatten().map(|relation| relation.body);
        relations.chain(self.enforced.iter().chain(self.failing.iter()).flatten().copied())
    }

    fn level(&self, read: &Read) -> Level {
        level(&self.levels, read)
    }

    /// The pair of sets of an expression over current, next and passive values.
    fn possible(&mut self, expression: &Expression) -> Result<Possible, Stop> {
        let levels = &self.levels;
        Possible::of(&mut *self.manager, expression, |read| level(levels, read))
    }

    /// The levels of the passive copies that occur in some expressions. A sequential program has no passive
    /// thread: the copies are quantified away.
    fn passive_levels<'e>(&self, expressions: impl IntoIterator<Item = &'e Expression>) -> Vec<Level> {
        let reads = expressions.into_iter().flat_map(|expression| expression.variables());
        let passive = reads.filter(|read| read.copy == Copy::Passive);
        passive
            .filter_map(|read| self.roles(read.variable).passive)
            .flat_map(|(now, next)| [now, next])
            .collect()
    }

    /// The states in which a condition lets a run pass.
    pub fn passes(&mut self, condition: &Expression) -> Result<Bdd, Stop> {
        let possible = self.possible(condition)?;
        let passive = self.passive_levels([condition]);
        let passive = self.manager.level_set(&passive);
        self.manager.exists(possible.true_in, passive)
    }

    /// The states in which the assertion of a node fails; none if it is no assertion.
    pub fn failing(&mut self, node: NodeId) -> Result<Bdd, Stop> {
        if let Some(known) = self.failing[node] {
            return Ok(known);
        }
        let program = self.program;
        let failing = match &program.nodes[node].op {
            Op::Assert(condition, _) => self.fails(condition)?,
            _ => self.manager.constant(false),
        };
        self.failing[node] = Some(failing);
        Ok(failing)
    }

    /// The states in which a condition can be false, whatever a passive copy would be.
    fn fails(&mut self, condition: &Expression) -> Result<Bdd, Stop> {
        let cannot = self.possible(condition)?.false_in;
        let cannot = self.manager.not(cannot)?;
        let passive = self.passive_levels([condition]);
        let passive = self.manager.level_set(&passive);
        let some = self.manager.exists(cannot, passive)?;
        self.manager.not(some)
    }

    /// The states that the procedure's `enforce` allows.
    pub fn enforced(&mut self, procedure: ProcedureId) -> Result<Bdd, Stop> {
        if let Some(known) = self.enforced[procedure] {
            return Ok(known);
        }
        let program = self.program;
        let allowed = match &program.procedures[procedure].enforce {
            Some(condition) => self.passes(condition)?,
            None => self.manager.constant(true),
        };
        self.enforced[procedure] = Some(allowed);
        Ok(allowed)
    }

    /// Conjunction of `level = value` for pairs of levels and expressions over current values.
    pub fn binding(&mut self, pairs: &[(Level, &Expression)]) -> Result<Bdd, Stop> {
        let mut all = self.manager.constant(true);
        for &(level, value) in pairs {
            let value = self.possible(value)?;
            let takes = value.taken_by(&mut *self.manager, level)?;
            all = self.manager.and(all, takes)?;
        }
        Ok(all)
    }

    /// `a = b` for pairs of levels.
    pub fn equal(&mut self, pairs: &[(Level, Level)]) -> Result<Bdd, Stop> {
        let mut all = self.manager.constant(true);
        for &(a, b) in pairs.iter().rev() {
            let (a, b) = (self.manager.literal(a, true)?, self.manager.literal(b, true)?);
            let differ = self.manager.xor(a, b)?;
            all = self.manager.minus(all, differ)?;
        }
        Ok(all)
    }

    /// A relation that writes these variables.
    pub fn relation(&mut self, body: Bdd, written: &[VariableId]) -> Relation {
        let roles: Vec<Roles> = written.iter().map(|&variable| self.roles(variable)).collect();
        let current: Vec<Level> = roles.iter().map(|roles| roles.current).collect();
        let next: Vec<Level> = roles.iter().map(|roles| roles.next).collect();
        let forward: Vec<_> = roles.iter().map(|roles| (roles.next, roles.current)).collect();
        let backward: Vec<_> = roles.iter().map(|roles| (roles.current, roles.next)).collect();
        Relation {
            body,
            written: self.manager.level_set(&current),
            forward: self.manager.renaming(&forward),
            after: self.manager.level_set(&next),
            backward: self.manager.renaming(&backward),
        }
    }

    /// The relation of a node that is neither call nor return.
    pub fn step(&mut self, node: NodeId) -> Result<Relation, Stop> {
        if let Some(known) = self.relations[node] {
            return Ok(known);
        }
        let program = self.program;
        let relation = match &program.nodes[node].op {
            Op::Assume(condition) | Op::Assert(condition, _) => {
                let body = self.passes(condition)?;
                self.relation(body, &[])
            }
            Op::Assign { targets, values, constrain } => {
                let allowed = self.enforced(program.nodes[node].procedure)?;
                self.assignment(targets, values, (constrain.as_ref(), allowed))?
            }
            _ => {
                let body = self.manager.constant(true);
                self.relation(body, &[])
            }
        };
        self.relations[node] = Some(relation);
        Ok(relation)
    }

    /// A parallel assignment, where states are allowed. What restricts it comes first: many assignments `x1, x2, … := y1, y2, …` together
    /// are a large relation, unless few values of `y1, y2, …` are possible (of predicates `y == 1`, `y == 2`, … one holds at most).
    fn assignment(
        &mut self,
        targets: &[Target],
        values: &[Expression],
        (constrain, allowed): (Option<&Expression>, Bdd),
    ) -> Result<Relation, Stop> {
        let mut body = match constrain {
            Some(constrain) => {
                let possible = self.constraint(targets, constrain)?;
                self.manager.and(allowed, possible)?
            }
            None => allowed,
        };
        let mut hidden = self.passive_levels(values.iter().chain(constrain));
        for (target, value) in targets.iter().zip(values) {
            let level = self.level(&Read { variable: target.variable, time: Time::Next, copy: target.copy });
            let value = self.possible(value)?;
            let takes = value.taken_by(&mut *self.manager, level)?;
            body = self.manager.and(body, takes)?;
            if target.copy == Copy::Passive {
                hidden.push(level);
            }
        }
        let hidden = self.manager.level_set(&hidden);
        let body = self.manager.exists(body, hidden)?;
        let own = targets.iter().filter(|target| target.copy == Copy::Own);
        let written: Vec<VariableId> = own.map(|target| target.variable).collect();
        Ok(self.relation(body, &written))
    }

    /// A constraint over old and new values: the new value of what is not assigned is the old one.
    fn constraint(&mut self, targets: &[Target], constrain: &Expression) -> Result<Bdd, Stop> {
        let assigned = |read: &Read| {
            targets.iter().any(|target| target.variable == read.variable && target.copy == read.copy)
        };
        let levels = &self.levels;
        let possible = Possible::of(&mut *self.manager, constrain, |read| {
            let time = if assigned(read) { read.time } else { Time::Now };
            level(levels, &Read { time, ..*read })
        })?;
        Ok(possible.true_in)
    }

    /// The states after a relation.
    pub fn image(&mut self, states: Bdd, relation: Relation) -> Result<Bdd, Stop> {
        self.images += 1;
        let after = self.manager.and_exists(states, relation.body, relation.written)?;
        self.manager.rename(after, relation.forward)
    }

    /// The states from which a relation leads into a set.
    pub fn preimage(&mut self, states: Bdd, relation: Relation) -> Result<Bdd, Stop> {
        let after = self.manager.rename(states, relation.backward)?;
        self.manager.and_exists(relation.body, after, relation.after)
    }

    /// One point of a set as a conjunction of literals; levels it does not mention are free.
    pub fn point(&mut self, set: Bdd) -> Result<Option<Bdd>, Stop> {
        let Some(literals) = self.manager.pick(set) else { return Ok(None) };
        self.cube(&literals).map(Some)
    }

    /// A conjunction of literals.
    pub fn cube(&mut self, literals: &[(Level, bool)]) -> Result<Bdd, Stop> {
        let mut sorted = literals.to_vec();
        sorted.sort_unstable();
        let mut cube = self.manager.constant(true);
        for (level, value) in sorted.into_iter().rev() {
            let literal = self.manager.literal(level, value)?;
            cube = self.manager.and(literal, cube)?;
        }
        Ok(cube)
    }
}

/// The level of a variable in an expression.
fn level(levels: &Levels, read: &Read) -> Level {
    let roles = levels.variables[read.variable];
    match (read.copy, read.time) {
        (Copy::Own, Time::Now) => roles.current,
        (Copy::Own, Time::Next) => roles.next,
        (Copy::Passive, time) => {
            let (now, next) = roles.passive.expect("the variable occurs with $");
            if time == Time::Now { now } else { next }
        }
    }
}
