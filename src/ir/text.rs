//! A text form of a [`Module`], for people and for tests: `boolero emit ir`.
//!
//! ```text
//! global @counter: 4 bytes, align 4 = zeros                   // int counter, file.c:1
//! function main(): i32                                         // file.c:3
//!   entry:
//!     %i: ptr = allocate 4 × 1, align 4                        // int i
//!     store i32 0 → %i                                         // 4:7
//! ```
//!
//! Values go by their names, with their number behind where a name occurs twice or is missing; the form is not read back.

use super::debug::{DebugType, DebugTypeId, FileId, Place, Variable};
use super::{
    Block, Callee, Constant, Function, Global, Initialiser, Instruction, Module, Operand, Terminator, Type,
};
use crate::ground::index::{Index, IndexVec};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "pointers of {} bytes", self.pointer_bytes)?;
        for global in self.globals.iter() {
            self.write_global(f, global)?;
        }
        for function in self.functions.iter() {
            write!(f, "{}", self.print_function(function))?;
        }
        Ok(())
    }
}

impl Module {
    fn write_global(&self, f: &mut Formatter<'_>, global: &Global) -> fmt::Result {
        write!(f, "global @{}: {} bytes, align {}", global.name, global.size, global.align)?;
        for (holds, word) in [(global.constant, "constant"), (global.thread_local, "thread-local")] {
            if holds {
                write!(f, ", {word}")?;
            }
        }
        match &global.initialiser {
            Some(initialiser) => write!(f, " = {}", self.print_initialiser(initialiser))?,
            None => write!(f, ", defined elsewhere")?,
        }
        match &global.variable {
            Some(variable) => writeln!(f, "  // {}", self.describe(variable)),
            None => writeln!(f),
        }
    }

    fn print_initialiser(&self, initialiser: &Initialiser) -> String {
        let mut pieces = Vec::new();
        for (at, bytes) in &initialiser.bytes {
            let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            pieces.push((*at, format!("{at}: {}", digits.join(" "))));
        }
        for (at, address) in &initialiser.addresses {
            pieces.push((*at, format!("{at}: {}", self.constant(address))));
        }
        pieces.sort();
        let mut all: Vec<String> = pieces.into_iter().map(|(_, piece)| piece).collect();
        all.extend(initialiser.unsupported.iter().map(|what| format!("unsupported: {what}")));
        if all.is_empty() { "zeros".to_owned() } else { format!("{{{}}}", all.join(", ")) }
    }

    /// A function as text.
    #[must_use]
    pub fn print_function(&self, function: &Function) -> String {
        let mut text = String::new();
        let writer = Writer { module: self, function };
        // Writing to a string does not fail.
        let _ = writer.function(&mut text);
        text
    }

    fn constant(&self, constant: &Constant) -> String {
        match constant {
            Constant::Integer { bits, value } => format!("i{bits} {}", signed(*bits, *value)),
            Constant::Float(bits) => format!("float {:?}", f32::from_bits(*bits)),
            Constant::Double(bits) => format!("double {:?}", f64::from_bits(*bits)),
            Constant::Null => "null".to_owned(),
            Constant::Global(id, 0) => format!("@{}", self.globals[*id].name),
            Constant::Global(id, offset) => format!("@{}{offset:+}", self.globals[*id].name),
            Constant::Function(id) => format!("@{}", self.functions[*id].name),
            Constant::Zero(ty) => format!("zero {ty}"),
            Constant::Aggregate(_, members) => {
                let members: Vec<String> = members.iter().map(|member| self.constant(member)).collect();
                format!("{{{}}}", members.join(", "))
            }
            Constant::Undefined(ty) => format!("undef {ty}"),
            Constant::Poison(ty) => format!("poison {ty}"),
            Constant::Unsupported(ty, what) => format!("unsupported {ty} ({what})"),
        }
    }

    /// `int i, file.c:3`.
    fn describe(&self, variable: &Variable) -> String {
        let mut text = match variable.ty {
            Some(ty) => declaration(&self.types, ty, &variable.name),
            None => variable.name.clone(),
        };
        if let Some(number) = variable.parameter {
            let _ = write!(text, ", parameter {number}");
        }
        if let Some(place) = variable.place {
            let _ = write!(text, ", {}", self.place(place));
        }
        text
    }

    fn place(&self, place: Place) -> String {
        format!("{}:{}", file_name(&self.files, place.file), place.line)
    }
}

/// The last part of a file's name.
fn file_name(files: &IndexVec<FileId, String>, id: FileId) -> &str {
    files[id].rsplit('/').next().unwrap_or_default()
}

/// An integer as people write it: small negative ones with a sign.
fn signed(bits: u32, value: u128) -> String {
    let negative = bits > 1 && bits <= 128 && value >> (bits - 1) & 1 == 1;
    if !negative {
        return value.to_string();
    }
    let unused = 128 - bits;
    let value = (value << unused).cast_signed() >> unused;
    value.to_string()
}

/// A declaration of C. Chains of types are short; they are cut where they are not.
#[must_use]
pub fn declaration(types: &IndexVec<DebugTypeId, DebugType>, ty: DebugTypeId, name: &str) -> String {
    let mut declarator = name.to_owned();
    let mut ty = Some(ty);
    for _ in 0..32 {
        let Some(id) = ty else { return join("void", &declarator) };
        match &types[id] {
            DebugType::Basic { name, .. } | DebugType::Alias { name, .. } => return join(name, &declarator),
            DebugType::Record { name, .. } | DebugType::Enumeration { name, .. } => {
                let title = if name.is_empty() { "struct" } else { name };
                return join(title, &declarator);
            }
            DebugType::Pointer(of) => {
                let inner = of.map(|of| &types[of]);
                let round = matches!(inner, Some(DebugType::Array { .. } | DebugType::Function));
                declarator = if round { format!("(*{declarator})") } else { format!("*{declarator}") };
                ty = *of;
            }
            DebugType::Array { element, lengths } => {
                for length in lengths {
                    let _ = write!(declarator, "[{length}]");
                }
                ty = *element;
            }
            DebugType::Qualified { qualifier, of } => {
                declarator = join(qualifier, &declarator);
                ty = *of;
            }
            DebugType::Function => return format!("{declarator}()"),
            DebugType::Other => return join("?", &declarator),
        }
    }
    join("…", &declarator)
}

fn join(word: &str, rest: &str) -> String {
    if rest.is_empty() { word.to_owned() } else { format!("{word} {rest}") }
}

impl Display for Type {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Void => f.write_str("void"),
            Self::Integer(bits) => write!(f, "i{bits}"),
            Self::Pointer => f.write_str("ptr"),
            Self::Float => f.write_str("float"),
            Self::Double => f.write_str("double"),
            Self::Aggregate { members, .. } => {
                let members: Vec<String> = members.iter().map(|(at, ty)| format!("{at}: {ty}")).collect();
                write!(f, "{{{}}}", members.join(", "))
            }
            Self::Other { name, .. } => write!(f, "<{name}>"),
        }
    }
}

/// A function while it is written.
pub(super) struct Writer<'a> {
    pub(super) module: &'a Module,
    pub(super) function: &'a Function,
}

impl Writer<'_> {
    fn function(&self, out: &mut String) -> fmt::Result {
        let function = self.function;
        let mut parameters: Vec<String> = function.parameters.iter().map(|p| self.parameter(p)).collect();
        if function.variadic {
            parameters.push("...".to_owned());
        }
        let word = if function.is_defined() { "function" } else { "declare" };
        write!(out, "{word} @{}({}): {}", function.name, parameters.join(", "), function.result)?;
        match function.place {
            Some(place) => writeln!(out, "  // {}", self.module.place(place))?,
            None => writeln!(out)?,
        }
        for (id, block) in function.blocks.enumerate() {
            writeln!(out, "  {}:", self.label(id))?;
            self.block(out, block)?;
        }
        Ok(())
    }

    fn parameter(&self, parameter: &super::Parameter) -> String {
        let value = &self.function.values[parameter.value];
        let copied = parameter.copied.map_or(String::new(), |bytes| format!(" copied {bytes}"));
        format!("{}: {}{copied}", self.value(parameter.value), value.ty)
    }

    fn block(&self, out: &mut String, block: &Block) -> fmt::Result {
        for instruction in &block.instructions {
            write!(out, "    {}", self.instruction(instruction))?;
            let variable = instruction.result.and_then(|id| self.function.values[id].variable.as_ref());
            match (variable, instruction.place) {
                (Some(variable), _) => writeln!(out, "  // {}", self.module.describe(variable))?,
                (None, Some(place)) => writeln!(out, "  // {}:{}", place.line, place.column)?,
                (None, None) => writeln!(out)?,
            }
        }
        writeln!(out, "    {}", self.terminator(&block.terminator))
    }

    fn instruction(&self, instruction: &Instruction) -> String {
        let operation = self.operation(&instruction.operation);
        match instruction.result {
            Some(id) => format!("{}: {} = {operation}", self.value(id), self.function.values[id].ty),
            None => operation,
        }
    }

    /// `for.cond`, or `b3` if it has no name.
    pub(super) fn label(&self, id: super::BlockId) -> String {
        let name = &self.function.blocks[id].name;
        if name.is_empty() { format!("b{}", id.index()) } else { name.clone() }
    }

    /// `%x`, or `%7` if it has no name. LLVM keeps names apart.
    pub(super) fn value(&self, id: super::ValueId) -> String {
        let name = &self.function.values[id].name;
        if name.is_empty() { format!("%{}", id.index()) } else { format!("%{name}") }
    }

    pub(super) fn operand(&self, operand: &Operand) -> String {
        match operand {
            Operand::Value(id) => self.value(*id),
            Operand::Constant(constant) => self.module.constant(constant),
        }
    }

    pub(super) fn callee(&self, callee: &Callee) -> String {
        match callee {
            Callee::Function(id) => format!("@{}", self.module.functions[*id].name),
            Callee::Address(operand) => format!("*{}", self.operand(operand)),
            Callee::Assembly { template, constraints } => format!("assembly {template:?} {constraints:?}"),
        }
    }

    fn terminator(&self, terminator: &Terminator) -> String {
        match terminator {
            Terminator::Return(None) => "return".to_owned(),
            Terminator::Return(Some(value)) => format!("return {}", self.operand(value)),
            Terminator::Jump(to) => format!("jump {}", self.label(*to)),
            Terminator::Branch { condition, yes, no } => {
                format!("branch {} ? {} : {}", self.operand(condition), self.label(*yes), self.label(*no))
            }
            Terminator::Switch { value, bits, cases, default } => {
                let cases: Vec<String> = cases
                    .iter()
                    .map(|(case, to)| format!("{} → {}", signed(*bits, *case), self.label(*to)))
                    .collect();
                format!("switch {} [{}] else {}", self.operand(value), cases.join(", "), self.label(*default))
            }
            Terminator::Unreachable => "unreachable".to_owned(),
            Terminator::Unsupported(what) => format!("unsupported: {what}"),
        }
    }
}
