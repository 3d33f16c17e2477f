//! Path slicing: which constraints of a path have to do with its end \[JM05\].
//!
//! A path that leaves a loop too early, and then fails for a reason of its own, has no run for two reasons, and only the
//! second one matters: whatever the loop does, the rest of the path is as wrong as before. The slice of a path has the
//! constraints of the second kind. It is found backwards from the end. What it needs is a set of variables, the *wanted* ones, and
//! for each activation the location that has to be reached next, its *target*. A step is in the slice if it writes a wanted
//! variable, or if a branch that it takes decides whether the target is reached with these values of the wanted variables: that is, if another
//! edge from the same location may miss the target, or may lead there by way of other writes.
//!
//! If the slice of a path has no run, the path has none. If it has one, then nothing is said of the path, and its whole formula is
//! asked: the slice only decides which contradictions are looked for first. So nothing rests on it, and it
//! may be rough where threads, `exit` or endless loops are concerned.
//!
//! Deviations: edges are large blocks, whose guards are conjunctions of what several branches say. Each conjunct is judged by the
//! edges that it excludes. What comes after a branch was copied behind both of its sides, each with its own decisions; so it is enough
//! that another edge may lead to the target (`goes_round`), where the paper wants that it must. A conjunct that excludes no other edge is an
//! assumption; it is in the slice if it is about wanted variables.

mod detours;
#[cfg(test)]
mod tests;

use super::execute::Formula;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::path::{Instances, Kind, Line, Position, Value};
use crate::program::{Action, Block, Edge, LocationId, ProcedureId, Program, Scope};
use crate::term::{Node, Store, Symbol, Term};
use detours::Detours;
use rustc_hash::FxHashSet;

/// The constraints of a formula that are in the slice of its path.
pub(super) fn constraints(
    program: &Program,
    line: &Line<'_>,
    formula: &Formula,
    limits: &Limits,
) -> Result<Vec<(Position, Term)>, Stop> {
    let kept = positions(program, line, limits)?;
    Ok(formula.constraints.iter().copied().filter(|(position, _)| kept.contains(position)).collect())
}

/// The positions of the slice of a path.
pub(super) fn positions(
    program: &Program,
    line: &Line<'_>,
    limits: &Limits,
) -> Result<FxHashSet<Position>, Stop> {
    let mut slice = Slice::new(program, line);
    for number in (0..line.path.len()).rev() {
        limits.check()?;
        slice.step(number);
    }
    Ok(slice.kept)
}

struct Slice<'a> {
    program: &'a Program,
    line: &'a Line<'a>,
    detours: Detours<'a>,
    wanted: Instances,
    /// The variables of the conditions of a step that are known to matter, while its others are judged.
    deciding: Instances,
    /// For each activation the location that has to be reached, if that matters.
    targets: Vec<Option<LocationId>>,
    kept: FxHashSet<Position>,
}

impl<'a> Slice<'a> {
    fn new(program: &'a Program, line: &'a Line<'a>) -> Self {
        let mut targets = vec![None; line.frames.activations.len()];
        // The path is about its last step.
        if let Some(last) = line.path.len().checked_sub(1) {
            targets[line.frames.before[last]] = Some(line.edge(program, last).to);
        }
        Self {
            program,
            line,
            detours: Detours::new(program),
            wanted: Instances::default(),
            deciding: Instances::default(),
            targets,
            kept: FxHashSet::default(),
        }
    }

    fn step(&mut self, number: usize) {
        let line = self.line;
        let edge = line.edge(self.program, number);
        if let Action::Block(block) = &edge.action {
            return self.block(number, (line.path[number].procedure, edge), block);
        }
        let step = line.assignments(self.program, number);
        // What is given to a callee, or given back by it, matters if it is wanted.
        let mut matters = false;
        for &(target, value) in &step.all {
            if self.wanted.take(self.program, step.to, target) {
                matters = true;
                match value {
                    Value::Term(term) => self.want(step.from, term),
                    Value::Variable(symbol) => self.wanted.add(self.program, step.from, symbol),
                }
            }
        }
        match (step.kind, &edge.action) {
            (Kind::Return, Action::Call { procedure, .. }) => self.returns(*procedure, step.from, matters),
            (Kind::Call | Kind::Start, _) if matters || self.targets[step.to].is_some() => {
                self.targets[step.from] = Some(edge.from);
            }
            (Kind::Other, _) if number + 1 == line.path.len() => self.targets[step.from] = Some(edge.from),
            _ => {}
        }
    }

    /// Back into a callee: how it returns matters if its result does, if it may write what is wanted, or not return at all.
    fn returns(&mut self, callee: ProcedureId, inner: usize, result_matters: bool) {
        let written = self.detours.written_by(callee);
        if result_matters
            || self.detours.may_stay(callee)
            || self.wanted.mentions(|symbol| written.contains(&symbol))
        {
            self.targets[inner] = Some(self.program.procedures[callee].exit);
        }
    }

    fn block(&mut self, number: usize, (procedure, edge): (ProcedureId, &Edge), block: &Block) {
        let activation = self.line.frames.before[number];
        let written = self.wanted_updates(activation, block);
        let last = number + 1 == self.line.path.len();
        if written.is_empty() && self.targets[activation].is_none() && !last {
            return;
        }
        let conjuncts = self.program.store.conjuncts(block.guard);
        let mut relevant = match self.targets[activation] {
            Some(target) if !last => {
                self.decisive(activation, (procedure, edge), target, &conjuncts, &written)
            }
            _ => (0..conjuncts.len()).collect(),
        };
        for &(symbol, _) in &written {
            self.wanted.take(self.program, activation, symbol);
        }
        for &(_, value) in &written {
            self.want(activation, value);
        }
        for &conjunct in &relevant {
            self.want(activation, conjuncts[conjunct]);
        }
        relevant.extend(self.assumptions(activation, (procedure, edge), &conjuncts));
        if last || !relevant.is_empty() || !written.is_empty() {
            self.targets[activation] = Some(edge.from);
        }
        let kept = relevant.into_iter().map(|conjunct| Position { step: number, conjunct });
        self.kept.extend(kept);
    }

    /// The updates of wanted variables.
    fn wanted_updates(&self, activation: usize, block: &Block) -> Vec<(Symbol, Term)> {
        let wanted = |&&(symbol, _): &&(Symbol, Term)| self.wanted.contains(self.program, activation, symbol);
        block.updates.iter().filter(wanted).copied().collect()
    }

    /// The conjuncts that decide whether the target is reached with the values that matter. What one of them is about matters to the
    /// others, too: they are judged again until no more are found.
    fn decisive(
        &mut self,
        activation: usize,
        (procedure, edge): (ProcedureId, &Edge),
        target: LocationId,
        conjuncts: &[Term],
        written: &[(Symbol, Term)],
    ) -> FxHashSet<usize> {
        let mut found = FxHashSet::default();
        loop {
            let before = found.len();
            self.judge(activation, (procedure, edge), target, (conjuncts, written), &mut found);
            if found.len() == before {
                self.deciding.clear();
                return found;
            }
            for &conjunct in &found {
                self.deciding.add_all(self.program, activation, conjuncts[conjunct]);
            }
        }
    }

    /// Adds the conjuncts that exclude another edge by which the target may be missed, or be reached with other values.
    fn judge(
        &mut self,
        activation: usize,
        (procedure, edge): (ProcedureId, &Edge),
        target: LocationId,
        (conjuncts, written): (&[Term], &[(Symbol, Term)]),
        found: &mut FxHashSet<usize>,
    ) {
        for (other, theirs) in self.others(procedure, edge) {
            let excluding = excluding(self.program, conjuncts, theirs.guard);
            if other.property.is_some() || excluding.iter().all(|conjunct| found.contains(conjunct)) {
                continue;
            }
            let same = self.wanted_updates(activation, theirs) == written;
            let harmless = |slice: &mut Self, &number: &usize| {
                slice.comes_back(activation, (procedure, other), target, conjuncts[number])
                    || slice.goes_round(activation, (procedure, other), target, conjuncts[number])
            };
            if !same || !excluding.iter().all(|number| harmless(self, number)) {
                found.extend(excluding);
            }
        }
    }

    /// Whether a variable must keep its value on the way.
    fn matters(&self, activation: usize, symbol: Symbol) -> bool {
        self.wanted.contains(self.program, activation, symbol)
            || self.deciding.contains(self.program, activation, symbol)
    }

    /// The other blocks that leave the location of an edge.
    fn others(&mut self, procedure: ProcedureId, edge: &Edge) -> Vec<(&'a Edge, &'a Block)> {
        let contents = &self.program.procedures[procedure];
        let edges = self.detours.leaving(procedure, edge.from).iter().map(|&number| &contents.edges[number]);
        let others = edges.filter(|other| !std::ptr::eq(*other, edge));
        let block = |other: &'a Edge| match &other.action {
            Action::Block(block) => Some((other, block)),
            _ => None,
        };
        others.filter_map(block).collect()
    }

    /// Whether all ways by an edge lead to the target, or back to where the same is decided again, without a write of what is wanted:
    /// so it is with the body of a loop, for the condition that ends it.
    fn comes_back(
        &mut self,
        activation: usize,
        (procedure, other): (ProcedureId, &Edge),
        target: LocationId,
        condition: Term,
    ) -> bool {
        // Only what is decided first there is decided again in any case.
        let first = self.decides_first(procedure, other.from, condition);
        let ends = if first { vec![target, other.from] } else { vec![target] };
        let detour = self.detours.between(procedure, other.to, &ends);
        !detour.misses
            && !detour.writes.iter().any(|&symbol| self.matters(activation, symbol))
            && !self.writes_what_matters(activation, other)
    }

    /// Whether a way by an edge leads to the target, not through the same location again, without a write of what is wanted or decides here: so it is
    /// with a branch whose ends were joined to what comes after it, when blocks became large.
    fn goes_round(
        &mut self,
        activation: usize,
        (procedure, other): (ProcedureId, &Edge),
        target: LocationId,
        condition: Term,
    ) -> bool {
        let program = self.program;
        let decides = program.store.free_symbols(condition);
        let (wanted, deciding) = (&self.wanted, &self.deciding);
        let kept = |symbol: Symbol| {
            decides.contains(&symbol)
                || wanted.contains(program, activation, symbol)
                || deciding.contains(program, activation, symbol)
        };
        !self.detours.writes(other, &kept)
            && self.detours.reaches(procedure, (other.to, target, other.from), &kept)
    }

    /// Whether a block writes what must keep its value.
    fn writes_what_matters(&self, activation: usize, edge: &Edge) -> bool {
        // Values of wanted variables were compared with those of the edge of the path.
        let deciding = |symbol| self.deciding.contains(self.program, activation, symbol);
        edge.writes().into_iter().any(deciding)
    }

    /// Whether all edges that leave a location say the condition or its opposite.
    fn decides_first(&mut self, procedure: ProcedureId, location: LocationId, condition: Term) -> bool {
        let program = self.program;
        self.detours.leaving(procedure, location).iter().all(|&number| {
            let Action::Block(block) = &program.procedures[procedure].edges[number].action else {
                return false;
            };
            let theirs = program.store.conjuncts(block.guard);
            theirs.iter().any(|&their| their == condition || is_opposite(&program.store, condition, their))
        })
    }

    /// The conjuncts that exclude no other edge, as far as they are about wanted variables. Locks are taken by such conjuncts.
    fn assumptions(
        &mut self,
        activation: usize,
        (procedure, edge): (ProcedureId, &Edge),
        conjuncts: &[Term],
    ) -> Vec<usize> {
        let mut branching = FxHashSet::default();
        for (_, theirs) in self.others(procedure, edge) {
            branching.extend(excluding(self.program, conjuncts, theirs.guard));
        }
        let threads = self.program.starts_threads();
        let mut found = Vec::new();
        for (number, &conjunct) in conjuncts.iter().enumerate() {
            if !branching.contains(&number) && (threads || self.is_wanted(activation, conjunct)) {
                found.push(number);
            }
        }
        found.iter().for_each(|&number| self.want(activation, conjuncts[number]));
        found
    }

    fn is_wanted(&self, activation: usize, term: Term) -> bool {
        let symbols = self.program.store.free_symbols(term);
        symbols.into_iter().any(|symbol| self.wanted.contains(self.program, activation, symbol))
    }

    fn want(&mut self, activation: usize, term: Term) {
        self.wanted.add_all(self.program, activation, term);
    }
}

/// Which conjuncts of a guard exclude another guard: those whose negation it says, or else those about inputs if it has some of
/// its own (each edge has its own, so that `in == 0` and `in != 0` do not look opposite), or else those that it does not say itself.
fn excluding(program: &Program, conjuncts: &[Term], other: Term) -> Vec<usize> {
    let store = &program.store;
    let theirs = store.conjuncts(other);
    let opposed = numbers(conjuncts, |&term| theirs.iter().any(|&their| is_opposite(store, term, their)));
    if !opposed.is_empty() {
        return opposed;
    }
    if theirs.iter().any(|&their| has_input(program, their)) {
        let of_inputs = numbers(conjuncts, |&term| has_input(program, term));
        if !of_inputs.is_empty() {
            return of_inputs;
        }
    }
    numbers(conjuncts, |term| !theirs.contains(term))
}

fn has_input(program: &Program, term: Term) -> bool {
    let symbols = program.store.free_symbols(term);
    symbols.into_iter().any(|symbol| program.variables[symbol].scope == Scope::Input)
}

fn numbers(conjuncts: &[Term], which: impl Fn(&Term) -> bool) -> Vec<usize> {
    conjuncts.iter().enumerate().filter(|(_, term)| which(term)).map(|(number, _)| number).collect()
}

/// Whether one of them says, as far as one sees, that the other one does not hold.
fn is_opposite(store: &Store, one: Term, other: Term) -> bool {
    let denies = |denial: Term, term: Term| match store.node(denial) {
        Node::Not(inner) => store.conjuncts(inner).contains(&term),
        _ => false,
    };
    denies(one, other) || denies(other, one)
}
