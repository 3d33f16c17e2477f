//! Statements with the idioms of kernels and their drivers: `idioms.c` has the functions and types, the lists here say
//! how generated programs use them.
//!
//! In a template `#` stands for any expression, `%T` for a type, `%S` for one of at most 32 bits, `%n` for a small number, `@` with the name of a type
//! for the address of some variable of that width.

use super::{Place, SCALARS, Statement, Writer};

/// What the programs start with.
pub const PROLOGUE: &str = include_str!("idioms.c");

/// What stands at their end: a function that is called before it is declared.
pub const EPILOGUE: &str = "int declared_late(int a, int b) { return (a & 0xffff) - (b & 0xff); }\n";

/// Members that can be assigned like variables, with the numbers of their types.
const PLACES: [(&str, usize, bool); 28] = [
    ("flags.a", 5, false),
    ("flags.b", 4, false),
    ("flags.c", 1, false),
    ("flags.d", 9, false),
    ("flags.e", 3, false),
    ("flags.g", 0, false),
    ("tight.a", 1, false),
    ("tight.b", 5, false),
    ("tight.c", 3, false),
    ("tight.d", 4, false),
    ("regs[1].whole", 5, true),
    ("regs[1].half[1]", 3, true),
    ("regs[2].byte[1]", 1, true),
    ("io->byte[2]", 1, false),
    ("io->bits.low", 5, false),
    ("regs[1].bits.mid", 5, false),
    ("regs[2].bits.top", 4, false),
    ("regs[2].part.a", 1, true),
    ("io->part.rest.b", 3, false),
    ("nest.r[1].whole", 5, true),
    ("nest.r[0].bits.mid", 5, false),
    ("nest.p.a", 2, true),
    ("nest.t.c", 1, true),
    ("items[1].key", 4, true),
    ("items[2].key", 4, true),
    ("items[1].sub.weight", 2, true),
    ("bitmap[2]", 7, true),
    ("bitmap[3]", 7, true),
];

/// Expressions of assembly.
const ASSEMBLY: [&str; 42] = [
    "xchg8(@8, #)",
    "xchg16(@16, #)",
    "xchg32(@32, #)",
    "xchgword(@word, #)",
    "cmpxchg8(@8, #, #)",
    "cmpxchg16(@16, #, #)",
    "({ volatile u32 *at = @32; cmpxchg32(at, *at ^ (# & 1), #); })",
    "({ volatile u8 *at = @8; cmpxchg8(at, *at ^ (# & 1), #); })",
    "cmpxchgword(@word, #, #)",
    "({ volatile u16 *at = @16; try_cmpxchg16(at, *at, #); })",
    "try_cmpxchg32(@32, #, #)",
    "({ volatile word *at = @word; try_cmpxchgword(at, *at & ~(word)1, #); })",
    "xadd8(@8, #)",
    "xadd16(@16, #)",
    "xadd32(@32, #)",
    "xaddword(@word, #)",
    "load16(@16) + store8(@8, #)",
    "load32(@32) ^ storeword(@word, #)",
    "add_e8(@8, #)",
    "add_e32(@32, -%n)",
    "sub_e16(@16, #)",
    "({ volatile u32 *at = @32; sub_e32(at, *at); })",
    "and_ne8(@8, #)",
    "and_ne32(@32, #)",
    "or_s16(@16, #)",
    "or_sword(@word, #)",
    "xor_z8(@8, %n)",
    "add_s32(@32, #)",
    "sub_nzword(@word, #)",
    "inc8(@8, 0) + dec16(@16, 0) * 2 + add32(@32, #) * 4 + subword(@word, 0) * 8",
    "inc32(@32, 0) + decword(@word, 0) * 2 + add8(@8, #) * 4 + sub16(@16, 0) * 8",
    "bts_sbb(#)",
    "btr_sbb(#)",
    "btc_sbb(#)",
    "bts_setc(#) + 2 * btr_setc(#) + 4 * btc_setc(#)",
    "test_bit(#)",
    "clear_few()",
    "lowest(#) + highest(#)",
    "lowest_or_none(# & %n)",
    "hidden(#) ^ hidden_byte(#)",
    "moved(#, #)",
    "swapped_bytes(#, #) ^ computed(#, #)",
];

/// Expressions of the other idioms.
const OTHERS: [&str; 60] = [
    "enqueue(#, #)",
    "enqueue(%n, #)",
    "hurry(#)",
    "dequeue()",
    "in_order()",
    "container_of(hidden_pointer(&items[%n % 4].link), struct item, link)->tag",
    "container_of(&items[%n % 4].sub.other, struct item, sub.other)->key",
    "hook_on(#, #)",
    "hook_on(%n, %n)",
    "hooked(#)",
    "flag_bytes(#)",
    "write_register(#, #)",
    "values(#, #)",
    "probe(%n, %n)",
    "probe(#, #)",
    "device_get(#, #)",
    "device_set(#, #, #)",
    "device_set(%n, %n, #)",
    "device_put(#)",
    "push(%n, #)",
    "push(#, #)",
    "pop(#)",
    "({ void *one = &flags, *two = xchg_pointer(&one, &tight); two == &flags && one == &tight; })",
    "message(#, #)",
    "computed_length(#, #)",
    "from_tables(#)",
    "checksum(&regs[%n % 3], sizeof regs[0])",
    "checksum(@32, 4)",
    "classify(#)",
    "classify((int)(#) % 40)",
    "classify((int)(#) % 3000)",
    "interpret(#, #)",
    "old_style((int)(#), (short)(#), (unsigned char)(#))",
    "declared_late((int)(#), (int)(#))",
    "take(&items[%n % 4]) + take((u8 *)&regs[1].half[1]) + labelled(#)",
    "memory(#, #)",
    "({ %S r; int o = __builtin_add_overflow((%S)(#), (%S)(#), &r); (u64)r * 2 + o; })",
    "({ %S r; int o = __builtin_sub_overflow((%S)(#), (%S)(#), &r); (u64)r * 2 + o; })",
    "({ %S r; int o = __builtin_mul_overflow((%S)(#), (%S)(#), &r); (u64)r * 2 + o; })",
    "__builtin_ffs(#) + 100 * __builtin_ffsll(#) + 10000 * __builtin_ffsl(# & %n)",
    "__builtin_clz((u32)(#) | 1) + 100 * __builtin_ctzll((u64)(#) | 1ull << 63) + 10000 * __builtin_clzl((word)(#) | %n | 1)",
    "__builtin_popcount(#) + 100 * __builtin_popcountll(#) + 10000 * __builtin_parity(#)",
    "__builtin_bswap16(#) + __builtin_bswap32(#) + __builtin_bswap64(#)",
    "likely((u8)(#) > %n) + 2 * unlikely(!(#))",
    "__builtin_offsetof(struct device, fifo.ring[(%n)]) + sizeof(struct flags) + sizeof(struct tight) + __alignof__(union reg)",
    "__builtin_types_compatible_p(typeof((%T)1), %T) + __builtin_choose_expr(sizeof(%T) == 4, 1, 2) + __builtin_constant_p(%n)",
    "min((%T)(#), (%T)(#))",
    "clamp((short)(#), %n, 1000)",
    "({ typeof(#) kept = (#); kept ?: %n; })",
    "({ flags.f = (#); flags.f ^= 1; flags.f; })",
    "({ struct flags copy = flags; copy.b++; copy.d -= (#); flags = copy; copy.b; })",
    "((u8 *)&regs[1])[(u32)(#) % sizeof regs[1]] + *((u8 *)&io->whole + (%n & 3))",
    "((char *)&items[2].key - (char *)&items[0].key) / (long)sizeof items[0] + (&regs[2] - &regs[0])",
    "__sync_fetch_and_add(@32, #) + __sync_sub_and_fetch(@8, #)",
    "__sync_bool_compare_and_swap(@16, #, #) + __sync_val_compare_and_swap(@32, #, #)",
    "__atomic_exchange_n(@8, #, __ATOMIC_SEQ_CST) + __atomic_fetch_nand(@16, #, __ATOMIC_SEQ_CST)",
    "__sync_lock_test_and_set(@word, #) + __sync_fetch_and_xor(@8, #) + __sync_nand_and_fetch(@32, #)",
    "(int)(long)ERR_PTR(-(long)%n) + IS_ERR(ERR_PTR(-(long)%n)) + IS_ERR((void *)0)",
    "({ __label__ out; int left = %n; if ((u8)(#) & 1) goto out; left += 2; out: left; })",
    "((struct pair){ .a = (#), .b = (#) }).b + turned((struct pair){ (#), (#) }).a",
];

impl Writer {
    /// Macros for `idioms.c`, and what can be assigned there.
    pub fn idioms(&mut self) -> String {
        let mut text = String::new();
        let mut width = |most: usize| 1 + self.random.below(most);
        let (low, mid) = (width(15), width(9));
        let widths = [low, mid, width(32 - low - mid), width(31), width(31), width(7), width(63), width(15)];
        for (at, width) in widths.into_iter().enumerate() {
            text += &format!("#define W{at} {width}\n");
        }
        for at in 0..5 {
            text += &format!("#define K{at} {}\n", self.random.next() & 0x7fff_ffff);
        }
        let table: Vec<String> = (0..256).map(|_| (self.random.next() & 0xffff_ffff).to_string()).collect();
        text += &format!("static const unsigned table[256] = {{{}}};\n{PROLOGUE}", table.join("u, ") + "u");
        for (place, ty, addressable) in PLACES {
            self.globals.push(Place { text: place.into(), ty, addressable });
        }
        self.idiomatic = true;
        text
    }

    /// A statement with an idiom.
    pub fn idiom(&mut self) -> Statement {
        let template = if self.random.below(2) == 0 { self.one(&ASSEMBLY) } else { self.one(&OTHERS) };
        let value = self.filled(template);
        let place = self.one(&self.places.clone());
        let head = match self.random.below(9) {
            0..=2 => format!("{} = ({})({value});", place.text, SCALARS[place.ty].name),
            // This one fails now and then.
            3 => format!("CHECK(((unsigned long long)({value}) & 31) != {});", self.random.below(32)),
            _ => format!("sum = sum * 31 + (unsigned long long)({value});"),
        };
        Statement { head, ..Statement::default() }
    }

    /// A template with everything in its place.
    fn filled(&mut self, template: &str) -> String {
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['#', '%', '@']) {
            text += &rest[..at];
            let (mark, after) = rest[at..].split_at(1);
            let word = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
            rest = &after[word..];
            match (mark, &after[..word]) {
                ("#", "") => text += &format!("({})", self.any(1)),
                ("@", width) => text += &self.address(width),
                ("%", "T") => text += SCALARS[self.random.below(SCALARS.len())].name,
                ("%", "S") => text += SCALARS[self.random.below(6)].name,
                ("%", "n") => text += &self.random.below(80).to_string(),
                (mark, word) => text += &format!("{mark}{word}"),
            }
        }
        text + rest
    }

    /// The address of a variable that has so many bits.
    fn address(&mut self, width: &str) -> String {
        let types = match width {
            "8" => [0, 1],
            "16" => [2, 3],
            "32" => [4, 5],
            _ => [6, 7],
        };
        let fits = |place: &&Place| types.contains(&place.ty) && place.addressable;
        let all: Vec<String> = self.places.iter().filter(fits).map(|place| place.text.clone()).collect();
        let place = self.one(&all);
        let ty = if width == "word" { "word".to_owned() } else { format!("u{width}") };
        format!("(volatile {ty} *)&{place}")
    }
}
