//! Sets of truth assignments to a few atoms, and covers of them by few cubes.
//!
//! A table has one bit per assignment, so it is exact and small for the handful of atoms that one transition looks at.
//! [`cover`] expands minterms to primes one after the other: not the fewest cubes, but none too small.

/// A set of assignments to so many atoms: assignment `n` gives atom `i` the bit `i` of `n`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Table {
    atoms: usize,
    bits: Vec<bool>,
}

/// A conjunction of literals: the atoms in `mask` have the values in `values`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Cube {
    pub mask: usize,
    pub values: usize,
}

impl Cube {
    /// Atoms and their values, in order.
    pub fn literals(self) -> impl Iterator<Item = (usize, bool)> {
        (0..usize::BITS as usize)
            .filter(move |atom| self.mask >> atom & 1 == 1)
            .map(move |atom| (atom, self.values >> atom & 1 == 1))
    }

    /// The cube of one assignment to so many atoms.
    pub fn minterm(atoms: usize, assignment: usize) -> Self {
        Self { mask: (1 << atoms) - 1, values: assignment }
    }

    /// The same cube over more atoms: atom `i` is at place `i` of a list.
    pub fn moved(self, places: &[usize]) -> Self {
        self.literals().fold(Self { mask: 0, values: 0 }, |cube, (atom, value)| Self {
            mask: cube.mask | 1 << places[atom],
            values: cube.values | usize::from(value) << places[atom],
        })
    }

    /// The larger cube with some of the atoms only.
    pub fn retain(self, keep: impl Fn(usize) -> bool) -> Self {
        self.literals().filter(|&(atom, _)| !keep(atom)).fold(self, |cube, (atom, _)| cube.without(atom))
    }

    fn contains(self, assignment: usize) -> bool {
        assignment & self.mask == self.values
    }

    /// The larger cube without this atom.
    fn without(self, atom: usize) -> Self {
        Self { mask: self.mask & !(1 << atom), values: self.values & !(1 << atom) }
    }
}

impl Table {
    /// No assignment.
    pub fn empty(atoms: usize) -> Self {
        Self { atoms, bits: vec![false; 1 << atoms] }
    }

    /// Every assignment.
    pub fn full(atoms: usize) -> Self {
        Self { atoms, bits: vec![true; 1 << atoms] }
    }

    /// The assignments that a function says.
    pub fn of(atoms: usize, mut contains: impl FnMut(usize) -> bool) -> Self {
        Self { atoms, bits: (0..1 << atoms).map(&mut contains).collect() }
    }

    /// Adds an assignment.
    pub fn insert(&mut self, assignment: usize) {
        self.bits[assignment] = true;
    }

    /// Whether an assignment is in it.
    pub fn contains(&self, assignment: usize) -> bool {
        self.bits[assignment]
    }

    /// All assignments in it.
    pub fn assignments(&self) -> Vec<usize> {
        (0..self.bits.len()).filter(|&assignment| self.bits[assignment]).collect()
    }

    /// The other assignments.
    pub fn complement(&self) -> Self {
        Self::of(self.atoms, |assignment| !self.bits[assignment])
    }

    /// Whether all assignments of a cube are in it.
    fn includes(&self, cube: Cube) -> bool {
        (0..self.bits.len()).all(|assignment| !cube.contains(assignment) || self.bits[assignment])
    }
}

/// Cubes that contain all of `on`, and nothing but `on` and what does not matter.
pub(super) fn cover(on: &Table, dont_care: &Table) -> Vec<Cube> {
    let allowed = Table::of(on.atoms, |assignment| on.contains(assignment) || dont_care.contains(assignment));
    let mut cubes: Vec<Cube> = Vec::new();
    for assignment in 0..on.bits.len() {
        if on.contains(assignment) && !cubes.iter().any(|cube| cube.contains(assignment)) {
            cubes.push(expand(&allowed, assignment));
        }
    }
    cubes
}

/// A prime that contains an assignment. Atoms that come last are dropped first: they matter least.
fn expand(allowed: &Table, assignment: usize) -> Cube {
    let mut cube = Cube::minterm(allowed.atoms, assignment);
    for atom in (0..allowed.atoms).rev() {
        let larger = cube.without(atom);
        if allowed.includes(larger) {
            cube = larger;
        }
    }
    cube
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All functions of three atoms, with all sets of one or no assignment that does not matter.
    #[test]
    fn covers_are_exact_and_prime() {
        for function in 0usize..256 {
            let on = Table::of(3, |assignment| function >> assignment & 1 == 1);
            for free in 0..9 {
                let dont_care = Table::of(3, |assignment| assignment == free);
                let cubes = cover(&on, &dont_care);
                for assignment in (0..8).filter(|&assignment| assignment != free) {
                    let covered = cubes.iter().any(|cube| cube.contains(assignment));
                    assert_eq!(covered, on.contains(assignment), "{function} {free} {assignment}");
                }
                let allowed = Table::of(3, |a| on.contains(a) || dont_care.contains(a));
                for cube in cubes {
                    for (atom, _) in cube.literals() {
                        assert!(!allowed.includes(cube.without(atom)), "{cube:?} is no prime of {function}");
                    }
                }
            }
        }
    }

    #[test]
    fn complement_and_ends() {
        assert_eq!(Table::empty(2).complement(), Table::full(2));
        assert_eq!(cover(&Table::full(2), &Table::empty(2)), [Cube { mask: 0, values: 0 }]);
        assert_eq!(cover(&Table::empty(2), &Table::full(2)), []);
    }
}
