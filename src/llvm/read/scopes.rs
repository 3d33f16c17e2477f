//! Where the lives of local variables begin and end: marks that the program does not have by itself.
//!
//! C11 6.2.4: a variable lives while its block is executed. Each entry of the block makes a new one, and its value is
//! indeterminate whenever control reaches its declaration. At `-O0` clang makes one `alloca` for all of these, at the start
//! of the function, and says nothing more. There are two ways to learn more. clang can emit `llvm.lifetime` markers
//! (`-fsanitize-address-use-after-scope`, or `-O1`), but then each `break`, `return` or `goto` out of a block runs
//! through shared clean-up code that is steered by a variable of clang's own, and of a function with labels most variables
//! get no markers at all. Or one looks at the debug information that is there anyway: each instruction knows its block,
//! and each declaration has its place among the instructions. This module does the latter: the program stays as it is.
//! Input that is bitcode and has markers keeps them.
//!
//! A variable gets three kinds of marks:
//!
//! - it begins ([`Intrinsic::StartLife`]) where it is declared, and where a jump into its block passes over the declaration;
//!   not where control comes at most once in an activation: an `alloca` begins by itself;
//! - it ends ([`Intrinsic::EndLife`]) where control leaves its block, if its address is used for more than accesses;
//! - nothing is known of its block ([`Intrinsic::UnknownLife`]): no debug information, or it contradicts itself.
//!
//! To come to a declaration again without leaving the block takes a label in the block. Where there is none, the block was
//! left, even if no instruction tells (`do … while (1)`): the old variable ends there. Where there is one, both may be.
//!
//! clang does not declare variables that control never comes to (`switch (n) { int x; case 0: … }`). A loop that enters
//! their block gets to [`Operation::Unsupported`]. Compound literals are not declared either: they begin with their
//! first use, and belong to the block around that. Other objects without a declaration are clang's temporaries, which it
//! writes before it reads them.

mod places;
pub mod told;
mod uses;

use crate::ground::graph::components;
use crate::ground::index::{Index, IndexVec};
use crate::ir::{BlockId, Constant, Function, Intrinsic, Operand, Operation, Terminator, Type, ValueId};
use places::Marks;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use uses::Local;

/// A block of C, by number: 0 is the function.
pub type ScopeId = usize;

/// An instruction: the number of its block, and its own; the end of a block comes after all its instructions.
type Position = (BlockId, usize);

/// What debug information tells of the blocks of a function.
#[derive(Clone, Debug, Default)]
pub struct Scoping {
    /// The block around each block; none around the function.
    pub around: Vec<Option<ScopeId>>,
    /// The block of each instruction, and of the end, if it is told.
    pub of: IndexVec<BlockId, Vec<Option<ScopeId>>>,
    /// Variables.
    pub declared: Vec<Declared>,
    /// The blocks of labels.
    pub labels: Vec<ScopeId>,
}

/// A variable of C that is declared.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Its address.
    pub value: ValueId,
    /// The instruction that comes next.
    pub at: Position,
    /// Its block.
    pub scope: ScopeId,
    /// Whether it has its value before: a parameter.
    pub given: bool,
}

/// Puts marks into a function. Nothing is told without debug information, and nothing that counts of optimised code.
/// Pointers have so many bytes.
pub fn mark(function: &mut Function, told: Option<Scoping>, pointer: u32) {
    let locals = uses::locals(function, pointer.into());
    let mut marks = Marks::default();
    let flow = Flow::of(function);
    match told {
        Some(scoping) => Marker::new(function, &flow, scoping, &mut marks).all(&locals),
        None => {
            let open = locals.iter().filter(|(_, local)| !local.marked && flow.is_in_question(local));
            open.for_each(|(&value, local)| marks.before(local.after, life(Intrinsic::UnknownLife, value)));
        }
    }
    marks.insert(function);
}

fn life(intrinsic: Intrinsic, value: ValueId) -> Operation {
    Operation::Intrinsic { intrinsic, arguments: vec![(Operand::Value(value), Type::Pointer)] }
}

/// A mark of a variable whose contents are not in question: a second argument says so.
fn with_known_contents(mut mark: Operation) -> Operation {
    if let Operation::Intrinsic { arguments, .. } = &mut mark {
        let yes = Constant::Integer { bits: 1, value: 1 };
        arguments.push((Operand::Constant(yes), Type::Integer(1)));
    }
    mark
}

/// Whether an object that is not declared is one of clang's own. A name of C has no dots and dashes.
fn is_temporary(name: &str) -> bool {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let words = ["retval", "tmp", "saved_stack", "coerce", "varet"];
    name.is_empty() || name.contains(['.', '-']) || words.contains(&stem)
}

/// Where control goes from block to block.
struct Flow {
    successors: IndexVec<BlockId, Vec<BlockId>>,
    predecessors: IndexVec<BlockId, Vec<BlockId>>,
    /// Whether control may come to a block again.
    cyclic: IndexVec<BlockId, bool>,
}

impl Flow {
    fn of(function: &Function) -> Self {
        let count = function.blocks.len();
        let successors: IndexVec<BlockId, Vec<BlockId>> =
            function.blocks.iter().map(|block| successors(&block.terminator)).collect();
        let mut predecessors = IndexVec::filled(Vec::new(), count);
        for (from, all) in successors.enumerate() {
            all.iter().for_each(|&to| predecessors[to].push(from));
        }
        let numbers =
            |block: usize| successors[BlockId::new(block)].iter().map(|b| b.index()).collect::<Vec<_>>();
        let component = components(count, numbers);
        let mut sizes = vec![0; count];
        component.iter().for_each(|&number| sizes[number] += 1);
        let cyclic =
            |block: BlockId| sizes[component[block.index()]] > 1 || successors[block].contains(&block);
        let cyclic = function.blocks.ids().map(cyclic).collect();
        Self { successors, predecessors, cyclic }
    }

    /// Whether it matters when a local variable begins or ends.
    fn is_in_question(&self, local: &Local) -> bool {
        local.escapes || local.uses.iter().any(|at| self.cyclic[at.0])
    }
}

/// The blocks that control may go to next, each once.
fn successors(terminator: &Terminator) -> Vec<BlockId> {
    let mut all = match terminator {
        Terminator::Jump(to) => vec![*to],
        Terminator::Branch { yes, no, .. } => vec![*yes, *no],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|(_, to)| *to).chain([*default]).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable | Terminator::Unsupported(_) => Vec::new(),
    };
    all.sort_unstable();
    all.dedup();
    all
}

/// Whether control enters a block of C or leaves it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    In,
    Out,
}

/// Where control enters or leaves a block of C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spot {
    /// Before an instruction.
    Before(Position),
    /// Between two blocks that both have other neighbours.
    Edge(BlockId, BlockId),
}

/// Finds the marks of all variables.
struct Marker<'f> {
    function: &'f Function,
    flow: &'f Flow,
    scoping: Scoping,
    /// The block of each instruction.
    of: IndexVec<BlockId, Vec<ScopeId>>,
    /// First instructions that are no phis.
    starts: IndexVec<BlockId, usize>,
    crossings: FxHashMap<(ScopeId, Way), Vec<(Spot, Position)>>,
    marks: &'f mut Marks,
}

impl<'f> Marker<'f> {
    fn new(function: &'f Function, flow: &'f Flow, scoping: Scoping, marks: &'f mut Marks) -> Self {
        let of = told::completed(&scoping.of, flow);
        let is_phi = |operation: &Operation| matches!(operation, Operation::Phi(_));
        let start = |block: &crate::ir::Block| {
            block.instructions.iter().take_while(|instruction| is_phi(&instruction.operation)).count()
        };
        let starts = function.blocks.iter().map(start).collect();
        Self { function, flow, scoping, of, starts, crossings: FxHashMap::default(), marks }
    }

    fn all(&mut self, locals: &std::collections::BTreeMap<ValueId, Local>) {
        let mut seen = BTreeSet::new();
        for declared in std::mem::take(&mut self.scoping.declared) {
            if let Some(local) = locals.get(&declared.value).filter(|local| !local.marked)
                && seen.insert(declared.value)
            {
                self.variable(&declared, local);
            }
        }
        for (&value, local) in locals.iter().filter(|(value, local)| !local.marked && !seen.contains(value)) {
            let Some(&first) = local.uses.first() else { continue };
            let name = &self.function.values[value].name;
            if name.starts_with(".compoundliteral") {
                let scope = self.of[first.0][first.1];
                self.variable(&Declared { value, at: first, scope, given: false }, local);
            } else if !is_temporary(name) {
                self.undeclared(local);
            }
        }
    }

    fn variable(&mut self, declared: &Declared, local: &Local) {
        let Declared { value, at, scope, given } = *declared;
        let starts = !given && self.flow.cyclic[at.0];
        if scope == 0 || !self.agrees(scope, local) {
            if scope != 0 && (!given || local.escapes) && self.flow.is_in_question(local) {
                self.marks.before(local.after, life(Intrinsic::UnknownLife, value));
            }
            if starts {
                self.begins(Spot::Before(at), at, declared, local);
            }
            return;
        }
        if starts {
            self.starts(declared, local);
        }
        if local.uses.iter().any(|use_at| self.flow.cyclic[use_at.0]) {
            for (spot, from) in self.crossings(scope, Way::In) {
                if self.reaches(from, scope, Some(at), &|here| local.uses.contains(&here)) {
                    self.begins_anew(spot, from, declared, local);
                }
            }
        }
        if local.escapes {
            for (spot, _) in self.crossings(scope, Way::Out) {
                self.marks.at(spot, life(Intrinsic::EndLife, value));
            }
        }
    }

    /// Whether all uses of a variable are in its block.
    fn agrees(&self, scope: ScopeId, local: &Local) -> bool {
        local.uses.iter().all(|&at| self.is_inside(at, scope))
    }

    /// Control comes to the declaration of a variable.
    fn starts(&mut self, declared: &Declared, local: &Local) {
        let Declared { value, at, scope, .. } = *declared;
        let labelled = self.scoping.labels.iter().any(|&label| self.is_within(label, scope));
        if !labelled {
            return self.begins_anew(Spot::Before(at), at, declared, local);
        }
        if local.escapes && self.comes_back(at, scope) {
            self.marks.before(local.after, with_known_contents(life(Intrinsic::UnknownLife, value)));
        }
        self.begins(Spot::Before(at), at, declared, local);
    }

    /// A variable begins, maybe again. Nobody looks at what it then holds if the program writes it first.
    fn begins(&mut self, spot: Spot, from: Position, declared: &Declared, local: &Local) {
        if local.escapes || self.is_read_first(from, declared, local) {
            self.marks.at(spot, life(Intrinsic::StartLife, declared.value));
        }
    }

    /// A new variable begins; the old one ends if anybody may still know it.
    fn begins_anew(&mut self, spot: Spot, from: Position, declared: &Declared, local: &Local) {
        if !local.escapes {
            return self.begins(spot, from, declared, local);
        }
        let start = life(Intrinsic::StartLife, declared.value);
        let start =
            if self.is_read_first(from, declared, local) { start } else { with_known_contents(start) };
        self.marks.at(spot, life(Intrinsic::EndLife, declared.value));
        self.marks.at(spot, start);
    }

    /// Whether a variable that begins may be used for anything before the program writes all of it.
    fn is_read_first(&self, from: Position, declared: &Declared, local: &Local) -> bool {
        let used = |here: Position| local.uses.contains(&here);
        let mut waiting = vec![from];
        let mut seen = BTreeSet::new();
        while let Some((block, first)) = waiting.pop() {
            let again = |at: Position| at == declared.at && at != from;
            let mut positions = (first..self.of[block].len()).map(|number| (block, number));
            match positions.find(|&at| again(at) || used(at)) {
                Some(at) if again(at) || local.writes.contains(&at) => {}
                Some(_) => return true,
                None => {
                    let next = self.flow.successors[block].iter().copied();
                    waiting.extend(next.filter(|&to| seen.insert(to)).map(|to| (to, 0)));
                }
            }
        }
        false
    }

    /// A variable that control never comes to the declaration of. Its block is at least the one around its uses.
    fn undeclared(&mut self, local: &Local) {
        let mut scopes = local.uses.iter().map(|at| self.of[at.0][at.1]);
        let Some(first) = scopes.next() else { return };
        let scope = scopes.fold(first, |a, b| self.common(a, b));
        if scope == 0 || !local.uses.iter().any(|at| self.flow.cyclic[at.0]) {
            return;
        }
        for (spot, from) in self.crossings(scope, Way::In) {
            if self.flow.cyclic[from.0] {
                let what = "a variable whose declaration is jumped over by each entry of its block";
                self.marks.at(spot, Operation::Unsupported(what.to_owned()));
            }
        }
    }

    /// The innermost block around two blocks.
    fn common(&self, a: ScopeId, b: ScopeId) -> ScopeId {
        let mut around = Some(a);
        while let Some(scope) = around {
            if self.is_within(b, scope) {
                return scope;
            }
            around = self.scoping.around[scope];
        }
        0
    }

    fn is_within(&self, inner: ScopeId, outer: ScopeId) -> bool {
        let mut around = Some(inner);
        while let Some(scope) = around {
            if scope == outer {
                return true;
            }
            around = self.scoping.around[scope];
        }
        false
    }

    fn is_inside(&self, at: Position, scope: ScopeId) -> bool {
        self.is_within(self.of[at.0][at.1], scope)
    }

    /// Where control enters or leaves a block of C, and the instructions that come next.
    fn crossings(&mut self, scope: ScopeId, way: Way) -> Vec<(Spot, Position)> {
        if let Some(known) = self.crossings.get(&(scope, way)) {
            return known.clone();
        }
        let mut found = Vec::new();
        for block in self.function.blocks.ids() {
            for number in 1..self.of[block].len() {
                let at = (block, number);
                if self.is_crossing((block, number - 1), at, scope, way) {
                    found.push((Spot::Before(at), at));
                }
            }
            self.crossing_edges(block, scope, way, &mut found);
        }
        self.crossings.insert((scope, way), found.clone());
        found
    }

    fn is_crossing(&self, from: Position, to: Position, scope: ScopeId, way: Way) -> bool {
        let (from, to) = (self.is_inside(from, scope), self.is_inside(to, scope));
        from != to && to == (way == Way::In)
    }

    /// Edges to a block: the marks stand in the block if all edges cross, or at their start if that has no other way out.
    fn crossing_edges(&self, to: BlockId, scope: ScopeId, way: Way, found: &mut Vec<(Spot, Position)>) {
        let all = &self.flow.predecessors[to];
        let last = |from: BlockId| (from, self.of[from].len() - 1);
        let crosses = |from: &BlockId| self.is_crossing(last(*from), (to, 0), scope, way);
        let crossing: Vec<BlockId> = all.iter().copied().filter(crosses).collect();
        if !crossing.is_empty() && crossing.len() == all.len() && to != BlockId::FIRST {
            return found.push((Spot::Before((to, self.starts[to])), (to, self.starts[to])));
        }
        for from in crossing {
            let single = self.flow.successors[from].len() == 1;
            let spot = if single { Spot::Before(last(from)) } else { Spot::Edge(from, to) };
            found.push((spot, (to, 0)));
        }
    }

    /// Whether control can come to a declaration again without leaving its block.
    fn comes_back(&self, at: Position, scope: ScopeId) -> bool {
        let next = self.flow.successors[at.0].iter();
        let rest = (at.1..self.of[at.0].len()).all(|number| self.is_inside((at.0, number), scope));
        rest && next.into_iter().any(|&to| self.reaches((to, 0), scope, None, &|here| here == at))
    }

    /// Whether control can come to a wanted instruction without leaving a block of C or coming to another place.
    fn reaches(
        &self,
        from: Position,
        scope: ScopeId,
        stop: Option<Position>,
        wanted: &dyn Fn(Position) -> bool,
    ) -> bool {
        let mut waiting = vec![from];
        let mut seen = BTreeSet::new();
        while let Some((block, first)) = waiting.pop() {
            let mut positions = (first..self.of[block].len()).map(|number| (block, number));
            let end = positions.find(|&at| Some(at) == stop || !self.is_inside(at, scope) || wanted(at));
            match end {
                Some(at) if Some(at) != stop && wanted(at) && self.is_inside(at, scope) => return true,
                Some(_) => {}
                None => {
                    let next = self.flow.successors[block].iter().copied();
                    waiting.extend(next.filter(|&to| seen.insert(to)).map(|to| (to, 0)));
                }
            }
        }
        false
    }
}
