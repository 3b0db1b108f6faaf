//! docs/rust.md shows what is compiled.

#[test]
fn the_page_shows_the_example() {
    let (page, example) = (include_str!("../../../docs/rust.md"), include_str!("../examples/flights.rs"));
    let blocks: Vec<&str> =
        page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() > 4, "{} blocks", blocks.len());
    for block in blocks {
        for function in block.split("\n\n") {
            assert!(example.contains(function.trim_end()), "examples/flights.rs has not\n{function}");
        }
    }
}
