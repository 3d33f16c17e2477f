//! What of a unit is needed: the functions asked for, and what they use.

use crate::ground::index::IndexVec;
use crate::ir::{Callee, Constant, FunctionId, GlobalId, Module, Operand, Operation, Terminator};
use crate::llvm::read::bitcode::{Linkage, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// All functions that a defined function or a variable of a module uses.
pub(in crate::llvm) fn used_functions(module: &Module) -> BTreeSet<FunctionId> {
    let mut used = BTreeSet::new();
    for id in module.functions.ids() {
        visit_function(module, id, &mut |constant| note(constant, &mut used));
    }
    for id in module.globals.ids() {
        visit_global(module, id, &mut |constant| note(constant, &mut used));
    }
    used
}

/// Whether a run from this function on may get to a function with one of these names, whatever it calls through pointers:
/// some code or variable that it may get to mentions the function.
#[must_use]
pub fn may_get_to(module: &Module, entry: &str, names: &BTreeSet<String>) -> bool {
    let (reached, variables) = reachable(module, &BTreeSet::from([entry.to_owned()]));
    let hidden = variables.iter().any(|&id| hides(&module.globals[id]))
        || reached.iter().any(|&id| is_opaque(&module.functions[id]));
    // What is not read may mention whatever something else mentions.
    let all = if hidden { reached.union(&used_functions(module)).copied().collect() } else { reached };
    all.iter().any(|&id| names.contains(&module.functions[id].name))
}

/// Whether the initial value of a variable is not read as a whole.
fn hides(global: &crate::ir::Global) -> bool {
    global.initialiser.as_ref().is_some_and(|initialiser| initialiser.unsupported.is_some())
}

/// Whether a function has operations that are not read.
fn is_opaque(function: &crate::ir::Function) -> bool {
    let operations = function.blocks.iter().flat_map(|block| &block.instructions);
    operations.map(|instruction| &instruction.operation).any(|it| matches!(it, Operation::Unsupported { .. }))
        || function.blocks.iter().any(|block| matches!(block.terminator, Terminator::Unsupported(..)))
}

/// All functions whose addresses a module uses, other than to call them.
pub(super) fn mentioned_functions(module: &Module) -> BTreeSet<FunctionId> {
    let mut used = BTreeSet::new();
    let instructions = module.functions.iter().flat_map(|function| function.blocks.iter());
    for instruction in instructions.flat_map(|block| &block.instructions) {
        let mut operation = instruction.operation.clone();
        if let Operation::Call { callee, .. } = &mut operation
            && matches!(callee, Callee::Function(_))
        {
            *callee = Callee::Address(Operand::Constant(Constant::Null));
        }
        change_operation(&mut operation, &mut |constant| note(constant, &mut used));
    }
    for id in module.globals.ids() {
        visit_global(module, id, &mut |constant| note(constant, &mut used));
    }
    used
}

fn note(constant: &Constant, used: &mut BTreeSet<FunctionId>) {
    if let Constant::Function(id) = constant {
        used.insert(*id);
    }
}

/// The unit with only those of its functions that are asked for by name, and what they use.
pub(super) fn only(unit: Unit, names: &BTreeSet<String>) -> Unit {
    let (functions, globals) = reachable(&unit.module, names);
    let function_ids: BTreeMap<FunctionId, FunctionId> = renumbered(&functions);
    let global_ids: BTreeMap<GlobalId, GlobalId> = renumbered(&globals);
    let Unit { mut module, functions: function_linkage, globals: global_linkage, .. } = unit;
    let change = |constant: &mut Constant| match constant {
        Constant::Function(id) => *id = function_ids[id],
        Constant::Global(id, _) => *id = global_ids[id],
        _ => {}
    };
    let mut kept = IndexVec::new();
    for &id in &functions {
        let mut function = module.functions[id].clone();
        change_function(&mut function, &change);
        kept.push(function);
    }
    let mut variables = IndexVec::new();
    for &id in &globals {
        let mut global = module.globals[id].clone();
        for (_, address) in global.initialiser.iter_mut().flat_map(|initialiser| &mut initialiser.addresses) {
            change(address);
        }
        variables.push(global);
    }
    module.functions = kept;
    module.globals = variables;
    Unit {
        module,
        functions: functions.iter().map(|id| weak(function_linkage[*id])).collect(),
        globals: globals.iter().map(|id| global_linkage[*id]).collect(),
        aliases: Vec::new(),
    }
}

/// What the program defines itself beats a model.
fn weak(linkage: Linkage) -> Linkage {
    if linkage == Linkage::Strong { Linkage::Weak } else { linkage }
}

fn renumbered<I: crate::ground::index::Index>(kept: &BTreeSet<I>) -> BTreeMap<I, I> {
    kept.iter().enumerate().map(|(number, &id)| (id, I::new(number))).collect()
}

fn reachable(module: &Module, names: &BTreeSet<String>) -> (BTreeSet<FunctionId>, BTreeSet<GlobalId>) {
    let mut waiting: Vec<Constant> = Vec::new();
    for (id, function) in module.functions.enumerate() {
        if function.is_defined() && names.contains(&function.name) {
            waiting.push(Constant::Function(id));
        }
    }
    let (mut functions, mut globals) = (BTreeSet::new(), BTreeSet::new());
    while let Some(constant) = waiting.pop() {
        let mut more = |constant: &Constant| waiting.push(constant.clone());
        match constant {
            Constant::Function(id) if functions.insert(id) => visit_function(module, id, &mut more),
            Constant::Global(id, _) if globals.insert(id) => visit_global(module, id, &mut more),
            _ => {}
        }
    }
    (functions, globals)
}

fn visit_global(module: &Module, id: GlobalId, visit: &mut dyn FnMut(&Constant)) {
    for (_, address) in module.globals[id].initialiser.iter().flat_map(|initialiser| &initialiser.addresses) {
        visit(address);
    }
}

fn visit_function(module: &Module, id: FunctionId, visit: &mut dyn FnMut(&Constant)) {
    // The walk that changes constants serves for looking, too, on a copy of each operation.
    for block in module.functions[id].blocks.iter() {
        for instruction in &block.instructions {
            let mut operation = instruction.operation.clone();
            change_operation(&mut operation, &mut |constant| visit(constant));
        }
        let mut terminator = block.terminator.clone();
        change_terminator(&mut terminator, &mut |constant| visit(constant));
    }
}

fn change_function(function: &mut crate::ir::Function, change: &dyn Fn(&mut Constant)) {
    for block in function.blocks.iter_mut() {
        for instruction in &mut block.instructions {
            change_operation(&mut instruction.operation, &mut |constant| change(constant));
        }
        change_terminator(&mut block.terminator, &mut |constant| change(constant));
    }
}

fn change_operation(operation: &mut Operation, change: &mut dyn FnMut(&mut Constant)) {
    if let Operation::Call { callee: Callee::Function(id), .. } = operation {
        let mut constant = Constant::Function(*id);
        change(&mut constant);
        if let Constant::Function(new) = constant {
            *id = new;
        }
    }
    for operand in crate::ir::operands::operands(operation) {
        change_operand(operand, change);
    }
}

fn change_terminator(terminator: &mut Terminator, change: &mut dyn FnMut(&mut Constant)) {
    match terminator {
        Terminator::Return(Some(value))
        | Terminator::Branch { condition: value, .. }
        | Terminator::Switch { value, .. } => change_operand(value, change),
        _ => {}
    }
}

fn change_operand(operand: &mut Operand, change: &mut dyn FnMut(&mut Constant)) {
    let Operand::Constant(constant) = operand else { return };
    let mut waiting = vec![constant];
    while let Some(constant) = waiting.pop() {
        match constant {
            Constant::Aggregate(_, members) => waiting.extend(members),
            other => change(other),
        }
    }
}
