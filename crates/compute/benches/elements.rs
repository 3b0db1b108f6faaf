//! Access to elements on the CPU, a chunk at a time: as they are, as another type, one for all rows, and texts.

use cuprum_column::{Native, Result, Scalar};
use cuprum_elements::elements::{CHUNK, Input, OperandView, Texts, chunk_buffer};
use cuprum_runtime::parallel;
use cuprum_testing::timing::{Bench, Family, run};

pub const FAMILY: Family = Family { name: "elements", rows_for_each: 1, measure };

pub fn main() -> Result<()> {
    run(&[FAMILY])
}

fn measure(bench: &Bench) -> Result<()> {
    if bench.is_on_gpu() {
        return Ok(()); // Kernels read elements by themselves: see `binaryop`.
    }
    let floats = bench.floats(1)?;
    let ints = bench.small_ints(2, 1000)?;
    let bytes = bench.column(|row| row as u8)?;
    for (name, column) in [("float64", &floats), ("int32 as float64", &ints), ("uint8 as float64", &bytes)] {
        let operand = OperandView::Column(column.view()?);
        let input = Input::<f64>::new(&operand, bench.rows)?;
        bench.case(&format!("chunks of {name}"), &[column], || summed(&input, bench))?;
    }
    let one = Scalar::from(1.0);
    let operand = OperandView::Scalar(&one);
    let input = Input::<f64>::new(&operand, bench.rows)?;
    bench.case_of_bytes("chunks of a scalar", 0, || summed(&input, bench))?;

    let words = bench.words(3, "customer ", 1 << 20)?;
    let operand = OperandView::Column(words.view()?);
    let texts = Texts::new(&operand)?;
    bench.case("lengths of texts", &[&words], || {
        parallel::map_ranges(bench.rows, CHUNK * 64, &bench.ctx, |range| {
            Ok(range.map(|row| texts.bytes(row).len()).sum::<usize>())
        })
    })
}

/// The sum of all elements: little work beside reading them.
fn summed<T: Native + Into<f64>>(input: &Input<'_, T>, bench: &Bench) -> Result<Vec<f64>> {
    parallel::map_ranges(bench.rows, CHUNK * 64, &bench.ctx, |range| {
        let (mut buffer, mut sum) = (chunk_buffer(), 0.0);
        for start in range.clone().step_by(CHUNK) {
            let chunk = input.chunk(start..range.end.min(start + CHUNK), &mut buffer);
            sum += chunk.iter().map(|&value| value.into()).sum::<f64>();
        }
        Ok(sum)
    })
}
