// Kernels that fill pictures: many cameras over many scenes, a tile of 8 x 4 pixels a warp.

#define TILE_X 8
#define TILE_Y 4
#define WARPS 4
#define MOST_LIGHTS 64
// Blocks of a multiprocessor, which bound the registers of a thread.
#ifndef TRACE_BLOCKS
#define TRACE_BLOCKS 10
#endif
#ifndef SHADE_BLOCKS
#define SHADE_BLOCKS 8
#endif
#ifndef CLEAR_BLOCKS
#define CLEAR_BLOCKS 1
#endif

#ifdef ON_GPU
// Lights and the scene's row are read by every thread of a block, which sees through one camera.
#define SHARE_SCENE(number)                                                                                        \
    __shared__ Scene scene;                                                                                        \
    __shared__ float4 shared_lights[8 * MOST_LIGHTS];                                                              \
    const Scene* global_scene = scenes + (number);                                                                 \
    for (int i = threadIdx.x; i < (int)(sizeof(Scene) / 4); i += blockDim.x)                                       \
        ((int*)&scene)[i] = ((const int*)global_scene)[i];                                                         \
    int shared_count = global_scene->light_count;                                                                  \
    bool fits = shared_count <= MOST_LIGHTS;                                                                       \
    for (int i = threadIdx.x; fits && i < 8 * shared_count; i += blockDim.x)                                       \
        shared_lights[i] = ((const float4*)global_scene->lights)[i];                                               \
    __syncthreads();                                                                                               \
    const Light* lights = fits ? (const Light*)shared_lights : global_scene->lights;
#else
#define SHARE_SCENE(number)                                                                                        \
    const Scene& scene = scenes[number];                                                                           \
    const Light* lights = scene.lights;
#endif

// The grid's y ends at 65,535.
#define FIND_PIXEL                                                                                                 \
    int tiles_x = (width + TILE_X - 1) / TILE_X, tiles_y = (height + TILE_Y - 1) / TILE_Y;                         \
    int tile = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x & 31;                                     \
    int px = tile % tiles_x * TILE_X + (lane & (TILE_X - 1)), py = tile / tiles_x * TILE_Y + lane / TILE_X;        \
    if (tile >= tiles_x * tiles_y || px >= width || py >= height) return;                                          \
    u64 at = ((u64)camera * height + py) * width + px;                                                             \
    float x = (float)px + 0.5f, y = (float)py + 0.5f;

__device__ __forceinline__ u8 to_byte(float x) { return (u8)(fminf(fmaxf(x, 0.0f), 1.0f) * 255.0f + 0.5f); }

__device__ __forceinline__ void put_colour(u8* rgb, u64 at, V3 colour) {
    rgb[3 * at] = to_byte(colour.x), rgb[3 * at + 1] = to_byte(colour.y), rgb[3 * at + 2] = to_byte(colour.z);
}

// Takes the next place of a list; a warp's threads ask for theirs at once, since one address serves few at a time.
__device__ __forceinline__ u32 claim(u32* counter) {
#ifdef ON_GPU
    u32 mask = __activemask(), place = 0;
    int lane = threadIdx.x & 31, leader = __ffs(mask) - 1;
    if (lane == leader) place = atomicAdd(counter, __popc(mask));
    return __shfl_sync(mask, place, leader) + __popc(mask & ((1u << lane) - 1u));
#else
    return atomicAdd(counter, 1u);
#endif
}

// Depth and ids alone; a scene of still meshes needs no more.
extern "C" __global__ void __launch_bounds__(32 * WARPS) rays(
    const Scene* __restrict__ scenes, const float* __restrict__ cameras, const int* __restrict__ scene_of, int count,
    int width, int height, float* __restrict__ depth, int* __restrict__ ids
) {
    int camera = blockIdx.y + blockIdx.z * 32768;
    if (camera >= count) return;
    const Scene& scene = scenes[scene_of[camera]];
    FIND_PIXEL
    View view = view_of(cameras + 17 * (u64)camera);
    V3 o = origin(view, x, y), d = direction(view, x, y);
    Hit hit = look_along(scene, view, o, d, scene.near_m, true, x, y);
    int id = -1;
#if FULL
    if (!is_empty(hit)) id = found(scene, o, d, hit).object;
#else
    if (!is_empty(hit)) id = __float_as_int(__ldg(scene.still.prims + 3 * hit.prim + 1).w);
#endif
    depth[at] = id < 0 ? 0.0f : hit.t, ids[at] = id;
}

#if FULL
// All of a picture in one kernel. `shade` is the brightness before textures, by which edges are found.
extern "C" __global__ void __launch_bounds__(32 * WARPS) render(
    const Scene* __restrict__ scenes, const float* __restrict__ cameras, const int* __restrict__ scene_of, int count,
    int width, int height, int shadows, int reflections, int textures, u8* __restrict__ rgb, float* __restrict__ depth,
    int* __restrict__ ids, u8* __restrict__ shade
) {
    int camera = blockIdx.y + blockIdx.z * 32768;
    if (camera >= count) return;
    SHARE_SCENE(scene_of[camera])
    FIND_PIXEL
    Options options = {shadows, reflections, textures};
    Pixel pixel = see(scene, lights, view_of(cameras + 17 * (u64)camera), x, y, options, false, 0);
    put_colour(rgb, at, pixel.colour);
    depth[at] = pixel.depth, ids[at] = pixel.id;
    if (shade) shade[at] = (u8)fminf(pixel.shade * 127.5f, 255.0f);  // lights may add up to more than one
}

__device__ __forceinline__ bool differs(const u8* shade, const int* ids, u64 at, u64 other, int contrast) {
    return ids[at] != ids[other] || abs((int)shade[at] - (int)shade[other]) > contrast;
}

// More rays where neighbouring pixels differ in object or brightness; they replace the colour there.
extern "C" __global__ void __launch_bounds__(32 * WARPS) smooth(
    const Scene* __restrict__ scenes, const float* __restrict__ cameras, const int* __restrict__ scene_of, int count,
    int width, int height, int shadows, int reflections, int textures, u8* __restrict__ rgb, const int* __restrict__ ids,
    const u8* __restrict__ shade, int contrast, const float* __restrict__ offsets, int samples
) {
    int camera = blockIdx.y + blockIdx.z * 32768;
    if (camera >= count) return;
    SHARE_SCENE(scene_of[camera])
    FIND_PIXEL
    u64 left = px > 0 ? at - 1 : at, right = px + 1 < width ? at + 1 : at;
    u64 above = py > 0 ? at - width : at, below = py + 1 < height ? at + width : at;
    if (!differs(shade, ids, at, left, contrast) && !differs(shade, ids, at, right, contrast) &&
        !differs(shade, ids, at, above, contrast) && !differs(shade, ids, at, below, contrast))
        return;
    Options options = {shadows, reflections, textures};
    View view = view_of(cameras + 17 * (u64)camera);
    V3 sum = v3(0, 0, 0);
    for (int i = 0; i < samples; i++) {
        float sx = (float)px + offsets[2 * i], sy = (float)py + offsets[2 * i + 1];
        V3 colour = see(scene, lights, view, sx, sy, options, true, 0).colour;
        sum = sum + v3(fminf(fmaxf(colour.x, 0.0f), 1.0f), fminf(fmaxf(colour.y, 0.0f), 1.0f), fminf(fmaxf(colour.z, 0.0f), 1.0f));
    }
    put_colour(rgb, at, (1.0f / (float)samples) * sum);
}
#else
__device__ __forceinline__ Hit stored(float4 row) {
    Hit hit;
    hit.t = row.x, hit.u = row.y, hit.v = row.z, hit.prim = __float_as_int(row.w);
    return hit;
}

// The same in three kernels, which is faster: rays with few registers, light without a tree, and the few rays that met
// something clear.
extern "C" __global__ void __launch_bounds__(32 * WARPS, TRACE_BLOCKS) trace_hits(
    const Scene* __restrict__ scenes, const float* __restrict__ cameras, const int* __restrict__ scene_of, int count,
    int width, int height, float4* __restrict__ hits
) {
    int camera = blockIdx.y + blockIdx.z * 32768;
    if (camera >= count) return;
    const Scene& scene = scenes[scene_of[camera]];
    FIND_PIXEL
    View view = view_of(cameras + 17 * (u64)camera);
    Hit hit = look_along(scene, view, view.position, direction(view, x, y), scene.near_m, true, x, y);
    hits[at] = make_float4(hit.t, hit.u, hit.v, __int_as_float(hit.prim));
}

extern "C" __global__ void __launch_bounds__(32 * WARPS, SHADE_BLOCKS) shade_hits(
    const Scene* __restrict__ scenes, const float* __restrict__ cameras, const int* __restrict__ scene_of, int count,
    int width, int height, int textures, const float4* __restrict__ hits, u8* __restrict__ rgb, float* __restrict__ depth,
    int* __restrict__ ids, u32* __restrict__ clear  // [0]: how many, then their pixels
) {
    int camera = blockIdx.y + blockIdx.z * 32768;
    if (camera >= count) return;
    SHARE_SCENE(scene_of[camera])
    FIND_PIXEL
    View view = view_of(cameras + 17 * (u64)camera);
    V3 d = direction(view, x, y), colour = v3(0, 0, 0);
    Hit hit = stored(hits[at]);
    int id = -1;
    if (hit.prim < 0) {
        if (scene.sky >= 0) colour = sky_colour(scene, view, d);
    } else {
        Options options = {0, 0, textures};
        Surface s = found(scene, view.position, d, hit);
        id = s.object;
        if (s.kind == KIND_CLEAR) clear[1 + claim(clear)] = (u32)at;
        else colour = lit(scene, lights, view, s, 1.0f, true, x, y, options, false, true) * xyz(dress(scene, view, d, s, textures));
    }
    put_colour(rgb, at, colour);
    if (depth) depth[at] = id < 0 ? 0.0f : hit.t;
    if (ids) ids[at] = id;
}

extern "C" __global__ void __launch_bounds__(128, CLEAR_BLOCKS) finish_clear(
    const Scene* __restrict__ scenes, const float* __restrict__ cameras, const int* __restrict__ scene_of, int width,
    int height, int textures, const float4* __restrict__ hits, u8* __restrict__ rgb, const u32* __restrict__ clear
) {
    u32 total = clear[0];
    Options options = {0, 0, textures};
    for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < total; i += gridDim.x * blockDim.x) {
        u32 at = clear[1 + i];
        int px = at % width, row = at / width, py = row % height, camera = row / height;
        const Scene& scene = scenes[scene_of[camera]];
        View view = view_of(cameras + 17 * (u64)camera);
        Hit hit = stored(hits[at]);
        put_colour(rgb, at, see(scene, scene.lights, view, (float)px + 0.5f, (float)py + 0.5f, options, false, &hit).colour);
    }
}
#endif
