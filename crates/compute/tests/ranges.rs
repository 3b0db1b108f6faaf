//! Every public function that works begins a range for profilers that bears its name, and says then what
//! it does where it has no kernel.

use std::path::Path;

mod sources;

#[test]
fn public_functions_begin_a_range() {
    let of_io = sources::functions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../io/src"));
    let functions: Vec<_> = sources::of_families().into_iter().chain(of_io).collect();
    for function in &functions {
        let expected = format!("func_range!(c\"{}.{}\");", function.family, function.name);
        assert_eq!(function.body[0], expected, "{}: `{}`", function.file.display(), function.name);
    }
    assert!(functions.len() > 250, "{} functions", functions.len());
}

#[test]
fn public_functions_choose_a_backend() {
    for function in sources::of_families() {
        // Operands become such first.
        let mut rest = function.body.iter().skip(1).filter(|line| !line.contains(".into()"));
        let next = rest.next().unwrap();
        let chooses = next.starts_with("check_device!(ctx, [") || next.starts_with("host_only!(");
        assert!(chooses, "{}: `{}` goes on with {next}", function.file.display(), function.name);
    }
}
