//! Types of LLVM, laid out, each one once; and the steps of a `getelementptr` through them.

use super::debug::{Parts, Ty};
use super::layout::{Form, Layout, Shape};
use crate::ir::Type;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The types of a module.
pub struct Shapes<'d> {
    /// The machine's rules.
    pub layout: Layout,
    known: FxHashMap<Ty<'d>, Rc<Shape>>,
}

/// One index of a `getelementptr`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A constant, sign-extended.
    Constant(i64),
    /// An integer of so many bits.
    Variable(u32),
}

/// Where steps lead: so many bytes on, and number of the step, its width and its scale in bytes for those that vary.
pub type Distance = (i64, Vec<(usize, u32, i64)>);

impl<'d> Shapes<'d> {
    /// No type yet.
    #[must_use]
    pub fn new(layout: Layout) -> Self {
        Self { layout, known: FxHashMap::default() }
    }

    /// A type, laid out. It nests as deep as C declares it; LLVM's own parser recursed on it before.
    pub fn shape(&mut self, ty: Ty<'d>) -> Rc<Shape> {
        if let Some(shape) = self.known.get(&ty) {
            return Rc::clone(shape);
        }
        let shape = match ty.parts() {
            Parts::Scalar(form) => self.layout.scalar(form),
            Parts::Record(members, packing) => {
                let members = members.into_iter().map(|member| self.shape(member)).collect();
                self.layout.record(members, packing)
            }
            Parts::Array(element, length) => {
                let element = self.shape(element);
                self.layout.array(element, length)
            }
            Parts::Vector(element, length) => {
                let element = self.shape(element);
                self.layout.vector(element, length)
            }
        };
        let shape = Rc::new(shape);
        self.known.insert(ty, Rc::clone(&shape));
        shape
    }

    /// The type of a value.
    pub fn value_type(&mut self, ty: Ty<'d>) -> Type {
        let shape = self.shape(ty);
        self.layout.value_type(&shape)
    }

    /// How far the indices of a `getelementptr` lead; nothing if they step through what is not modelled.
    #[must_use]
    pub fn distance(&self, first: &Rc<Shape>, steps: &[Step]) -> Option<Distance> {
        let mut constant = 0i64;
        let mut terms = Vec::new();
        let mut shape = Rc::clone(first);
        for (number, &step) in steps.iter().enumerate() {
            if number > 0 {
                match (descend(&shape, step)?, step) {
                    (Inside::Member(offset, member), _) => {
                        constant = constant.wrapping_add(i64::try_from(offset).ok()?);
                        shape = member;
                        continue;
                    }
                    (Inside::Element(element), _) => shape = element,
                }
            }
            let scale = i64::try_from(shape.size).ok()?;
            match step {
                Step::Constant(index) => {
                    constant = constant.wrapping_add(self.wrap(index).wrapping_mul(scale))
                }
                Step::Variable(bits) => terms.push((number, bits, scale)),
            }
        }
        Some((self.wrap(constant), terms))
    }

    /// Addresses are computed with the width of a pointer.
    fn wrap(&self, offset: i64) -> i64 {
        if self.layout.pointer_bytes == 4 { i64::from(offset as i32) } else { offset }
    }
}

/// What an index picks.
enum Inside {
    Member(u64, Rc<Shape>),
    Element(Rc<Shape>),
}

fn descend(shape: &Shape, step: Step) -> Option<Inside> {
    match (&shape.form, step) {
        (Form::Record(members), Step::Constant(number)) => {
            let (offset, member) = members.get(usize::try_from(number).ok()?)?;
            Some(Inside::Member(*offset, Rc::clone(member)))
        }
        (Form::Array(element, _), _) => Some(Inside::Element(Rc::clone(element))),
        _ => None,
    }
}
