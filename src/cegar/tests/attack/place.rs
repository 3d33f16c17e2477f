//! Where the object of a planted fault is stored.

/// A place for an object of type `T`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    Global,
    Heap,
    Stack,
    Member,
    Element,
    ThreadLocal,
    StaticLocal,
    Union,
}

pub(super) const PLACES: [Place; 8] = [
    Place::Global,
    Place::Heap,
    Place::Stack,
    Place::Member,
    Place::Element,
    Place::ThreadLocal,
    Place::StaticLocal,
    Place::Union,
];

/// The text of a place: what stands outside of functions, what declares it in its function, how C names the object, and
/// what ends it.
pub(super) struct Storage {
    pub top: String,
    pub declare: String,
    pub name: String,
    pub end: String,
}

impl Place {
    /// Its text. `style` picks one of several ways to write it.
    pub fn storage(self, style: usize) -> Storage {
        let (top, declare, name, end) = match self {
            Self::Global => ("T place;", "", "place", ""),
            Self::Heap => match style % 3 {
                0 => ("", "T *place = malloc(sizeof(T));", "(*place)", "free(place);"),
                1 => ("T *place;", "place = calloc(1, sizeof(T));", "(*place)", "free(place); place = 0;"),
                _ => (
                    "",
                    "T *place = malloc(1); place = realloc(place, 2 * sizeof(T) - sizeof(T));",
                    "place[0]",
                    "free(place);",
                ),
            },
            Self::Stack => ("", "T place;", "place", ""),
            Self::Member => match style % 3 {
                0 => ("struct box { char pad; T it; } box;", "", "box.it", ""),
                1 => ("struct box { char pad; T it; };", "struct box box;", "box.it", ""),
                _ => (
                    "struct box { char pad; T it; };",
                    "struct box *box = malloc(sizeof(struct box));",
                    "box->it",
                    "free(box);",
                ),
            },
            // The last element, so that what lies after it is outside.
            Self::Element => match style % 3 {
                0 => ("T places[3];", "", "places[2]", ""),
                1 => ("int last;", "T places[3]; last = 2;", "places[last]", ""),
                _ => ("T places[2][2]; int row = 1;", "", "places[row][1]", ""),
            },
            Self::ThreadLocal => ("__thread T place;", "", "place", ""),
            Self::StaticLocal => ("", "static T place;", "place", ""),
            Self::Union => match style % 2 {
                0 => ("union two { char bytes[sizeof(T)]; T it; } two;", "", "two.it", ""),
                _ => ("union two { T it; char bytes[sizeof(T)]; };", "union two two;", "two.it", ""),
            },
        };
        Storage { top: top.into(), declare: declare.into(), name: name.into(), end: end.into() }
    }

    /// Whether every function can name it.
    pub fn is_named_everywhere(self, style: usize) -> bool {
        match self {
            Self::Global | Self::ThreadLocal => true,
            Self::Heap => style % 3 == 1,
            Self::Member | Self::Union => style.is_multiple_of(if self == Self::Union { 2 } else { 3 }),
            Self::Element => style % 3 != 1,
            Self::Stack | Self::StaticLocal => false,
        }
    }

    /// Whether it starts as zeros rather than with arbitrary bytes.
    pub fn is_zero(self, style: usize) -> bool {
        match self {
            Self::Global | Self::ThreadLocal | Self::StaticLocal => true,
            Self::Heap => style % 3 == 1,
            Self::Stack => false,
            Self::Member => style.is_multiple_of(3),
            Self::Union => style.is_multiple_of(2),
            Self::Element => style % 3 != 1,
        }
    }
}
