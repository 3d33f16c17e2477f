//! Our layout of types against LLVM's own.

use super::{CompileOptions, DataModel, Folder, bitcode, compile, debug, find, layout, shapes, written};

const TYPES: &str = "
typedef int vector __attribute__((vector_size(16)));
struct a { char c; long long x; short s; double d; long double l; };
struct __attribute__((packed)) b { char c; struct a a; int i; };
struct c { struct b b[3]; char t; };
union u { char c[13]; double d; long l; };
struct d { union u u; char *p; float f; _Bool o; };
struct __attribute__((aligned(64))) e { char c; };
struct f { int a:5; unsigned b:9; long long c:40; char d; };
struct g { vector v; char c; }; struct h { int n; char flexible[]; }; struct i { }; struct j { struct i e; int x; };
struct k { unsigned char x[3]; unsigned short y; } ;
struct a va; struct b vb; struct c vc[7]; union u vu; struct d vd; struct e ve; struct f vf; struct g vg; struct h vh;
struct i vi; struct j vj[2][3]; struct k vk; long vl; short vs[5]; void *vp; _Bool vo; vector vv; float _Complex cf;
";

fn compare(data_model: DataModel) {
    let folder = Folder::new().unwrap();
    let paths = written(&folder, &[("t.c", TYPES)]);
    let to = folder.0.join("t.bc");
    compile(&paths[0], &to, &CompileOptions { data_model, ..CompileOptions::default() }).unwrap();
    let door = debug::Door::open(&to).unwrap();
    let mut shapes = shapes::Shapes::new(layout::Layout::parse(&door.data_layout()).unwrap());
    let globals = door.globals();
    assert!(globals.len() >= 17);
    for global in globals {
        let shape = shapes.shape(global.pointee());
        let expected = door.size_and_alignment(global.pointee());
        assert_eq!((shape.size, shape.align), expected, "{} {}", global.name(), global.pointee().text());
    }
}

#[test]
fn sizes_and_alignments_on_32_bits() {
    compare(DataModel::Ilp32);
}

#[test]
fn sizes_and_alignments_on_64_bits() {
    compare(DataModel::Lp64);
}

#[test]
fn sizes_of_odd_integers_and_nested_literals() {
    let folder = Folder::new().unwrap();
    for layout_text in
        ["e-p:32:32-i64:64-n8:16:32", "e-m:e-i128:128-n8:16:32:64", "e-p:32:32-f64:32:64-f80:32"]
    {
        let ll = format!(
            "target datalayout = \"{layout_text}\"\n@a = external global i1\n@b = external global i24\n\
             @c = external global i40\n@d = external global i72\n@e = external global i128\n@f = external global i200\n\
             @g = external global {{ i1, i40, <{{ i8, i64 }}>, [3 x {{ i8, i16 }}] }}\n@h = external global x86_fp80\n\
             @i = external global fp128\n@j = external global half\n@k = external global <3 x i32>\n"
        );
        let paths = written(&folder, &[("t.ll", &ll)]);
        let door = debug::Door::open(&paths[0]).unwrap();
        let mut shapes = shapes::Shapes::new(layout::Layout::parse(&door.data_layout()).unwrap());
        for global in door.globals() {
            let shape = shapes.shape(global.pointee());
            let expected = door.size_and_alignment(global.pointee());
            assert_eq!((shape.size, shape.align), expected, "{} in {layout_text}", global.pointee().text());
        }
    }
}

#[test]
fn bitcode_and_text_read_alike() {
    let folder = Folder::new().unwrap();
    let paths = written(&folder, &[("t.c", "int t[3]; int f(int i) { return t[i] ? t[1] : 2; }")]);
    let (bc, ll) = (folder.0.join("t.bc"), folder.0.join("t.ll"));
    compile(&paths[0], &bc, &CompileOptions::default()).unwrap();
    let mut clang = std::process::Command::new(find().unwrap());
    clang
        .arg("--target=i386-pc-linux-gnu")
        .args(["-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-w", "-x", "ir"])
        .arg(&bc)
        .arg("-o")
        .arg(&ll);
    assert!(clang.status().unwrap().success());
    assert_eq!(bitcode::decode(&bc).unwrap(), bitcode::decode(&ll).unwrap());
}
