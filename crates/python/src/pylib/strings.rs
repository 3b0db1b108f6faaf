//! `pylibcuprum.strings`: what needs no patterns.

use cuprum_column::{Column, Context, DataType, Error, Result, Scalar, Table};
use cuprum_compute::binaryop::{BinaryOperator, binary_operation};
use cuprum_compute::strings as text;
use cuprum_compute::strings::attributes::CharacterClass;
use cuprum_compute::strings::find_each::{self, Place};
use cuprum_compute::strings::strip::Side;
use cuprum_compute::{datetime, unary};
use pyo3::prelude::*;

use super::binding::{ColumnOr, choices, functions};

choices! {
    Side, "SideType": 0 => Self::Left, 1 => Self::Right, 2 => Self::Both;
}

functions! {
    "strings":
    count_characters(source_strings: Column) |ctx| text::attributes::count_characters(&source_strings, ctx);
    count_bytes(source_strings: Column) |ctx| text::attributes::count_bytes(&source_strings, ctx);
    capitalize(input: Column, delimiters: Option<Scalar>) |ctx| {
        match delimiters.as_ref().map(|text| text_of("delimiters", text)).transpose()? {
            None | Some("") => text::case::capitalize(&input, ctx),
            Some(other) => Err(Error::unsupported(format!(
                "`delimiters` is {other:?}; only the start of a text is capitalized"
            ))),
        }
    };
    title(input: Column, of_letters: bool) |ctx| {
        if of_letters { text::case::title_of_letters(&input, ctx) } else { text::case::title(&input, ctx) }
    };
    is_title(input: Column) |ctx| text::attributes::is_title(&input, ctx);
    to_lower(input: Column) |ctx| text::case::to_lower(&input, ctx);
    to_upper(input: Column) |ctx| text::case::to_upper(&input, ctx);
    swapcase(input: Column) |ctx| text::case::swapcase(&input, ctx);
    all_characters_of_type(source_strings: Column, types: i64, verify_types: i64) |ctx| {
        const UPPER: i64 = 32;
        const LOWER: i64 = 64;
        if types == UPPER || types == LOWER {
            // Of characters with case alone.
            if verify_types != UPPER | LOWER {
                return Err(Error::unsupported(format!(
                    "`verify_types` is {verify_types}; UPPER and LOWER are looked for with CASE_TYPES"
                )));
            }
            let is = if types == UPPER { text::attributes::is_upper } else { text::attributes::is_lower };
            return is(&source_strings, ctx);
        }
        if verify_types != 0 && verify_types != 127 {
            return Err(Error::unsupported(format!(
                "`verify_types` is {verify_types}; all characters are looked at (ALL_TYPES)"
            )));
        }
        text::attributes::all_characters(&source_strings, class_of(types)?, ctx)
    };
    concatenate(
        strings_columns: Table,
        separator: ColumnOr<Scalar>,
        narep: Option<Scalar>,
        col_narep: Option<Scalar>,
        separate_nulls: bool,
    ) |ctx| {
        let (narep, col_narep) = (or_empty(narep.as_ref())?, or_empty(col_narep.as_ref())?);
        let (one, separators, texts) = match &separator {
            ColumnOr::Column(column) => (None, column.clone(), col_narep),
            ColumnOr::One(scalar) => {
                (Some(text_of("separator", scalar)?), Column::from_scalar(scalar, 1, ctx)?, narep)
            }
        };
        if let (Some(one), true) = (one, separate_nulls) {
            let columns: Vec<&Column> = strings_columns.columns().iter().collect();
            return text::combine::concatenate(&columns, one, texts, ctx);
        }
        if strings_columns.num_columns() == 0 {
            return Err(Error::invalid_argument("`strings_columns` has no column"));
        }
        let (rows, width) = (strings_columns.num_rows(), strings_columns.num_columns());
        let options = text::records::JoinOptions { separate_nulls, empty_is_text: true };
        let lists = lists_of(strings_columns, rows, width, ctx)?;
        text::records::join_list_elements(&lists, &separators, narep, texts, options, ctx)
    };
    join_strings(input: Column, separator: Scalar, narep: Scalar) |ctx| {
        let joined = text::combine::join(&input, text_of("separator", &separator)?, option_of(Some(&narep))?, ctx)?;
        Column::from_scalar(&joined, 1, ctx)
    };
    to_booleans(input: Column, true_string: Scalar) |ctx| {
        text_of("true_string", &true_string)?;
        expect_text(&input)?;
        binary_operation(&input, &true_string, BinaryOperator::Equal, ctx)
    };
    from_booleans(booleans: Column, true_string: Scalar, false_string: Scalar) |ctx| {
        expect(&booleans, booleans.data_type() == DataType::Bool8, "booleans")?;
        text_of("true_string", &true_string)?;
        text_of("false_string", &false_string)?;
        let plain = booleans.with_mask(None, ctx)?;
        cuprum_compute::copying::copy_if_else(&true_string, &false_string, &plain, ctx)?
            .with_mask(booleans.copy_mask(ctx)?, ctx)
    };
    to_timestamps(input: Column, timestamp_type: DataType, format: String) |ctx| match timestamp_type {
        DataType::Timestamp(unit) => datetime::strptime_or_null(&input, Some(&format), unit, ctx),
        other => Err(Error::data_type(format!("`timestamp_type` is {other}, no timestamps"))),
    };
    from_timestamps(timestamps: Column, format: String) |ctx| {
        expect(&timestamps, timestamps.data_type().is_timestamp(), "timestamps")?;
        datetime::strftime(&timestamps, &format, ctx)
    };
    is_timestamp(input: Column, format: String) |ctx| {
        let unit = cuprum_column::TimeUnit::Seconds;
        parses(&input, &datetime::strptime_or_null(&input, Some(&format), unit, ctx)?, ctx)
    };
    to_fixed_point(input: Column, output_type: DataType) |ctx| {
        if !output_type.is_decimal() {
            return Err(Error::data_type(format!("`output_type` is {output_type}, no decimals")));
        }
        expect_text(&input)?;
        unary::cast(&input, output_type, ctx)
    };
    from_fixed_point(input: Column) |ctx| {
        expect(&input, input.data_type().is_decimal(), "decimals")?;
        unary::cast(&input, DataType::String, ctx)
    };
    to_floats(strings: Column, output_type: DataType) |ctx| {
        if !output_type.is_float() {
            return Err(Error::data_type(format!("`output_type` is {output_type}, no floats")));
        }
        expect_text(&strings)?;
        text::convert::from_strings(&strings, output_type, ctx)
    };
    from_floats(floats: Column) |ctx| {
        expect(&floats, floats.data_type().is_float(), "floats")?;
        text::convert::to_strings(&floats, ctx)
    };
    is_float(input: Column) |ctx| {
        expect_text(&input)?;
        parses(&input, &text::convert::from_strings_or_null(&input, DataType::Float64, ctx)?, ctx)
    };
    to_integers(input: Column, output_type: DataType) |ctx| {
        if !output_type.is_integer() {
            return Err(Error::data_type(format!("`output_type` is {output_type}, no integers")));
        }
        expect_text(&input)?;
        text::convert::from_strings(&input, output_type, ctx)
    };
    from_integers(integers: Column) |ctx| {
        expect(&integers, integers.data_type().is_integer(), "integers")?;
        text::convert::to_strings(&integers, ctx)
    };
    is_integer(input: Column, int_type: Option<DataType>) |ctx| {
        let data_type = int_type.unwrap_or(DataType::Int64);
        if !data_type.is_integer() {
            return Err(Error::data_type(format!("`int_type` is {data_type}, no integers")));
        }
        expect_text(&input)?;
        parses(&input, &text::convert::from_strings_or_null(&input, data_type, ctx)?, ctx)
    };
    find(input: Column, target: ColumnOr<Scalar>, start: i64, stop: i64) |ctx| match &target {
        ColumnOr::Column(targets) => find_each::find_each(&input, targets, start, end_of(stop), ctx),
        ColumnOr::One(target) => text::find::find(&input, text_of("target", target)?, start, end_of(stop), ctx),
    };
    rfind(input: Column, target: Scalar, start: i64, stop: i64) |ctx| {
        text::find::rfind(&input, text_of("target", &target)?, start, end_of(stop), ctx)
    };
    contains(input: Column, target: ColumnOr<Scalar>) |ctx| match &target {
        ColumnOr::Column(targets) => find_each::has_each(&input, targets, Place::Anywhere, ctx),
        ColumnOr::One(target) => text::find::contains(&input, text_of("target", target)?, false, true, ctx),
    };
    starts_with(input: Column, target: ColumnOr<Scalar>) |ctx| match &target {
        ColumnOr::Column(targets) => find_each::has_each(&input, targets, Place::Start, ctx),
        ColumnOr::One(target) => text::find::starts_with(&input, text_of("target", target)?, ctx),
    };
    ends_with(input: Column, target: ColumnOr<Scalar>) |ctx| match &target {
        ColumnOr::Column(targets) => find_each::has_each(&input, targets, Place::End, ctx),
        ColumnOr::One(target) => text::find::ends_with(&input, text_of("target", target)?, ctx),
    };
    contains_multiple(input: Column, targets: Column) |ctx| {
        let columns = texts_of("targets", &targets)?;
        let columns = columns.iter().map(|part| text::find::contains(&input, part, false, true, ctx));
        Table::with_rows(columns.collect::<Result<_>>()?, input.len())
    };
    find_multiple(input: Column, targets: Column) |ctx| {
        let texts = texts_of("targets", &targets)?;
        let columns = texts.iter().map(|part| {
            let found = text::find::find(&input, part, 0, None, ctx)?;
            cuprum_compute::replace::replace_nulls(&found, &Scalar::from(-1i32), false, ctx)
        });
        let table = Table::with_rows(columns.collect::<Result<_>>()?, input.len())?;
        lists_of(table, input.len(), texts.len(), ctx)
    };
    pad(input: Column, width: usize, side: Side, fill_char: char) |ctx| {
        text::pad::pad(&input, width, side, fill_char, ctx)
    };
    zfill(input: Column, width: usize) |ctx| text::pad::zfill(&input, width, ctx);
    repeat_strings(input: Column, repeat_times: ColumnOr<i64>) |ctx| match &repeat_times {
        ColumnOr::Column(counts) => text::pad::repeat_each(&input, counts, ctx),
        ColumnOr::One(count) => text::pad::repeat(&input, usize::try_from(*count).unwrap_or(0), ctx),
    };
    replace(input: Column, target: Scalar, repl: Scalar, maxrepl: i64) |ctx| {
        let target = text_of("target", &target)?;
        if target.is_empty() {
            return Err(Error::invalid_argument("`target` is empty"));
        }
        text::replace::replace(&input, target, text_of("repl", &repl)?, false, usize::try_from(maxrepl).ok(), ctx)
    };
    replace_slice(input: Column, repl: Option<Scalar>, start: i64, stop: i64) |ctx| {
        let new = repl.as_ref().map(|repl| text_of("repl", repl)).transpose()?.unwrap_or("");
        text::slice::slice_replace(&input, Some(start), end_of(stop), new, ctx)
    };
    reverse(input: Column) |ctx| text::slice::slice(&input, None, None, Some(-1), ctx);
    slice_strings(
        input: Column,
        start: Option<Scalar>,
        stop: Option<Scalar>,
        step: Option<Scalar>,
    ) |ctx| {
        let number = |name: &str, scalar: Option<Scalar>| match scalar.filter(|scalar| !scalar.is_null()) {
            None => Ok(None),
            Some(scalar) if scalar.data_type().is_integer() => Ok(Some(scalar.as_i64().unwrap_or(i64::MAX))),
            Some(scalar) => Err(Error::data_type(format!("`{name}` is {}, no integer", scalar.data_type()))),
        };
        let [start, stop, step] = [("start", start), ("stop", stop), ("step", step)].map(|(n, s)| number(n, s));
        text::slice::slice(&input, start?, stop?, step?, ctx)
    };
    partition(input: Column, delimiter: Scalar) |ctx| {
        Table::new(text::split::partition(&input, text_of("delimiter", &delimiter)?, false, ctx)?)
    };
    rpartition(input: Column, delimiter: Scalar) |ctx| {
        Table::new(text::split::partition(&input, text_of("delimiter", &delimiter)?, true, ctx)?)
    };
    split(strings_column: Column, delimiter: Scalar, maxsplit: i64) |ctx| {
        Table::new(text::split::split(&strings_column, separator_of(&delimiter)?, limit_of(maxsplit), false, ctx)?)
    };
    rsplit(strings_column: Column, delimiter: Scalar, maxsplit: i64) |ctx| {
        Table::new(text::split::split(&strings_column, separator_of(&delimiter)?, limit_of(maxsplit), true, ctx)?)
    };
    split_record(strings: Column, delimiter: Scalar, maxsplit: i64) |ctx| {
        text::records::split_record(&strings, separator_of(&delimiter)?, limit_of(maxsplit), false, ctx)
    };
    rsplit_record(strings: Column, delimiter: Scalar, maxsplit: i64) |ctx| {
        text::records::split_record(&strings, separator_of(&delimiter)?, limit_of(maxsplit), true, ctx)
    };
    get_json_object(
        col: Column,
        json_path: Scalar,
        allow_single_quotes: bool,
        strip_quotes_from_single_strings: bool,
        missing_fields_as_nulls: bool,
    ) |ctx| {
        let options = text::json_path::JsonPathOptions {
            allow_single_quotes,
            strip_quotes_from_single_strings,
            missing_fields_as_nulls,
        };
        text::json_path::get_json_object(&col, text_of("json_path", &json_path)?, options, ctx)
    };
    replace_multiple(input: Column, target: Column, repl: Column, maxrepl: i64) |ctx| {
        let (targets, new) = (texts_of("target", &target)?, texts_of("repl", &repl)?);
        if targets.is_empty() {
            return Err(Error::invalid_argument("`target` is empty"));
        }
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        let new: Vec<&str> = new.iter().map(String::as_str).collect();
        text::replace::replace_multiple(&input, &targets, &new, usize::try_from(maxrepl).ok(), ctx)
    };
    filter_characters(
        input: Column,
        first: Vec<char>,
        last: Vec<char>,
        keep: bool,
        replacement: Scalar,
    ) |ctx| {
        let ranges: Vec<(char, char)> = first.into_iter().zip(last).collect();
        text::filter::filter_characters(&input, &ranges, keep, text_of("replacement", &replacement)?, ctx)
    };
    filter_characters_of_type(
        source_strings: Column,
        types_to_remove: i64,
        replacement: Scalar,
        types_to_keep: i64,
    ) |ctx| {
        let of = text::filter::CharacterClasses::from_bits;
        let new = text_of("replacement", &replacement)?;
        text::filter::filter_classes(&source_strings, of(types_to_remove)?, new, of(types_to_keep)?, ctx)
    };
    zfill_by_widths(input: Column, widths: Column) |ctx| text::pad::zfill_each(&input, &widths, ctx);
    wrap(input: Column, width: usize) |ctx| text::wrap::wrap(&input, width, ctx);
    format_list_column(input: Column, na_rep: Option<Scalar>, separators: Option<Column>) |ctx| {
        let na_rep = na_rep.as_ref().map(|text| text_of("na_rep", text)).transpose()?.unwrap_or("");
        let texts = separators.as_ref().map(|column| texts_of("separators", column)).transpose()?;
        let separators = match texts.as_deref().unwrap_or_default() {
            [] => [",", "[", "]"],
            [between, open, close] => [between.as_str(), open, close],
            other => {
                let count = other.len();
                return Err(Error::invalid_argument(format!("`separators` are {count}, not three")));
            }
        };
        let formatted = text::records::format_lists(&input, na_rep, separators, ctx)?;
        cuprum_compute::replace::replace_nulls(&formatted, &Scalar::from(na_rep), false, ctx)
    };
    is_fixed_point(input: Column, decimal_type: Option<DataType>) |ctx| {
        let data_type = decimal_type.unwrap_or(DataType::Decimal64(0));
        if !data_type.is_decimal() {
            return Err(Error::data_type(format!("`decimal_type` is {data_type}, no decimals")));
        }
        is_decimal_text(&input, data_type, ctx)
    };
    integers_to_hex(input: Column) |ctx| text::forms::integers_to_hex(&input, ctx);
    join_list_elements(
        lists_strings_column: Column,
        separator: ColumnOr<Scalar>,
        separator_narep: Scalar,
        string_narep: Scalar,
        separate_nulls: bool,
        empty_is_text: bool,
    ) |ctx| {
        let options = text::records::JoinOptions { separate_nulls, empty_is_text };
        let one;
        let separators = match &separator {
            ColumnOr::Column(column) => column,
            ColumnOr::One(scalar) => {
                text_of("separator", scalar)?;
                one = Column::from_scalar(scalar, 1, ctx)?;
                &one
            }
        };
        let (between, missing) = (option_of(Some(&separator_narep))?, option_of(Some(&string_narep))?);
        text::records::join_list_elements(&lists_strings_column, separators, between, missing, options, ctx)
    };
    strip(input: Column, side: Side, to_strip: Option<Scalar>) |ctx| {
        let chars = to_strip.as_ref().map(|text| text_of("to_strip", text)).transpose()?;
        text::strip::strip(&input, side, chars.filter(|chars| !chars.is_empty()), ctx)
    };
    code_points(source_strings: Column) |ctx| text::forms::code_points(&source_strings, ctx);
    hex_to_integers(input: Column, output_type: DataType) |ctx| {
        if !output_type.is_integer() {
            return Err(Error::data_type(format!("`output_type` is {output_type}, no integers")));
        }
        unary::cast(&text::forms::hex_to_integers(&input, ctx)?, output_type, ctx)
    };
    is_hex(input: Column) |ctx| text::find::full_match(&input, "(0[xX])?[0-9a-fA-F]+", true, ctx);
    ipv4_to_integers(input: Column) |ctx| text::forms::ipv4_to_integers(&input, ctx);
    integers_to_ipv4(integers: Column) |ctx| text::forms::integers_to_ipv4(&integers, ctx);
    is_ipv4(input: Column) |ctx| text::find::full_match(&input, IPV4, true, ctx);
    url_encode(input: Column) |ctx| text::forms::url_encode(&input, ctx);
    url_decode(input: Column) |ctx| text::forms::url_decode(&input, ctx);
    split_part(input: Column, delimiter: Scalar, index: usize) |ctx| {
        let index = i64::try_from(index).map_err(|_| Error::overflow(format!("`index` is {index}")))?;
        text::split::split_part(&input, separator_of(&delimiter)?, index, ctx)
    };
    translate(input: Column, from: Vec<char>, to: Vec<String>) |ctx| {
        let table: Vec<(char, &str)> = from.into_iter().zip(to.iter().map(String::as_str)).collect();
        text::replace::translate(&input, &table, ctx)
    };
}

/// Whether texts say a number whose digits, cut at the scale of a type, fit it.
fn is_decimal_text(input: &Column, data_type: DataType, ctx: &Context) -> Result<Column> {
    expect_text(input)?;
    let is = text::find::full_match(input, DECIMAL, true, ctx)?;
    let view = input.to_host()?;
    let view = view.view()?;
    let texts = view.strings()?;
    let fits = cuprum_column::HostUVec::from_fn(
        texts.len(),
        &Context::beside(cuprum_column::Device::Cpu)?,
        |row| u8::from(texts.get_opt(row).is_none_or(|text| fits_decimal(text, data_type))),
    )?;
    let fits = Column::new(DataType::Bool8, fits, None)?.to_device(ctx)?;
    binary_operation(&is, &fits, BinaryOperator::And, ctx)
}

/// A sign, digits with or without a point, an exponent.
const DECIMAL: &str = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?";

/// Whether the integer that is stored for a text of [`DECIMAL`] fits, its digits behind the scale cut off.
fn fits_decimal(text: &str, data_type: DataType) -> bool {
    let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    let most = match data_type.size() {
        Some(4) => i128::from(i32::MAX),
        Some(8) => i128::from(i64::MAX),
        _ => i128::MAX,
    };
    let is_negative = whole.starts_with('-');
    let digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).filter(u8::is_ascii_digit).collect();
    // The number of digits that are stored, with zeros behind the given ones.
    let stored = whole.bytes().filter(u8::is_ascii_digit).count() as i64
        + exponent.saturating_sub(i64::from(data_type.scale()));
    let mut value = 0i128;
    for place in 0..stored.max(0) {
        let digit = usize::try_from(place).ok().and_then(|place| digits.get(place)).map_or(0, |d| d - b'0');
        if value == 0 && digit == 0 && place >= digits.len() as i64 {
            return true;
        }
        let next = value.checked_mul(10).and_then(|value| value.checked_add(i128::from(digit)));
        match next.filter(|&next| next <= most + i128::from(is_negative && most < i128::MAX)) {
            Some(next) => value = next,
            None => return false,
        }
    }
    true
}

/// Four numbers up to 255 without zeros before them.
const IPV4: &str =
    r"((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";

/// The text of a scalar.
pub fn text_of<'a>(name: &str, scalar: &'a Scalar) -> Result<&'a str> {
    if scalar.data_type() != DataType::String {
        return Err(Error::data_type(format!("`{name}` is of type {}, no text", scalar.data_type())));
    }
    scalar.as_str().ok_or_else(|| Error::invalid_argument(format!("`{name}` is null")))
}

/// The text that stands for nulls; none where it is null itself.
fn option_of(scalar: Option<&Scalar>) -> Result<Option<&str>> {
    match scalar {
        Some(scalar) if !scalar.is_null() => text_of("narep", scalar).map(Some),
        _ => Ok(None),
    }
}

/// [`option_of`]; the empty text where nothing is said.
fn or_empty(scalar: Option<&Scalar>) -> Result<Option<&str>> {
    if scalar.is_none() { Ok(Some("")) } else { option_of(scalar) }
}

/// The text to split at; white space for the empty one.
fn separator_of(scalar: &Scalar) -> Result<Option<&str>> {
    Ok(Some(text_of("delimiter", scalar)?).filter(|text| !text.is_empty()))
}

fn texts_of(name: &str, column: &Column) -> Result<Vec<String>> {
    expect_text(column)?;
    (0..column.len())
        .map(|row| {
            let text = column.get(row)?;
            text.as_str()
                .map(str::to_owned)
                .ok_or_else(|| Error::invalid_argument(format!("`{name}` is null in row {row}")))
        })
        .collect()
}

/// A position at the end, −1 for no end.
fn end_of(stop: i64) -> Option<i64> {
    (stop != -1).then_some(stop)
}

/// The most splits; no limit for numbers below 1.
fn limit_of(count: i64) -> Option<usize> {
    usize::try_from(count).ok().filter(|count| *count > 0)
}

fn class_of(types: i64) -> Result<CharacterClass> {
    Ok(match types {
        1 => CharacterClass::Decimal,
        2 => CharacterClass::Numeric,
        4 => CharacterClass::Digit,
        8 => CharacterClass::Alphabetic,
        15 => CharacterClass::Alphanumeric,
        16 => CharacterClass::Space,
        _ => return Err(Error::unsupported(format!("`types` is {types}; one class at a time, or ALPHANUM"))),
    })
}

pub fn expect(column: &Column, is: bool, what: &str) -> Result<()> {
    if is {
        Ok(())
    } else {
        Err(Error::data_type(format!("the column is of {}, not of {what}", column.data_type())))
    }
}

pub fn expect_text(column: &Column) -> Result<()> {
    expect(column, column.data_type() == DataType::String, "texts")
}

/// Whether each text has become a value; null where it is null.
fn parses(texts: &Column, values: &Column, ctx: &Context) -> Result<Column> {
    unary::is_valid(values, ctx)?.with_mask(texts.copy_mask(ctx)?, ctx)
}

/// The rows of a table of `width` columns as lists.
fn lists_of(table: Table, rows: usize, width: usize, ctx: &Context) -> Result<Column> {
    let total = i64::try_from(rows * width).map_err(|_| Error::overflow("the elements of all lists"))?;
    let offsets = cuprum_compute::filling::sequence(0, width as i64, rows + 1, ctx)?;
    let offsets =
        if i32::try_from(total).is_ok() { unary::cast(&offsets, DataType::Int32, ctx)? } else { offsets };
    let elements = if width == 0 {
        Column::empty(DataType::Int32)
    } else {
        cuprum_compute::reshape::interleave_columns(&table, ctx)?
    };
    Column::lists(offsets, elements, None)
}
