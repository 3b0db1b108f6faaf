// The end of every module: how the runtime finds its kernels. The list of kernels is generated.
#pragma once

// As much as the largest GPU offers; a launch says how much of it exists.
thread_local __align__(16) unsigned char dyn_smem[cuprum_emulator::DYNAMIC_SHARED_BYTES];

void* __tls_get_addr(const size_t* index) {
    // The words of `index` are the module's number and the offset in its thread-local memory.
    return cuprum_emulator::self()->shared + index[1];
}

namespace cuprum_emulator {

template <size_t... I> struct Indices {};
template <size_t N, size_t... I> struct MakeIndices : MakeIndices<N - 1, N - 1, I...> {};
template <size_t... I> struct MakeIndices<0, I...> { using Type = Indices<I...>; };

// Calls a kernel with arguments behind pointers; the parameters' types come from its own type.
template <auto kernel> struct Entry;
template <class... P, void (*kernel)(P...)> struct Entry<kernel> {
    static constexpr Parameter parameters[] = {{sizeof(P), alignof(P)}..., {0, 1}};

    template <size_t... I>
    __attribute__((no_sanitize("thread", "undefined"))) static void call(void* const* arguments, Indices<I...>) {
        kernel(*static_cast<P*>(arguments[I])...);
    }
    __attribute__((no_sanitize("thread", "undefined"))) static void run(void* const* arguments) {
        call(arguments, typename MakeIndices<sizeof...(P)>::Type());
    }
    static constexpr Kernel named(const char* name) { return {name, run, sizeof...(P), parameters}; }
};

extern const Kernel kernels[];
extern const size_t kernel_count;

}  // namespace cuprum_emulator

// Describes the module. Not called on a fiber.
extern "C" __attribute__((visibility("default"), no_sanitize("thread", "undefined")))
void cuprum_emulator_describe(cuprum_emulator::Module* module) {
    using namespace cuprum_emulator;
    module->kernels = kernels;
    module->kernel_count = kernel_count;
    module->current = &current;
    asm("leaq dyn_smem@dtpoff(%1), %0" : "=r"(module->dynamic_shared_offset) : "r"(size_t(0)));
#ifdef CUPRUM_RACE_CHECK
    module->race_check = 1;
#else
    module->race_check = 0;
#endif
}
