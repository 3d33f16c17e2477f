//! Names and types of C, out of LLVM's debug metadata.
//!
//! A node's operands have fixed places (LLVM's `DebugInfoMetadata.h`): of a type, 0 is the file, 2 the name, 3 the type
//! underneath and 4 the members; of a variable, 1 is the name, 2 the file and 3 the type. What has neither operand nor
//! getter (the value of an enumerator, the number of a parameter) is read from the node's text. Types refer to each
//! other in circles, so each gets its id before its members are looked at, from a worklist.

#![deny(unsafe_code)]

use super::{Node, Val, Wrapped};
use crate::ground::index::IndexVec;
use crate::ir::{DebugType, DebugTypeId, Field, FileId, Place, Variable};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;

/// DWARF's numbers of what types are.
mod tag {
    pub const ARRAY: u16 = 0x01;
    pub const ENUMERATION: u16 = 0x04;
    pub const MEMBER: u16 = 0x0d;
    pub const POINTER: u16 = 0x0f;
    pub const STRUCTURE: u16 = 0x13;
    pub const SUBROUTINE: u16 = 0x15;
    pub const TYPEDEF: u16 = 0x16;
    pub const UNION: u16 = 0x17;
    pub const BASE: u16 = 0x24;
    pub const CONST: u16 = 0x26;
    pub const VOLATILE: u16 = 0x35;
    pub const RESTRICT: u16 = 0x37;
    pub const ATOMIC: u16 = 0x47;
}

/// Files and types of a module, as they are met.
#[derive(Default)]
pub struct Names<'d> {
    files: IndexSet<String>,
    ids: FxHashMap<Node<'d>, DebugTypeId>,
    types: IndexVec<DebugTypeId, DebugType>,
    waiting: Vec<Node<'d>>,
}

impl<'d> Names<'d> {
    /// The file with this name.
    pub fn file(&mut self, name: &str) -> FileId {
        use crate::ground::index::Index;
        let number = match self.files.get_index_of(name) {
            Some(number) => number,
            None => self.files.insert_full(name.to_owned()).0,
        };
        FileId::new(number)
    }

    /// Files and types, all described.
    #[must_use]
    pub fn finish(mut self) -> (IndexVec<FileId, String>, IndexVec<DebugTypeId, DebugType>) {
        self.describe_waiting();
        (self.files.into_iter().collect(), self.types)
    }

    /// The variable that a DILocalVariable, DIGlobalVariable or DISubprogram is.
    pub fn variable(&mut self, node: Node<'d>) -> Option<Variable> {
        let operands = node.operands();
        // A function has its name behind its scope, too; its type comes after the linkage name.
        let subprogram = node.is_subprogram();
        let (name, file, ty) = if subprogram { (2, 0, 4) } else { (1, 2, 3) };
        let name = string(&operands, name)?;
        let place = node_at(&operands, file).and_then(Node::file_name).map(|file| Place {
            file: self.file(&file),
            line: node.line(),
            column: 0,
            number: 0,
        });
        let ty = node_at(&operands, ty).map(|ty| self.ty(ty));
        Some(Variable { name, ty, place, parameter: number_after(&node.text(), "arg: "), scope: Vec::new() })
    }

    /// The variables of a function's local objects, by their addresses.
    pub fn locals(&mut self, declared: Vec<[Wrapped<'d>; 3]>) -> FxHashMap<Val<'d>, Variable> {
        let mut found = FxHashMap::default();
        for items in declared {
            let [Wrapped::Value(address), Wrapped::Node(variable), Wrapped::Node(expression)] = items else {
                continue;
            };
            // With an expression, the object only leads to the variable.
            if expression.text() != "!DIExpression()" {
                continue;
            }
            if let Some(variable) = self.variable(variable) {
                found.entry(address).or_insert(variable);
            }
        }
        found
    }

    /// The id of a type.
    fn ty(&mut self, node: Node<'d>) -> DebugTypeId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = self.types.push(DebugType::Other);
        self.ids.insert(node, id);
        self.waiting.push(node);
        id
    }

    fn describe_waiting(&mut self) {
        while let Some(node) = self.waiting.pop() {
            let id = self.ids[&node];
            self.types[id] = self.describe(node);
        }
    }

    fn describe(&mut self, node: Node<'d>) -> DebugType {
        if !node.is_type() {
            return DebugType::Other;
        }
        let operands = node.operands();
        let name = string(&operands, 2).unwrap_or_default();
        let of = |names: &mut Self| node_at(&operands, 3).map(|ty| names.ty(ty));
        match node.tag() {
            tag::BASE => basic(name, node.size_in_bits()),
            tag::POINTER => DebugType::Pointer(of(self)),
            tag::TYPEDEF => DebugType::Alias { name, of: of(self) },
            tag::CONST => DebugType::Qualified { qualifier: "const".to_owned(), of: of(self) },
            tag::VOLATILE => DebugType::Qualified { qualifier: "volatile".to_owned(), of: of(self) },
            tag::RESTRICT => DebugType::Qualified { qualifier: "restrict".to_owned(), of: of(self) },
            tag::ATOMIC => DebugType::Qualified { qualifier: "_Atomic".to_owned(), of: of(self) },
            tag::STRUCTURE => self.record(node, titled("struct", &name), &operands),
            tag::UNION => self.record(node, titled("union", &name), &operands),
            tag::ARRAY => DebugType::Array { element: of(self), lengths: lengths(&operands) },
            tag::ENUMERATION => DebugType::Enumeration {
                name: titled("enum", &name),
                bits: node.size_in_bits(),
                values: members(&operands).into_iter().filter_map(enumerator).collect(),
            },
            tag::SUBROUTINE => DebugType::Function,
            _ => DebugType::Other,
        }
    }

    fn record(&mut self, node: Node<'d>, name: String, operands: &[Option<Wrapped<'d>>]) -> DebugType {
        let mut fields = Vec::new();
        for member in members(operands).into_iter().filter(|m| m.is_type() && m.tag() == tag::MEMBER) {
            let inner = member.operands();
            fields.push(Field {
                name: string(&inner, 2).unwrap_or_default(),
                offset: member.offset_in_bits(),
                bits: member.size_in_bits(),
                ty: node_at(&inner, 3).map(|ty| self.ty(ty)),
            });
        }
        DebugType::Record { name, size: node.size_in_bits() / 8, fields }
    }
}

fn basic(name: String, bits: u64) -> DebugType {
    let unsigned = ["unsigned", "_Bool", "bool", "float", "double", "long double", "_Complex"];
    let signed = !unsigned.iter().any(|word| name.starts_with(word)) && !name.contains("float");
    DebugType::Basic { name, bits, signed }
}

fn titled(word: &str, name: &str) -> String {
    if name.is_empty() { String::new() } else { format!("{word} {name}") }
}

fn node_at<'d>(operands: &[Option<Wrapped<'d>>], number: usize) -> Option<Node<'d>> {
    match operands.get(number) {
        Some(Some(Wrapped::Node(node))) => Some(*node),
        _ => None,
    }
}

fn string(operands: &[Option<Wrapped<'_>>], number: usize) -> Option<String> {
    node_at(operands, number).and_then(Node::string)
}

/// The members of a composite type.
fn members<'d>(operands: &[Option<Wrapped<'d>>]) -> Vec<Node<'d>> {
    let inner = node_at(operands, 4).map(Node::operands).unwrap_or_default();
    (0..inner.len()).filter_map(|number| node_at(&inner, number)).collect()
}

/// The lengths of an array: the first operand of each DISubrange; 0 if it is no constant.
fn lengths(operands: &[Option<Wrapped<'_>>]) -> Vec<u64> {
    let length = |range: Node<'_>| match range.operands().first() {
        Some(Some(Wrapped::Value(count))) if count.kind() == super::Kind::Integer => {
            i64::from_ne_bytes(count.small_integer().to_ne_bytes()).max(0).unsigned_abs()
        }
        _ => 0,
    };
    members(operands).into_iter().map(length).collect()
}

/// `!DIEnumerator(name: "RED", value: 3)`.
fn enumerator(node: Node<'_>) -> Option<(String, i64)> {
    let text = node.text();
    let name = text.split("name: \"").nth(1)?.split('"').next()?;
    Some((name.to_owned(), number_after(&text, "value: ")?))
}

/// The number that follows a word in the text of a node.
fn number_after<T: std::str::FromStr>(text: &str, word: &str) -> Option<T> {
    let rest = &text[text.find(word)? + word.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    rest[..end].parse().ok()
}
