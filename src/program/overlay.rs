//! What may be added to a program that nobody changes any more: words to speak of it.
//!
//! Lowering and the passes behind it make a program; from then on its procedures are what is verified, and what a verdict is about. A
//! proof may need words that the program does not have: new terms, symbols for values that are not those of its variables now, and
//! *ghosts*. A ghost of a procedure is what a variable was when the procedure was entered: a parameter, or a global variable. No edge
//! mentions a ghost, and nobody writes it; so it changes no run.
//!
//! [`Frozen`] is a program that can be read, and to which such words can be added, and nothing else: whoever has no other hold of a
//! program cannot edit it. The [`Overlay`] says what ghosts stand for. The abstraction takes them for parameters that calls pass
//! ([`Program::entered`]); certificates trust only the definition above, which they work out by themselves (`certify::proof`).

use super::{ProcedureId, Program, Role, Scope, Variable};
use crate::term::{Store, Symbol, Term};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Deref;

/// What a variable was when its procedure was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ghost {
    /// It.
    pub symbol: Symbol,
    /// The variable: a parameter of the procedure, or a global one.
    pub of: Symbol,
}

/// The ghosts of all procedures, in the order in which they were made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Overlay {
    ghosts: BTreeMap<ProcedureId, Vec<Ghost>>,
}

impl Overlay {
    /// The ghosts of a procedure.
    #[must_use]
    pub fn ghosts(&self, procedure: ProcedureId) -> &[Ghost] {
        self.ghosts.get(&procedure).map_or(&[], Vec::as_slice)
    }

    /// Whether a symbol is a ghost.
    #[must_use]
    pub fn is_ghost(&self, symbol: Symbol) -> bool {
        self.ghosts.values().flatten().any(|ghost| ghost.symbol == symbol)
    }
}

impl Program {
    /// What parameters and ghosts of a procedure are when it is called with these arguments: terms over the variables of the caller.
    #[must_use]
    pub fn entered(&self, callee: ProcedureId, arguments: &[Term]) -> Vec<(Symbol, Term)> {
        let parameters = &self.procedures[callee].parameters;
        let mut found: Vec<(Symbol, Term)> =
            parameters.iter().copied().zip(arguments.iter().copied()).collect();
        for ghost in self.overlay.ghosts(callee) {
            let given = found.iter().find(|(parameter, _)| *parameter == ghost.of).map(|&(_, term)| term);
            found.extend(
                given.or_else(|| self.store.find_symbol(ghost.of)).map(|value| (ghost.symbol, value)),
            );
        }
        found
    }

    /// The parameters and ghosts of a procedure.
    #[must_use]
    pub fn given_at_entry(&self, procedure: ProcedureId) -> BTreeSet<Symbol> {
        let ghosts = self.overlay.ghosts(procedure).iter().map(|ghost| ghost.symbol);
        self.procedures[procedure].parameters.iter().copied().chain(ghosts).collect()
    }
}

/// A program that is not changed any more.
pub struct Frozen<'p>(&'p mut Program);

impl Deref for Frozen<'_> {
    type Target = Program;

    fn deref(&self) -> &Program {
        self.0
    }
}

impl<'p> Frozen<'p> {
    /// From now on, and as long as this lives, the program is not changed.
    #[must_use]
    pub fn new(program: &'p mut Program) -> Self {
        Self(program)
    }

    /// The same, for somebody else, who gives it back.
    pub fn lend(&mut self) -> Frozen<'_> {
        Frozen(self.0)
    }

    /// Its terms, to which new ones may be added.
    pub fn terms(&mut self) -> &mut Store {
        &mut self.0.store
    }

    /// A symbol for an arbitrary value of the kind that a variable has. The name is for people.
    pub fn input(&mut self, name: String, like: Symbol) -> Symbol {
        let ty = self.variables[like].ty;
        self.declare(name.clone(), like, Variable { scope: Scope::Input, ty, role: Role::Input(name) })
    }

    /// What a parameter or a global variable was when a procedure was entered.
    pub fn ghost(&mut self, procedure: ProcedureId, of: Symbol) -> Symbol {
        if let Some(known) = self.overlay.ghosts(procedure).iter().find(|ghost| ghost.of == of) {
            return known.symbol;
        }
        let (name, ty) = (format!("old({})", self.store.name(of)), self.variables[of].ty);
        let symbol =
            self.declare(name, of, Variable { scope: Scope::Local(procedure), ty, role: Role::Ghost });
        // Calls that pass it find the term.
        self.terms().symbol(of);
        self.0.overlay.ghosts.entry(procedure).or_default().push(Ghost { symbol, of });
        symbol
    }

    fn declare(&mut self, name: String, like: Symbol, variable: Variable) -> Symbol {
        self.0.variables.push(variable);
        let sort = self.0.store.sort_of_symbol(like);
        self.0.store.fresh(name, sort)
    }

    /// What tallies say of a thread ([`Program::known_of_one`]).
    pub fn known_of_one(&mut self, template: ProcedureId, symbols: &BTreeSet<Symbol>) -> Vec<Term> {
        self.0.known_of_one(template, symbols)
    }

    /// What tallies say of two threads ([`Program::known_of_two`]).
    pub fn known_of_two(
        &mut self,
        templates: (ProcedureId, ProcedureId),
        symbols: &BTreeSet<Symbol>,
        name: &dyn Fn(Symbol) -> Option<Symbol>,
    ) -> Vec<Term> {
        self.0.known_of_two(templates, symbols, name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Action;
    use crate::program::generate::{BYTE, Builder};

    /// `g` is global, `f(p)` is called with `g + 1`.
    #[test]
    fn ghosts_are_passed_and_no_edge_changes() {
        let mut b = Builder::new();
        let g = b.global("g", BYTE);
        let (main, f) = (b.procedure("main"), b.procedure("f"));
        let p = b.parameter(f, "p", BYTE);
        let (now, one) = (b.read(g), b.bits(1));
        let argument = b.program.store.add(now, one);
        let (entry, exit) = b.ends(main);
        b.edge(main, entry, exit, Action::Call { procedure: f, arguments: vec![argument], result: None });
        let before = format!("{:?}", b.program.procedures);
        let mut frozen = Frozen::new(&mut b.program);
        let (old_g, old_p) = (frozen.ghost(f, g), frozen.ghost(f, p));
        assert_eq!((frozen.ghost(f, g), frozen.ghost(f, p)), (old_g, old_p), "each is made once");
        assert_eq!(frozen.entered(f, &[argument]), [(p, argument), (old_g, now), (old_p, argument)]);
        assert_eq!(frozen.given_at_entry(f), [p, old_g, old_p].into());
        assert_eq!(frozen.given_at_entry(main), [].into());
        assert_eq!(format!("{:?}", b.program.procedures), before);
        assert_eq!(b.program.variables[old_g].scope, Scope::Local(f));
    }
}
