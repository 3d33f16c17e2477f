//! One construct of C, or of LLVM, each.

use super::{DataModel, Library, ReadError, has, options, read_files, text, text_of_llvm, text64};

#[test]
fn arithmetic_has_its_flags() {
    let t =
        text("unsigned u; int f(int a, int b) { u = u + 1; return a * b - (a << 2) + (a >> 1) + (u >> 1); }");
    has(
        &t,
        &[
            "= multiply nsw %",
            "= subtract nsw",
            "= shift left %",
            "= shift right signed %",
            "= shift right %",
        ],
    );
    has(&t, &["%add: i32 = add %", "function @f(%a: i32, %b: i32): i32"]);
}

#[test]
fn division_and_remainder_know_signs() {
    let t = text("int f(int a, unsigned b) { return a / 3 + a % 5 + b / 7 + b % 9; }");
    has(&t, &["signed divide %", "i32 3", "signed remainder %", "unsigned divide %", "unsigned remainder %"]);
}

#[test]
fn comparisons_know_signs() {
    let t = text(
        "int f(int a, unsigned b, char *p, char *q) { return (a < 0) + (b > 1) + (p <= q) + (p != q); }",
    );
    has(&t, &["signed less %", "unsigned greater %", "unsigned less equal %", "i1 = not equal %"]);
}

#[test]
fn locals_and_parameters_have_names_and_types() {
    let t = text(
        "struct node { int v; struct node *next; };\nint f(struct node *n) {\n  unsigned char c = 1;\n  return n->v + c; }",
    );
    has(&t, &["// struct node *n, parameter 1, t.c:2", "// unsigned char c, t.c:3"]);
    has(&t, &["offset in bounds %", "// 4:13"]);
}

#[test]
fn variables_of_one_name_in_two_blocks_stay_apart() {
    let t = text("int f(void) { { int i = 1; } { char i = 2; return i; } }");
    has(&t, &["// int i, t.c:1", "// char i, t.c:1"]);
}

#[test]
fn globals_have_names_types_and_bytes() {
    let t = text(
        "int a = -2; static short b[3] = {1, 2}; const char *s = \"hi\"; double d = 1.0; extern int e;\n\
                  int f(void) { return a + b[0] + *s + (int)d + e; }",
    );
    has(&t, &["global @a: 4 bytes, align 4 = {0: fe ff ff ff}  // int a, t.c:1"]);
    has(&t, &["global @b: 6 bytes, align 2 = {0: 01 00 02 00}  // short b[3], t.c:1"]);
    has(&t, &["global @s: 4 bytes, align 4 = {0: @.str}", "constant = {0: 68 69 00}"]);
    has(
        &t,
        &[
            "global @d: 8 bytes, align 8 = {0: 00 00 00 00 00 00 f0 3f}",
            "global @e: 4 bytes, align 4, defined elsewhere",
        ],
    );
}

#[test]
fn addresses_in_initialisers() {
    let c = "int t[4][5]; int *p = &t[1][2]; int f(int x) { return x; } int (*g)(int) = f; long n = (long)&t[2] + 4;\n\
             struct s { char c; void *q; } r = { 1, (void *)16 }; char *past = (char *)&t + 80; void *self = &self;";
    let t = text(c);
    has(&t, &["global @p: 4 bytes, align 4 = {0: @t+28}", "global @g: 4 bytes, align 4 = {0: @f}"]);
    has(
        &t,
        &["global @n: 4 bytes, align 4 = {0: @t+44}", "{0: 01, 4: 10 00 00 00}", "{0: @t+80}", "{0: @self}"],
    );
    has(&text64(c), &["global @r: 16 bytes, align 8 = {0: 01, 8: 10 00 00 00 00 00 00 00}"]);
}

#[test]
fn i386_aligns_long_long_to_four_bytes() {
    let c = "struct s { char c; long long x; double d; } v; long long f(void) { return v.x; } double g(void) { return v.d; }";
    let t = text(c);
    has(&t, &["global @v: 20 bytes", "load @v+4, align 4", "double = load @v+12, align 4"]);
    has(&text64(c), &["global @v: 24 bytes", "load @v+8, align 8", "load @v+16, align 8"]);
}

#[test]
fn packed_structs_and_bit_fields() {
    let t = text(
        "struct __attribute__((packed)) p { char c; int x; } v; struct { unsigned a:3, b:7; } w;\n\
                  int f(void) { w.b = 5; return v.x + w.a; }",
    );
    has(&t, &["global @v: 5 bytes", "load @v+1, align 1", "i16 = and %", "store %bf.set as i16 → @w"]);
}

#[test]
fn steps_through_arrays_of_structs() {
    let t = text(
        "struct s { int a; int b[7]; } v[10]; int f(int i, int j) { return v[i].b[j]; }\n\
                  int g(struct s *p, long long k) { return p[k].a; }",
    );
    has(&t, &["offset in bounds @v + %", "(i32) × 32", "offset in bounds %arrayidx + 4", "(i32) × 4"]);
}

#[test]
fn constant_addresses_step_by_the_type_they_name() {
    // The same indices with other types lead elsewhere.
    let t = text_of_llvm(
        "@a = global [40 x i8] zeroinitializer\n\
         define i32 @f() {\n  %x = load i32, ptr getelementptr (i32, ptr @a, i32 3)\n  \
         %y = load i8, ptr getelementptr (i8, ptr @a, i32 3)\n  \
         %z = load i16, ptr getelementptr ([3 x i16], ptr @a, i32 1, i32 -1)\n  ret i32 %x\n}\n",
    );
    has(&t, &["%x: i32 = load @a+12", "%y: i8 = load @a+3", "%z: i16 = load @a+4"]);
}

#[test]
fn constants_that_must_be_computed_come_before_their_user() {
    let t = text_of_llvm(
        "@a = global i32 0\n\
         define i32 @f(i1 %c) {\nentry:\n  br i1 %c, label %yes, label %no\nyes:\n  br label %no\nno:\n  \
         %p = phi i32 [ 1, %entry ], [ ptrtoint (ptr @a to i32), %yes ]\n  \
         %q = add i32 %p, mul (i32 ptrtoint (ptr @a to i32), i32 3)\n  ret i32 %q\n}\n",
    );
    has(&t, &["  yes:\n    %3: i32 = pointer to integer @a\n    jump no", "phi entry: i32 1, yes: %3"]);
    has(&t, &["%5: i32 = multiply %4, i32 3\n", "add %p, %5"]);
}

#[test]
fn integers_that_are_addresses() {
    let t = text("int f(void) { return *(volatile int *)0x1000 + (int)(void *)0; }");
    has(&t, &["ptr = integer to pointer i32 4096", "load volatile %"]);
}

#[test]
fn wide_integers_keep_all_bits() {
    let t = text64(
        "unsigned __int128 x = ((unsigned __int128)1 << 100) + 7;\n\
                    __int128 f(__int128 a) { return a + ((__int128)-5 << 70); }",
    );
    has(&t, &["global @x: 16 bytes, align 16 = {0: 07 00 00 00 00 00 00 00 00 00 00 00 10 00 00 00}"]);
    has(&t, &["add nsw %", "i128 -5902958103587056517120"]);
}

#[test]
fn floats() {
    let t = text(
        "float f(float a, double b) { return a * 2.5f + (float)-b; } int g(double a) { return a < 1.5 || a != a; }\n\
                  unsigned h(double a) { return a; }",
    );
    has(&t, &["float = float multiply %", "float 2.5", "double = float negate", "float truncate %"]);
    has(&t, &["float < %", "double 1.5", "float <>? %", "float to unsigned %"]);
}

#[test]
fn long_double_is_unsupported_where_it_is_used() {
    let t = text("long double g; int f(int a) { if (a) g = g + 1; return a; }");
    has(&t, &["global @g: 12 bytes", "unsupported: load on long double", "unsupported: fadd on long double"]);
    has(&t, &["unsupported: store on long double", "return %"]);
}

#[test]
fn vectors_are_unsupported_where_they_are_used() {
    let t = text("typedef int v __attribute__((vector_size(16))); v a; void f(void) { a = a + a; }");
    has(&t, &["unsupported: add on vector of 4 i32"]);
}

#[test]
fn calls_keep_their_own_types() {
    let t = text(
        "int g(); int f(void) { return g(1, 'a', 2.0); } int g(long long a) { return a; } void h(void) { k(3); }",
    );
    has(
        &t,
        &[
            "i32 = call @g(i32 1, i32 97, double 2.0)",
            "function @g(%a: i64): i32",
            "call @k(i32 3)",
            "declare @k(",
        ],
    );
}

#[test]
fn calls_through_pointers() {
    let t = text("int (*p)(int); int f(struct { int (*q)(void); } *s) { return p(1) + s->q(); }");
    has(&t, &["i32 = call *%", "(i32 1)"]);
}

#[test]
fn structs_by_value_are_copied() {
    let t = text(
        "struct s { int a[4]; }; int f(struct s x, ...) { return x.a[2]; } struct s v; int g(void) { return f(v, 1, v); }",
    );
    has(&t, &["function @f(%x: ptr copied 16, ...): i32", "call @f(@v, i32 1, @v copied 16)"]);
}

#[test]
fn structs_are_returned_through_an_address() {
    let t = text(
        "struct s { int a[4]; }; struct s f(void) { struct s r = {{1}}; return r; } int g(void) { return f().a[0]; }",
    );
    has(&t, &["function @f(%agg.result: ptr): void", "intrinsic copy memory("]);
}

#[test]
fn library_calls_stay_calls() {
    let t = text(
        "#include <string.h>\n#include <stdlib.h>\n#include <stdio.h>\n\
                  unsigned long f(char *p) { memcpy(p, \"ab\", 3); printf(\"%s\\n\", p); free(malloc(3)); return strlen(\"abc\"); }",
    );
    has(&t, &["call @memcpy(", "call @printf(", "call @malloc(i32 3)", "call @free(", "call @strlen("]);
}

#[test]
fn switches() {
    let t = text(
        "int f(int a, char c) { switch (a) { case -1: return 1; case 7: return 2; } switch (c) { case 'x': return 3; } return 0; }",
    );
    has(&t, &["switch %", "[-1 → sw.bb, 7 → sw.bb1] else sw.epilog", "[120 → "]);
}

#[test]
fn control_flow_and_labels() {
    let t = text("int f(int a) { ERROR: if (a && a < 5) goto ERROR; return a ? 1 : 2; }");
    has(&t, &["  ERROR:\n", "branch %", " ? land.lhs.true : if.end", "select %tobool"]);
}

#[test]
fn atomics_of_c11_and_gcc() {
    let t = text(
        "#include <stdatomic.h>\natomic_int a; int b;\nint f(void) { int e = 1; a++; __sync_fetch_and_add(&b, 2);\n\
                  __sync_synchronize(); return __atomic_compare_exchange_n(&b, &e, 5, 0, 5, 5) + a; }",
    );
    has(
        &t,
        &["atomic add @a, i32 1", "atomic add @b, i32 2", "fence", "compare exchange @b:", "load atomic @a"],
    );
}

#[test]
fn volatile_and_thread_local() {
    let t = text("volatile int v; _Thread_local int t = 2; int f(void) { v = 1; return v + t; }");
    has(&t, &["store volatile i32 1", "load volatile @v", "global @t: 4 bytes, align 4, thread-local"]);
    has(&t, &["intrinsic thread local address(@t)"]);
}

#[test]
fn builtins_are_intrinsics() {
    let t = text(
        "int f(unsigned a, int b) { int r; if (b) __builtin_trap();\n\
                  __builtin_add_overflow(b, 1, &r); return __builtin_popcount(a) + __builtin_clz(a) + r; }",
    );
    has(
        &t,
        &[
            "intrinsic trap()",
            "intrinsic signed add overflow(",
            "extract %",
            "intrinsic count ones(",
            "intrinsic leading zeros(",
        ],
    );
}

#[test]
fn variable_arguments_and_arrays_of_variable_length() {
    let t = text(
        "#include <stdarg.h>\nint f(int n, ...) { int a[n]; va_list l; va_start(l, n); a[0] = va_arg(l, int); va_end(l); return a[0]; }",
    );
    has(
        &t,
        &[
            "intrinsic start arguments(",
            "intrinsic end arguments(",
            "intrinsic save stack()",
            "allocate 4 × %",
            "intrinsic restore stack(",
        ],
    );
}

#[test]
fn assembly_keeps_its_text() {
    let t = text("int f(int a) { __asm__ volatile(\"leal 1(%q0), %0\" : \"+r\"(a)); return a; }");
    has(&t, &["i32 = call assembly \"leal 1(${0:q}), $0\" \"=r,0,", "(i32 %"]);
}

#[test]
fn computed_goto_compares_addresses_of_labels() {
    let t = text("int f(int a) { void *p = a ? &&x : &&y; goto *p; x: return 1; y: return 2; }");
    has(&t, &[".label.0", ".label.1", "unsupported: a computed jump to no label of its function"]);
}

#[test]
fn old_c_compiles() {
    let t = text(
        "main() { foo(1); return bar(2); } bar(x) { return x; } void *p = 5; int *q; char *r;\n\
                  void g() { q = r; r = 7; } inline int h(void) { return 3; } int k() { return h(); }",
    );
    has(
        &t,
        &["function @main(): i32", "function @bar(%x: i32): i32", "call @foo(i32 1)", "function @h(): i32"],
    );
}

#[test]
fn enumerations_unions_and_typedefs_have_names() {
    let module = read_files(
        &[("t.c", "enum e { A = 3, B = -1 }; typedef union { int i; enum e k; } *u; u g; int f(void) { return g->k; }")],
        &options(DataModel::Ilp32, Library::Declared),
    )
    .unwrap();
    let types = format!("{:?}", module.types);
    has(
        &types,
        &[
            "Alias { name: \"u\"",
            "name: \"enum e\"",
            "(\"A\", 3)",
            "(\"B\", -1)",
            "Field { name: \"k\", offset: 0, bits: 32",
        ],
    );
    assert_eq!(module.files.iter().filter(|file| file.ends_with("t.c")).count(), 1);
}

#[test]
fn line_directives_name_files() {
    let t = text("# 7 \"other/orig.c\"\nint f(void) { return 1; }\n");
    has(&t, &["function @f(): i32  // orig.c:7"]);
}

#[test]
fn without_debug_information_names_come_from_allocas() {
    let t = text_of_llvm(
        "define i32 @f(i32 %x) {\n  %x.addr = alloca i32\n  store i32 %x, ptr %x.addr\n  ret i32 %x\n}\n",
    );
    has(&t, &["%x.addr: ptr = allocate 4 × i32 1, align 4  // x\n"]);
}

#[test]
fn undef_poison_and_freeze() {
    let t = text_of_llvm(
        "define i32 @f() {\n  %a = freeze i32 undef\n  %b = add i32 %a, poison\n  ret i32 %b\n}\n@u = global i32 undef\n",
    );
    has(
        &t,
        &[
            "freeze undef i32",
            "add %a, poison i32",
            "unsupported: an undefined value of 4 bytes in an initialiser",
        ],
    );
}

#[test]
fn aliases_stand_for_what_they_name() {
    let t = text(
        "int v[2] = {1, 2}; extern int w[2] __attribute__((alias(\"v\"))); int f(void) { return 1; }\n\
                  int g(void) __attribute__((alias(\"f\"))); int h(void) { return g() + w[1]; }",
    );
    has(&t, &["call @f()", "load @v+4"]);
}

#[test]
fn errors_of_clang_and_of_llvm() {
    let ilp32 = options(DataModel::Ilp32, Library::Declared);
    match read_files(&[("t.c", "int f(void) { return x; }")], &ilp32) {
        Err(ReadError::Clang(text)) => has(&text, &["t.c:1:22: error:"]),
        other => panic!("{other:?}"),
    }
    match read_files(&[("t.ll", "define i32 @f() { ret i64 0 }")], &ilp32) {
        Err(ReadError::Input(text)) => has(&text, &["t.ll: "]),
        other => panic!("{other:?}"),
    }
    assert!(matches!(read_files(&[("t.rs", "")], &ilp32), Err(ReadError::Input(_))));
    let big = "target datalayout = \"E-m:e-p:32:32\"\n@x = global i32 0\n";
    assert!(
        matches!(read_files(&[("t.ll", big)], &ilp32), Err(ReadError::Input(text)) if text.contains("big-endian"))
    );
}

#[test]
fn what_runs_before_main_is_refused() {
    let c = "int x; __attribute__((constructor)) void f(void) { x = 1; } int main(void) { return x; }";
    let result = read_files(&[("t.c", c)], &options(DataModel::Ilp32, Library::Declared));
    assert!(matches!(result, Err(ReadError::Input(text)) if text.contains("constructor")));
}

#[test]
fn what_is_chosen_when_the_program_is_loaded_is_refused() {
    let c = "static int one(void) { return 1; } static int (*choose(void))(void) { return one; }
        int f(void) __attribute__((ifunc(\"choose\"))); int main(void) { return f(); }";
    let result = read_files(&[("t.c", c)], &options(DataModel::Lp64, Library::Declared));
    assert!(matches!(result, Err(ReadError::Input(text)) if text.contains("ifunc")));
}

#[test]
fn the_same_program_gives_the_same_text() {
    let c = "struct a { struct b *p; }; struct b { struct a q; int z; } v; int f(struct a *x) { return v.z + (x->p == &v); }";
    assert_eq!(text(c), text(c));
}

#[test]
fn an_object_that_only_leads_to_a_variable_is_not_the_variable() {
    let text = text_of_llvm(
        "define void @f(ptr %x) !dbg !4 {\n  %p = alloca ptr\n  %q = alloca i32\n  store ptr %x, ptr %p\n    \
         #dbg_declare(ptr %p, !6, !DIExpression(DW_OP_deref), !8)\n    #dbg_declare(ptr %q, !7, !DIExpression(), !8)\n  \
         ret void, !dbg !8\n}\n!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n\
         !0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)\n\
         !1 = !DIFile(filename: \"t.c\", directory: \"/\")\n!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
         !3 = !DISubroutineType(types: !5)\n!4 = distinct !DISubprogram(name: \"f\", file: !1, line: 1, type: !3, unit: !0)\n\
         !5 = !{null}\n!6 = !DILocalVariable(name: \"big\", scope: !4, file: !1, line: 2)\n\
         !7 = !DILocalVariable(name: \"small\", scope: !4, file: !1, line: 3)\n!8 = !DILocation(line: 4, column: 5, scope: !4)\n",
    );
    has(&text, &["allocate 4 × i32 1, align 4  // small, t.c:3"]);
    assert!(!text.contains("big"), "{text}");
}

#[test]
fn forms_that_cannot_be_read_are_errors_that_name_them() {
    let ll = "target datalayout = \"e-p:32:32\"\ndeclare void @g()\n@p = global ptr no_cfi @g\n";
    match read_files(&[("t.ll", ll)], &options(DataModel::Ilp32, Library::Declared)) {
        Err(ReadError::Input(text)) => has(&text, &["t.ll: cannot be read: ", "Constant"]),
        other => panic!("{other:?}"),
    }
}

#[test]
fn assembly_with_goto_is_unsupported_where_it_is_reached() {
    let t =
        text("int f(int a) { int r; __asm__ goto(\"\" : \"=r\"(r) : : : out); return r; out: return a; }");
    has(&t, &["unsupported: a result of the end of a block", "unsupported: assembly with goto", "  out:"]);
}

#[test]
fn functions_that_come_back_twice_are_unsupported() {
    let t = text("#include <setjmp.h>\njmp_buf b; int f(void) { if (setjmp(b)) return 1; longjmp(b, 1); }");
    has(&t, &["i32 = unsupported: _setjmp", "unsupported: longjmp"]);
}

#[test]
fn without_a_data_layout_pointers_have_eight_bytes() {
    let ll = "@p = global ptr @p\n";
    let module = read_files(&[("t.ll", ll)], &options(DataModel::Ilp32, Library::Declared)).unwrap();
    has(&module.to_string(), &["pointers of 8 bytes", "global @p: 8 bytes, align 8 = {0: @p}"]);
}
