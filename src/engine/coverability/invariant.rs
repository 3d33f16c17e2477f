//! Linear invariants.

use super::index::NetIndex;
use crate::ground::limits::Limits;
use crate::ground::reason::Stop;
use crate::system::net::{ControlId, PlaceId};

/// Invariants that were found.
pub(super) struct Invariants;

impl Invariants {
    pub(super) fn new(_: &NetIndex<'_>) -> Self {
        Self
    }

    pub(super) fn exclude(&mut self, _: ControlId, _: &[(PlaceId, u32)], _: &Limits) -> Result<bool, Stop> {
        Ok(false)
    }
}
