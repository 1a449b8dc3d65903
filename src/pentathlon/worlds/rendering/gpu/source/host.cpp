// Compiles the kernels for the CPU, a thread of a block after the other, so that they can be tested without a GPU.
// What CUDA gives to a kernel, and the launch by name that the driver gives to the host.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#define __device__
#define __global__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
using std::max;
using std::min;
struct float4 { float x, y, z, w; };
struct uint4 { unsigned x, y, z, w; };
struct Index { int x, y, z; };
static thread_local Index blockIdx, threadIdx, blockDim, gridDim;
static inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
template <class T> static inline T __ldg(const T* p) { return *p; }
static inline int __float_as_int(float x) { int r; memcpy(&r, &x, 4); return r; }
static inline float __int_as_float(int x) { float r; memcpy(&r, &x, 4); return r; }
static inline float __uint_as_float(unsigned x) { float r; memcpy(&r, &x, 4); return r; }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline void __syncthreads() {}
template <class T> static inline T atomicAdd(T* at, T more) { T before = *at; *at = before + more; return before; }

#include KERNELS

template <class... A, size_t... I>
static void call(void (*kernel)(A...), void** arguments, std::index_sequence<I...>) {
    kernel(*(typename std::remove_reference<A>::type*)arguments[I]...);
}

template <class... A>
static void run(void (*kernel)(A...), const int* grid, int threads, void** arguments) {
    gridDim = {grid[0], grid[1], grid[2]}, blockDim = {threads, 1, 1};
    for (int z = 0; z < grid[2]; z++)
        for (int y = 0; y < grid[1]; y++)
            for (int x = 0; x < grid[0]; x++)
                for (int i = 0; i < threads; i++) {
                    blockIdx = {x, y, z}, threadIdx = {i, 0, 0};
                    call(kernel, arguments, std::index_sequence_for<A...>());
                }
}

extern "C" int launch(const char* name, const int* grid, int threads, void** arguments) {
#define KERNEL(kernel) if (!strcmp(name, #kernel)) { run(kernel, grid, threads, arguments); return 0; }
    KERNEL_LIST
    return 1;
}
