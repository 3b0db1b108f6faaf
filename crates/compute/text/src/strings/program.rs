//! Regular expressions as programs over characters, which kernels run where automata do not tell enough: for the groups
//! of matches, for words of the whole of Unicode, and where automata are too large.
//!
//! The instructions are those of Thompson's construction with priorities (R. Cox, "Regular Expression Matching: the
//! Virtual Machine Approach", 2009), made of the syntax tree that `regex` makes its own programs of, so that both mean
//! the same. `cuprum/program.cuh` runs them.

use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// The most instructions of a program, beyond which a GPU's memory would hold few of its runs at once.
const MOST_INSTRUCTIONS: usize = 1000;
/// The most places that a program notes: the start and the end of the match and of fifteen groups.
pub(super) const MOST_SLOTS: usize = 32;

/// Instructions by number; each has this, two operands, and the number of the next one.
const CHARACTER: u32 = 0;
const CLASS: u32 = 1;
const SPLIT: u32 = 2;
const SAVE: u32 = 3;
const LOOK: u32 = 4;
const MATCH: u32 = 5;
/// Words of an instruction.
const WIDTH: usize = 4;
/// Words of a class before its ranges: a bit for each character of ASCII.
const ASCII_WORDS: usize = 4;

/// A compiled pattern.
pub(super) struct Program {
    /// The instructions, behind them the classes: bits of ASCII and ranges; and then the ways of [`one_way`].
    pub(super) words: Vec<u32>,
    pub(super) num_instructions: usize,
    /// Two for the match and for each group.
    pub(super) num_slots: usize,
    /// The first of the words of [`one_way`], where a character never has two ways.
    pub(super) one_way: Option<usize>,
}

impl Program {
    /// The program of a pattern in the words of `regex`; `None` where it is too long, has too many groups, or looks around
    /// in a way that kernels do not know.
    pub(super) fn new(pattern: &str, case_sensitive: bool) -> Option<Self> {
        let hir = ParserBuilder::new().case_insensitive(!case_sensitive).build().parse(pattern).ok()?;
        let num_slots = 2 * (1 + hir.properties().explicit_captures_len());
        if num_slots > MOST_SLOTS {
            return None;
        }
        let mut builder = Builder::default();
        builder.push([SAVE, 0, 0, 1])?;
        builder.add(&hir)?;
        let next = builder.next();
        builder.push([SAVE, 1, 0, next + 1])?;
        builder.push([MATCH, 0, 0, 0])?;
        let num_instructions = builder.instructions.len();
        let mut words: Vec<u32> = builder.instructions.concat();
        // Classes are addressed by words behind the instructions.
        words.extend(&builder.classes);
        let one_way = one_way::table(&builder.instructions, &builder.classes).map(|table| {
            let place = words.len();
            words.extend(table);
            place
        });
        Some(Self { words, num_instructions, num_slots, one_way })
    }
}

#[derive(Default)]
struct Builder {
    instructions: Vec<[u32; WIDTH]>,
    classes: Vec<u32>,
}

impl Builder {
    /// The number of the instruction that comes next.
    fn next(&self) -> u32 {
        self.instructions.len() as u32
    }

    fn push(&mut self, instruction: [u32; WIDTH]) -> Option<()> {
        self.instructions.push(instruction);
        (self.instructions.len() <= MOST_INSTRUCTIONS).then_some(())
    }

    /// The instructions of an expression, behind which the next one follows.
    fn add(&mut self, hir: &Hir) -> Option<()> {
        match hir.kind() {
            HirKind::Empty => Some(()),
            HirKind::Literal(literal) => {
                let text = std::str::from_utf8(&literal.0).ok()?;
                text.chars().try_for_each(|c| self.push([CHARACTER, c as u32, 0, self.next() + 1]))
            }
            HirKind::Class(class) => self.class(class),
            HirKind::Look(look) => self.push([LOOK, look_number(*look)?, 0, self.next() + 1]),
            HirKind::Capture(group) => {
                self.push([SAVE, 2 * group.index, 0, self.next() + 1])?;
                self.add(&group.sub)?;
                self.push([SAVE, 2 * group.index + 1, 0, self.next() + 1])
            }
            HirKind::Concat(parts) => parts.iter().try_for_each(|part| self.add(part)),
            HirKind::Alternation(parts) => self.alternatives(parts),
            HirKind::Repetition(of) => match of.max {
                None => self.at_least(of.min, &of.sub, of.greedy),
                Some(max) => {
                    (0..of.min).try_for_each(|_| self.add(&of.sub))?;
                    self.at_most(max.saturating_sub(of.min), &of.sub, of.greedy)
                }
            },
        }
    }

    fn class(&mut self, class: &Class) -> Option<()> {
        let ranges: Vec<u32> = match class {
            Class::Unicode(class) => {
                class.ranges().iter().flat_map(|range| [range.start() as u32, range.end() as u32]).collect()
            }
            // Of ASCII alone, or else it would match a part of a character.
            Class::Bytes(class) => {
                class.is_ascii().then_some(())?;
                class.ranges().iter().flat_map(|range| [range.start().into(), range.end().into()]).collect()
            }
        };
        let (place, count) = (self.classes.len() as u32, ranges.len() as u32 / 2);
        let mut ascii = [0; ASCII_WORDS];
        for code in 0..128 {
            let is_inside = ranges.chunks(2).any(|range| (range[0]..=range[1]).contains(&code));
            ascii[code as usize / 32] |= u32::from(is_inside) << (code % 32);
        }
        self.classes.extend(ascii);
        self.classes.extend(ranges);
        self.push([CLASS, place, count, self.next() + 1])
    }

    /// One of several expressions, the first that matches.
    fn alternatives(&mut self, parts: &[Hir]) -> Option<()> {
        let mut ends = Vec::new();
        for (i, part) in parts.iter().enumerate() {
            if i + 1 == parts.len() {
                self.add(part)?;
                break;
            }
            let split = self.instructions.len();
            self.push([SPLIT, self.next() + 1, 0, 0])?;
            self.add(part)?;
            // A jump is a split of two equal ways.
            ends.push(self.instructions.len());
            self.push([SPLIT, 0, 0, 0])?;
            self.instructions[split][2] = self.next();
        }
        let next = self.next();
        ends.into_iter().for_each(|end| self.instructions[end] = [SPLIT, next, next, 0]);
        Some(())
    }

    /// The ways of a split: into an expression and past it, the better one first.
    fn ways(inside: u32, behind: u32, greedy: bool) -> [u32; WIDTH] {
        if greedy { [SPLIT, inside, behind, 0] } else { [SPLIT, behind, inside, 0] }
    }

    /// An expression `min` times and more.
    fn at_least(&mut self, min: u32, hir: &Hir, greedy: bool) -> Option<()> {
        if min > 0 {
            (1..min).try_for_each(|_| self.add(hir))?;
            let start = self.next();
            self.add(hir)?;
            return self.push(Self::ways(start, self.next() + 1, greedy));
        }
        let split = self.instructions.len();
        self.push([SPLIT, 0, 0, 0])?;
        if hir.properties().minimum_len().is_some_and(|len| len > 0) {
            self.add(hir)?;
            self.push([SPLIT, split as u32, split as u32, 0])?;
        } else {
            // What may be empty is once and more, or not at all, so that the better way comes first, as in `regex`.
            self.at_least(1, hir, greedy)?;
        }
        self.instructions[split] = Self::ways(split as u32 + 1, self.next(), greedy);
        Some(())
    }

    /// An expression `count` times at most.
    fn at_most(&mut self, count: u32, hir: &Hir, greedy: bool) -> Option<()> {
        let mut splits = Vec::new();
        for _ in 0..count {
            splits.push(self.instructions.len());
            self.push([SPLIT, 0, 0, 0])?;
            self.add(hir)?;
        }
        let next = self.next();
        splits
            .into_iter()
            .for_each(|split| self.instructions[split] = Self::ways(split as u32 + 1, next, greedy));
        Some(())
    }
}

/// The number of a condition around a place, as kernels know it.
fn look_number(look: Look) -> Option<u32> {
    Some(match look {
        Look::Start => 0,
        Look::End => 1,
        Look::StartLF => 2,
        Look::EndLF => 3,
        Look::WordUnicode => 4,
        Look::WordUnicodeNegate => 5,
        Look::WordAscii => 6,
        Look::WordAsciiNegate => 7,
        _ => return None,
    })
}

/// Programs in which a character never has two ways: a table of the instructions that can follow each character.
///
/// As the one-pass automata of RE2 and `regex-automata`, over characters.
mod one_way {
    use std::collections::HashMap;

    use super::{ASCII_WORDS, CHARACTER, CLASS, LOOK, MATCH, SAVE, SPLIT, WIDTH};

    /// Words of a way: its instruction's number and the conditions that must hold, two operands, where the ways behind
    /// it begin, and the slots that are noted before it.
    const WAY: usize = 5;

    type Instruction = [u32; WIDTH];

    /// A way behind a character: an instruction that takes one or ends the match, the slots and the conditions on the
    /// way there.
    struct Way {
        instruction: u32,
        slots: u32,
        looks: u32,
    }

    /// The ways from the start, and from behind each instruction that takes a character, the better ones first: how many
    /// there are, and these. `None` where a character could have two.
    pub(super) fn table(instructions: &[Instruction], classes: &[u32]) -> Option<Vec<u32>> {
        let mut table = Vec::new();
        let mut places: HashMap<u32, u32> = HashMap::new();
        let mut open = vec![0];
        let mut closures = Vec::new();
        while let Some(from) = open.pop() {
            if places.contains_key(&from) {
                continue;
            }
            let ways = ways(instructions, from)?;
            check_disjoint(instructions, classes, &ways)?;
            places.insert(from, table.len() as u32);
            table.push(ways.len() as u32);
            table.resize(table.len() + ways.len() * WAY, 0);
            let next = |way: &Way| instructions[way.instruction as usize];
            open.extend(ways.iter().map(next).filter(|i| i[0] != MATCH).map(|i| i[3]));
            closures.push((places[&from] as usize + 1, ways));
        }
        for (mut at, ways) in closures {
            for way in ways {
                let [kind, first, second, next] = instructions[way.instruction as usize];
                let behind = if kind == MATCH { 0 } else { places[&next] };
                table[at..at + WAY].copy_from_slice(&[
                    kind | way.looks << 8,
                    first,
                    second,
                    behind,
                    way.slots,
                ]);
                at += WAY;
            }
        }
        Some(table)
    }

    fn ways(instructions: &[Instruction], from: u32) -> Option<Vec<Way>> {
        let mut found = Vec::new();
        let mut seen: HashMap<u32, u32> = HashMap::new();
        let mut stack = vec![(from, 0u32, 0u32)];
        while let Some((number, slots, looks)) = stack.pop() {
            if let Some(&conditions) = seen.get(&number) {
                // The better way there may be closed where this one is not.
                if conditions != 0 {
                    return None;
                }
                continue;
            }
            seen.insert(number, looks);
            let [kind, first, second, next] = instructions[number as usize];
            match kind {
                SPLIT => stack.extend([(second, slots, looks), (first, slots, looks)]),
                SAVE => stack.push((next, slots | 1 << first, looks)),
                LOOK => stack.push((next, slots, looks | 1 << first)),
                _ => found.push(Way { instruction: number, slots, looks }),
            }
        }
        Some(found)
    }

    /// `None` where a character is taken by two of the ways.
    fn check_disjoint(instructions: &[Instruction], classes: &[u32], ways: &[Way]) -> Option<()> {
        let mut taken: Vec<(u32, u32)> = Vec::new();
        for way in ways {
            match instructions[way.instruction as usize] {
                [CHARACTER, code, ..] => taken.push((code, code)),
                [CLASS, place, count, _] => {
                    let first = place as usize + ASCII_WORDS;
                    let ranges = &classes[first..first + 2 * count as usize];
                    taken.extend(ranges.chunks(2).map(|range| (range[0], range[1])));
                }
                _ => {}
            }
        }
        taken.sort_unstable();
        taken.windows(2).all(|pair| pair[0].1 < pair[1].0).then_some(())
    }
}
