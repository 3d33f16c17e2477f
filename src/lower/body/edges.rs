//! Edges: what the pending one reads, writes and assumes, where it is cut, what is kept behind a cut, and how control ends.

use crate::checks::Cut;
use crate::lower::body::pending::Pending;
use crate::lower::body::{Body, Dead, Step};
use crate::lower::threads::sections;
use crate::lower::{new_location, shadow};
use crate::program::{Action, Block, Edge, LocationId, PropertyId, PropertyKind, Scope};
use crate::term::{Node, Symbol, Term};

impl Body<'_, '_> {
    /// Ends the pending edge, if it does anything, and starts another one behind it.
    pub fn cut(&mut self, cut: Cut) -> LocationId {
        self.keep_values(cut);
        if self.pending().is_idle() {
            return self.pending().from;
        }
        let to = self.new_location();
        self.leave(to, None, &[]);
        self.restart(to);
        to
    }

    /// Values that are used behind the cut and would mean something else there go to variables.
    fn keep_values(&mut self, cut: Cut) {
        let cut = if self.lowering.threaded() { Cut::Call } else { cut };
        let mut defined = std::mem::take(&mut self.defined);
        // An operand of the instruction at hand is still needed.
        defined.retain(|&value| self.uses[value].last >= self.site.number || self.uses[value].elsewhere);
        for &value in &defined {
            let current = self.values[value].clone().expect("defined");
            // What only the instruction at hand needs is read before others can change anything.
            let last = self.uses[value].last == self.site.number && !self.uses[value].elsewhere;
            let cut = if last && !self.lowering.threaded() { Cut::Plain } else { cut };
            let stale = current.leaves().into_iter().any(|leaf| self.is_stale(leaf, cut));
            if stale {
                let slot = self.slot(value);
                self.save(&slot, &current);
                self.values[value] = Some(slot);
            }
            shadow::keep(self, value, cut);
        }
        self.defined = defined;
    }

    /// Whether a term means something else behind such a cut.
    pub fn is_stale(&mut self, term: Term, cut: Cut) -> bool {
        let free = self.free.of(&self.lowering.store, term);
        let pending = self.pending.as_ref().expect("control gets here");
        let variables = &self.lowering.variables;
        free.iter().any(|&symbol| {
            let variable = &variables[symbol];
            let global = matches!(variable.scope, Scope::Global);
            pending.changes(symbol) || variable.scope == Scope::Input || (cut == Cut::Call && global)
        })
    }

    /// The edge to a location, with a further condition and further updates.
    pub fn leave(&mut self, to: LocationId, condition: Option<Term>, more: &[(Symbol, Term)]) {
        let pending = self.pending.as_ref().expect("control gets here");
        let (from, places) = (pending.from, pending.places.clone());
        let block = pending.block(&mut self.lowering.store, condition, more);
        if self.lowering.store.node(block.guard) == Node::Boolean(false) {
            return;
        }
        self.edge(Edge { from, to, action: Action::Block(block), property: None, places });
    }

    pub fn edge(&mut self, edge: Edge) {
        sections::open(self, edge.from);
        self.lowering.procedures[self.procedure].edges.push(edge);
    }

    pub fn new_location(&mut self) -> LocationId {
        let to = new_location(&mut self.lowering.procedures[self.procedure]);
        self.lowering.procedures[self.procedure].locations[to].place = self.place;
        to
    }

    /// An edge of its own kind, and what comes behind it.
    pub fn act(&mut self, action: Action, cut: Cut) {
        self.cut(cut);
        let from = self.pending().from;
        let to = self.new_location();
        let places = self.place.into_iter().collect();
        self.edge(Edge { from, to, action, property: None, places });
        self.restart(to);
    }

    /// Goes on at a location.
    pub fn restart(&mut self, at: LocationId) {
        self.pending = Some(Pending::at(at));
        let place = self.place;
        self.pending().place(place);
    }

    pub fn pending(&mut self) -> &mut Pending {
        self.pending.as_mut().expect("control gets here")
    }

    pub fn read(&mut self, symbol: Symbol) -> Term {
        let pending = self.pending.as_ref().expect("control gets here");
        pending.read(&mut self.lowering.store, symbol)
    }

    pub fn write(&mut self, symbol: Symbol, value: Term) {
        self.pending().write(symbol, value);
    }

    pub fn assume(&mut self, condition: Term) {
        let pending = self.pending.as_mut().expect("control gets here");
        pending.assume(&mut self.lowering.store, condition);
    }

    /// Control ends here.
    pub fn end<T>(&mut self, action: Action) -> Step<T> {
        self.act(action, Cut::Plain);
        Err(Dead)
    }

    pub fn unsupported<T>(&mut self, what: impl Into<String>) -> Step<T> {
        self.end(Action::Unsupported(what.into()))
    }

    /// Where the condition holds, control gets to what is not modelled; it goes on where it does not.
    pub fn unsupported_if(&mut self, condition: Term, what: &str) {
        let condition = self.settled(condition);
        self.unsupported_beside(condition, what);
        let otherwise = self.lowering.store.not(condition);
        self.assume(otherwise);
    }

    /// Where the condition holds, what follows is not all that may happen: control may get to what is not modelled, too.
    pub fn unsupported_beside(&mut self, condition: Term, what: &str) {
        if self.lowering.store.truth(condition) == Some(false) {
            return;
        }
        let condition = self.settled(condition);
        let values = self.snapshot();
        let here = self.pending().from;
        self.assume(condition);
        let _ = self.unsupported::<()>(what);
        self.restore(values);
        self.restart(here);
    }

    /// A condition over the state behind a cut.
    pub fn settled(&mut self, condition: Term) -> Term {
        self.all_settled([condition])[0]
    }

    /// Conditions over the state behind one cut.
    pub fn all_settled<const N: usize>(&mut self, conditions: [Term; N]) -> [Term; N] {
        if self.pending().is_idle() && !self.pending().shared {
            // They are about the very state that the next edge starts from.
            return conditions;
        }
        let kept = conditions.map(|condition| {
            if !self.needs_keeping(condition) {
                return condition;
            }
            let bit = self.bit(condition);
            let symbol = self.temporary("condition", 1);
            self.write(symbol, bit);
            let bit = self.lowering.store.symbol(symbol);
            self.is_one(bit)
        });
        self.cut(Cut::Plain);
        kept
    }

    /// Whether a term means something else behind a cut.
    pub fn needs_keeping(&mut self, term: Term) -> bool {
        self.is_stale(term, if self.lowering.threaded() { Cut::Call } else { Cut::Plain })
    }

    /// A property that is violated if the condition (always, if there is none) holds here.
    pub fn property(&mut self, kind: PropertyKind, text: String, violated: Option<Term>) -> PropertyId {
        self.cut(Cut::Plain);
        let place = self.place;
        let id = self.lowering.property(self.procedure, kind, text, place);
        let to = self.new_location();
        let from = self.pending().from;
        let always = self.lowering.store.boolean(true);
        let block = Block { guard: violated.unwrap_or(always), updates: Vec::new(), inputs: Vec::new() };
        sections::open(self, from);
        let edges = &mut self.lowering.procedures[self.procedure].edges;
        let places = place.into_iter().collect();
        let edge = edges.push(Edge { from, to, action: Action::Block(block), property: Some(id), places });
        self.lowering.claims.properties[id].edges.push((self.procedure, edge));
        id
    }

    /// Arguments, over the state behind a cut.
    pub fn keep_terms(&mut self, terms: Vec<Term>) -> Vec<Term> {
        // What depends on the pending edge goes through variables.
        let mut out = Vec::new();
        for term in terms {
            if self.needs_keeping(term) {
                let symbol = self.kept("argument", term);
                out.push(self.lowering.store.symbol(symbol));
            } else {
                out.push(term);
            }
        }
        out
    }
}
