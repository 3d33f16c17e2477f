//! Where things lie in memory: sizes, alignments and offsets, from the text of the module's data layout.
//!
//! The rules are those of LLVM's language reference: a struct puts each member at the next multiple of its alignment,
//! packed structs at the next byte; an integer without a rule of its own takes that of the next wider one, or of the
//! widest one. On i386 a 64-bit integer is aligned to 4 bytes within structs. A [`Shape`] is a type that is laid out
//! already; large structs are shared, so that a step through one costs nothing.

use crate::ir::Type;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A type that is laid out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// What it is.
    pub form: Form,
    /// Bytes from one element of an array to the next, padding included.
    pub size: u64,
    /// The alignment that the machine's rules ask for.
    pub align: u64,
}

/// What a type is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Form {
    /// No value.
    Void,
    /// An integer of so many bits.
    Integer(u32),
    /// An address.
    Pointer,
    /// A floating-point number of so many bits.
    Float(u32),
    /// A struct: its members and their offsets.
    Record(Vec<(u64, Rc<Shape>)>),
    /// An array.
    Array(Rc<Shape>, u64),
    /// A vector.
    Vector(Rc<Shape>, u64),
    /// Anything else, which has no size.
    Other(String),
}

/// Whether a struct has padding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    /// Members are aligned.
    Padded,
    /// Members follow each other at once.
    Packed,
}

impl Form {
    /// The name of what is not modelled.
    fn name(&self) -> String {
        match self {
            Self::Integer(bits) => format!("i{bits}"),
            Self::Float(80) => "long double".to_owned(),
            Self::Float(bits) => format!("{bits}-bit float"),
            Self::Vector(element, length) => format!("vector of {length} {}", element.form.name()),
            Self::Array(element, length) => format!("array of {length} {}", element.form.name()),
            Self::Other(name) => name.clone(),
            Self::Pointer => "pointer".to_owned(),
            Self::Void => "void".to_owned(),
            Self::Record(_) => "struct".to_owned(),
        }
    }
}

/// A value of an array type with more members is not taken apart.
const MEMBERS: u64 = 1 << 16;

/// Sizes of pointers and alignments, in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Size of a pointer.
    pub pointer_bytes: u32,
    pointer_align: u64,
    integers: BTreeMap<u32, u64>,
    floats: BTreeMap<u32, u64>,
    vectors: BTreeMap<u32, u64>,
}

impl Layout {
    /// Reads LLVM's text (`e-m:e-p:32:32-i64:32-…`).
    ///
    /// # Errors
    /// A machine that is not modelled: big-endian, or with pointers of other sizes than 4 and 8 bytes.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut layout = Self::default();
        // Without a word about it, LLVM takes the machine for a little-endian one.
        let mut little = true;
        for rule in text.split('-').filter(|rule| !rule.is_empty()) {
            match rule.as_bytes()[0] {
                b'E' => little = false,
                b'p' if rule.starts_with("p:") || rule.starts_with("p0:") => layout.pointer(rule)?,
                b'i' => layout.rule(rule, |layout| &mut layout.integers)?,
                b'f' => layout.rule(rule, |layout| &mut layout.floats)?,
                b'v' => layout.rule(rule, |layout| &mut layout.vectors)?,
                _ => {}
            }
        }
        if !little {
            return Err("the program is for a big-endian machine".to_owned());
        }
        if !matches!(layout.pointer_bytes, 4 | 8) {
            return Err(format!("pointers of {} bytes are not modelled", layout.pointer_bytes));
        }
        Ok(layout)
    }

    fn pointer(&mut self, rule: &str) -> Result<(), String> {
        let numbers = numbers(rule, rule.find(':').unwrap_or(0) + 1)?;
        self.pointer_bytes = numbers[0] / 8;
        self.pointer_align =
            numbers.get(1).map_or(u64::from(self.pointer_bytes), |&bits| u64::from(bits / 8));
        Ok(())
    }

    fn rule(&mut self, rule: &str, map: fn(&mut Self) -> &mut BTreeMap<u32, u64>) -> Result<(), String> {
        let numbers = numbers(rule, 1)?;
        let align = numbers.get(1).ok_or_else(|| format!("data layout: {rule}"))?;
        map(self).insert(numbers[0], u64::from(align / 8).max(1));
        Ok(())
    }

    /// A type without members.
    #[must_use]
    pub fn scalar(&self, form: Form) -> Shape {
        let (bytes, align) = match &form {
            Form::Integer(bits) => (bits.div_ceil(8), wider(&self.integers, *bits)),
            Form::Float(bits) => (bits.div_ceil(8), own(&self.floats, *bits)),
            Form::Pointer => (self.pointer_bytes, self.pointer_align),
            _ => (0, 1),
        };
        Shape { form, size: u64::from(bytes).next_multiple_of(align), align }
    }

    /// A struct.
    #[must_use]
    pub fn record(&self, members: Vec<Rc<Shape>>, packing: Packing) -> Shape {
        let (mut end, mut widest) = (0u64, 1);
        let mut placed = Vec::with_capacity(members.len());
        for member in members {
            let align = if packing == Packing::Packed { 1 } else { member.align };
            end = end.next_multiple_of(align);
            widest = widest.max(align);
            let size = member.size;
            placed.push((end, member));
            end = end.saturating_add(size);
        }
        Shape { form: Form::Record(placed), size: end.next_multiple_of(widest), align: widest }
    }

    /// An array.
    #[must_use]
    pub fn array(&self, element: Rc<Shape>, length: u64) -> Shape {
        let (size, align) = (element.size.saturating_mul(length), element.align);
        Shape { form: Form::Array(element, length), size, align }
    }

    /// A vector.
    #[must_use]
    pub fn vector(&self, element: Rc<Shape>, length: u64) -> Shape {
        let bits = match element.form {
            Form::Integer(bits) | Form::Float(bits) => bits,
            _ => self.pointer_bytes * 8,
        };
        let bits = bits.saturating_mul(u32::try_from(length).unwrap_or(u32::MAX));
        let align = own(&self.vectors, bits);
        let size = u64::from(bits.div_ceil(8)).next_multiple_of(align);
        Shape { form: Form::Vector(element, length), size, align }
    }

    /// The type of a value with this shape. Types nest as deep as C declares them; LLVM's parser recursed on them before.
    #[must_use]
    pub fn value_type(&self, shape: &Shape) -> Type {
        match &shape.form {
            Form::Void => Type::Void,
            Form::Integer(bits @ 1..=128) => Type::Integer(*bits),
            Form::Pointer => Type::Pointer,
            Form::Float(32) => Type::Float,
            Form::Float(64) => Type::Double,
            Form::Record(members) => Type::Aggregate {
                members: members.iter().map(|(at, member)| (*at, self.value_type(member))).collect(),
                size: shape.size,
            },
            Form::Array(element, length) if *length <= MEMBERS => {
                let ty = self.value_type(element);
                let members = (0..*length).map(|number| (number * element.size, ty.clone())).collect();
                Type::Aggregate { members, size: shape.size }
            }
            form => Type::Other { name: form.name(), size: shape.size },
        }
    }
}

impl Default for Layout {
    /// What LLVM assumes where the text says nothing.
    fn default() -> Self {
        Self {
            pointer_bytes: 8,
            pointer_align: 8,
            integers: BTreeMap::from([(1, 1), (8, 1), (16, 2), (32, 4), (64, 4)]),
            floats: BTreeMap::from([(16, 2), (32, 4), (64, 8), (128, 16)]),
            vectors: BTreeMap::from([(64, 8), (128, 16)]),
        }
    }
}

/// The alignment of an integer: its own rule, or that of the next wider one, or of the widest one.
fn wider(rules: &BTreeMap<u32, u64>, bits: u32) -> u64 {
    let rule = rules.range(bits..).next().or_else(|| rules.iter().next_back());
    rule.map_or(1, |(_, &align)| align)
}

/// The alignment of a float or a vector: its own rule, or its size.
fn own(rules: &BTreeMap<u32, u64>, bits: u32) -> u64 {
    rules.get(&bits).copied().unwrap_or(u64::from(bits.div_ceil(8)).next_power_of_two())
}

/// The numbers of a rule, from a position on, parted by colons.
fn numbers(rule: &str, from: usize) -> Result<Vec<u32>, String> {
    let numbers: Result<Vec<u32>, _> = rule[from..].split(':').map(str::parse).collect();
    numbers.map_err(|_| format!("data layout: {rule}"))
}

/// Whether values of a type can be computed with.
#[must_use]
pub fn is_modelled(ty: &Type) -> bool {
    match ty {
        Type::Other { .. } => false,
        Type::Aggregate { members, .. } => members.iter().all(|(_, member)| is_modelled(member)),
        _ => true,
    }
}
