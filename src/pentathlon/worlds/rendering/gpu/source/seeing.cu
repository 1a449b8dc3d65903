// Follows one ray through a scene until its pixel has its colour, as kernels/trace.py and surface.py do for sixteen.

__device__ __forceinline__ void put_on_material(const Scene& scene, Surface& s, float factor) {
    float4 m0 = __ldg(scene.materials + 2 * s.object), m1 = __ldg(scene.materials + 2 * s.object + 1);
    s.colour = xyz(m0), s.alpha = m0.w * factor;
    s.emission = m1.x, s.specular = m1.y, s.shininess = m1.z, s.reflectance = m1.w;
    bool mirrors = s.face <= FLAT_MIRROR && s.face != QUADRIC_FACE && s.reflectance > 0.0f;
    s.kind = s.alpha < OPAQUE || factor < 1.0f ? KIND_CLEAR : mirrors ? KIND_MIRROR : KIND_SOLID;
}

__device__ __forceinline__ V3 smooth_normal(const uint4* look, float u, float v) {
    uint4 l0 = __ldg(look);
    return (1.0f - u - v) * unpack_normal(l0.x) + u * unpack_normal(l0.y) + v * unpack_normal(l0.z);
}

__device__ __forceinline__ Surface found(const Scene& scene, V3 o, V3 d, const Hit& hit) {
    Surface s;
    s.t = hit.t, s.u = hit.u, s.v = hit.v, s.point = o + hit.t * d, s.look = 0;
    float factor = 1.0f;
#if FULL
    if (hit.flat >= scene.plane_count) {
        s.object = scene.line_objects[hit.flat - scene.plane_count], s.face = LINE_FACE, s.normal = v3(0, 0, 0);
    } else if (hit.flat >= 0) {
        s.object = scene.plane_objects[hit.flat], s.face = PLANE_FACE, s.normal = v3(scene.planes + 14 * hit.flat + 9);
        if (dot(s.normal, d) > 0.0f) factor = PLANE_FROM_BELOW;
    } else {
        const Geometry& g = hit.part < 0 ? scene.still : scene.parts[hit.part].geometry;
        float4 a = __ldg(g.prims + 3 * hit.prim), b = __ldg(g.prims + 3 * hit.prim + 1), c = __ldg(g.prims + 3 * hit.prim + 2);
        s.object = __float_as_int(b.w), s.face = __float_as_int(c.w);
        if (s.face >= 0) s.look = g.looks + 3 * hit.prim, s.normal = smooth_normal(s.look, s.u, s.v);
        else s.normal = s.face == QUADRIC_FACE ? hit.normal : cross(xyz(b), xyz(c));
        if (hit.part >= 0) s.normal = turn_back(scene.parts[hit.part].to_part, s.normal);
        if (s.face == PLANE_FACE && dot(s.normal, d) > 0.0f) factor = PLANE_FROM_BELOW;
    }
#else
    s.look = scene.still.looks + 3 * hit.prim, s.face = 0;
    s.object = (int)__ldg(s.look + 2).z, s.normal = smooth_normal(s.look, s.u, s.v);
#endif
    put_on_material(scene, s, factor);
    s.normal = unit(s.normal);
    return s;
}

struct Sum {             // of what a ray has met so far
    V3 front, behind, solid;  // transparent layers, nearest and farthest on top; what lies behind all of them
    float clear, shade;
};

__device__ __forceinline__ V3 mixed_colour(const Sum& sum) {
    return sum.front + sum.clear * (sum.behind + sum.clear * least(sum.solid, 1.0f));
}

// MuJoCo draws transparent geoms twice, from front to back and then from back to front.
__device__ __forceinline__ void add_layer(Sum& sum, V3 colour, float alpha) {
    sum.front = sum.front + (sum.clear * alpha) * colour;
    sum.behind = (1.0f - alpha) * sum.behind + alpha * colour;
    sum.clear *= 1.0f - alpha;
}

__device__ __forceinline__ Hit no_hit(float far) {
    Hit hit;
    hit.t = far, hit.u = hit.v = 0.0f, hit.prim = -1;
#if FULL
    hit.part = hit.flat = -1, hit.normal = v3(0, 0, 0);
#endif
    return hit;
}

__device__ __forceinline__ Hit look_along(const Scene& scene, const View& view, V3 o, V3 d, float near, bool direct, float x, float y) {
    Hit hit = no_hit(farthest(scene, d));
#if FULL
    if (scene.plane_count) meet_planes(scene, o, d, near, hit);
    if (scene.line_count && direct) meet_lines(scene, view, x, y, near, hit);
#endif
    meet(scene, o, d, near, hit);
    return hit;
}

__device__ __forceinline__ bool is_empty(const Hit& hit) {
#if FULL
    return hit.prim < 0 && hit.flat < 0;
#else
    return hit.prim < 0;
#endif
}

// Takes: x, y in pixels from the picture's corner; smooth: whether this is one of several samples of a pixel; first: what
// the ray is known to meet first, or null.
__device__ __forceinline__ Pixel see(
    const Scene& scene, const Light* lights, const View& view, float x, float y, Options options, bool smooth,
    const Hit* first
) {
    V3 o = origin(view, x, y), d = direction(view, x, y);
    float near = scene.near_m, weight = 1.0f, limit = 1.0f;
    Pixel out;
    out.depth = 0.0f, out.id = -1;
    Sum sum;
    sum.front = sum.behind = sum.solid = v3(0, 0, 0), sum.clear = 1.0f, sum.shade = 0.0f;
    for (int layer = 0; layer < MAX_LAYERS; layer++) {
        bool direct = weight == 1.0f;
        Hit hit = layer == 0 && first ? *first : look_along(scene, view, o, d, near, direct, x, y);
        if (is_empty(hit)) {  // MuJoCo's reflections do not show the sky
            if (direct && scene.sky >= 0) sum.solid = sum.solid + sky_colour(scene, view, d);
            break;
        }
        Surface s = found(scene, o, d, hit);
        if (out.id < 0) out.id = s.object, out.depth = hit.t;
        float4 texture = dress(scene, view, d, s, options.textures);
        V3 light = lit(scene, lights, view, s, limit, direct, x, y, options, smooth, false);
        if (FULL && s.face == LINE_FACE) light = s.colour;
        V3 colour = light * xyz(texture);
        float alpha = s.alpha * texture.w, grey = (light.x + light.y + light.z) * (1.0f / 3.0f);
        if (s.kind == KIND_CLEAR) {
            add_layer(sum, colour, direct ? fminf(alpha, 1.0f) : 0.0f);
            sum.shade += weight * alpha * grey;
            near = hit.t * 1.00001f + 1e-6f;
            continue;
        }
        sum.solid = sum.solid + weight * colour;
        sum.shade += weight * grey;
        if (!FULL || !options.reflections || s.kind != KIND_MIRROR || !direct) break;
        d = d - (2.0f * dot(d, s.normal)) * s.normal, o = s.point, near = 1e-4f;
        weight = fminf(s.reflectance, 0.9999f), limit = 1.0f / weight;  // a weight of one marks the direct ray
    }
    out.colour = mixed_colour(sum), out.shade = sum.shade;
    return out;
}
