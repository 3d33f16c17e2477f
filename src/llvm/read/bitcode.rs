//! From bitcode (or LLVM's text) to [`ir`](crate::ir): a translation unit.
//!
//! The crate `llvm-ir` gives functions and instructions, with their flags; [`debug`](super::debug) gives what it drops.
//! Both parse the same file. `llvm-ir` panics on forms that it does not know (exotic data layouts and constants, names
//! that are not UTF-8); that is caught, and becomes an error that tells the panic's words. Since types and constants are
//! gone through recursively, by LLVM as well, all of it runs on a thread with a large stack.

use super::ReadError;
use super::constant::{Constants, Folded, Symbol};
use super::debug::names::Names;
use super::debug::{Door, Val};
use super::function;
use super::initialiser::initialiser;
use super::labels;
use super::layout::Layout;
use super::shapes::Shapes;
use crate::ground::index::IndexVec;
use crate::ir::{Constant, Function, FunctionId, Global, GlobalId, Module};
use llvm_ir::module::{GlobalVariable, ThreadLocalMode};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::path::Path;

/// Everything about a module while it is read.
pub struct Reader<'d> {
    /// The module, as LLVM holds it.
    pub door: &'d Door,
    /// Types and names of LLVM.
    pub constants: Constants<'d>,
    /// Files, variables and types of C.
    pub names: Names<'d>,
}

/// How a name meets the same name of another translation unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linkage {
    /// It is another one: `static`.
    Internal,
    /// The definition.
    Strong,
    /// A definition if there is no better one.
    Weak,
    /// A variable without initialiser, which may be defined several times.
    Common,
}

/// A translation unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// What it defines and declares.
    pub module: Module,
    /// How its functions are linked.
    pub functions: IndexVec<FunctionId, Linkage>,
    /// How its global variables are linked.
    pub globals: IndexVec<GlobalId, Linkage>,
    /// Further names, with linkage, for what is a constant.
    pub aliases: Vec<(String, Linkage, Constant)>,
}

/// Bytes of stack for types and constants that nest.
const STACK: usize = 256 << 20;

/// Reads a bitcode file, or a `.ll` file.
///
/// # Errors
/// The file is broken, or holds what cannot be read.
pub fn decode(path: &Path) -> Result<Module, ReadError> {
    decode_unit(path).map(|unit| unit.module)
}

/// Reads a bitcode file, or a `.ll` file, with what linking needs.
///
/// # Errors
/// The file is broken, or holds what cannot be read.
pub fn decode_unit(path: &Path) -> Result<Unit, ReadError> {
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || read(path));
        let worker = worker.map_err(|error| ReadError::Environment(format!("no thread: {error}")))?;
        worker.join().unwrap_or_else(|panic| Err(ReadError::input(path, &words(panic.as_ref()))))
    })
}

/// What a panic says.
fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    let line = text.unwrap_or("unknown form").lines().next().unwrap_or_default();
    format!("cannot be read: {}", line.chars().take(200).collect::<String>())
}

fn read(path: &Path) -> Result<Unit, ReadError> {
    let is_bitcode = is_bitcode(path);
    // An empty file would pass for a program without anything.
    if !is_bitcode && path.extension().is_some_and(|end| end == "bc") {
        let found = std::fs::metadata(path).map(|_| "no bitcode".to_owned());
        return Err(ReadError::input(path, &found.unwrap_or_else(|error| error.to_string())));
    }
    let door = Door::open(path)?;
    let source =
        if is_bitcode { llvm_ir::Module::from_bc_path(path) } else { llvm_ir::Module::from_ir_path(path) };
    let source = source.map_err(|message| ReadError::input(path, &message))?;
    unit(&door, &source).map_err(|error| ReadError::input(path, &error.to_string()))
}

/// Whether a file starts like bitcode, bare or wrapped; otherwise it is text.
fn is_bitcode(path: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 4];
    let read = std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && matches!(start, [b'B', b'C', 0xc0, 0xde] | [0xde, 0xc0, 0x17, 0x0b])
}

fn unit(door: &Door, source: &llvm_ir::Module) -> Result<Unit, ReadError> {
    let layout = Layout::parse(&door.data_layout()).map_err(ReadError::Input)?;
    let pointer_bytes = layout.pointer_bytes;
    let (defined, declared) = door.functions();
    let declared: Vec<Val<'_>> = declared.into_iter().filter(|f| !f.name().starts_with("llvm.")).collect();
    let globals = door.globals();
    if defined.len() != source.functions.len() || globals.len() != source.global_vars.len() {
        return Err(ReadError::Input("two views of the module differ".to_owned()));
    }
    if !source.global_ifuncs.is_empty() {
        let what = "functions that are chosen when the program is loaded (ifunc) are not modelled";
        return Err(ReadError::Input(what.to_owned()));
    }
    let globals = kept(&globals, &source.global_vars)?;
    let mut symbols = symbols(&globals, &defined, &declared);
    let open = perhaps_missing(source);
    symbols.retain(|item, _| !open.contains(&item.name()));
    let variables = globals.len();
    let constants = Constants { shapes: Shapes::new(layout), symbols, variables, labels: Vec::new() };
    let mut reader = Reader { door, constants, names: Names::default() };
    let mut variables: IndexVec<GlobalId, Global> =
        globals.iter().map(|&(item, variable)| global(&mut reader, item, variable)).collect();
    let mut functions: IndexVec<FunctionId, Function> = IndexVec::new();
    for (&item, source) in defined.iter().zip(&source.functions) {
        functions.push(function::defined(&mut reader, item, source)?);
    }
    for item in &declared {
        functions.push(function::declared(&mut reader, *item));
    }
    let aliases = aliases(&mut reader, door, source);
    let labels = reader.constants.labels.len();
    (0..labels).for_each(|number| {
        variables.push(labels::object(number));
    });
    let (files, types) = reader.names.finish();
    let linked = source.functions.iter().map(|f| linkage(f.linkage));
    let linked_globals = globals.iter().map(|(_, variable)| linkage(variable.linkage));
    Ok(Unit {
        functions: linked.chain(declared.iter().map(|_| Linkage::Strong)).collect(),
        globals: linked_globals.chain((0..labels).map(|_| Linkage::Internal)).collect(),
        module: Module { pointer_bytes, files, types, globals: variables, functions },
        aliases,
    })
}

/// The global variables without LLVM's own tables.
fn kept<'a, 'd>(
    globals: &[Val<'d>],
    source: &'a [GlobalVariable],
) -> Result<Vec<(Val<'d>, &'a GlobalVariable)>, ReadError> {
    let mut all = Vec::new();
    for (&item, variable) in globals.iter().zip(source) {
        match item.name().as_str() {
            "llvm.global_ctors" | "llvm.global_dtors" => {
                let what =
                    "functions that run before or after main (constructor, destructor) are not modelled";
                return Err(ReadError::Input(what.to_owned()));
            }
            name if name.starts_with("llvm.") => {}
            _ if variable.section.as_deref().is_some_and(runs_functions) => {
                let what = "tables of functions that run before or after main (.init_array and the like) are not modelled";
                return Err(ReadError::Input(what.to_owned()));
            }
            _ => all.push((item, variable)),
        }
    }
    Ok(all)
}

/// Whether what stands in a section is called before or after `main`.
fn runs_functions(section: &str) -> bool {
    const TABLES: [&str; 5] = [".preinit_array", ".init_array", ".fini_array", ".ctors", ".dtors"];
    TABLES.iter().any(|table| section.starts_with(table))
}

/// What is declared as weak: if nobody defines it, its address is null. So its address is not known here.
fn perhaps_missing(source: &llvm_ir::Module) -> BTreeSet<String> {
    let weak = |linkage: llvm_ir::module::Linkage| linkage == llvm_ir::module::Linkage::ExternalWeak;
    let functions = source.func_declarations.iter().filter(|function| weak(function.linkage));
    let globals = source.global_vars.iter().filter(|variable| weak(variable.linkage));
    let globals = globals.map(|variable| variable.name.to_string().trim_start_matches('%').to_owned());
    functions.map(|function| function.name.clone()).chain(globals).collect()
}

fn symbols<'d>(
    globals: &[(Val<'d>, &GlobalVariable)],
    defined: &[Val<'d>],
    declared: &[Val<'d>],
) -> FxHashMap<Val<'d>, Symbol> {
    use crate::ground::index::Index;
    let variables =
        globals.iter().enumerate().map(|(n, &(item, _))| (item, Symbol::Global(GlobalId::new(n))));
    let all = defined.iter().chain(declared).enumerate();
    variables.chain(all.map(|(n, &item)| (item, Symbol::Function(FunctionId::new(n))))).collect()
}

fn global<'d>(reader: &mut Reader<'d>, item: Val<'d>, source: &GlobalVariable) -> Global {
    let shape = reader.constants.shapes.shape(item.pointee());
    let name = match item.name() {
        name if name.is_empty() => format!(".unnamed{}", source.name.to_string().replace('%', ".")),
        name => name,
    };
    Global {
        name,
        size: shape.size,
        align: u64::from(source.alignment).max(shape.align),
        constant: source.is_constant,
        thread_local: source.thread_local_mode != ThreadLocalMode::NotThreadLocal,
        exported: linkage(source.linkage) != Linkage::Internal,
        initialiser: item.initialiser().map(|value| initialiser(&mut reader.constants, value)),
        variable: item.global_variable().and_then(|node| reader.names.variable(node)),
    }
}

fn aliases<'d>(
    reader: &mut Reader<'d>,
    door: &'d Door,
    source: &llvm_ir::Module,
) -> Vec<(String, Linkage, Constant)> {
    let mut all = Vec::new();
    for (item, alias) in door.aliases().into_iter().zip(&source.global_aliases) {
        if let Folded::Constant(constant) = reader.constants.fold(item) {
            all.push((item.name(), linkage(alias.linkage), constant));
        }
    }
    all
}

fn linkage(linkage: llvm_ir::module::Linkage) -> Linkage {
    use llvm_ir::module::Linkage as L;
    match linkage {
        L::Private | L::Internal | L::LinkerPrivate | L::LinkerPrivateWeak | L::Appending => {
            Linkage::Internal
        }
        L::Common => Linkage::Common,
        L::External | L::DLLImport | L::DLLExport | L::Ghost => Linkage::Strong,
        L::ExternalWeak
        | L::AvailableExternally
        | L::LinkOnceAny
        | L::LinkOnceODR
        | L::LinkOnceODRAutoHide
        | L::WeakAny
        | L::WeakODR => Linkage::Weak,
    }
}
