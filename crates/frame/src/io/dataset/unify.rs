//! Frames of several files below each other: columns by their labels, each of a dtype that has the values of all.
//!
//! [`cuprum_io::dataset::unify`] has the rules for what columns store; categories are added here.

use cuprum_column::arrow;
use cuprum_column::{Column, Context, Error, Result, Table};
use cuprum_compute::reduce::{Aggregation, reduce};
use cuprum_compute::stream_compaction::apply_boolean_mask;
use cuprum_compute::stream_compaction::distinct::{Keep, distinct_rows};
use cuprum_compute::unary;
use cuprum_io::dataset::{self, FileColumn, no_common_type};

use crate::dataframe::DataFrame;
use crate::frame::{Frame, IndexedFrame};
use crate::index::Index;
use crate::label::Label;
use crate::types::concat_columns;
use crate::types::{Categorical, Categories, Dtype, TypedColumn, cast};

/// The rows of several files below each other, with the columns of all in the order in which they come; `files` are what
/// messages call them.
///
/// A column that a frame lacks is missing there; columns of several dtypes become of one that has the values of all, as
/// [`cuprum_io::dataset::unify`] says. Categories become those of all where the first column with values has some, else
/// their values. Row labels `0, 1, …` of each become such of all.
///
/// Fails with [`InvalidArgument`](cuprum_column::ErrorKind::InvalidArgument) for row labels of other names, for a column
/// whose dtypes do not go together, and where frames have other columns and one has a label twice; with
/// [`Overflow`](cuprum_column::ErrorKind::Overflow) for a time that the finest unit does not hold.
pub fn below_each_other(mut frames: Vec<DataFrame>, files: &[String]) -> Result<DataFrame> {
    if frames.len() == 1 {
        return Ok(frames.remove(0));
    }
    let Some(first) = frames.first() else {
        return Err(Error::invalid_argument("there are no files"));
    };
    let names = |index: &Index| -> Vec<String> {
        let text =
            |name: &Option<Label>| name.as_ref().map_or_else(|| "None".to_owned(), |n| format!("'{n}'"));
        index.names().iter().map(text).collect()
    };
    let own = names(first.index());
    for (frame, file) in frames.iter().zip(files).skip(1) {
        if frame.index().names() != first.index().names() {
            let others = names(frame.index()).join(", ");
            return Err(Error::invalid_argument(format!(
                "{file} has the row labels [{others}], but {} has [{}]",
                files[0],
                own.join(", ")
            )));
        }
    }
    unify_row_labels(&mut frames, files)?;
    unify_columns(&mut frames, files)?;
    let all: Vec<&DataFrame> = frames.iter().collect();
    let rows: Vec<usize> = all.iter().map(|frame| frame.num_rows()).collect();
    let column = |i: usize| {
        let parts: Vec<_> = all.iter().map(|frame| Some(&frame.columns()[i])).collect();
        concat_columns(&parts, &rows).map_err(|e| e.context(format!("column '{}'", all[0].labels()[i])))
    };
    let columns = (0..all[0].num_columns()).map(column).collect::<Result<Vec<_>>>()?;
    let is_plain = |index: &Index| index.is_default() && index.name().is_none();
    let index = if all.iter().all(|frame| is_plain(frame.index())) {
        Index::range(rows.iter().sum())
    } else {
        Index::concat(&all.iter().map(|frame| frame.index()).collect::<Vec<_>>())?
    };
    let made = DataFrame::from_parts(all[0].labels().to_vec(), columns, index)?;
    Ok(made.with_common_level_names(&all))
}

/// Gives the frames the same columns in the same order, each of one dtype.
fn unify_columns(frames: &mut [DataFrame], files: &[String]) -> Result<()> {
    let dtypes = |frame: &DataFrame| frame.columns().iter().map(|c| c.dtype().clone()).collect::<Vec<_>>();
    let (first, labels) = (dtypes(&frames[0]), frames[0].labels().to_vec());
    if frames[1..].iter().all(|frame| frame.labels() == labels && dtypes(frame) == first) {
        return Ok(());
    }
    let (mut labels, mut seen) = (Vec::new(), std::collections::HashSet::new());
    for (frame, file) in frames.iter().zip(files) {
        let mut own = std::collections::HashSet::new();
        if !frame.labels().iter().all(|label| own.insert(label)) {
            return Err(Error::invalid_argument(format!(
                "{file} has several columns of one name, and other columns than {}",
                files[0]
            )));
        }
        labels.extend(frame.labels().iter().filter(|label| seen.insert((*label).clone())).cloned());
    }
    let mut made: Vec<Vec<TypedColumn>> = vec![Vec::new(); frames.len()];
    for label in &labels {
        let place = |frame: &DataFrame| frame.labels().iter().position(|own| own == label);
        let places: Vec<Option<usize>> = frames.iter().map(place).collect();
        let having =
            || frames.iter().zip(&places).zip(files).filter_map(|((f, at), file)| Some((f, (*at)?, file)));
        let columns: Vec<&TypedColumn> = having().map(|(frame, at, _)| &frame.columns()[at]).collect();
        let own_files: Vec<&str> = having().map(|(.., file)| file.as_str()).collect();
        let unified = of_one_dtype(&columns, &own_files, &format!("column '{label}'"))?;
        let (dtype, mut unified) = (unified[0].dtype().clone(), unified.into_iter());
        for ((frame, at), made) in frames.iter().zip(&places).zip(&mut made) {
            let column = at.and_then(|_| unified.next());
            let missing = || TypedColumn::nulls(&dtype, frame.num_rows(), &frame.context()?);
            made.push(column.map_or_else(missing, Ok)?);
        }
    }
    for (frame, columns) in frames.iter_mut().zip(made) {
        let index = frame.index().clone();
        let levels = frame.clone();
        *frame = DataFrame::from_parts(labels.clone(), columns, index)?.with_common_level_names(&[&levels]);
    }
    Ok(())
}

/// Gives row labels whose dtypes differ one.
fn unify_row_labels(frames: &mut [DataFrame], files: &[String]) -> Result<()> {
    let is_alike = |frame: &DataFrame| frame.index().dtypes() == frames[0].index().dtypes();
    if frames.iter().all(is_alike) || frames.iter().any(|frame| frame.index().as_mixed().is_some()) {
        return Ok(());
    }
    let levels = frames.iter().map(|frame| frame.index().columns()).collect::<Result<Vec<_>>>()?;
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let mut made: Vec<Vec<TypedColumn>> = vec![Vec::new(); frames.len()];
    for level in 0..levels[0].len() {
        let columns: Vec<&TypedColumn> = levels.iter().map(|levels| &levels[level]).collect();
        for (made, column) in made.iter_mut().zip(of_one_dtype(&columns, &files, "the row labels")?) {
            made.push(column);
        }
    }
    for (frame, levels) in frames.iter_mut().zip(made) {
        let names = frame.index().names().to_vec();
        *frame = frame.with_index(Index::from_columns(levels, names)?)?;
    }
    Ok(())
}

/// Columns of files, which messages call `what`, as columns of one dtype.
fn of_one_dtype(columns: &[&TypedColumn], files: &[&str], what: &str) -> Result<Vec<TypedColumn>> {
    let own = || columns.iter().map(|column| (*column).clone()).collect::<Vec<_>>();
    if columns[1..].iter().all(|column| column.dtype() == columns[0].dtype()) {
        return Ok(own());
    }
    let ctx = Context::beside(columns.iter().find_map(|column| column.place()))?;
    // A column without values has no dtype of its own.
    let mut known = Vec::new();
    for (i, column) in columns.iter().enumerate() {
        if has_values(column)? {
            known.push(i);
        }
    }
    if known.is_empty() {
        known.push(0);
    }
    let first = columns[known[0]];
    let (with_values, of_files): (Vec<&TypedColumn>, Vec<&str>) =
        known.iter().map(|&i| (columns[i], files[i])).unzip();
    let made = if with_values.iter().all(|column| column.dtype() == first.dtype()) {
        with_values.iter().map(|column| (*column).clone()).collect()
    } else if with_values.iter().any(|column| matches!(column.dtype(), Dtype::Categorical(_))) {
        let Some(to) = common_categories(&with_values)? else {
            let is_odd = |column: &&TypedColumn| matches!(common_categories(&[first, column]), Ok(None));
            let odd = with_values[1..].iter().position(is_odd).map_or(with_values.len() - 1, |at| at + 1);
            let told = |i: usize| (type_name(with_values[i].dtype()), of_files[i]);
            let ((one, file), (other, of_other)) = (told(odd), told(0));
            return Err(no_common_type(what, (&one, file), (&other, of_other)));
        };
        with_values.iter().map(|column| cast(column, &to)).collect::<Result<Vec<_>>>()?
    } else {
        of_stored(&with_values, &of_files, what, &ctx)?
    };
    let dtype = made[0].dtype().clone();
    let mut made = made.into_iter();
    (0..columns.len())
        .map(|i| match known.contains(&i).then(|| made.next()).flatten() {
            Some(column) => Ok(column),
            None => TypedColumn::nulls(&dtype, columns[i].len(), &ctx),
        })
        .collect()
}

/// Columns that are no categories in one dtype, by what they store.
fn of_stored(
    columns: &[&TypedColumn],
    files: &[&str],
    what: &str,
    ctx: &Context,
) -> Result<Vec<TypedColumn>> {
    let stored = columns.iter().zip(files).map(|(column, file)| {
        Ok(FileColumn {
            file,
            type_name: type_name(column.dtype()),
            values: column.data()?.clone(),
            metadata: column.dtype().metadata(""),
        })
    });
    let unified = dataset::unify(&stored.collect::<Result<Vec<_>>>()?, what, ctx)?;
    let typed = |column: Column| {
        let field = arrow::field(&column, &unified.metadata)?;
        TypedColumn::new(Dtype::from_field(&field)?, column)
    };
    unified.columns.into_iter().map(typed).collect()
}

fn has_values(column: &TypedColumn) -> Result<bool> {
    if column.is_empty() || matches!(column.dtype(), Dtype::Null(_)) {
        return Ok(false);
    }
    let missing = column.missing()?;
    Ok(reduce(&missing, Aggregation::All, &missing.context()?)?.as_bool() == Some(false))
}

/// How messages call a dtype: categories with some of their values.
fn type_name(dtype: &Dtype) -> String {
    let Dtype::Categorical(kind) = dtype else { return dtype.name() };
    let (values, ordered) = (kind.categories().values(), kind.categories().is_ordered());
    let shown = 0..values.len().min(10);
    let mut texts: Vec<String> = shown
        .map(|row| match values.get(row) {
            Ok(value) => value.as_str().map_or_else(|| value.to_string(), |text| format!("'{text}'")),
            Err(_) => "…".to_owned(),
        })
        .collect();
    if values.len() > texts.len() {
        texts.push("…".to_owned());
    }
    let ordered = if ordered { "True" } else { "False" };
    format!("CategoricalDtype(categories=[{}], ordered={ordered})", texts.join(", "))
}

/// The categories of all where the first column has some, else the dtype of their values; `None` where these differ or
/// have an order, which is not known of values that only some have.
fn common_categories(columns: &[&TypedColumn]) -> Result<Option<Dtype>> {
    let kind = |column: &TypedColumn| match column.dtype() {
        Dtype::Categorical(kind) => Some(kind.clone()),
        _ => None,
    };
    let value_type =
        |column: &TypedColumn| kind(column).map_or_else(|| column.dtype().clone(), |kind| kind.value_type());
    let of = value_type(columns[0]);
    let is_ordered = |column: &&&TypedColumn| kind(column).is_some_and(|kind| kind.categories().is_ordered());
    if columns[1..].iter().any(|column| value_type(column) != of) || columns.iter().any(|c| is_ordered(&c)) {
        return Ok(None);
    }
    if kind(columns[0]).is_none() {
        return Ok(Some(of));
    }
    let known = columns.iter().map(|column| match kind(column) {
        Some(kind) => Ok(kind.categories().values().clone()),
        None => present(column),
    });
    let known = known.collect::<Result<Vec<_>>>()?;
    let rows: Vec<usize> = known.iter().map(TypedColumn::len).collect();
    let all = concat_columns(&known.iter().map(Some).collect::<Vec<_>>(), &rows)?;
    Ok(Some(Dtype::Categorical(Categorical::of(Categories::new(distinct(&all)?, false)?))))
}

/// A column as categories of its values, in the order in which they first come.
pub(super) fn as_categories(column: &TypedColumn) -> Result<TypedColumn> {
    let kind = Categorical::of(Categories::new(distinct(&present(column)?)?, false)?);
    kind.encode(column)
}

/// The values that are not missing.
fn present(column: &TypedColumn) -> Result<TypedColumn> {
    column.moved(|data| {
        let ctx = data.context()?;
        let valid = unary::is_valid(data, &ctx)?;
        Ok(apply_boolean_mask(&Table::new(vec![data.clone()])?, &valid, &ctx)?.into_columns().remove(0))
    })
}

/// Each value once.
fn distinct(column: &TypedColumn) -> Result<TypedColumn> {
    let table = Table::new(vec![column.rows()?.clone()])?;
    column.take_or_null(&distinct_rows(&table, Keep::First, true, &column.context()?)?)
}
