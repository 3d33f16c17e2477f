//! Where execution starts: global variables get their values, then `main` is called.

use crate::checks::{Check as _, leak};
use crate::ir::analysis::points_to::{Origin, RegionKind};
use crate::ir::{Constant, FunctionId, GlobalId, Initialiser};
use crate::lower::memory::{Held, how_many, lifetimes};
use crate::lower::shadow::memory::shadows_at_first;
use crate::lower::threads::{local, own};
use crate::lower::{Lowering, new_location, threads, whole};
use crate::program::{Action, Block, Edge, ProcedureId, PropertyKind, Role, Scope, Variable};
use crate::term::{Sort, Symbol, Term};
use indexmap::IndexMap;

/// More cells than these are not initialised one by one: all of the region starts as zero instead.
const MOST_CELLS: u64 = 512;

/// Makes the procedure that starts the program: the last one.
pub(in crate::lower) fn lower(lowering: &mut Lowering<'_>, main: FunctionId) -> ProcedureId {
    let id = lowering.empty_procedure("<start>");
    let mut start =
        Start { updates: IndexMap::new(), inputs: Vec::new(), conditions: Vec::new(), procedure: id };
    start.globals(lowering);
    let arguments = start.arguments(lowering, main);
    start.finish(lowering, main, arguments);
    id
}

struct Start {
    updates: IndexMap<Symbol, Term>,
    inputs: Vec<Symbol>,
    conditions: Vec<Term>,
    procedure: ProcedureId,
}

impl Start {
    fn globals(&mut self, lowering: &mut Lowering<'_>) {
        let end = lowering.memory.layout.end();
        let end = lowering.store.bits(lowering.pointer_bits(), end.into());
        self.updates.insert(lowering.memory.frontier, end);
        self.nothing_allocated(lowering);
        self.nobody_there(lowering);
        self.zero_large_regions(lowering);
        self.updates.extend(shadows_at_first(lowering));
        for (id, global) in lowering.module.globals.enumerate() {
            match &global.initialiser {
                Some(initialiser) if initialiser.unsupported.is_none() => {
                    self.global(lowering, id, global.size, initialiser)
                }
                // Defined elsewhere, or by what is not modelled: anything.
                _ => {}
            }
        }
    }

    fn nothing_allocated(&mut self, lowering: &mut Lowering<'_>) {
        let Some(tracking) = lowering.memory.tracking else { return };
        let bits = lowering.pointer_bits();
        let dead = lowering.store.bits(1, 0);
        let none = lowering.store.constant_array(bits, dead);
        self.updates.insert(tracking.alive, none);
        let zero = lowering.store.bits(bits, 0);
        self.updates.insert(tracking.count, zero);
        // The first object starts at a slot.
        let end = lowering.memory.layout.end().next_multiple_of(tracking.slot);
        let end = lowering.store.bits(bits, end.into());
        self.updates.insert(lowering.memory.frontier, end);
    }

    /// No thread has started, no local variable lives.
    fn nobody_there(&mut self, lowering: &mut Lowering<'_>) {
        self.updates.extend(threads::at_first(lowering));
        self.updates.extend(lifetimes::at_first(lowering));
        self.updates.extend(whole::checks_at_first(lowering));
    }

    /// Regions with many initialised cells start as zeros.
    fn zero_large_regions(&mut self, lowering: &mut Lowering<'_>) {
        let mut counts = crate::ground::index::IndexVec::filled(0u64, lowering.memory.regions.len());
        for (id, global) in lowering.module.globals.enumerate() {
            for cell in lowering.points.cells(Origin::Global(id)) {
                counts[cell.region] += how_many(cell, global.size);
            }
        }
        for (region, &count) in counts.enumerate() {
            let held = lowering.memory.regions[region];
            let element = match held.kind {
                RegionKind::Scalar { .. } => continue,
                RegionKind::Cells { bits } => bits,
                RegionKind::Bytes => 8,
            };
            if count > MOST_CELLS {
                let zero = lowering.store.bits(element, 0);
                let zeros = lowering.store.constant_array(lowering.pointer_bits(), zero);
                self.updates.insert(held.symbol, zeros);
                lowering.memory.regions[region].zeroed = true;
            }
        }
    }

    fn global(&mut self, lowering: &mut Lowering<'_>, id: GlobalId, size: u64, initialiser: &Initialiser) {
        let base = lowering.memory.layout.base(Origin::Global(id)).expect("globals have addresses");
        let base = local::address_for_main(lowering, id).unwrap_or(base);
        for cell in lowering.points.cells(Origin::Global(id)).to_vec() {
            let held = lowering.memory.regions[cell.region];
            // Nobody reads an array that is known.
            if held.constant.is_some() && !matches!(held.kind, RegionKind::Scalar { .. }) {
                continue;
            }
            for number in 0..how_many(&cell, size) {
                let offset = cell.offset + number * cell.repeats.unwrap_or(0);
                let bits = if matches!(held.kind, RegionKind::Bytes) { 8 } else { cell.bits };
                self.cell(lowering, held, base, (offset, bits), cell.bits / bits, initialiser);
            }
        }
    }

    fn cell(
        &mut self,
        lowering: &mut Lowering<'_>,
        held: Held,
        base: u64,
        (offset, bits): (u64, u32),
        count: u32,
        initialiser: &Initialiser,
    ) {
        for number in 0..u64::from(count) {
            let offset = offset + number * u64::from(bits / 8);
            let value = initial(lowering, initialiser, offset, bits);
            if matches!(held.kind, RegionKind::Scalar { .. }) {
                self.updates.insert(held.symbol, value);
                continue;
            }
            let zero = lowering.store.bits(bits, 0);
            if held.zeroed && value == zero {
                continue;
            }
            let memory = match self.updates.get(&held.symbol) {
                Some(&memory) => memory,
                None => lowering.store.symbol(held.symbol),
            };
            let address = lowering.store.bits(lowering.pointer_bits(), (base + offset).into());
            let memory = lowering.store.store(memory, address, value);
            self.updates.insert(held.symbol, memory);
        }
    }

    /// The arguments of the function that is run. `main` gets any number that is not negative, and addresses from
    /// outside; any other function gets arbitrary values. Where a struct is passed by value, its bytes are arbitrary.
    fn arguments(&mut self, lowering: &mut Lowering<'_>, main: FunctionId) -> Vec<Term> {
        let function = &lowering.module.functions[main];
        let mut out = Vec::new();
        for (number, parameter) in function.parameters.iter().enumerate() {
            let info = &function.values[parameter.value];
            let width = lowering.width_of(&info.ty);
            if parameter.copied.is_some()
                && let Some(base) = lowering.memory.layout.base(Origin::Copy(main, number))
            {
                out.push(lowering.store.bits(width, base.into()));
                continue;
            }
            let name = match number {
                _ if function.name != "main" => format!("parameter {}", info.name),
                0 => "argc".to_owned(),
                _ => "argv".to_owned(),
            };
            let value = self.argument(lowering, &name, width);
            if name == "argc" {
                let zero = lowering.store.bits(width, 0);
                let input = self.inputs.last().map_or(value, |&input| lowering.store.symbol(input));
                let negative = lowering.store.signed_less(input, zero);
                let condition = lowering.store.not(negative);
                self.conditions.push(condition);
            }
            out.push(value);
        }
        let bits = lowering.pointer_bits();
        if function.variadic {
            out.push(lowering.store.bits(bits, 0));
        }
        out.extend(own::first_number_for(lowering, main));
        out
    }

    /// An arbitrary value, which is kept for the call.
    fn argument(&mut self, lowering: &mut Lowering<'_>, name: &str, width: u32) -> Term {
        let variable = Variable { scope: Scope::Input, ty: None, role: Role::Input(name.into()) };
        let input = lowering.variable(name, Sort::Bits(width), variable);
        let variable = Variable { scope: Scope::Local(self.procedure), ty: None, role: Role::Temporary };
        let kept = lowering.variable(name, Sort::Bits(width), variable);
        self.inputs.push(input);
        let value = lowering.store.symbol(input);
        self.updates.insert(kept, value);
        lowering.store.symbol(kept)
    }

    fn finish(self, lowering: &mut Lowering<'_>, main: FunctionId, arguments: Vec<Term>) {
        let always = lowering.store.boolean(true);
        let guard = self.conditions.into_iter().fold(always, |a, b| lowering.store.and(a, b));
        let place = lowering.module.functions[main].place;
        let places: Vec<_> = place.into_iter().collect();
        let callee = lowering.of_function[&main];
        let procedure = &mut lowering.procedures[self.procedure];
        let middle = new_location(procedure);
        let updates = self.updates.into_iter().collect();
        let action = Action::Block(Block { guard, updates, inputs: self.inputs });
        let (entry, exit) = (procedure.entry, procedure.exit);
        procedure.edges.push(Edge {
            from: entry,
            to: middle,
            action,
            property: None,
            places: places.clone(),
        });
        let action = Action::Call { procedure: callee, arguments, result: None };
        let Some(left) = leak::left_at_return(lowering) else {
            let procedure = &mut lowering.procedures[self.procedure];
            procedure.edges.push(Edge { from: middle, to: exit, action, property: None, places });
            return;
        };
        let freed = lowering.store.not(left);
        let kind = PropertyKind::Fault(leak::Leak.fault());
        let id = lowering.property(callee, kind, leak::AT_THE_END.to_owned(), place);
        lowering.claims.properties[id].procedure = self.procedure;
        let procedure = &mut lowering.procedures[self.procedure];
        let (behind, bad) = (new_location(procedure), new_location(procedure));
        let block = |guard| Action::Block(Block { guard, updates: Vec::new(), inputs: Vec::new() });
        procedure.edges.push(Edge {
            from: middle,
            to: behind,
            action,
            property: None,
            places: places.clone(),
        });
        let edge =
            Edge { from: behind, to: bad, action: block(left), property: Some(id), places: places.clone() };
        let edge = procedure.edges.push(edge);
        procedure.edges.push(Edge { from: behind, to: exit, action: block(freed), property: None, places });
        lowering.claims.properties[id].edges.push((self.procedure, edge));
    }
}

/// What stands in an initialiser.
pub(in crate::lower) fn initial(
    lowering: &mut Lowering<'_>,
    initialiser: &Initialiser,
    offset: u64,
    bits: u32,
) -> Term {
    let bytes = (0..u64::from(bits / 8)).map(|byte| byte_at(lowering, initialiser, offset + byte));
    let value = bytes.rev().fold(0u128, |value, byte| value << 8 | u128::from(byte));
    lowering.store.bits(bits, value)
}

fn byte_at(lowering: &Lowering<'_>, initialiser: &Initialiser, offset: u64) -> u8 {
    let pointer = u64::from(lowering.module.pointer_bytes);
    // The last piece that starts at or before the byte.
    let number = initialiser.addresses.partition_point(|(at, _)| *at <= offset);
    if let Some((at, constant)) = number.checked_sub(1).map(|number| &initialiser.addresses[number])
        && offset < at + pointer
    {
        let address = address_of(lowering, constant);
        return address.to_le_bytes()[usize::try_from(offset - at).expect("within a pointer")];
    }
    let number = initialiser.bytes.partition_point(|(at, _)| *at <= offset);
    let piece = number.checked_sub(1).map(|number| &initialiser.bytes[number]);
    let byte = piece.and_then(|(at, bytes)| bytes.get(usize::try_from(offset - at).ok()?));
    byte.copied().unwrap_or(0)
}

fn address_of(lowering: &Lowering<'_>, constant: &Constant) -> u64 {
    match constant {
        Constant::Global(global, offset) => {
            let base = lowering.memory.layout.base(Origin::Global(*global)).expect("globals have addresses");
            base.wrapping_add_signed(*offset)
        }
        Constant::Function(function) => lowering.memory.layout.function(*function),
        Constant::Integer { value, .. } => u64::try_from(*value).unwrap_or(0),
        _ => 0,
    }
}
