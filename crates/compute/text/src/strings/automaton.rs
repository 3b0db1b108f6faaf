//! Regular expressions as deterministic automata, whose tables kernels read.
//!
//! The states come from `regex-automata`, which is what `regex` is made of, so that both devices agree: one automaton
//! finds where the first match ends, another one goes back from there to where it begins. Its states are numbered anew
//! here: all that end a search come first.

use std::collections::HashMap;

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::{start, syntax};
use regex_automata::{Anchored, MatchKind};

/// The most bytes of a table, before states are numbered anew.
const LARGEST: usize = 4 << 20;
/// The most bytes that are used while one is made.
const LARGEST_WORK: usize = 16 << 20;

/// The state from which nothing matches any more, and that of a byte the automaton does not know what to do with.
const DEAD: u16 = 0;
const UNDECIDED: u16 = 1;

/// Classes of bytes and the start states stand before the transitions.
const CLASSES: usize = 256;
/// One for each byte that may stand before, and one for none.
const STARTS: usize = 257;

/// Both automata of a pattern.
pub(super) struct Automata {
    /// The words of both tables, that of the forward automaton first.
    pub(super) words: Vec<u16>,
    pub(super) forward: Layout,
    pub(super) reverse: Layout,
    /// Whether a text may have bytes that the automata do not know: where words are told apart by the whole of Unicode.
    pub(super) may_not_decide: bool,
}

/// A table in [`Automata::words`]: the class of each byte, the start state behind each byte and without one, and the
/// next state for each state and class; the last class is the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// The first word.
    pub(super) at: usize,
    /// Classes, that of the end with them.
    pub(super) stride: usize,
    /// States that end a search: the two above and those behind a match.
    pub(super) num_special: usize,
}

impl Automata {
    /// The automata of a pattern in the words of `regex`; `None` where they are too large.
    pub(super) fn new(pattern: &str, case_sensitive: bool) -> Option<Self> {
        let (Some(forward), Some(reverse)) =
            (determined(pattern, case_sensitive, false), determined(pattern, case_sensitive, true))
        else {
            return None;
        };
        let mut words = Vec::new();
        let (Some(first), Some(second)) =
            (tabulated(&forward, false, &mut words), tabulated(&reverse, true, &mut words))
        else {
            return None;
        };
        let may_not_decide = first.1 || second.1;
        Some(Self { words, forward: first.0, reverse: second.0, may_not_decide })
    }
}

/// The automaton of `regex-automata`; `None` where it is too large.
fn determined(pattern: &str, case_sensitive: bool, is_reverse: bool) -> Option<dense::DFA<Vec<u32>>> {
    let compiler = thompson::Config::new().reverse(is_reverse).which_captures(thompson::WhichCaptures::None);
    let nfa = thompson::Compiler::new()
        .configure(compiler.nfa_size_limit(Some(LARGEST)))
        .syntax(syntax::Config::new().case_insensitive(!case_sensitive))
        .build(pattern)
        .ok()?;
    // Backwards all matches that end in one place count: the longest one begins first.
    let (kind, starts) = if is_reverse {
        (MatchKind::All, StartKind::Anchored)
    } else {
        (MatchKind::LeftmostFirst, StartKind::Unanchored)
    };
    let options = dense::Config::new()
        .match_kind(kind)
        .start_kind(starts)
        .unicode_word_boundary(true)
        .dfa_size_limit(Some(LARGEST))
        .determinize_size_limit(Some(LARGEST_WORK));
    dense::Builder::new().configure(options).build_from_nfa(&nfa).ok()
}

/// Appends the table of an automaton to `words`; its place, and whether there are bytes it does not know. `None` where
/// it has too many states.
fn tabulated(dfa: &dense::DFA<Vec<u32>>, is_reverse: bool, words: &mut Vec<u16>) -> Option<(Layout, bool)> {
    let classes = dfa.byte_classes();
    // The class of the end is the last one.
    let stride = classes.alphabet_len();
    let mut representatives = vec![0u8; stride - 1];
    (0..=255).rev().for_each(|byte| representatives[usize::from(classes.get(byte))] = byte);

    let anchored = if is_reverse { Anchored::Yes } else { Anchored::No };
    let start = |before: Option<u8>| {
        dfa.start_state(&start::Config::new().anchored(anchored).look_behind(before)).ok()
    };
    let starts: Vec<Option<StateID>> = (0..=255).map(Some).chain([None]).map(start).collect();

    // All states that can be reached, and where they lead.
    let mut found: HashMap<StateID, usize> = HashMap::new();
    let mut reached: Vec<StateID> = Vec::new();
    let mut number = |state: StateID, reached: &mut Vec<StateID>| {
        *found.entry(state).or_insert_with(|| {
            reached.push(state);
            reached.len() - 1
        })
    };
    let starts: Vec<Option<usize>> = starts.into_iter().map(|s| s.map(|s| number(s, &mut reached))).collect();
    let mut next: Vec<usize> = Vec::new();
    let mut at = 0;
    while at < reached.len() {
        let state = reached[at];
        at += 1;
        for &byte in &representatives {
            let to = dfa.next_state(state, byte);
            next.push(number(to, &mut reached));
        }
        let to = dfa.next_eoi_state(state);
        next.push(number(to, &mut reached));
    }

    // New numbers: dead, undecided, matches, others.
    let is_match = |&state: &StateID| dfa.is_match_state(state);
    let num_matches = reached.iter().filter(|state| is_match(state)).count();
    let (mut matches, mut others) = (2, 2 + num_matches);
    let numbers: Vec<u16> = reached
        .iter()
        .map(|&state| {
            let of_kind = if dfa.is_dead_state(state) {
                return Some(DEAD);
            } else if dfa.is_quit_state(state) {
                return Some(UNDECIDED);
            } else if is_match(&state) {
                &mut matches
            } else {
                &mut others
            };
            *of_kind += 1;
            u16::try_from(*of_kind - 1).ok()
        })
        .collect::<Option<_>>()?;

    let at = words.len();
    words.extend((0..=255).map(|byte| u16::from(classes.get(byte))));
    words.extend(starts.iter().map(|start| start.map_or(UNDECIDED, |start| numbers[start])));
    let transitions = words.len();
    words.resize(transitions + others * stride, DEAD);
    // A search may begin behind a byte that is not known.
    let undecided = transitions + usize::from(UNDECIDED) * stride;
    words[undecided..undecided + stride].fill(UNDECIDED);
    for (old, &state) in numbers.iter().enumerate().filter(|(_, state)| **state > UNDECIDED) {
        let row = transitions + usize::from(state) * stride;
        for class in 0..stride {
            words[row + class] = numbers[next[old * stride + class]];
        }
    }
    debug_assert_eq!(transitions - at, CLASSES + STARTS);
    let may_not_decide = numbers.contains(&UNDECIDED) || starts.contains(&None);
    Some((Layout { at, stride, num_special: 2 + num_matches }, may_not_decide))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_tables() {
        let of = |pattern: &str| Automata::new(pattern, true);
        let words = of(r"\w+").unwrap();
        assert!(words.words.len() < 200_000 && !words.may_not_decide, "{} words", words.words.len());
        assert!(of(r"\bfoo").unwrap().may_not_decide);
        assert!(of(r"\w{50}").is_none(), "too large");
    }
}
