//! Calls that are deeper than there are copies.
//!
//! The innermost copy of a procedure that calls itself begins again: its parameters get their values, and a number says
//! which call it was. At its exit the number says where it goes on: where it was called from outside, or after one of its own calls.
//! It is exact for the last call; after the return from one, any of the calls may have been before it. What the activations in
//! between had in their variables is forgotten: it is arbitrary after the return, but for parameters that all these calls
//! pass on unchanged. So every run of the program is one of the template, with all that it violates, and a template may have
//! more runs: no summary of a procedure is needed, and it may do whatever procedures do.
//!
//! A run that forgets is a violation only if the machine confirms it, like any other.

use super::{Further, Inliner, Level, plain};
use crate::ground::index::Index;
use crate::program::{
    Action, Block, Edge, FORGOTTEN, Location, LocationId, ProcedureId, Role, Scope, Variable,
};
use crate::term::{Signedness, Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A call that begins an open copy again.
pub(super) struct Again {
    /// The call, in the template.
    pub call: Edge,
    /// The level that calls.
    pub level: usize,
    /// The level that begins again.
    pub target: usize,
}

impl Again {
    fn arguments(&self) -> &[Term] {
        match &self.call.action {
            Action::Call { arguments, .. } => arguments,
            _ => unreachable!("only calls come here"),
        }
    }

    fn result(&self) -> Option<Symbol> {
        match self.call.action {
            Action::Call { result, .. } => result,
            _ => unreachable!("only calls come here"),
        }
    }
}

/// Notes which parameters get what nobody writes.
pub(super) fn note_given(
    inliner: &mut Inliner<'_>,
    callee: ProcedureId,
    arguments: &[Term],
    copies: &BTreeMap<Symbol, Symbol>,
) {
    let procedure = &inliner.original.procedures[callee];
    for (&symbol, parameter) in &inliner.original.fixed[callee].of {
        let place = procedure.parameters.iter().position(|other| other == parameter);
        let value = match symbol == *parameter {
            true => place.and_then(|place| inliner.program.store.as_symbol(arguments[place])),
            false => Some(copies[parameter]),
        };
        if let Some(value) = value {
            inliner.given.insert(copies[&symbol], value);
        }
    }
}

/// Makes the edges of all calls that are deeper than there are copies.
pub(super) fn close(inliner: &mut Inliner<'_>) {
    let again = std::mem::take(&mut inliner.again);
    match inliner.recursion.further {
        Further::Stop => again.iter().for_each(|again| stop(inliner, again)),
        Further::Forget => {
            let changing = changing(inliner, &again);
            let mut targets: BTreeMap<usize, Vec<Again>> = BTreeMap::new();
            again.into_iter().for_each(|again| targets.entry(again.target).or_default().push(again));
            let sites =
                targets.iter().map(|(&target, calls)| (target, Sites::new(inliner, target, calls.len())));
            let sites: AllSites = sites.collect();
            targets.values().for_each(|calls| begin_again(inliner, calls, &sites, &changing));
        }
    }
}

/// A run that gets there has no verdict.
fn stop(inliner: &mut Inliner<'_>, again: &Again) {
    let name = &inliner.original.procedures[inliner.levels[again.target].procedure].name;
    let depth = inliner.recursion.depth;
    let text = format!("{name} calls itself more than {depth} deep in an atomic section of a thread");
    let to = inliner.program.procedures[inliner.id].locations.push(Location::default());
    let action = Action::Unsupported(text);
    inliner.edges.push(Edge { to, action, ..again.call.clone() });
}

/// The parameters of copies that begin again with other values: all that a call does not pass on unchanged.
fn changing(inliner: &Inliner<'_>, again: &[Again]) -> BTreeSet<Symbol> {
    let mut changing = BTreeSet::new();
    for again in again {
        let written = |symbol: &&Symbol| fixed(inliner, again.target, **symbol).is_none();
        let parameters = &inliner.original.procedures[inliner.levels[again.target].procedure].parameters;
        let copies = &inliner.levels[again.target].copies;
        changing.extend(parameters.iter().filter(written).map(|parameter| copies[parameter]));
    }
    // What is said to be passed on unchanged may go through what another call changes.
    loop {
        let before = changing.len();
        for again in again {
            for (parameter, &argument) in parameters(inliner, again.target).into_iter().zip(again.arguments())
            {
                let value = inliner.program.store.as_symbol(argument);
                let same = value.and_then(|value| origin(inliner, &changing, again.target, value));
                if same != Some(parameter) {
                    changing.insert(parameter);
                }
            }
        }
        if changing.len() == before {
            return changing;
        }
    }
}

/// The copies of the parameters at a level.
fn parameters(inliner: &Inliner<'_>, level: usize) -> Vec<Symbol> {
    let Level { procedure, copies, .. } = &inliner.levels[level];
    inliner.original.procedures[*procedure].parameters.iter().map(|parameter| copies[parameter]).collect()
}

/// The parameter whose value a local variable of the procedure at a level has from beginning to end.
fn fixed(inliner: &Inliner<'_>, level: usize, local: Symbol) -> Option<Symbol> {
    inliner.original.fixed[inliner.levels[level].procedure].of.get(&local).copied()
}

/// The parameter of a copy that begins again whose value a variable has, in this activation and in all within it.
fn origin(
    inliner: &Inliner<'_>,
    changing: &BTreeSet<Symbol>,
    target: usize,
    symbol: Symbol,
) -> Option<Symbol> {
    let wanted = parameters(inliner, target);
    let mut at = symbol;
    loop {
        if changing.contains(&at) {
            return None;
        }
        if wanted.contains(&at) {
            return Some(at);
        }
        at = *inliner.given.get(&at)?;
    }
}

/// Lets a copy begin again for its own calls.
fn begin_again(inliner: &mut Inliner<'_>, calls: &[Again], all: &AllSites, changing: &BTreeSet<Symbol>) {
    for (number, again) in calls.iter().enumerate() {
        let entering = entering(inliner, again, all, number + 1, changing);
        let leaving = leaving(inliner, again, all, number + 1, changing);
        inliner.edges.push(entering);
        inliner.edges.push(leaving);
    }
}

/// The call: the parameters get their values, and the copy begins again.
fn entering(
    inliner: &mut Inliner<'_>,
    again: &Again,
    all: &AllSites,
    number: usize,
    changing: &BTreeSet<Symbol>,
) -> Edge {
    let Level { procedure, offset, copies, .. } = &inliner.levels[again.target];
    let (procedure, copies) = (*procedure, copies.clone());
    let to = LocationId::new(offset + inliner.original.procedures[procedure].entry.index());
    let mut block = inliner.entering(procedure, again.arguments(), &|symbol| copies[&symbol]);
    // Those that do not change are given themselves.
    let parameters = parameters(inliner, again.target);
    block.updates.retain(|(symbol, _)| !parameters.contains(symbol) || changing.contains(symbol));
    let sites = &all[&again.target];
    let number = sites.number(inliner, number);
    block.updates.push((sites.symbol, number));
    plain(&again.call, again.call.from, to, block)
}

/// The return: what the activations in between had is arbitrary.
fn leaving(
    inliner: &mut Inliner<'_>,
    again: &Again,
    all: &AllSites,
    number: usize,
    changing: &BTreeSet<Symbol>,
) -> Edge {
    let Level { procedure, offset, copies, .. } = &inliner.levels[again.target];
    let original = &inliner.original.procedures[*procedure];
    let from = LocationId::new(offset + original.exit.index());
    let value = original.result.map(|value| copies[&value]);
    let why = format!("{FORGOTTEN}{}: ", original.name);
    let mut block =
        Block { guard: all[&again.target].is(inliner, number), updates: Vec::new(), inputs: Vec::new() };
    if let (Some(target), Some(value)) = (again.result(), value) {
        block.updates.push((target, inliner.program.store.symbol(value)));
    }
    for symbol in lost(inliner, again, changing) {
        if again.result() != Some(symbol) {
            arbitrary(inliner, &mut block, symbol, &why);
        }
    }
    let levels: Vec<usize> = levels_between(inliner, again).collect();
    for sites in levels.iter().filter_map(|level| all.get(level)) {
        let value = arbitrary(inliner, &mut block, sites.symbol, &why);
        let most = sites.number(inliner, sites.count);
        let store = &mut inliner.program.store;
        let known = store.less_equal(Signedness::Unsigned, value, most);
        block.guard = store.and(block.guard, known);
    }
    plain(&again.call, from, again.call.to, block)
}

/// A variable gets an arbitrary value.
fn arbitrary(inliner: &mut Inliner<'_>, block: &mut Block, symbol: Symbol, why: &str) -> Term {
    let input = inliner.input_like(symbol, why);
    let value = inliner.program.store.symbol(input);
    block.inputs.push(input);
    block.updates.push((symbol, value));
    value
}

/// The levels whose activations are left standing by a call, from the one that calls to the one that begins again.
fn levels_between<'a>(inliner: &'a Inliner<'_>, again: &Again) -> impl Iterator<Item = usize> + 'a {
    let target = again.target;
    inliner.chain(again.level).take_while(move |&level| level >= target)
}

/// The variables of these activations that are needed after the return, and that activations within them change.
fn lost(inliner: &Inliner<'_>, again: &Again, changing: &BTreeSet<Symbol>) -> Vec<Symbol> {
    let mut lost = Vec::new();
    let mut back = LocationId::new(again.call.to.index() - inliner.levels[again.level].offset);
    for level in levels_between(inliner, again) {
        let Level { procedure, copies, back: next, .. } = &inliner.levels[level];
        let live = &inliner.original.live[*procedure];
        let needed = copies.iter().filter(|(local, _)| live.is_live(back, **local)).map(|(_, copy)| *copy);
        lost.extend(needed.filter(|&copy| origin(inliner, changing, again.target, copy).is_none()));
        back = *next;
    }
    lost
}

/// Who called each of the copies that begin again.
type AllSites = BTreeMap<usize, Sites>;

/// Who called a copy: 0 is the call from outside.
struct Sites {
    symbol: Symbol,
    width: u32,
    count: usize,
}

impl Sites {
    /// A variable for it; the edges there and back from outside set it and ask for it.
    fn new(inliner: &mut Inliner<'_>, target: usize, count: usize) -> Self {
        let width = usize::BITS - count.leading_zeros();
        let procedure = inliner.levels[target].procedure;
        let program = &mut *inliner.program;
        let name = format!("<caller of {}>", inliner.original.procedures[procedure].name);
        let symbol = program.store.fresh(name, Sort::Bits(width));
        let scope = Scope::Local(inliner.id);
        program.variables.push(Variable { scope, ty: None, role: Role::Ghost });
        program.procedures[inliner.id].locals.push(symbol);
        let sites = Self { symbol, width, count };
        let (entering, leaving) = inliner.levels[target].ends.expect("it is a copy");
        let (outside, guard) = (sites.number(inliner, 0), sites.is(inliner, 0));
        block_of(&mut inliner.edges[entering]).updates.push((symbol, outside));
        block_of(&mut inliner.edges[leaving]).guard = guard;
        sites
    }

    fn number(&self, inliner: &mut Inliner<'_>, number: usize) -> Term {
        inliner.program.store.bits(self.width, number as u128)
    }

    fn is(&self, inliner: &mut Inliner<'_>, number: usize) -> Term {
        let number = self.number(inliner, number);
        let store = &mut inliner.program.store;
        let symbol = store.symbol(self.symbol);
        store.equal(symbol, number)
    }
}

fn block_of(edge: &mut Edge) -> &mut Block {
    match &mut edge.action {
        Action::Block(block) => block,
        _ => unreachable!("ends of copies are blocks"),
    }
}
