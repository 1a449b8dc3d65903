// Textures and light, as kernels/mapping.py, sampling.py and lighting.py have them, for one ray.

#ifndef MIX_AT_ONCE
#define MIX_AT_ONCE 1
#endif
#ifndef WARP_LIGHTS  // a warp's points lie close together: lights that reach none of them are asked once for all
#if !FULL && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
#define WARP_LIGHTS 1
#else
#define WARP_LIGHTS 0
#endif
#endif

__device__ __forceinline__ V3 unpack_normal(u32 x) {
    float a = (float)(short)(x & 0xffffu) * (1.0f / 32767.0f), b = (float)(short)(x >> 16) * (1.0f / 32767.0f);
    float c = 1.0f - fabsf(a) - fabsf(b), t = fmaxf(-c, 0.0f);
    return v3(a + (a >= 0 ? -t : t), b + (b >= 0 ? -t : t), c);
}

__device__ __forceinline__ float rough_log2(float x) { return (float)__float_as_int(x) * (1.0f / (1 << 23)) - 127.0f; }
__device__ __forceinline__ float level_of(float spread2) { return 0.5f * rough_log2(fmaxf(spread2, 1e-12f)); }

struct Place {           // where on a texture a point lies, and how far the next pixel's is, as a level
    float u, v, lod;
    int face;            // of a cube, or -1
};

// The two nearest texels along one side, and the second one's share. A 2-D texture repeats, a cube ends.
__device__ __forceinline__ void texel_pair(float x, int length, bool wraps, int& first, int& second, float& share) {
    float place = (wraps ? x - floorf(x) : x) * (float)length - 0.5f;
    if (!wraps) place = fminf(fmaxf(place, 0.0f), (float)(length - 1));
    float low = floorf(place);
    share = place - low;
    int i = (int)low;
    first = i < 0 ? length - 1 : min(i, length - 1);
    second = first + 1 < length ? first + 1 : (wraps ? 0 : length - 1);
}

__device__ __forceinline__ float channel(u32 x, int i) { return (float)((x >> (8 * i)) & 0xffu); }

struct Texels {          // four neighbours, how far right and down of the first a place lies, and their weight
    u32 a, b, c, e;
    float right, down, weight;
};

__device__ __forceinline__ Texels texels_at(const Texture& texture, const Place& at, int level, float weight) {
    int wide = max(texture.width >> level, 1), high = max(texture.height >> level, 1);
    int x0, x1, y0, y1;
    Texels found;
    texel_pair(at.u, wide, at.face < 0, x0, x1, found.right);
    texel_pair(at.v, high, at.face < 0, y0, y1, found.down);
    const u32* image = texture.texels + texture.first[level] + max(at.face, 0) * wide * wide;
    found.a = __ldg(image + y0 * wide + x0), found.b = __ldg(image + y0 * wide + x1);
    found.c = __ldg(image + y1 * wide + x0), found.e = __ldg(image + y1 * wide + x1);
    found.weight = weight;
    return found;
}

__device__ __forceinline__ float4 mixed(const Texels& t) {
    float k = t.weight * (1.0f / 255.0f);
    float w3 = t.right * t.down * k, w1 = t.right * k - w3, w2 = t.down * k - w3, w0 = k - w1 - w2 - w3;
    return make_float4(w0 * channel(t.a, 0) + w1 * channel(t.b, 0) + w2 * channel(t.c, 0) + w3 * channel(t.e, 0),
                       w0 * channel(t.a, 1) + w1 * channel(t.b, 1) + w2 * channel(t.c, 1) + w3 * channel(t.e, 1),
                       w0 * channel(t.a, 2) + w1 * channel(t.b, 2) + w2 * channel(t.c, 2) + w3 * channel(t.e, 2),
                       w0 * channel(t.a, 3) + w1 * channel(t.b, 3) + w2 * channel(t.c, 3) + w3 * channel(t.e, 3));
}

// Two levels are mixed, but for an eighth of the way next to each, where one is as good. All texels are asked for before
// the first is used, so that a thread waits for memory once.
__device__ __forceinline__ float4 sample(const Texture& texture, const Place& at) {
    float lod = fminf(at.lod > 0.0f ? at.lod : 0.0f, (float)(texture.count - 1));
    int level = (int)(lod + 0.125f);
    float part = fmaxf((lod - (float)level - 0.125f) * (4.0f / 3.0f), 0.0f);
    Texels fine = texels_at(texture, at, level, 1.0f - part);
#if MIX_AT_ONCE
    float4 found = mixed(fine), coarse = mixed(texels_at(texture, at, min(level + 1, texture.count - 1), part));
    if (part <= 0.0f) return found;
#else
    float4 found = mixed(fine);
    if (part <= 0.0f) return found;
    float4 coarse = mixed(texels_at(texture, at, min(level + 1, texture.count - 1), part));
#endif
    found.x += coarse.x, found.y += coarse.y, found.z += coarse.z, found.w += coarse.w;
    return found;
}

// OpenGL's cube face, in the order +x -x +y -y +z -z, of a direction of any length.
__device__ __forceinline__ Place cube_place(const Texture& texture, V3 d, float spread2) {
    float ax = fabsf(d.x), ay = fabsf(d.y), az = fabsf(d.z), major, across, down;
    Place at;
    if (ax >= ay && ax >= az) {
        at.face = d.x >= 0 ? 0 : 1, major = ax, across = d.x >= 0 ? -d.z : d.z, down = -d.y;
    } else if (ay >= az) {
        at.face = d.y >= 0 ? 2 : 3, major = ay, across = d.x, down = d.y >= 0 ? d.z : -d.z;
    } else {
        at.face = d.z >= 0 ? 4 : 5, major = az, across = d.z >= 0 ? d.x : -d.x, down = -d.y;
    }
    float scale = 0.5f / fmaxf(major, TINY), texels = scale * (float)texture.width;
    at.u = across * scale + 0.5f, at.v = down * scale + 0.5f, at.lod = level_of(spread2 * texels * texels);
    return at;
}

__device__ __forceinline__ V3 sky_colour(const Scene& scene, const View& view, V3 d) {
    const Texture& texture = scene.textures[scene.sky];
    float step = view.orthographic == 0.0f ? view.dx : 0.0f;
    return xyz(sample(texture, cube_place(texture, v3(d.x, d.z, -d.y), step * step)));
}

// How far a point moves on its surface from one pixel to the next along a camera axis.
__device__ __forceinline__ V3 footprint(V3 step, V3 d, V3 n, float facing) { return step - (dot(n, step) / facing) * d; }

struct Surface {         // what a ray has met
    V3 point, normal, colour;
    float alpha, emission, specular, shininess, reflectance;
    float t, u, v;
    int object, face, kind;
    const uint4* look;   // of a smooth triangle
};

#define KIND_SOLID 2
#define KIND_CLEAR 3
#define KIND_MIRROR 4

#if FULL
__device__ Place plane_place(const Texture& texture, const float* m, const View& view, V3 d, const Surface& s) {
    V3 along_u = v3(m), along_v = v3(m + 4);
    float facing = dot(s.normal, d), inverse = 1.0f / (fabsf(facing) > 1e-4f ? facing : 1e-4f);
    V3 right = view.dx * view.right, up = view.dy * view.up;
    V3 r = right - (dot(s.normal, right) * inverse) * d, p = up - (dot(s.normal, up) * inverse) * d;
    float wide = (float)texture.width, high = (float)texture.height;
    float ru = dot(along_u, r) * wide, rv = dot(along_v, r) * high, pu = dot(along_u, p) * wide, pv = dot(along_v, p) * high;
    float reach = view.orthographic + (1.0f - view.orthographic) * s.t;
    Place at;
    at.u = dot(along_u, s.point) + m[3], at.v = dot(along_v, s.point) + m[7], at.face = -1;
    at.lod = level_of(fmaxf(ru * ru + rv * rv, pu * pu + pv * pv) * (reach * reach));
    return at;
}

// Continues a capsule's z coordinate over its caps, which MuJoCo scales by the radius.
__device__ __forceinline__ float bend(float z, float knee, float slope) {
    float beyond = fabsf(z) - knee;
    return beyond <= 0.0f ? z : copysignf(knee + beyond * slope, z);
}

__device__ Place solid_place(const Texture& texture, const float* m, V3 r, V3 p, const Surface& s) {
    V3 place = transform(m, s.point, 1.0f), right = transform(m, r, 0.0f), up = transform(m, p, 0.0f);
    place.z = bend(place.z, m[12], m[13]);
    return cube_place(texture, place, fmaxf(dot(right, right), dot(up, up)));
}
#endif

__device__ __forceinline__ Place corner_place(const Texture& texture, V3 r, V3 p, const Surface& s) {
    uint4 l0 = __ldg(s.look), l1 = __ldg(s.look + 1), l2 = __ldg(s.look + 2);
    float w = 1.0f - s.u - s.v, per_m = __uint_as_float(l0.w) * (float)max(texture.width, texture.height);
    Place at;
    at.u = w * __uint_as_float(l1.x) + s.u * __uint_as_float(l1.z) + s.v * __uint_as_float(l2.x);
    at.v = w * __uint_as_float(l1.y) + s.u * __uint_as_float(l1.w) + s.v * __uint_as_float(l2.y);
    at.lod = level_of(fmaxf(dot(r, r), dot(p, p)) * per_m * per_m), at.face = -1;
    return at;
}

// The colour by which a texture changes a surface, and its alpha.
__device__ __forceinline__ float4 dress(const Scene& scene, const View& view, V3 d, const Surface& s, bool textured) {
    int number = __ldg(scene.object_texture + 2 * s.object), mapping = __ldg(scene.object_texture + 2 * s.object + 1);
    if (!textured || mapping == MAPPING_NONE) return make_float4(1, 1, 1, 1);
    const Texture& texture = scene.textures[number];
#if FULL
    const float* m = scene.texture_maps + 14 * s.object;
    if (mapping == MAPPING_PLANE) return sample(texture, plane_place(texture, m, view, d, s));
    float scale = view.orthographic > 0.0f ? 1.0f : s.t;
#else
    float scale = s.t;
#endif
    float facing = dot(s.normal, d);
    facing = fabsf(facing) > TINY ? facing : TINY;
    V3 r = footprint((scale * view.dx) * view.right, d, s.normal, facing);
    V3 p = footprint((scale * view.dy) * view.up, d, s.normal, facing);
#if FULL
    if (mapping == MAPPING_CUBE) return sample(texture, solid_place(texture, m, r, p, s));
    if (!s.look) return make_float4(1, 1, 1, 1);
#endif
    return sample(texture, corner_place(texture, r, p, s));
}

struct Lamp {            // a light as a point is lit by it
    V3 towards;
    float distance, cosine, share;
};

__device__ __forceinline__ bool aim(const Scene& scene, const Light& light, int i, V3 point, V3 n, V3 back, Lamp& lamp) {
    if (point.x < light.lower[0] || point.y < light.lower[1] || point.z < light.lower[2] || point.x > light.upper[0] ||
        point.y > light.upper[1] || point.z > light.upper[2])
        return false;
    V3 l = v3(light.x, light.y, light.z) - light.point * point;
    if (i == 0 && scene.headlight) l = back;
    float squared = fmaxf(dot(l, l), TINY), inverse = rsqrtf(squared);
    lamp.distance = squared * inverse, lamp.towards = inverse * l;
    float ahead = -dot(lamp.towards, v3(light.ax, light.ay, light.az)), cosine = dot(n, lamp.towards);
    bool ambient = light.ambient[0] + light.ambient[1] + light.ambient[2] > 0.0f;
    if ((light.point > 0.0f && ahead < light.cutoff) || (cosine <= 0.0f && !ambient)) return false;
    lamp.cosine = fmaxf(cosine, 0.0f), lamp.share = 1.0f;
    if (light.point > 0.0f) lamp.share = 1.0f / fmaxf(light.a0 + light.a1 * lamp.distance + light.a2 * squared, TINY);
    if (light.exponent == 10.0f) {  // MuJoCo's default
        float second = ahead * ahead;
        lamp.share *= second * second * (second * second) * second;
    } else if (light.exponent > 0.0f) {
        lamp.share *= exp2f(light.exponent * log2f(fmaxf(fminf(ahead, 1.0f), TINY)));
    }
    return true;
}

// What one light sends from a surface to the eye.
__device__ __forceinline__ V3 shine(const Light& light, const Lamp& lamp, const Surface& s, V3 eye, float least_lobe) {
    V3 sum = lamp.share * (s.colour * (v3(light.ambient) + lamp.cosine * v3(light.diffuse)));
    if (least_lobe >= 1.0f || lamp.cosine <= 0.0f) return sum;
    V3 h = lamp.towards + eye;
    float along = dot(s.normal, h), lobe = along * along / fmaxf(dot(h, h), TINY);
    if (along <= 0.0f || lobe <= least_lobe) return sum;
    float gloss = s.specular * lamp.share * exp2f(0.5f * s.shininess * log2f(fminf(lobe, 1.0f)));
    return sum + gloss * v3(light.specular);
}

#if FULL
__device__ __forceinline__ float jitter(float x) { return (x - floorf(x)) * 2.0f - 1.0f; }

// Whether another surface hides the light; with smoothing, a place on its disc that the sample's place chooses.
__device__ bool blocked(const Scene& scene, const Light& light, const Lamp& lamp, const Surface& s, float x, float y, bool smooth) {
    V3 l = lamp.towards, a = v3(l.y - l.z, l.z - l.x, l.x - l.y), b = cross(l, a);
    float wide = (smooth ? light.radius : 0.0f) * rsqrtf(fmaxf(dot(a, a), TINY));
    float far = light.point > 0.0f ? lamp.distance : 1.0f, lift = 1e-4f * (1.0f + 0.02f * s.t);
    V3 towards = far * l + (jitter(x) * wide) * a + (jitter(y) * wide) * b;
    return occluded(scene, s.point + lift * s.normal, towards, lift, light.point > 0.0f ? 0.999f : ENDLESS);
}
#endif

#if WARP_LIGHTS
// Floats as whole numbers in the same order, by which a warp finds its least and largest in one instruction.
__device__ __forceinline__ int ordered(float x) { int i = __float_as_int(x); return i ^ ((i >> 31) & 0x7fffffff); }
__device__ __forceinline__ float unordered(int i) { return __int_as_float(i ^ ((i >> 31) & 0x7fffffff)); }
__device__ __forceinline__ float least_of(u32 mask, float x) { return unordered(__reduce_min_sync(mask, ordered(x))); }
__device__ __forceinline__ float largest_of(u32 mask, float x) { return unordered(__reduce_max_sync(mask, ordered(x))); }

__device__ __forceinline__ bool may_light(const Light& light, V3 lower, V3 upper) {
    return upper.x >= light.lower[0] && upper.y >= light.lower[1] && upper.z >= light.lower[2] &&
           lower.x <= light.upper[0] && lower.y <= light.upper[1] && lower.z <= light.upper[2];
}
#endif

// The first 32 lights whose boxes hold any of the points that a warp lights now, as bits; the others are always asked.
__device__ __forceinline__ u32 near_lights(const Light* lights, int count, V3 point) {
#if WARP_LIGHTS
    u32 mask = __activemask();
    V3 lower = v3(least_of(mask, point.x), least_of(mask, point.y), least_of(mask, point.z));
    V3 upper = v3(largest_of(mask, point.x), largest_of(mask, point.y), largest_of(mask, point.z));
    u32 found = 0;
    for (int i = 0; i < min(count, 32); i += __popc(mask)) {
        int own = i + __popc(mask & ((1u << (threadIdx.x & 31)) - 1u));
        bool near = own < min(count, 32) && may_light(lights[own], lower, upper);
        found |= __reduce_or_sync(mask, near ? 1u << own : 0u);
    }
    return found;
#else
    return 0xffffffffu;
#endif
}

// MuJoCo's light. Without shadows, the sum over lights, clamped before the texture; with them, each light that casts
// any is clamped by itself and missing where it is blocked. A mirror weakens what it shows before that is clamped.
// Together: whether all threads of the warp that come here light points of one scene.
__device__ __forceinline__ V3 lit(
    const Scene& scene, const Light* lights, const View& view, const Surface& s, float limit, bool direct, float x, float y,
    Options options, bool smooth, bool together
) {
    V3 sum = (s.emission + scene.ambient) * s.colour, eye = unit(view.position - s.point);
    float least_lobe = 1.0f;
    if (s.specular > 1.0f / 4096.0f)
        least_lobe = exp2f(2.0f / fmaxf(s.shininess, TINY) * log2f((1.0f / 4096.0f) / s.specular));
    Lamp lamp;
    u32 near = together ? near_lights(lights, scene.light_count, s.point) : 0xffffffffu;
    for (int i = 0; i < scene.light_count; i++) {
        if (i < 32 && !(near >> i & 1u)) continue;
        const Light& light = lights[i];
#if FULL
        if (options.shadows && light.shadow > 0.0f) continue;
#endif
        if (aim(scene, light, i, s.point, s.normal, view.back, lamp)) sum = sum + shine(light, lamp, s, eye, least_lobe);
    }
    sum = least(sum, limit);
#if FULL
    for (int i = 0; options.shadows && i < scene.light_count; i++) {
        const Light& light = lights[i];
        if (light.shadow <= 0.0f || !aim(scene, light, i, s.point, s.normal, view.back, lamp)) continue;
        V3 own = shine(light, lamp, s, eye, least_lobe);
        bool bright = own.x + own.y + own.z > 1.0f / 255.0f;
        if (bright && s.kind != KIND_CLEAR && direct && blocked(scene, light, lamp, s, x, y, smooth)) continue;
        bool shadowless = limit > 1.0f || s.kind == KIND_CLEAR;
        sum = least(sum + least(own, limit), shadowless ? limit : ENDLESS);
    }
#endif
    return sum;
}
