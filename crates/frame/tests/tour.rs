//! The tour of the examples runs.

#[path = "../examples/tour.rs"]
mod tour;

#[test]
fn the_tour_runs() {
    tour::main().unwrap();
}
