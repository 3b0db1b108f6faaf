//! The functions of text, row by row: of names ("Ada Lovelace"), of addresses of some 60 bytes, and from and to numbers.

use cuprum_column::{Column, DataType, Result};
use cuprum_compute::strings::attributes::CharacterClass;
use cuprum_compute::strings::json_path::JsonPathOptions;
use cuprum_compute::strings::records::JoinOptions;
use cuprum_compute::strings::strip::Side;
use cuprum_compute::strings::{
    attributes, case, combine, convert, extract, find, json_path, pad, records, replace, slice, split, strip,
    wrap,
};
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "strings", rows_for_each: 10, measure };

const GIVEN: [&str; 12] = [
    "Ada", "Grace", "Alan", "Edsger", "Barbara", "Donald", "Zoë", "Margaret", "Ken", "Niklaus", "Frances",
    "Tim",
];
const FAMILIES: [&str; 10] =
    ["Lovelace", "Hopper", "Turing", "Dijkstra", "Liskov", "Knuth", "Hamilton", "Thompson", "Wirth", "Allen"];

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    let name = |random: u64, _| {
        format!("{} {}", GIVEN[random as usize % 12], FAMILIES[(random >> 32) as usize % 10])
    };
    of_texts(bench, "names", &bench.texts(1, name)?, ("a", "Ho"))?;
    let address = |random: u64, _| {
        let (host, item) = (random >> 32 & 0xFF, random % 1_000_000);
        format!("https://www.example{host}.com/catalogue/items/{item:06}?page={}", random >> 40 & 0xFF)
    };
    of_texts(bench, "addresses", &bench.texts(2, address)?, ("/", "items"))?;
    of_lists_and_documents(bench)?;
    of_numbers(bench)
}

/// Functions of a column of texts: most rows contain `frequent`, some contain `rare`.
fn of_texts(bench: &Bench, kind: &str, rows: &Column, (frequent, rare): (&str, &str)) -> Result<()> {
    let ctx = &bench.ctx;
    let each =
        |name: &str, work: &dyn Fn() -> Result<Column>| bench.case(&format!("{kind}: {name}"), &[rows], work);
    let several = |name: &str, work: &dyn Fn() -> Result<Vec<Column>>| {
        bench.case(&format!("{kind}: {name}"), &[rows], work)
    };
    each("length", &|| attributes::count_characters(rows, ctx))?;
    each("upper", &|| case::to_upper(rows, ctx))?;
    each("lower", &|| case::to_lower(rows, ctx))?;
    each("title", &|| case::title(rows, ctx))?;
    each("capitalize", &|| case::capitalize(rows, ctx))?;
    each("is alphabetic", &|| attributes::all_characters(rows, CharacterClass::Alphabetic, ctx))?;
    each("contains", &|| find::contains(rows, rare, false, true, ctx))?;
    each("starts with", &|| find::starts_with(rows, "https", ctx))?;
    each("find", &|| find::find(rows, rare, 0, None, ctx))?;
    each("count", &|| find::count(rows, frequent, false, ctx))?;
    each("replace", &|| replace::replace(rows, frequent, "--", false, None, ctx))?;
    each("slice [2, 7)", &|| slice::slice(rows, Some(2), Some(7), None, ctx))?;
    each("slice [-4, )", &|| slice::slice(rows, Some(-4), None, None, ctx))?;
    each("get 3", &|| slice::get(rows, 3, ctx))?;
    each("strip", &|| strip::strip(rows, Side::Both, None, ctx))?;
    each("strip of a set", &|| strip::strip(rows, Side::Right, Some("nr0123456789"), ctx))?;
    each("pad to 70", &|| pad::pad(rows, 70, Side::Left, ' ', ctx))?;
    each("zfill to 20", &|| pad::zfill(rows, 20, ctx))?;
    each("repeat 2", &|| pad::repeat(rows, 2, ctx))?;
    each("concatenate", &|| combine::concatenate(&[rows, rows], "-", None, ctx))?;
    each("contains a pattern", &|| find::contains(rows, r"[aeiou]\w+e\b|item", true, true, ctx))?;
    each("match", &|| find::matches(rows, r"[A-Z]\w+ \w+|https?://\w+", true, ctx))?;
    each("count a pattern", &|| find::count(rows, r"[aeiou]+", true, ctx))?;
    each("replace a pattern", &|| replace::replace(rows, r"[aeiou]+", "*", true, None, ctx))?;
    each("replace with groups", &|| replace::replace(rows, r"(\w+)[ .](\w+)", r"\2 \1", true, None, ctx))?;
    several("split", &|| split::split(rows, Some(frequent), None, false, ctx))?;
    several("partition", &|| split::partition(rows, frequent, false, ctx))?;
    each("split to lists", &|| records::split_record(rows, Some(frequent), None, false, ctx))?;
    each("find all", &|| records::find_all(rows, r"[aeiou]+", ctx))?;
    several("extract one group", &|| extract::extract(rows, r"(\w+)[ /]", true, ctx))?;
    several("extract two groups", &|| extract::extract(rows, r"(\w+)[ .](\w+)", true, ctx))
}

/// Lists of two texts as texts, lines of a width, and parts of JSON texts of some 80 bytes.
fn of_lists_and_documents(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let names = bench.texts(3, |random, _| {
        format!("{} {}", GIVEN[random as usize % 12], FAMILIES[(random >> 32) as usize % 10])
    })?;
    let lists = &records::split_record(&names, Some(" "), None, false, ctx)?;
    let separator = &bench.there(&Column::from_strs(&[", "], &bench.host)?)?;
    bench.case("join lists", &[lists], || records::join_lists(lists, ", ", ctx))?;
    let options = JoinOptions { separate_nulls: false, empty_is_text: true };
    bench.case("join list elements", &[lists], || {
        records::join_list_elements(lists, separator, None, None, options, ctx)
    })?;
    bench.case("format lists", &[lists], || records::format_lists(lists, "None", [", ", "[", "]"], ctx))?;
    bench.case("wrap to 8", &[&names], || wrap::wrap(&names, 8, ctx))?;
    let documents = bench.texts(4, |random, row| {
        let (a, b) = (random % 1000, random >> 50);
        format!(r#"{{"id": {row}, "tags": ["x{a}", "y"], "place": {{"name": "n{b}", "at": [{a}, {b}]}}}}"#)
    })?;
    let find = |path: &str| json_path::get_json_object(&documents, path, JsonPathOptions::default(), ctx);
    bench.case("JSON path of names", &[&documents], || find("$.place.name"))?;
    bench.case("JSON path of all", &[&documents], || find("$.place.at[*]"))
}

fn of_numbers(bench: &Bench) -> Result<()> {
    let ctx = &bench.ctx;
    let text_of = |column: &Column| bench.there(&convert::to_strings(&column.to_host()?, &bench.host)?);
    let integers = bench.column(|row| row as i64 * 7919)?;
    bench.case("int64 to text", &[&integers], || convert::to_strings(&integers, ctx))?;
    let texts = text_of(&integers)?;
    bench.case("text to int64", &[&texts], || convert::from_strings(&texts, DataType::Int64, ctx))?;
    let floats = bench.column(|row| row as f64 * 0.001)?;
    bench.case("float64 to text", &[&floats], || convert::to_strings(&floats, ctx))?;
    let texts = text_of(&floats)?;
    bench.case("text to float64", &[&texts], || convert::from_strings(&texts, DataType::Float64, ctx))
}
