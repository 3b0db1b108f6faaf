//! The pages about Rust show what is compiled.

const FLIGHTS: &str = include_str!("../examples/flights.rs");
const TOUR: &str = include_str!("../examples/tour.rs");

/// The blocks of Rust on a page.
fn blocks(page: &str) -> Vec<&str> {
    let blocks: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() > 4, "{} blocks", blocks.len());
    blocks
}

#[test]
fn the_page_shows_the_example() {
    for function in blocks(include_str!("../../../docs/rust.md")).iter().flat_map(|block| block.split("\n\n"))
    {
        assert!(FLIGHTS.contains(function.trim_end()), "examples/flights.rs has not\n{function}");
    }
}

#[test]
fn the_guide_shows_lines_of_the_examples() {
    for line in
        blocks(include_str!("../../../docs/guide/rust-users.md")).iter().flat_map(|block| block.lines())
    {
        assert!(FLIGHTS.contains(line.trim()) || TOUR.contains(line.trim()), "no example has `{line}`");
    }
}
