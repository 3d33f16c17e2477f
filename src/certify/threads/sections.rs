//! Where threads are in atomic sections: at each location always, or never.

use super::meaning::Place;
use super::{Failure, ends, outgoing};
use crate::program::{Action, ProcedureId, Program};
use std::collections::BTreeSet;

/// The locations inside of atomic sections.
pub(super) struct Sections(BTreeSet<Place>);

impl Sections {
    /// The sections of templates, which must not nest.
    pub fn of(program: &Program, templates: &[ProcedureId]) -> Result<Self, Failure> {
        let mut inside = BTreeSet::new();
        for &template in templates {
            let procedure = &program.procedures[template];
            let outgoing = outgoing(procedure);
            let mut seen = BTreeSet::from([(procedure.entry, false)]);
            let mut open = vec![(procedure.entry, false)];
            while let Some((location, here)) = open.pop() {
                if here {
                    inside.insert((template, location));
                }
                if here && location == procedure.exit || seen.contains(&(location, !here)) {
                    return Err(Failure::bound(format!("atomic sections of {} cross", procedure.name)));
                }
                let edges = outgoing[location].iter().map(|&edge| &procedure.edges[edge]);
                for edge in edges.filter(|edge| !ends(edge)) {
                    let behind = match edge.action {
                        Action::AtomicBegin if !here => true,
                        Action::AtomicEnd if here => false,
                        Action::AtomicBegin | Action::AtomicEnd => {
                            return Err(Failure::bound(format!(
                                "atomic sections of {} nest",
                                procedure.name
                            )));
                        }
                        _ => here,
                    };
                    if seen.insert((edge.to, behind)) {
                        open.push((edge.to, behind));
                    }
                }
            }
        }
        Ok(Self(inside))
    }

    pub fn contains(&self, place: Place) -> bool {
        self.0.contains(&place)
    }
}
