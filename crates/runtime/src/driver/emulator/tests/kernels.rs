//! Kernels of the kinds that the library has, against plain Rust.

use super::*;

const TEXT: &str = include_str!("kernels.cu");

const BLOCK: u32 = 128;

/// Around the sizes of warps and blocks, and several blocks.
const SIZES: [usize; 13] = [0, 1, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000, 50_000];

/// Runs a check under every schedule, with and without the race check, at every size.
fn everywhere(expression: &str, check: impl Fn(Kernel, usize)) {
    for race_check in [false, true] {
        let kernel = Kernel::new("kernels.cu", TEXT, expression, race_check);
        for schedule in SCHEDULES {
            Emulator::set_schedule(schedule);
            for n in SIZES {
                check(kernel, n);
            }
        }
    }
}

/// Blocks for so many elements; a launch has at least one.
fn blocks(n: usize) -> u32 {
    (n as u32).div_ceil(BLOCK).max(1)
}

/// Numbers without a pattern.
fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_769).rotate_left(i % 32) ^ (i >> 3)).collect()
}

#[test]
fn null_masks_by_ballot() {
    everywhere("null_mask", |kernel, n| {
        let values: Vec<i32> = numbers(n).iter().map(|&x| x as i32).collect();
        let mask = DeviceArray::filled(0u32, n.div_ceil(32));
        kernel.run(blocks(n), BLOCK, 0, &[&DeviceArray::new(&values), &mask, &(n as u64)]).unwrap();
        for (word, values) in mask.to_vec().into_iter().zip(values.chunks(32)) {
            let expected = values.iter().rev().fold(0, |bits, &v| bits << 1 | u32::from(v >= 0));
            assert_eq!(word, expected, "{n}");
        }
    });
}

#[test]
fn sums_by_shuffle() {
    everywhere("sum<128>", |kernel, n| {
        let values: Vec<i32> = numbers(n).iter().map(|&x| x as i32).collect();
        let total = DeviceArray::filled(0i64, 1);
        kernel.run(7, BLOCK, 0, &[&DeviceArray::new(&values), &total, &(n as u64)]).unwrap();
        assert_eq!(total.to_vec()[0], values.iter().map(|&v| i64::from(v)).sum::<i64>(), "{n}");
    });
}

#[test]
fn scans_with_look_back() {
    everywhere("scan", |kernel, n| {
        let values = numbers(n).iter().map(|x| x % 1000).collect::<Vec<_>>();
        let out = DeviceArray::filled(0u32, n);
        let states = DeviceArray::filled(0u64, blocks(n) as usize);
        let ticket = DeviceArray::filled(0u32, 1);
        let input = DeviceArray::new(&values);
        kernel.run(blocks(n), BLOCK, 0, &[&input, &out, &states, &ticket, &(n as u64)]).unwrap();
        let expected = values.iter().scan(0, |sum, v| {
            *sum += v;
            Some(*sum)
        });
        assert!(out.to_vec().into_iter().eq(expected), "{n}");
    });
}

#[test]
fn hash_tables_by_compare_and_swap() {
    everywhere("count_keys", |kernel, n| {
        let keys: Vec<u32> = numbers(n).iter().map(|x| x % 1021 + 1).collect();
        let capacity = 2053;
        let slots = DeviceArray::filled(0u32, capacity);
        let counts = DeviceArray::filled(0u32, capacity);
        let arguments: [&dyn Argument; 5] =
            [&DeviceArray::new(&keys), &slots, &counts, &(capacity as u32), &(n as u64)];
        kernel.run(blocks(n), BLOCK, 0, &arguments).unwrap();
        let mut expected = HashMap::new();
        for &key in &keys {
            *expected.entry(key).or_insert(0u32) += 1;
        }
        let found: HashMap<u32, u32> =
            slots.to_vec().into_iter().zip(counts.to_vec()).filter(|&(key, _)| key != 0).collect();
        assert_eq!(found, expected, "{n}");
    });
}

#[test]
fn radix_ranks_by_match() {
    everywhere("radix_rank", |kernel, n| {
        let keys = numbers(n);
        let ranks = DeviceArray::filled(0u32, n);
        let histograms = DeviceArray::filled(0u32, blocks(n) as usize * 16);
        let shared = BLOCK / 32 * 16 * 4;
        let arguments: [&dyn Argument; 4] = [&DeviceArray::new(&keys), &ranks, &histograms, &(n as u64)];
        kernel.run(blocks(n), BLOCK, shared, &arguments).unwrap();
        let (ranks, histograms) = (ranks.to_vec(), histograms.to_vec());
        for (block, keys) in keys.chunks(BLOCK as usize).enumerate() {
            let mut counts = [0; 16];
            for (i, key) in keys.iter().enumerate() {
                let count = &mut counts[(key & 15) as usize];
                assert_eq!(ranks[block * BLOCK as usize + i], *count, "{n}");
                *count += 1;
            }
            assert_eq!(histograms[block * 16..][..16], counts, "{n}");
        }
    });
}

#[test]
fn warps_exchange_through_memory() {
    everywhere("reverse_in_warp", |kernel, n| {
        let values = numbers(n.clamp(1, 2000).next_multiple_of(BLOCK as usize));
        let memory = DeviceArray::new(&values);
        kernel.run(values.len() as u32 / BLOCK, BLOCK, 0, &[&memory]).unwrap();
        let expected: Vec<u32> = values.chunks(32).flat_map(|w| w.iter().rev().copied()).collect();
        assert_eq!(memory.to_vec(), expected);
    });
}

#[test]
fn the_last_block_sees_the_others() {
    everywhere("sum_of_blocks", |kernel, n| {
        let values = numbers(n);
        let (partial, finished) = (DeviceArray::filled(0u32, 9), DeviceArray::filled(0u32, 1));
        let total = DeviceArray::filled(0u32, 1);
        let arguments: [&dyn Argument; 5] =
            [&DeviceArray::new(&values), &partial, &finished, &total, &(n as u64)];
        kernel.run(9, BLOCK, 0, &arguments).unwrap();
        assert_eq!(total.to_vec()[0], values.iter().fold(0u32, |a, &b| a.wrapping_add(b)), "{n}");
    });
}

/// A block may ask for a state that an earlier one has not published yet: waiting is exercised.
#[test]
fn blocks_wait_for_earlier_ones() {
    let text = "__global__ void kernel(volatile unsigned* done, unsigned* ticket, unsigned* waits) {
        __shared__ unsigned tile;
        if (threadIdx.x == 0) tile = atomicAdd(ticket, 1u);
        __syncthreads();
        if (threadIdx.x == 0 && tile > 0)
            while (done[tile - 1] == 0) {
                atomicAdd(waits, 1u);
                __nanosleep(20);
            }
        __syncthreads();
        if (threadIdx.x == 0) done[tile] = 1;
    }";
    let kernel = Kernel::new("kernels.cu", text, "kernel", false);
    for schedule in SCHEDULES {
        Emulator::set_schedule(schedule);
        let done = DeviceArray::filled(0u32, 50);
        let (ticket, waits) = (DeviceArray::filled(0u32, 1), DeviceArray::filled(0u32, 1));
        kernel.run(50, 64, 0, &[&done, &ticket, &waits]).unwrap();
        assert_eq!(done.to_vec(), [1; 50]);
        assert!(waits.to_vec()[0] > 10, "{schedule:?}: {:?}", waits.to_vec());
    }
}

/// Several threads of the host launch at a time.
#[test]
fn host_threads_take_turns() {
    let check = || {
        let kernel = Kernel::new("kernels.cu", TEXT, "null_mask", false);
        for n in 1..200usize {
            let mask = DeviceArray::filled(0u32, n.div_ceil(32));
            kernel.run(blocks(n), BLOCK, 0, &[&DeviceArray::filled(0i32, n), &mask, &(n as u64)]).unwrap();
            assert_eq!(mask.to_vec().iter().map(|word| word.count_ones()).sum::<u32>(), n as u32);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(check);
        }
    });
}
