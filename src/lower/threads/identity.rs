//! Where a program looks at the numbers of threads.
//!
//! POSIX promises of a `pthread_t` only that `pthread_equal` tells apart threads that live. What number a thread has is not
//! said; and when a thread was joined, or was detached and has ended, the next one may get its number. The model gives each
//! thread a number of its own. So a comparison of two such numbers says what the model says as long as no thread was
//! started after another was joined, and anything from then on; all other uses of a number say anything. A number may be
//! compared with zero: no system has a thread of that number.
//!
//! Which values may be numbers of threads is found out for all places of the program together, by regions of memory.

use crate::checks::Cut;
use crate::ir::analysis::callees;
use crate::ir::analysis::points_to::{RegionId, Site, Transfer};
use crate::ir::analysis::uses::operands;
use crate::ir::{
    Callee, Cast, Comparison, Constant, FunctionId, Instruction, Operand, Operation, Terminator, Type,
    ValueId,
};
use crate::library::functions::Known;
use crate::lower::body::Body;
use crate::lower::memory::tracking::called;
use crate::lower::{Lowering, sites};
use crate::term::{Sort, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};

/// After a call of one of these, numbers may be used again without a join.
const DETACHES: [&str; 3] = ["pthread_detach", "pthread_attr_setdetachstate", "thrd_detach"];

/// What a value has to do with the number of a thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Number {
    /// It may be one.
    Plain,
    /// It may be computed from one.
    Computed,
}

/// Where numbers of threads are looked at.
#[derive(Default)]
pub(super) struct Identity {
    /// Comparisons of two of them.
    compared: BTreeSet<Site>,
    /// Other looks.
    looked: BTreeSet<Site>,
    /// Whether any thread was joined, and whether one was started since, if that matters.
    reuse: Option<Reuse>,
}

#[derive(Clone, Copy)]
struct Reuse {
    joined: Symbol,
    again: Symbol,
    /// Threads may be detached: their numbers may be used again at any time.
    detached: bool,
}

/// Finds out where numbers of threads are looked at.
pub(super) fn find(lowering: &mut Lowering<'_>) {
    let mut finder = Finder { lowering, values: BTreeMap::new(), memory: BTreeMap::new(), changed: true };
    while std::mem::take(&mut finder.changed) {
        let reachable: Vec<FunctionId> = finder.lowering.points.reachable().iter().copied().collect();
        reachable.into_iter().for_each(|function| finder.function(function));
    }
    let (compared, looked) = finder.looks();
    lowering.threads.identity.looked = looked;
    if !compared.is_empty() {
        let joined = lowering.ghost("<joined>", Sort::Bits(1));
        let again = lowering.ghost("<numbers are used again>", Sort::Bits(1));
        let detached = lowering.module.functions.iter().any(|it| DETACHES.contains(&it.name.as_str()));
        lowering.threads.identity.reuse = Some(Reuse { joined, again, detached });
    }
    lowering.threads.identity.compared = compared;
}

/// What is noted of numbers when the program starts.
pub(super) fn at_first(lowering: &mut Lowering<'_>) -> Vec<(Symbol, Term)> {
    let Some(Reuse { joined, again, detached }) = lowering.threads.identity.reuse else { return Vec::new() };
    vec![(joined, lowering.store.bits(1, detached.into())), (again, lowering.store.bits(1, 0))]
}

/// A thread was joined: its number may be used again.
pub(super) fn number_is_free(body: &mut Body<'_, '_>) {
    if let Some(Reuse { joined, .. }) = body.lowering.threads.identity.reuse {
        let yes = body.lowering.store.bits(1, 1);
        body.write(joined, yes);
    }
}

/// A thread is started: it may have the number of one that was joined.
pub(super) fn number_is_taken(body: &mut Body<'_, '_>) {
    if let Some(Reuse { joined, again, .. }) = body.lowering.threads.identity.reuse {
        body.cut(Cut::Plain);
        let (joined, before) = (body.read(joined), body.read(again));
        let joined = body.is_one(joined);
        let yes = body.lowering.store.bits(1, 1);
        let new = body.lowering.store.choose(joined, yes, before);
        body.write(again, new);
    }
}

/// The result of a comparison, or anything if it looks at numbers of threads. `compare` tells the result.
pub(in crate::lower) fn looked<'l, 'm>(
    body: &mut Body<'l, 'm>,
    compare: &mut dyn FnMut(&mut Body<'l, 'm>) -> Term,
) -> Term {
    let (site, identity) = (body.site, &body.lowering.threads.identity);
    if identity.looked.contains(&site) {
        return body.input("comparison of threads", 1);
    }
    let Some(reuse) = identity.reuse.filter(|_| identity.compared.contains(&site)) else {
        return compare(body);
    };
    body.cut(Cut::Plain);
    let again = body.read(reuse.again);
    let again = body.is_one(again);
    let (anything, known) = (body.input("comparison of threads", 1), compare(body));
    body.lowering.store.choose(again, anything, known)
}

/// What is known so far. Memory is told apart by regions, and by the width of accesses.
struct Finder<'l, 'm> {
    lowering: &'l Lowering<'m>,
    values: BTreeMap<(FunctionId, ValueId), Number>,
    memory: BTreeMap<(RegionId, u32), Number>,
    changed: bool,
}

impl<'m> Finder<'_, 'm> {
    fn function(&mut self, id: FunctionId) {
        for site in sites(self.lowering.module, id) {
            let instruction = self.instruction(site);
            let number = self.result(site, instruction);
            self.put_value((id, instruction.result), number);
        }
    }

    fn instruction(&self, site: Site) -> &'m Instruction {
        &self.lowering.module.functions[site.function].blocks[site.block].instructions[site.number]
    }

    fn put_value(&mut self, (function, value): (FunctionId, Option<ValueId>), number: Option<Number>) {
        if let (Some(value), Some(number)) = (value, number)
            && self.values.get(&(function, value)).is_none_or(|&known| known < number)
        {
            self.values.insert((function, value), number);
            self.changed = true;
        }
    }

    fn put(&mut self, cell: (RegionId, u32), number: Option<Number>) {
        if let Some(number) = number
            && self.memory.get(&cell).is_none_or(|&known| known < number)
        {
            self.memory.insert(cell, number);
            self.changed = true;
        }
    }

    fn of(&self, function: FunctionId, operand: &Operand) -> Option<Number> {
        match operand {
            Operand::Value(value) => self.values.get(&(function, *value)).copied(),
            Operand::Constant(_) => None,
        }
    }

    /// What the result of an instruction is. What it does to memory is noted.
    fn result(&mut self, site: Site, instruction: &'m Instruction) -> Option<Number> {
        let of = |finder: &Self, operand: &Operand| finder.of(site.function, operand);
        let regions: Vec<RegionId> =
            self.lowering.points.accesses(site).iter().map(|access| access.region).collect();
        match &instruction.operation {
            Operation::Load { .. } => {
                let width = self.width(site.function, instruction.result?);
                self.read(&regions, width)
            }
            Operation::Store { value, ty, .. } => {
                let number = of(self, value);
                regions.iter().for_each(|&region| self.put((region, width(ty)), number));
                None
            }
            Operation::AtomicUpdate { value, .. } | Operation::CompareExchange { new: value, .. } => {
                let (number, width) = (of(self, value), self.lowering.pointer_bits());
                regions.iter().for_each(|&region| self.put((region, width), number));
                self.read(&regions, width)
            }
            Operation::Call { .. } => self.call(site, &regions),
            Operation::Intrinsic { .. } => {
                self.copied(site);
                None
            }
            Operation::Cast { cast: Cast::Truncate, value } => of(self, value).map(|_| Number::Computed),
            Operation::Select { yes, no, .. } => of(self, yes).max(of(self, no)),
            Operation::Compare { .. } | Operation::Allocate { .. } => None,
            operation @ (Operation::Cast { .. }
            | Operation::Phi(_)
            | Operation::Freeze(_)
            | Operation::Extract { .. }
            | Operation::Insert { .. }) => {
                operands(operation).into_iter().filter_map(|it| of(self, it)).max()
            }
            operation => {
                let any = operands(operation).into_iter().any(|it| of(self, it).is_some());
                any.then_some(Number::Computed)
            }
        }
    }

    fn width(&self, function: FunctionId, value: ValueId) -> u32 {
        width(&self.lowering.module.functions[function].values[value].ty)
    }

    fn read(&self, regions: &[RegionId], width: u32) -> Option<Number> {
        regions.iter().filter_map(|&region| self.memory.get(&(region, width)).copied()).max()
    }

    /// A copy of memory.
    fn copied(&mut self, site: Site) {
        let pairs: Vec<(RegionId, Option<RegionId>)> = match self.lowering.points.copy(site) {
            Transfer::Nowhere => Vec::new(),
            Transfer::Pieces(pieces) => pieces.iter().map(|piece| (piece.to, piece.from)).collect(),
            Transfer::Loop { to, from, .. } => vec![(to, from)],
        };
        for (to, from) in pairs {
            let known = self.memory.iter().filter(|((region, _), _)| Some(*region) == from);
            let known: Vec<(u32, Number)> = known.map(|(&(_, width), &number)| (width, number)).collect();
            known.into_iter().for_each(|(width, number)| self.put((to, width), Some(number)));
        }
    }

    /// A call: arguments become parameters, and what is returned becomes the result.
    fn call(&mut self, site: Site, regions: &[RegionId]) -> Option<Number> {
        let Operation::Call { callee, arguments, .. } = &self.instruction(site).operation else {
            return None;
        };
        let arguments: Vec<Option<Number>> =
            arguments.iter().map(|(operand, _)| self.of(site.function, operand)).collect();
        match called(self.lowering.module, self.lowering.settings, site) {
            Some(Known::StartThread) => {
                let width = self.lowering.pointer_bits();
                regions.iter().for_each(|&region| self.put((region, width), Some(Number::Plain)));
                let given = arguments.get(3).copied().flatten();
                for routine in self.lowering.points.routines().clone() {
                    self.pass(routine, &[given]);
                }
                None
            }
            Some(Known::OwnThread) => {
                let Callee::Function(callee) = callee else { return None };
                let asked = self.lowering.module.functions[*callee].name == "pthread_self";
                asked.then_some(Number::Plain)
            }
            Some(_) => None,
            None => {
                let callees = callees(self.lowering.module, self.lowering.points, site);
                callees.iter().for_each(|&callee| self.pass(callee, &arguments));
                callees.iter().filter_map(|&callee| self.returned(callee)).max()
            }
        }
    }

    fn pass(&mut self, callee: FunctionId, arguments: &[Option<Number>]) {
        let parameters = &self.lowering.module.functions[callee].parameters;
        for (parameter, &number) in parameters.iter().zip(arguments) {
            self.put_value((callee, Some(parameter.value)), number);
        }
    }

    fn returned(&self, callee: FunctionId) -> Option<Number> {
        let blocks = self.lowering.module.functions[callee].blocks.iter();
        let returned = blocks.filter_map(|block| match &block.terminator {
            Terminator::Return(Some(value)) => self.of(callee, value),
            _ => None,
        });
        returned.max()
    }

    /// Comparisons of two numbers, and other looks at them.
    fn looks(&self) -> (BTreeSet<Site>, BTreeSet<Site>) {
        let (mut compared, mut looked) = (BTreeSet::new(), BTreeSet::new());
        for &function in self.lowering.points.reachable() {
            for site in sites(self.lowering.module, function) {
                let Operation::Compare { comparison, left, right } = &self.instruction(site).operation else {
                    continue;
                };
                let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
                match (self.of(function, left), self.of(function, right)) {
                    (None, None) => {}
                    (Some(Number::Plain), None) if equality && is_zero(right) => {}
                    (None, Some(Number::Plain)) if equality && is_zero(left) => {}
                    (Some(Number::Plain), Some(Number::Plain)) if equality => _ = compared.insert(site),
                    _ => _ = looked.insert(site),
                }
            }
        }
        (compared, looked)
    }
}

/// How memory is told apart besides by regions: how many bits are accessed; none for addresses.
fn width(ty: &Type) -> u32 {
    match ty {
        Type::Integer(bits) => *bits,
        _ => 0,
    }
}

fn is_zero(operand: &Operand) -> bool {
    let Operand::Constant(constant) = operand else { return false };
    matches!(constant, Constant::Null | Constant::Zero(_) | Constant::Integer { value: 0, .. })
}
