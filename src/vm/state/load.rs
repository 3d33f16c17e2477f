//! A run goes on from a state that was written down: the other way from [`save`](super::save).

use super::save::{Fixed, PROVIDED};
use super::words::Reader;
use crate::ground::index::Index as _;
use crate::ir::{FileId, FunctionId, GlobalId, Place, ValueId};
use crate::vm::builtin::{Environment, Key};
use crate::vm::memory::{Contents, Lifetime, Object, Origin};
use crate::vm::race;
use crate::vm::run::schedule::{Signal, Wait};
use crate::vm::run::{Frame, Run, Thread, ThreadState};
use crate::vm::value::{ObjectId, Slot};

/// Makes a run go on from a state. `part` tells the words of its parts; `same` whether an object that is always there need not
/// be read again if it was not touched, since it was read from that part.
pub(super) fn load<'w>(
    run: &mut Run<'_>,
    fixed: &Fixed,
    part: impl Fn(usize) -> &'w [u64],
    same: impl Fn(usize, usize) -> bool,
) {
    let mut head = Reader::new(part(0));
    let (threads, objects, flags) = (head.count(), head.count(), head.word());
    if let Some(stepping) = &mut run.stepping {
        stepping.lost = flags & 1 != 0;
        stepping.published();
    }
    // Buffers are used again.
    let last = run.thread.id as usize;
    std::mem::swap(&mut run.thread, &mut run.threads[last]);
    run.threads.resize_with(threads, || Thread::new(0));
    for id in 0..threads {
        let mut thread = std::mem::replace(&mut run.threads[id], Thread::new(0));
        thread.id = id as u32;
        read_thread(&mut thread, &mut Reader::new(part(1 + id)));
        run.threads[id] = thread;
    }
    read_kept(run, &mut Reader::new(part(1 + threads)));
    let mut number = 2 + threads;
    for id in fixed.of(&run.memory) {
        if run.memory.is_touched(id) || !same(id.index(), number) {
            read_contents(&mut run.memory[id], &mut Reader::new(part(number)));
        }
        number += 1;
    }
    run.memory.truncate(fixed.end);
    for at in number..number + objects {
        let object = read_object(&mut Reader::new(part(at)));
        run.memory.add(object);
    }
    run.memory.recount();
    begin(run);
}

/// No thread runs yet; an empty one stands in for the first one, which is taken as the one that runs.
fn begin(run: &mut Run<'_>) {
    run.thread = std::mem::replace(&mut run.threads[0], Thread::new(0));
    let alive = (0..run.threads.len()).filter(|&id| run.thread_of(id).state == ThreadState::Alive);
    run.concurrent = alive.count() > 1;
    (run.steps, run.undone) = (0, 0);
    run.output.clear();
    run.errors.clear();
    run.reload();
}

fn id(word: u64) -> ObjectId {
    ObjectId::new(word as usize)
}

fn read_slot(reader: &mut Reader<'_>) -> Slot {
    let first = reader.word();
    let bits = reader.word();
    let undefined = if first & 1 == 0 { 0 } else { reader.word() };
    Slot { bits, undefined, object: id(first >> 1) }
}

fn read_key(reader: &mut Reader<'_>) -> Key {
    Key { object: id(reader.word()), offset: reader.word() }
}

fn read_thread(thread: &mut Thread, reader: &mut Reader<'_>) {
    let (state, flags) = (reader.word(), reader.word());
    thread.position = reader.count();
    let frames = reader.count();
    let value = read_slot(reader);
    thread.handle = Some(id(reader.word())).filter(|id| *id != ObjectId::NONE);
    thread.state = match state {
        0 => ThreadState::Alive,
        1 => ThreadState::Finished(value),
        _ => ThreadState::Joined,
    };
    (thread.detached, thread.cut, thread.atomic) = (flags & 1 != 0, flags & 2 != 0, (flags >> 2) as u32);
    (thread.granted, thread.granted_at) = (false, None);
    read_wait(thread, reader);
    let accesses = reader.count();
    thread.next.clear();
    for _ in 0..accesses {
        let object = id(reader.word());
        thread.next.push(race::Next::of_parts(object, [reader.word(), reader.word(), reader.word()]));
    }
    thread.frames.clear();
    thread.slots.clear();
    for _ in 0..frames {
        read_frame(thread, reader);
    }
    thread.base = thread.frames.last().map_or(0, |frame| frame.base);
}

fn read_frame(thread: &mut Thread, reader: &mut Reader<'_>) {
    let function = FunctionId::new(reader.count());
    let (resume, into, slots) = (reader.count(), reader.word() as u32, reader.word() as u32);
    let count = reader.count();
    let objects = (0..count).map(|_| id(reader.word())).collect();
    let arguments = Some(id(reader.word())).filter(|id| *id != ObjectId::NONE);
    let base = thread.slots.len();
    thread.frames.push(Frame { function, base, resume, into, slots, objects, arguments });
    let registers = reader.count();
    thread.slots.extend((0..registers).map(|_| read_slot(reader)));
}

fn read_wait(thread: &mut Thread, reader: &mut Reader<'_>) {
    let kind = reader.word();
    thread.barrier = None;
    thread.wait = match kind & 0xff {
        0 => None,
        1 => Some(Wait::Mutex(read_key(reader))),
        2 => Some(Wait::Read(read_key(reader))),
        3 => Some(Wait::Write(read_key(reader))),
        4 => Some(Wait::Join((kind >> 8) as u32)),
        5 => {
            let condition = read_key(reader);
            Some(Wait::Condition(condition, read_key(reader)))
        }
        6 => Some(Wait::Semaphore(read_key(reader))),
        7 => {
            let round = kind >> 8;
            thread.barrier = Some(round);
            Some(Wait::Barrier(read_key(reader), round))
        }
        8 => Some(Wait::Once(read_key(reader))),
        _ => Some(Wait::Never),
    };
    let signal = reader.word();
    thread.signal = (signal != 0).then(|| {
        let condition = read_key(reader);
        Signal { condition, woken: signal & 2 != 0, expired: signal & 4 != 0 }
    });
}

fn read_kept(run: &mut Run<'_>, reader: &mut Reader<'_>) {
    let count = reader.count();
    run.sync.clear();
    for _ in 0..count {
        let table = reader.word() as u8;
        let key = read_key(reader);
        let length = reader.count();
        let words: Vec<u64> = (0..length).map(|_| reader.word()).collect();
        run.sync.restore(table, key, &words);
    }
    run.environment = Environment::load(&mut || reader.word());
    run.outside = Default::default();
    let count = reader.count();
    (0..count).for_each(|_| run.outside.note(reader.word()));
    let next = reader.word();
    let count = reader.count();
    let taken = (0..count).map(|_| (reader.word(), (id(reader.word()), reader.word())));
    let taken = taken.collect();
    run.memory.addresses.set_parts(taken, next);
}

fn read_contents(object: &mut Object, reader: &mut Reader<'_>) {
    let flags = reader.word();
    object.lifetime = match flags & 0xf {
        0 => Lifetime::Live,
        1 => Lifetime::Freed(None),
        2 => Lifetime::Ended,
        3 => Lifetime::Unsupported,
        _ => Lifetime::Forgotten,
    };
    object.shared = flags >> 4 & 1 != 0;
    object.address = Some(reader.word()).filter(|address| *address != 0);
    let length = reader.count();
    reader.bytes(&mut object.bytes, length);
    reader.bytes(&mut object.shadow, if flags >> 5 & 1 != 0 { length } else { 0 });
    let partial = reader.count();
    object.partial.clear();
    for _ in 0..partial {
        let at = reader.count();
        object.partial.insert(at, reader.word() as u8);
    }
    let words = reader.count();
    object.words.clear();
    object.words.extend((0..words).map(|_| id(reader.word())));
}

fn read_object(reader: &mut Reader<'_>) -> Object {
    let kind = reader.word();
    let parts = [reader.word(), reader.word()];
    let (size, align) = (reader.word(), reader.word());
    let mut object = Object::new(origin(kind & 0xff, parts), 0, align, Contents::Zeros);
    object.size = size;
    object.constant = kind >> 8 != 0;
    read_contents(&mut object, reader);
    object
}

fn origin(kind: u64, [first, second]: [u64; 2]) -> Origin {
    let number = first as usize;
    match kind {
        0 => Origin::Global(GlobalId::new(number)),
        1 => Origin::Function(FunctionId::new(number)),
        2 => Origin::Stream(first as u8),
        3 => Origin::Local(FunctionId::new(number), ValueId::new(second as usize)),
        4 => Origin::Argument(FunctionId::new(number)),
        5 => Origin::Heap(None),
        6 => Origin::Heap(Some(Place {
            file: FileId::new((first >> 32) as usize),
            line: first as u32,
            column: (second >> 32) as u32,
            number: second as u32,
        })),
        7 => Origin::Environment(PROVIDED.get(number).copied().unwrap_or("nothing")),
        _ => Origin::Outside,
    }
}
