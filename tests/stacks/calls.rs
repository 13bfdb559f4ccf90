// A program of Rust that knows how often its functions are called: with closures, generics, threads and panics that
// are caught. Goes round as often as its argument says, or without an end and without threads.
use std::collections::HashMap;
use std::fmt::Display;
use std::hint::black_box;
use std::panic;
use std::thread;

trait Walk {
    fn walk(&self, depth: u32) -> u64;
}

struct Tree {
    left: Option<Box<Tree>>,
    right: Option<Box<Tree>>,
    value: u64,
}

impl Walk for Tree {
    #[inline(never)]
    fn walk(&self, depth: u32) -> u64 {
        let mut sum = self.value;
        for one in [&self.left, &self.right].into_iter().flatten() {
            sum += black_box(one as &Box<Tree>).walk(depth + 1);
        }
        sum
    }
}

fn grown(n: u32) -> Option<Box<Tree>> {
    if n == 0 {
        return None;
    }
    Some(Box::new(Tree { left: grown(n - 1), right: grown(n - 1), value: n as u64 }))
}

#[inline(never)]
fn apply<T: Display, F: Fn(&T) -> String>(values: &[T], f: F) -> usize {
    values.iter().map(|v| f(v).len()).sum()
}

// Fails at its end; what it holds is freed on the way.
#[inline(never)]
fn unwound(n: u32) -> u32 {
    let held = vec![n; 3];
    if n == 0 {
        panic!("bottom");
    }
    unwound(n - 1) + held.len() as u32
}

#[inline(never)]
fn round(i: u64, threads: u64) -> u64 {
    let tree = grown(5).unwrap();
    let mut words: HashMap<String, u64> = HashMap::new();
    for n in 0..50 {
        *words.entry(format!("{}", n * i % 17)).or_insert(0) += n;
    }
    let mut sorted: Vec<_> = words.into_iter().collect();
    sorted.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    let caught = panic::catch_unwind(|| unwound((i % 7) as u32)).is_err() as u64;
    let others: Vec<_> = (0..threads).map(|_| thread::spawn(|| grown(3).unwrap().walk(0))).collect();
    let sum: u64 = others.into_iter().map(|one| one.join().unwrap()).sum();
    let texts = apply(&[1, 2, 3], |v| format!("{v:>5}")) + apply(&["a", "b"], |v| v.repeat(3));
    tree.walk(0) + sorted[0].1 + caught + sum + texts as u64
}

fn main() {
    panic::set_hook(Box::new(|_| {}));
    let rounds: u64 = std::env::args().nth(1).map_or(u64::MAX, |v| v.parse().unwrap());
    let threads = if rounds == u64::MAX { 0 } else { 2 };
    let mut total = 0u64;
    for i in 0..rounds {
        total = total.wrapping_add(round(i, threads));
    }
    println!("{total}");
}
