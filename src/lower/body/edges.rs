//! Edges: where they are cut, and what is kept behind a cut.

use crate::checks::Cut;
use crate::lower::body::Body;
use crate::lower::body::pending::Pending;
use crate::lower::new_location;
use crate::program::{Action, Edge, LocationId, Scope};
use crate::term::{Node, Symbol, Term};

impl Body<'_, '_> {
    /// Ends the pending edge, if it does anything, and starts another one behind it.
    pub fn cut(&mut self, cut: Cut) -> LocationId {
        self.keep_values(cut);
        if self.pending().is_idle() {
            return self.pending().from;
        }
        let to = new_location(&mut self.lowering.procedures[self.procedure]);
        self.lowering.procedures[self.procedure].locations[to].place = self.place;
        self.leave(to, None, &[]);
        self.pending = Some(Pending::at(to));
        let place = self.place;
        self.pending().place(place);
        to
    }

    /// Values that are used behind the cut and would mean something else there go to variables.
    fn keep_values(&mut self, cut: Cut) {
        let cut = if self.lowering.threaded { Cut::Call } else { cut };
        let mut defined = std::mem::take(&mut self.defined);
        // An operand of the instruction at hand is still needed.
        defined.retain(|&value| self.uses[value].last >= self.site.number || self.uses[value].elsewhere);
        for &value in &defined {
            let current = self.values[value].clone().expect("defined");
            // What only the instruction at hand needs is read before others can change anything.
            let last = self.uses[value].last == self.site.number && !self.uses[value].elsewhere;
            let cut = if last && !self.lowering.threaded { Cut::Plain } else { cut };
            let stale = current.leaves().into_iter().any(|leaf| self.is_stale(leaf, cut));
            if stale {
                let slot = self.slot(value);
                self.save(&slot, &current);
                self.values[value] = Some(slot);
            }
            self.keep_shadow(value, cut);
        }
        self.defined = defined;
    }

    fn keep_shadow(&mut self, value: crate::ir::ValueId, cut: Cut) {
        let Some(current) = self.shadows[value].clone() else { return };
        if current.leaves().into_iter().any(|leaf| self.is_stale(leaf, cut)) {
            let slot = self.shadow_slot(value);
            self.save(&slot, &current);
            self.shadows[value] = Some(slot);
        }
    }

    pub fn is_stale(&mut self, term: Term, cut: Cut) -> bool {
        let free = self.lowering.free.of(&self.lowering.store, term);
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
        self.open_section(edge.from);
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
}
