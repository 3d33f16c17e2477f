//! Functions of a program that only have the name of one of the library's: [`signatures`](crate::library::signatures) tells them
//! apart by their types. They get another name, so that neither a model, nor the lowering, nor the machine takes them for the
//! library's.

use crate::ir::{Callee, Function, FunctionId, Module, Operation, Type};
use crate::library::signatures::{Signature, signature, stranger};

/// Renames those that are no functions of the table.
pub fn rename(module: &mut Module) {
    let bits = module.pointer_bits();
    rename_unlike(module, |name| signature(name, bits));
}

/// Renames those whose types are not the ones of a model with this name.
pub(super) fn rename_unlike_models(module: &mut Module, model: &Module) {
    let defined = |name: &str| model.functions.iter().find(|it| it.is_defined() && it.name == name);
    // Handles of threads and the like have the types that a program's headers give them.
    let reserved = |name: &str| name.starts_with("pthread_") || name.starts_with("boolero_");
    rename_unlike(module, |name| defined(name).filter(|_| !reserved(name)).map(Signature::of));
}

fn rename_unlike(module: &mut Module, known: impl Fn(&str) -> Option<Signature>) {
    let unlike = |(id, function): (FunctionId, &Function)| {
        let library = known(&function.name).filter(|_| !function.is_defined())?;
        (!is_like(module, id, &library)).then_some(id)
    };
    let strangers: Vec<FunctionId> = module.functions.enumerate().filter_map(unlike).collect();
    for id in strangers {
        module.functions[id].name = stranger(&module.functions[id].name);
    }
}

/// Whether a declared function may be the library's: its types are the same, or they are open and all calls have arguments that fit.
fn is_like(module: &Module, id: FunctionId, library: &Signature) -> bool {
    let declared = Signature::of(&module.functions[id]);
    if !library.fits(&declared) {
        return false;
    }
    !declared.is_open() || calls(module, id).all(|arguments| library.takes(arguments.iter().map(|it| &it.1)))
}

/// The arguments of the calls of a function by its name.
fn calls(module: &Module, id: FunctionId) -> impl Iterator<Item = &Vec<(crate::ir::Operand, Type)>> {
    let blocks = module.functions.iter().flat_map(|function| function.blocks.iter());
    blocks.flat_map(|block| &block.instructions).filter_map(move |instruction| match &instruction.operation {
        Operation::Call { callee: Callee::Function(callee), arguments, .. } if *callee == id => {
            Some(arguments)
        }
        _ => None,
    })
}
