// Atomic operations: the overloads that CUDA has, no others.
//
// Under the race check they are functions of their own, without the compiler's instrumentation, that
// report their kind to the runtime.
#pragma once

#ifdef CUPRUM_RACE_CHECK
#define CUPRUM_ATOMIC static __attribute__((noinline, unused, no_sanitize("thread", "undefined")))
#define CUPRUM_TOUCH(POINTER)                                                                           \
    cuprum_emulator::self()->hooks->access(cuprum_emulator::self(), POINTER, sizeof *(POINTER),         \
                                   cuprum_emulator::ATOMIC, __builtin_return_address(0))
#else
#define CUPRUM_ATOMIC __forceinline__
#define CUPRUM_TOUCH(POINTER) void()
#endif

#define CUPRUM_UPDATE(NAME, TYPE, UPDATED)                                                              \
    CUPRUM_ATOMIC TYPE NAME(TYPE* address, TYPE value) {                                                \
        CUPRUM_TOUCH(address);                                                                          \
        const TYPE old = *static_cast<volatile TYPE*>(address);                                         \
        *static_cast<volatile TYPE*>(address) = UPDATED;                                                \
        cuprum_emulator::burn_fuel();                                                                   \
        return old;                                                                                     \
    }
#define CUPRUM_UPDATES(NAME, UPDATED)                                                                   \
    CUPRUM_UPDATE(NAME, int, UPDATED)                                                                   \
    CUPRUM_UPDATE(NAME, unsigned, UPDATED)                                                              \
    CUPRUM_UPDATE(NAME, unsigned long long, UPDATED)

CUPRUM_UPDATES(atomicAdd, old + value)
CUPRUM_UPDATE(atomicAdd, float, old + value)
CUPRUM_UPDATE(atomicAdd, double, old + value)
CUPRUM_UPDATE(atomicSub, int, old - value)
CUPRUM_UPDATE(atomicSub, unsigned, old - value)
CUPRUM_UPDATES(atomicMin, value < old ? value : old)
CUPRUM_UPDATE(atomicMin, long long, value < old ? value : old)
CUPRUM_UPDATES(atomicMax, value > old ? value : old)
CUPRUM_UPDATE(atomicMax, long long, value > old ? value : old)
CUPRUM_UPDATES(atomicAnd, old & value)
CUPRUM_UPDATES(atomicOr, old | value)
CUPRUM_UPDATES(atomicXor, old ^ value)
CUPRUM_UPDATES(atomicExch, value)
CUPRUM_UPDATE(atomicExch, float, value)
CUPRUM_UPDATE(atomicInc, unsigned, old >= value ? 0 : old + 1)
CUPRUM_UPDATE(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
#undef CUPRUM_UPDATES
#undef CUPRUM_UPDATE

#define CUPRUM_EXCHANGE(TYPE)                                                                           \
    CUPRUM_ATOMIC TYPE atomicCAS(TYPE* address, TYPE expected, TYPE desired) {                          \
        CUPRUM_TOUCH(address);                                                                          \
        const TYPE old = *static_cast<volatile TYPE*>(address);                                         \
        if (old == expected) *static_cast<volatile TYPE*>(address) = desired;                           \
        cuprum_emulator::burn_fuel();                                                                   \
        return old;                                                                                     \
    }
CUPRUM_EXCHANGE(int)
CUPRUM_EXCHANGE(unsigned)
CUPRUM_EXCHANGE(unsigned long long)
CUPRUM_EXCHANGE(unsigned short)
#undef CUPRUM_EXCHANGE
#undef CUPRUM_TOUCH
#undef CUPRUM_ATOMIC
