//! Values in registers.
//!
//! A [`Slot`] holds a number of at most 64 bits or an address; longer integers and aggregates take several slots. Every
//! slot has definite bits: what is uninitialised was chosen when it was read. Beside them stands which bits depend on
//! such a choice, only so that a use can be reported. An address is an object and an offset, and stays one while it is
//! moved about as an integer of the width of a pointer, so that numbers of addresses are chosen only where a program
//! observes them.

crate::index_types! {
    /// An object in memory: a variable, a piece of heap, a function.
    ObjectId,
}

impl ObjectId {
    /// No object: the slot is a number.
    pub const NONE: Self = Self(0);
    /// No value yet: it is chosen at the first use (`undef`, a local variable before its first write).
    pub const UNCHOSEN: Self = Self(u32::MAX);
}

/// A register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The number; for an address, the offset in its object.
    pub bits: u64,
    /// The bits that depend on something uninitialised.
    pub undefined: u64,
    /// The object, for an address.
    pub object: ObjectId,
}

impl Slot {
    /// Zero, and the null pointer.
    pub const ZERO: Self = Self::number(0);
    /// Not chosen yet.
    pub const UNCHOSEN: Self = Self { bits: 0, undefined: u64::MAX, object: ObjectId::UNCHOSEN };

    /// A defined number.
    #[must_use]
    pub const fn number(bits: u64) -> Self {
        Self { bits, undefined: 0, object: ObjectId::NONE }
    }

    /// The address of an object.
    #[must_use]
    pub const fn address(object: ObjectId, offset: u64) -> Self {
        Self { bits: offset, undefined: 0, object }
    }

    /// Whether it is a number without undefined bits.
    #[must_use]
    #[inline(always)]
    pub fn is_plain(self) -> bool {
        self.undefined == 0 && self.object == ObjectId::NONE
    }

    /// Whether it is an address by object and offset.
    #[must_use]
    pub fn is_address(self) -> bool {
        self.object != ObjectId::NONE && self.object != ObjectId::UNCHOSEN
    }

    /// Whether it has yet to be chosen.
    #[must_use]
    pub fn is_unchosen(self) -> bool {
        self.object == ObjectId::UNCHOSEN
    }
}

/// The low `bits` bits, up to 64.
#[must_use]
#[inline(always)]
pub const fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The low `bits` bits, up to 128.
#[must_use]
pub const fn mask128(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// A number of `bits` bits as a signed one.
#[must_use]
#[inline(always)]
pub const fn signed(value: u64, bits: u32) -> i64 {
    if bits == 0 {
        return 0;
    }
    let shift = 64 - bits;
    ((value << shift) as i64) >> shift
}

/// A number of `bits` bits, up to 128, as a signed one.
#[must_use]
pub const fn signed128(value: u128, bits: u32) -> i128 {
    if bits == 0 {
        return 0;
    }
    let shift = 128 - bits;
    ((value << shift) as i128) >> shift
}
