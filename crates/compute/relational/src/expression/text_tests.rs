//! Formulas of texts on every device: those that are there, and those that are made.

use cuprum_column::{Context, DataType, Scalar, Table};
use cuprum_testing::{assert_column_eq, contexts};

use super::fused_tests::{check, check_function, column, operators, slices_of, texts, with_wide_offsets};
use crate::expression::{Expression, Function, evaluate};
use cuprum_elementwise::binaryop::BinaryOperator::{self, *};

#[test]
fn texts_are_looked_at() {
    use crate::expression::Values;
    let host = &Context::current();
    let text = || Expression::column(0, DataType::String);
    let of = |function| Expression::function(function, text()).unwrap();
    let list = |texts: &[&str]| Values::new(texts.iter().map(|t| Scalar::from(*t)).collect()).unwrap();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        let narrow = [texts(150, 1), texts(150, 2)];
        let wide = with_wide_offsets(&narrow[0]);
        let slices = [narrow[0].slice(3, 140).unwrap(), narrow[1].slice(7, 140).unwrap()];
        let tables = [
            slices,
            [wide, narrow[1].clone()],
            [narrow[0].slice(0, 0).unwrap(), narrow[1].slice(9, 0).unwrap()],
        ];
        for columns in tables {
            let table = Table::new(columns.to_vec()).unwrap();
            let compare = |right: &Expression| {
                operators(DataType::String, DataType::String, |op, _| op.is_comparison())
                    .into_iter()
                    .map(|formula| match formula.node() {
                        crate::expression::Node::Binary(op, left, _) => {
                            Expression::binary(*op, left.clone(), right.clone()).unwrap()
                        }
                        _ => formula,
                    })
                    .collect::<Vec<_>>()
            };
            let mut formulas = compare(&Expression::column(1, DataType::String));
            for literal in ["", "abcdefghz", "über die Maßen"] {
                let scalar = Scalar::from(literal);
                formulas.extend(compare(&Expression::literal(scalar.clone())));
                formulas.push(Expression::binary(Less, Expression::literal(scalar), text()).unwrap());
                formulas.push(of(Function::StartsWith(literal.into())));
                formulas.push(of(Function::EndsWith(literal.into())));
                formulas.push(of(Function::Contains(literal.into())));
            }
            formulas.push(of(Function::Length));
            formulas.push(of(Function::IsIn(list(&["ü", "abcdefgh", "", "ab", "ab", "nowhere"]))));
            formulas.push(of(Function::IsIn(list(&["über die Maßen"]))));
            let null = Expression::literal(Scalar::null(DataType::String));
            formulas.push(Expression::binary(Equal, text(), null).unwrap());
            // Beside numbers, in one kernel.
            let long =
                Expression::binary(Greater, of(Function::Length), Expression::literal(Scalar::from(3i32)));
            let both = Expression::binary(And, long.unwrap(), of(Function::Contains("a".into()))).unwrap();
            formulas.push(both);
            check(&formulas, &table, true, &ctx);
        }
        // The operations themselves.
        let there = slices_of(&narrow[0], &ctx);
        for (here, there) in &there {
            for op in [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual] {
                let scalar = Scalar::from("abcdefgh");
                let actual =
                    cuprum_elementwise::binaryop::binary_operation(there, &scalar, op, &ctx).unwrap();
                let expected =
                    cuprum_elementwise::binaryop::binary_operation(here, &scalar, op, host).unwrap();
                assert_column_eq(&actual, &expected);
                let actual =
                    cuprum_elementwise::binaryop::binary_operation(&scalar, there, op, &ctx).unwrap();
                let expected =
                    cuprum_elementwise::binaryop::binary_operation(&scalar, here, op, host).unwrap();
                assert_column_eq(&actual, &expected);
            }
        }
        use cuprum_text::strings::{attributes, find};
        for values in narrow.iter().map(|c| c.slice(2, 120).unwrap()) {
            check_function(&values, &ctx, "characters", attributes::count_characters);
            check_function(&values, &ctx, "bytes", attributes::count_bytes);
            for literal in ["", "a", "Maß", "abcdefghi", "\0"] {
                check_function(&values, &ctx, "starts", |c, ctx| find::starts_with(c, literal, ctx));
                check_function(&values, &ctx, "ends", |c, ctx| find::ends_with(c, literal, ctx));
                check_function(&values, &ctx, "contains", |c, ctx| {
                    find::contains(c, literal, false, true, ctx)
                });
            }
        }
    }
}

/// What no generated kernel computes is done by the families and is an input of the kernel around it.
#[test]
fn texts_that_are_made_are_inputs_of_the_kernel() {
    use crate::expression::{Values, reduce};
    use crate::stream_compaction::rows_where;
    use cuprum_aggregate::reduce::Aggregation;
    use cuprum_text::strings::strip::Side;
    let text = || Expression::column(0, DataType::String);
    let other = || Expression::column(1, DataType::String);
    let number = || Expression::column(2, DataType::Int64);
    let function = |function: Function, of: Expression| Expression::function(function, of).unwrap();
    let literal = |scalar: Scalar| Expression::literal(scalar);
    let upper = || function(Function::Upper, text());
    let length = |of: Expression| function(Function::Length, of);
    let binary = |op: BinaryOperator, l: Expression, r: Expression| Expression::binary(op, l, r).unwrap();
    let long = || binary(Greater, length(binary(Add, upper(), other())), literal(Scalar::from(9i32)));
    let words = Values::new(["AB", "ÜBER DIE MASSEN", ""].map(Scalar::from).to_vec()).unwrap();
    let numbers = Values::new([1i64, -3, 100].map(Scalar::from).to_vec()).unwrap();
    let null = || literal(Scalar::null(DataType::String));
    let formulas = vec![
        upper(),
        binary(Add, upper(), other()),
        binary(Mul, binary(Add, length(upper()), length(other())), number()),
        long(),
        binary(And, long(), binary(Greater, number(), literal(Scalar::from(0i64)))),
        binary(Less, upper(), function(Function::Slice(Some(1), None, None), other())),
        function(Function::IsIn(words), upper()),
        function(Function::IsIn(numbers), binary(Add, number(), literal(Scalar::from(1i64)))),
        function(Function::Parsed(DataType::Float64), function(Function::Strip(Side::Both, None), other())),
        Expression::conditional(long(), upper(), other()).unwrap(),
        Expression::conditional(long(), text(), null()).unwrap(),
        upper().fill(literal(Scalar::from("none")), false).unwrap(),
        function(Function::Part(Some(" ".into()), 1), text()).is_missing(false).unwrap(),
        binary(Equal, text(), null()),
        binary(Add, literal(Scalar::from("a")), literal(Scalar::from("b"))),
        number().cast(DataType::String).unwrap(),
        length(number().cast(DataType::String).unwrap()),
    ];
    let host = &Context::current();
    for ctx in contexts().filter(|ctx| ctx.is_on_gpu()) {
        for rows in [0, 1, 33, 150] {
            let numbers = column(DataType::Int64, rows, 2, true, true);
            let table = Table::new(vec![texts(rows, 1), texts(rows, 2), numbers]).unwrap();
            check(&formulas, &table, true, &ctx);
            for formula in &formulas {
                check(std::slice::from_ref(formula), &table, true, &ctx);
            }
            let there = table.to_device(&ctx).unwrap();
            for condition in formulas.iter().filter(|formula| formula.data_type() == DataType::Bool8) {
                let kept = [(&table, host), (&there, &ctx)].map(|(table, ctx)| {
                    rows_where(condition, table, ctx)
                        .unwrap()
                        .take(table, ctx)
                        .unwrap()
                        .into_columns()
                        .remove(2)
                });
                assert_column_eq(&kept[1], &kept[0]);
                let sums = [(&table, host), (&there, &ctx)].map(|(table, ctx)| {
                    let wanted = [(number(), Aggregation::Sum), (text(), Aggregation::Max)];
                    reduce(&wanted, Some(condition), table, ctx).unwrap()
                });
                assert_eq!(sums[0], sums[1], "{condition}");
            }
        }
        // Values that refuse, around texts that are made: the CPU's error.
        let table =
            Table::new(vec![texts(150, 1), texts(150, 2), column(DataType::Int64, 150, 2, false, false)]);
        let table = table.unwrap();
        let narrow = number().cast(DataType::Int8);
        let refused = binary(
            Add,
            length(upper()).cast(DataType::Int64).unwrap(),
            narrow.unwrap().cast(DataType::Int64).unwrap(),
        );
        let there = table.to_device(&ctx).unwrap();
        let errors = [(&table, host), (&there, &ctx)].map(|(table, ctx)| {
            evaluate(std::slice::from_ref(&refused), table, ctx).unwrap_err().to_string()
        });
        assert_eq!(errors[0], errors[1]);
    }
}
