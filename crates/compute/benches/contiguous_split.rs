//! Packing a table of four columns, one of them text, on the CPU and on the GPUs there are. Throughput counts
//! the bytes of the block; `memcpy` copies as many bytes, on the CPU with all
//! threads.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use cuprum_column::{Column, Context, HostUVec, Table, null_mask};
use cuprum_compute::contiguous_split::{ChunkedPack, contiguous_split, pack};
use cuprum_runtime::{Device, DeviceBuffer, Stream};
use cuprum_testing::Random;

const ROWS: usize = 10_000_000;

fn table() -> Table {
    let ctx = &Context::current();
    let mut random = Random(1);
    let ints: Vec<i64> = (0..ROWS).map(|_| random.next() as i64).collect();
    let floats: Vec<f64> = ints.iter().map(|&i| i as f64).collect();
    let small: Vec<i32> = ints.iter().map(|&i| i as i32).collect();
    let texts: Vec<&str> = ints.iter().map(|&i| &"some text or other"[..(i & 15) as usize]).collect();
    let mask = null_mask::from_fn(ROWS, ctx, |i| ints[i] & 7 != 0).unwrap();
    Table::new(vec![
        Column::from_slice(&ints, ctx).unwrap().with_mask(Some(mask), ctx).unwrap(),
        Column::from_slice(&floats, ctx).unwrap(),
        Column::from_slice(&small, ctx).unwrap(),
        Column::from_strs(&texts, ctx).unwrap(),
    ])
    .unwrap()
}

fn benches(c: &mut Criterion) {
    let table = table();
    for device in Device::all() {
        let ctx = &Context::on(device).unwrap();
        let wait = || Stream::current(device).unwrap().synchronize().unwrap();
        let table = table.to_device(ctx).unwrap();
        let block = pack(&table, ctx).unwrap().into_parts().1;
        let mut group = c.benchmark_group(format!("{device}, {ROWS} rows of 4 columns"));
        group.sample_size(10).warm_up_time(Duration::from_millis(500));
        group.throughput(Throughput::Bytes(block.len() as u64));
        group.bench_function("memcpy", |b| {
            b.iter(|| {
                if device == Device::Cpu {
                    return HostUVec::from_slice(block.span::<u8>().unwrap().as_host_slice().unwrap(), ctx)
                        .unwrap()
                        .into_buffer();
                }
                let mut copy = DeviceBuffer::uninit(block.len(), ctx).unwrap();
                block.copy_to(&mut copy, 0).unwrap();
                wait();
                copy.try_into().unwrap()
            });
        });
        group.bench_function("pack", |b| {
            b.iter(|| {
                let packed = pack(&table, ctx).unwrap();
                wait();
                black_box(packed)
            });
        });
        group.bench_function("pack, one row later", |b| {
            let table = table.slice(1, ROWS - 1).unwrap();
            b.iter(|| {
                let packed = pack(&table, ctx).unwrap();
                wait();
                black_box(packed)
            });
        });
        group.bench_function("split into 64", |b| {
            let splits: Vec<usize> = (1..64).map(|i| i * (ROWS / 64)).collect();
            b.iter(|| {
                let parts = contiguous_split(&table, &splits, ctx).unwrap();
                wait();
                black_box(parts)
            });
        });
        group.bench_function("pack in chunks of 16 MiB", |b| {
            let mut buffer = DeviceBuffer::uninit(16 << 20, ctx).unwrap();
            b.iter(|| {
                let mut chunks = ChunkedPack::create(&table, buffer.len(), ctx).unwrap();
                while chunks.has_next() {
                    chunks.next(&mut buffer).unwrap();
                }
                wait();
            });
        });
        group.finish();
    }
}

criterion_group!(all, benches);
criterion_main!(all);
