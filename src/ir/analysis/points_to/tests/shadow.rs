//! Memory as regions hold it.

use crate::ground::index::Index;
use crate::ir::FunctionId;
use crate::ir::analysis::points_to::{Origin, PointsTo, RegionId, RegionKind};
use std::collections::BTreeMap;

/// Contents of regions.
pub struct Shadow<'m> {
    points_to: &'m PointsTo,
    scalars: BTreeMap<RegionId, Vec<u8>>,
    cells: BTreeMap<(RegionId, u64), Vec<u8>>,
}

/// Scalars of an activation that is interrupted by another one of the same function.
pub type Saved = Vec<(RegionId, Option<Vec<u8>>)>;

impl<'m> Shadow<'m> {
    pub fn new(points_to: &'m PointsTo) -> Self {
        Self { points_to, scalars: BTreeMap::new(), cells: BTreeMap::new() }
    }

    /// An object comes into being: all that is ever accessed of it gets its value.
    pub fn create(&mut self, address: u64, origin: Origin, bytes: &[u8]) {
        for cell in self.points_to.cells(origin) {
            let (mut offset, width) = (cell.offset, u64::from(cell.bits / 8));
            while offset + width <= cell.until.unwrap_or(u64::MAX).min(bytes.len() as u64) {
                let start = usize::try_from(offset).unwrap();
                let piece = &bytes[start..start + usize::try_from(width).unwrap()];
                self.write(cell.region, address + offset, (origin, offset), piece);
                match cell.repeats {
                    Some(stride) => offset += stride,
                    None => break,
                }
            }
        }
    }

    pub fn write(&mut self, region: RegionId, address: u64, place: (Origin, u64), bytes: &[u8]) {
        match self.points_to.regions()[region].kind {
            RegionKind::Scalar { origin, offset, bits } => {
                assert_eq!((origin, offset), place, "a scalar is written elsewhere");
                assert_eq!(bits as usize, bytes.len() * 8, "a scalar is written in part");
                self.scalars.insert(region, bytes.to_vec());
            }
            RegionKind::Cells { bits } => {
                assert_eq!(bits as usize, bytes.len() * 8, "a cell is written in part");
                self.cells.insert((region, address), bytes.to_vec());
            }
            RegionKind::Bytes => {
                for (number, byte) in bytes.iter().enumerate() {
                    self.cells.insert((region, address + number as u64), vec![*byte]);
                }
            }
        }
    }

    pub fn read(&self, region: RegionId, address: u64, place: (Origin, u64), width: u64) -> Option<Vec<u8>> {
        match self.points_to.regions()[region].kind {
            RegionKind::Scalar { origin, offset, bits } => {
                assert_eq!((origin, offset), place, "a scalar is read elsewhere");
                assert_eq!(u64::from(bits), width * 8, "a scalar is read in part");
                self.scalars.get(&region).cloned()
            }
            RegionKind::Cells { bits } => {
                assert_eq!(u64::from(bits), width * 8, "a cell is read in part");
                self.cells.get(&(region, address)).cloned()
            }
            RegionKind::Bytes => {
                (address..address + width).map(|at| Some(self.cells.get(&(region, at))?[0])).collect()
            }
        }
    }

    /// A function is entered: its scalars are those of a new activation.
    pub fn enter(&mut self, function: FunctionId) -> Saved {
        let ids = (0..self.points_to.regions().len()).map(RegionId::new);
        let mine = ids.filter(|&id| match self.points_to.regions()[id].kind {
            RegionKind::Scalar { origin: Origin::Local(of, _) | Origin::Copy(of, _), .. } => of == function,
            _ => false,
        });
        let mine: Vec<RegionId> = mine.collect();
        mine.into_iter().map(|id| (id, self.scalars.remove(&id))).collect()
    }

    /// A function returns.
    pub fn leave(&mut self, saved: Saved) {
        for (id, value) in saved {
            match value {
                Some(value) => self.scalars.insert(id, value),
                None => self.scalars.remove(&id),
            };
        }
    }
}
