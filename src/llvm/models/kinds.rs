//! Library functions whose model depends on how a program uses them: they get the name of the model that fits.
//!
//! - `qsort` with a comparison that does nothing but compare, by the size of elements that is given. Which elements are compared, and how
//!   often, is open: a comparison that does more could tell.
//! - `errno`: whatever function of the library is called, it may have set it. Where a program calls through pointers, or takes the address of such a
//!   function, nobody knows when that is, and `errno` has no model.
//! - `exit`, `atexit`, and the return from `main`, where functions are registered for the end of the process. Where the process may end in
//!   another way that runs them (the last thread ends), or somebody calls `main`, or others may know its variables, which end before, `atexit`
//!   has no model.

use super::needed::{mentioned_functions, used_functions};
use crate::ir::operands::operands;
use crate::ir::{
    Callee, Constant, Function, FunctionId, Instruction, Intrinsic, Module, Operand, Operation, Terminator,
    Type, ValueId,
};
use crate::library::models::{OUTPUT, TIME, defined_names, sources};
use std::collections::BTreeSet;

/// Gives such functions the names of their models.
pub(super) fn choose(module: &mut Module) {
    choose_sorts(module);
    run_at_exit(module);
    change_errno(module);
}

/// Functions of the library that do nothing but compare.
const COMPARING: [&str; 6] = ["strcmp", "strncmp", "memcmp", "strcasecmp", "strncasecmp", "strcoll"];

fn choose_sorts(module: &mut Module) {
    let Some(sort) = declared(module, "qsort") else { return };
    for id in module.functions.ids() {
        let function = &module.functions[id];
        let kind = |instruction: &Instruction| sort_of(module, sort, instruction);
        let found: Vec<_> = function
            .blocks
            .enumerate()
            .flat_map(|(block, content)| content.instructions.iter().enumerate().map(move |it| (block, it)))
            .filter_map(|(block, (number, instruction))| Some((block, number, kind(instruction)?)))
            .collect();
        for (block, number, name) in found {
            let chosen = module.declare(name, Type::Void);
            let operation = &mut module.functions[id].blocks[block].instructions[number].operation;
            if let Operation::Call { callee, .. } = operation {
                *callee = Callee::Function(chosen);
            }
        }
    }
}

/// The model for a call of `qsort`, if there is one.
fn sort_of(module: &Module, sort: FunctionId, instruction: &Instruction) -> Option<&'static str> {
    let Operation::Call { callee: Callee::Function(callee), arguments, .. } = &instruction.operation else {
        return None;
    };
    let [_, _, (size, _), (Operand::Constant(Constant::Function(comparison)), _)] = &arguments[..] else {
        return None;
    };
    if *callee != sort || !only_compares(module, *comparison) {
        return None;
    }
    let pointer = u128::from(module.pointer_bytes);
    Some(match size {
        Operand::Constant(Constant::Integer { value, .. }) if *value == pointer => "boolero_sort_pointer",
        Operand::Constant(Constant::Integer { value: 1, .. }) => "boolero_sort_1",
        Operand::Constant(Constant::Integer { value: 2, .. }) => "boolero_sort_2",
        Operand::Constant(Constant::Integer { value: 4, .. }) => "boolero_sort_4",
        _ => "boolero_sort_bytes",
    })
}

/// Whether a function writes nothing but variables of its own, and calls only such functions.
fn only_compares(module: &Module, comparison: FunctionId) -> bool {
    let (mut seen, mut open) = (BTreeSet::new(), vec![comparison]);
    while let Some(id) = open.pop() {
        let function = &module.functions[id];
        if !seen.insert(id) || !function.is_defined() && COMPARING.contains(&function.name.as_str()) {
            continue;
        }
        if !function.is_defined() {
            return false;
        }
        let own = variables(function);
        for block in function.blocks.iter() {
            let ends = matches!(block.terminator, Terminator::Unreachable | Terminator::Unsupported(_));
            if ends || !block.instructions.iter().all(|it| is_harmless(it, &own, &mut open)) {
                return false;
            }
        }
    }
    true
}

/// The addresses of local variables.
fn variables(function: &Function) -> BTreeSet<ValueId> {
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let variables = instructions.filter(|it| matches!(it.operation, Operation::Allocate { .. }));
    variables.filter_map(|instruction| instruction.result).collect()
}

fn is_harmless(instruction: &Instruction, own: &BTreeSet<ValueId>, called: &mut Vec<FunctionId>) -> bool {
    match &instruction.operation {
        Operation::Binary { .. }
        | Operation::Compare { .. }
        | Operation::FloatBinary { .. }
        | Operation::FloatCompare { .. }
        | Operation::FloatNegate(_)
        | Operation::Cast { .. }
        | Operation::Select { .. }
        | Operation::Phi(_)
        | Operation::Allocate { .. }
        | Operation::Offset { .. }
        | Operation::Extract { .. }
        | Operation::Insert { .. }
        | Operation::Freeze(_)
        | Operation::Load { volatile: false, atomic: false, .. } => true,
        Operation::Store { address: Operand::Value(address), volatile: false, atomic: false, .. } => {
            own.contains(address)
        }
        Operation::Call { callee: Callee::Function(callee), .. } => {
            called.push(*callee);
            true
        }
        _ => false,
    }
}

/// How a thread can end so that the process ends with the last one.
const ENDS: [&str; 2] = ["pthread_exit", "thrd_exit"];

fn run_at_exit(module: &mut Module) {
    let Some(register) = declared(module, "atexit") else { return };
    let used = used_functions(module);
    let called = |id: &FunctionId| module.functions[*id].name == "main";
    let main = module.functions.ids().find(|id| called(id) && module.functions[*id].is_defined());
    let ends = used.iter().any(|id| ENDS.contains(&module.functions[*id].name.as_str()));
    let alone = |main: &FunctionId| !used.contains(main) && !gives_variables_away(&module.functions[*main]);
    let Some(main) = main.filter(|main| !ends && alone(main)) else { return };
    module.functions[register].name = "boolero_at_exit".to_owned();
    if let Some(exit) = declared(module, "exit") {
        module.functions[exit].name = "boolero_exit".to_owned();
    }
    let leave = module.declare("boolero_leave", Type::Void);
    for block in module.functions[main].blocks.iter_mut() {
        if matches!(block.terminator, Terminator::Return(_)) {
            let callee = Callee::Function(leave);
            let operation = Operation::Call { callee, arguments: Vec::new(), copied: Vec::new() };
            block.instructions.push(Instruction { result: None, operation, place: block.place });
        }
    }
}

/// Functions without a body that never set `errno`: those that do not return, those of other tools' and our own making, and those of pthread, which
/// return their errors.
fn keeps_errno(name: &str) -> bool {
    const KEEPING: [&str; 12] = [
        "__errno_location",
        "abort",
        "exit",
        "_exit",
        "_Exit",
        "memcpy",
        "memmove",
        "memset",
        "rand",
        "random",
        "srand",
        "srandom",
    ];
    const OURS: [&str; 5] = ["__VERIFIER_", "__CPROVER_", "__assert", "boolero_", "pthread_"];
    KEEPING.contains(&name) || OURS.iter().any(|prefix| name.starts_with(prefix)) || keeps_by_model(name)
}

/// Whether a model does all that the function does: it sets `errno` itself, or leaves it. Models that may fail do not set it.
fn keeps_by_model(name: &str) -> bool {
    const FAILING: [&str; 3] = ["strdup", "strndup", "signal"];
    let open = |file: &str| [OUTPUT, TIME].contains(&file);
    let mut models = sources().iter().filter(|(file, _)| !open(file));
    !FAILING.contains(&name)
        && !name.starts_with("sem_")
        && models.any(|(_, text)| defined_names(text).any(|other| other == name))
}

fn change_errno(module: &mut Module) {
    let Some(location) = declared(module, "__errno_location") else { return };
    let changes = |id: &FunctionId| {
        let function = &module.functions[*id];
        !function.is_defined() && !keeps_errno(&function.name)
    };
    let changing: BTreeSet<FunctionId> = module.functions.ids().filter(changes).collect();
    let instructions = module.functions.iter().flat_map(|function| function.blocks.iter());
    let mut instructions = instructions.flat_map(|block| &block.instructions);
    let through_pointers =
        instructions.any(|it| matches!(&it.operation, Operation::Call { callee: Callee::Address(_), .. }));
    if through_pointers || !changing.is_disjoint(&mentioned_functions(module)) {
        module.functions[location].name = "boolero_unmodelled_errno".to_owned();
        return;
    }
    let change = module.declare("boolero_errno_changes", Type::Void);
    for function in module.functions.iter_mut() {
        for block in function.blocks.iter_mut() {
            let old = std::mem::take(&mut block.instructions);
            block.instructions = old.into_iter().flat_map(|it| followed(it, &changing, change)).collect();
        }
    }
}

/// An instruction, and what changes `errno` if it calls something that may.
fn followed(
    instruction: Instruction,
    changing: &BTreeSet<FunctionId>,
    change: FunctionId,
) -> Vec<Instruction> {
    let changes = match &instruction.operation {
        Operation::Call { callee: Callee::Function(callee), .. } => changing.contains(callee),
        _ => false,
    };
    let place = instruction.place;
    let callee = Callee::Function(change);
    let operation = Operation::Call { callee, arguments: Vec::new(), copied: Vec::new() };
    let after = changes.then_some(Instruction { result: None, operation, place });
    std::iter::once(instruction).chain(after).collect()
}

/// Whether addresses of local variables get out of a function: it does more than load and store there.
fn gives_variables_away(function: &Function) -> bool {
    let own = variables(function);
    let is_own = |operand: &Operand| matches!(operand, Operand::Value(value) if own.contains(value));
    let gives = |instruction: &Instruction| match &instruction.operation {
        Operation::Load { .. } => false,
        Operation::Store { value, .. } => is_own(value),
        // Where variables begin and end.
        Operation::Intrinsic { intrinsic: Intrinsic::StartLife | Intrinsic::EndLife, .. } => false,
        other => operands(&mut other.clone()).into_iter().any(|operand| is_own(operand)),
    };
    function.blocks.iter().flat_map(|block| &block.instructions).any(gives)
}

/// A function of the library that the program uses.
fn declared(module: &Module, name: &str) -> Option<FunctionId> {
    module.function(name).filter(|&id| !module.functions[id].is_defined())
}
