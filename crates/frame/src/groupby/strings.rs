//! Aggregations of groups of any columns: those of texts that are made of others.

use cuprum_column::{Column, Context, DataType, Result, Table};
use cuprum_compute::groupby::{self, Grouping};
use cuprum_compute::reduce::Aggregation;
use cuprum_compute::strings::records;

use crate::types::are_not_empty;

/// [`groupby::group`] and [`aggregate`], at once where no texts are asked for.
pub(super) fn group_and_aggregate(
    keys: &Table,
    drop_nulls: bool,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<(Grouping, Vec<Column>)> {
    if !requests.iter().any(|request| is_joined(request) || is_truth(request)) {
        return groupby::group_and_aggregate(keys, drop_nulls, requests, ctx);
    }
    let grouping = groupby::group(keys, drop_nulls, ctx)?;
    let values = aggregate(&grouping, requests, ctx)?;
    Ok((grouping, values))
}

fn is_joined((column, how): &(&Column, Aggregation)) -> bool {
    column.data_type() == DataType::String && *how == Aggregation::Sum
}

fn is_truth((column, how): &(&Column, Aggregation)) -> bool {
    column.data_type() == DataType::String && matches!(how, Aggregation::Any | Aggregation::All)
}

/// [`groupby::aggregate`]; the sum of texts is one behind the other, and a text is true that is not empty.
pub(super) fn aggregate(
    grouping: &Grouping,
    requests: &[(&Column, Aggregation)],
    ctx: &Context,
) -> Result<Vec<Column>> {
    if !requests.iter().any(|request| is_joined(request) || is_truth(request)) {
        return groupby::aggregate(grouping, requests, ctx);
    }
    let truths = requests
        .iter()
        .map(|request| is_truth(request).then(|| are_not_empty(request.0, ctx)).transpose())
        .collect::<Result<Vec<_>>>()?;
    let others: Vec<_> = requests
        .iter()
        .zip(&truths)
        .filter(|(request, _)| !is_joined(request))
        .map(|((column, how), truth)| (truth.as_ref().unwrap_or(*column), *how))
        .collect();
    let mut others = groupby::aggregate(grouping, &others, ctx)?.into_iter();
    let mut results = vec![];
    for request in requests {
        if is_joined(request) {
            let texts = groupby::collect_list(grouping, request.0, false, ctx)?;
            results.push(records::join_lists(&texts, "", ctx)?);
        } else {
            results.extend(others.next());
        }
    }
    Ok(results)
}
