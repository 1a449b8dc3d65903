// Rays against trees of boxes: binary, each ray for itself, nearer child first.

#define DONE 0x7fffffff
#define STACK 64

// Calls leaf(i) for every primitive whose box a ray enters before `far`, which a leaf may shorten; ends when one is true.
template <class Leaf>
__device__ __forceinline__ void walk(
    const float4* __restrict__ nodes, V3 o, V3 d, float near, const float& far, Leaf leaf
) {
    V3 id = v3(invert(d.x), invert(d.y), invert(d.z));
    V3 oid = o * id;
    int stack[STACK];
    int top = 0, node = 0;
    while (node != DONE) {
        while (node >= 0 && node != DONE) {
            const float4* n = nodes + 4 * (u64)node;
            float4 xy0 = __ldg(n), xy1 = __ldg(n + 1), z = __ldg(n + 2), c = __ldg(n + 3);
            float ax = xy0.x * id.x - oid.x, bx = xy0.y * id.x - oid.x, ay = xy0.z * id.y - oid.y;
            float by = xy0.w * id.y - oid.y, az = z.x * id.z - oid.z, bz = z.y * id.z - oid.z;
            float n0 = fmaxf(fmaxf(fminf(ax, bx), fminf(ay, by)), fmaxf(fminf(az, bz), near));
            float f0 = fminf(fminf(fmaxf(ax, bx), fmaxf(ay, by)), fminf(fmaxf(az, bz), far));
            ax = xy1.x * id.x - oid.x, bx = xy1.y * id.x - oid.x, ay = xy1.z * id.y - oid.y;
            by = xy1.w * id.y - oid.y, az = z.z * id.z - oid.z, bz = z.w * id.z - oid.z;
            float n1 = fmaxf(fmaxf(fminf(ax, bx), fminf(ay, by)), fmaxf(fminf(az, bz), near));
            float f1 = fminf(fminf(fmaxf(ax, bx), fmaxf(ay, by)), fminf(fmaxf(az, bz), far));
            bool in0 = n0 <= f0, in1 = n1 <= f1;
            int left = __float_as_int(c.x), right = __float_as_int(c.y);
            if (in0 && in1) {
                bool swap = n1 < n0;
                stack[top++] = swap ? left : right;
                node = swap ? right : left;
            } else if (in0 || in1) {
                node = in0 ? left : right;
            } else {
                node = top ? stack[--top] : DONE;
            }
        }
        while (node < 0) {
            int code = ~node, first = code >> 3, last = first + (code & 7);
            for (int i = first; i < last; i++)
                if (leaf(i)) return;
            node = top ? stack[--top] : DONE;
        }
    }
}

#if FULL
struct Span {            // where a line enters and leaves a quadric, and its outward normal there
    float enter, leave;
    V3 normal;
};

__device__ __forceinline__ float miss() { return __int_as_float(0x7f800000); }

// Solved from the point of the line nearest the centre: with the ray's own origin float32 loses the root's digits.
__device__ __forceinline__ void sphere_span(V3 o, V3 d, float radius, float& enter, float& leave) {
    float inverse = 1.0f / dot(d, d), middle = -dot(o, d) * inverse;
    V3 p = o + middle * d;
    float room = radius * radius - dot(p, p);
    if (!(room >= 0.0f)) { enter = miss(), leave = -miss(); return; }
    float half = sqrtf(room * inverse);
    enter = middle - half, leave = middle + half;
}

__device__ __forceinline__ Span missed() {
    Span span;
    span.enter = miss(), span.leave = -miss(), span.normal = v3(0, 0, 1);
    return span;
}

__device__ Span ellipsoid_span(V3 size, V3 o, V3 d) {
    V3 scale = v3(1.0f / size.x, 1.0f / size.y, 1.0f / size.z);
    Span span;
    sphere_span(o * scale, d * scale, 1.0f, span.enter, span.leave);
    span.normal = (o + span.enter * d) * scale * scale;
    return span;
}

// `t` of the tube's wall, or of the cap where the wall's point lies beyond the tube.
__device__ float capsule_end(float t, V3 o, V3 d, float radius, float length, bool leaving, float& centre, bool& wall) {
    float z = o.z + t * d.z;
    wall = fabsf(z) <= length, centre = 0.0f;
    if (wall) return t;
    centre = z > 0.0f ? length : -length;
    float enter, leave;
    sphere_span(v3(o.x, o.y, o.z - centre), d, radius, enter, leave);
    return leaving ? leave : enter;
}

__device__ Span capsule_span(V3 size, V3 o, V3 d) {
    float radius = size.x, length = size.z, unused, centre;
    Span span;
    if (d.x * d.x + d.y * d.y < 1e-12f * d.z * d.z) {  // along the axis: only the caps are met
        float first = d.z < 0.0f ? length : -length;
        sphere_span(v3(o.x, o.y, o.z - first), d, radius, span.enter, unused);
        sphere_span(v3(o.x, o.y, o.z + first), d, radius, unused, span.leave);
        span.normal = o + span.enter * d - v3(0, 0, first);
        return span;
    }
    float in, out;
    bool wall, other;
    sphere_span(v3(o.x, o.y, 0), v3(d.x, d.y, 0), radius, in, out);
    if (in == miss()) return missed();
    span.enter = capsule_end(in, o, d, radius, length, false, centre, wall);
    span.leave = capsule_end(out, o, d, radius, length, true, unused, other);
    span.normal = o + span.enter * d;
    span.normal.z = wall ? 0.0f : span.normal.z - centre;
    return span;
}

__device__ Span cylinder_span(V3 size, V3 o, V3 d) {
    float radius = size.x, length = size.z, in, out, disc_in, disc_out;
    if (d.x * d.x + d.y * d.y < 1e-12f * d.z * d.z) {
        bool inside = o.x * o.x + o.y * o.y <= radius * radius;
        in = inside ? -miss() : miss(), out = -in;
    } else {
        sphere_span(v3(o.x, o.y, 0), v3(d.x, d.y, 0), radius, in, out);
    }
    if (d.z == 0.0f) {
        disc_in = fabsf(o.z) <= length ? -miss() : miss(), disc_out = -disc_in;
    } else {
        float reach = length / fabsf(d.z);
        disc_in = -o.z / d.z - reach, disc_out = -o.z / d.z + reach;
    }
    Span span;
    span.enter = fmaxf(in, disc_in), span.leave = fminf(out, disc_out);
    if (!(span.enter <= span.leave)) return missed();
    span.normal = disc_in > in ? v3(0, 0, d.z < 0.0f ? 1.0f : -1.0f) : v3(o.x + span.enter * d.x, o.y + span.enter * d.y, 0);
    return span;
}

__device__ Span quadric_span(const float* row, V3 o, V3 d) {
    V3 local = transform(row, o, 1.0f), along = transform(row, d, 0.0f), size = v3(row + 12);
    if (row[15] == 0.0f) return ellipsoid_span(size, local, along);
    if (row[15] == 1.0f) return capsule_span(size, local, along);
    return cylinder_span(size, local, along);
}
#endif

// Faces that look away are never met, so that a ray passes them without a second walk; but a plane's, faintly seen.
__device__ __forceinline__ void meet_prim(const Geometry& g, int i, V3 o, V3 d, float near, Hit& hit) {
    float4 a = __ldg(g.prims + 3 * i), b = __ldg(g.prims + 3 * i + 1), c = __ldg(g.prims + 3 * i + 2);
#if FULL
    int face = __float_as_int(c.w);
    if (face == QUADRIC_FACE) {
        const float* row = g.quadrics + 24 * __float_as_int(a.w);
        Span span = quadric_span(row, o, d);
        if (span.enter > near && span.enter < hit.t) {
            hit.t = span.enter, hit.u = hit.v = 0.0f, hit.prim = i;
            hit.normal = turn_back(row, span.normal);
        }
        return;
    }
#endif
    V3 e1 = xyz(b), e2 = xyz(c), p = cross(d, e2), s = o - xyz(a), q = cross(s, e1);
    float det = dot(e1, p), u = dot(s, p), v = dot(d, q), t = dot(e2, q);
#if FULL
    if (det < 0.0f && face == PLANE_FACE) det = -det, u = -u, v = -v, t = -t;
#endif
    if (det > 0.0f && u >= 0.0f && v >= 0.0f && u + v <= det && t > near * det && t < hit.t * det) {
        float inverse = 1.0f / det;
        hit.t = t * inverse, hit.u = u * inverse, hit.v = v * inverse, hit.prim = i;
    }
}

#if FULL
// Shadows fall from both sides of a surface.
__device__ __forceinline__ bool blocks(const Geometry& g, int i, V3 o, V3 d, float near, float far) {
    float4 a = __ldg(g.prims + 3 * i), b = __ldg(g.prims + 3 * i + 1), c = __ldg(g.prims + 3 * i + 2);
    if (__float_as_int(c.w) == QUADRIC_FACE) {
        Span span = quadric_span(g.quadrics + 24 * __float_as_int(a.w), o, d);
        return (span.enter > near && span.enter < far) || (span.leave > near && span.leave < far);
    }
    V3 e1 = xyz(b), e2 = xyz(c), p = cross(d, e2), s = o - xyz(a), q = cross(s, e1);
    float det = dot(e1, p), sign = det < 0.0f ? -1.0f : 1.0f;
    float u = sign * dot(s, p), v = sign * dot(d, q), t = sign * dot(e2, q);
    det *= sign;
    return det > 0.0f && u >= 0.0f && v >= 0.0f && u + v <= det && t > near * det && t < far * det;
}

__device__ bool occluded(const Scene& scene, V3 o, V3 d, float near, float far) {
    bool found = false;
    if (scene.still_count)
        walk(scene.still.nodes, o, d, near, far, [&](int i) { return found = blocks(scene.still, i, o, d, near, far); });
    if (found || !scene.part_count) return found;
    walk(scene.top, o, d, near, far, [&](int k) {
        const Part& part = scene.parts[k];
        V3 po = transform(part.to_part, o, 1.0f), pd = transform(part.to_part, d, 0.0f);
        walk(part.geometry.nodes, po, pd, near, far,
             [&](int i) { return found = blocks(part.geometry, i, po, pd, near, far); });
        return found;
    });
    return found;
}

// Planes without end, which no tree of boxes can hold.
__device__ void meet_planes(const Scene& scene, V3 o, V3 d, float near, Hit& hit) {
    for (int i = 0; i < scene.plane_count; i++) {
        const float* plane = scene.planes + 14 * i;
        V3 from = o - v3(plane), n = v3(plane + 9);
        float t = -dot(from, n) / dot(d, n);
        V3 place = from + t * d;
        bool inside = fabsf(dot(place, v3(plane + 3))) <= plane[12] && fabsf(dot(place, v3(plane + 6))) <= plane[13];
        if (inside && t > near && t < hit.t) hit.t = t, hit.flat = i;
    }
}

// An end of a line, moved along it to the near plane where it lies before that. z is ahead of the camera.
__device__ __forceinline__ V3 cut(V3 end, V3 other, float near) {
    float share = end.z < near ? (near - end.z) / (other.z - end.z) : 0.0f;
    return end + share * (other - end);
}

__device__ __forceinline__ V3 seen_from(const View& view, V3 point) {
    V3 p = point - view.position;
    return v3(dot(p, view.right), dot(p, view.up), -dot(p, view.back));
}

// Lines that are some pixels wide at any distance; their numbers follow the planes'.
__device__ void meet_lines(const Scene& scene, const View& view, float x, float y, float near, Hit& hit) {
    bool parallel = view.orthographic > 0.0f;
    for (int i = 0; i < scene.line_count; i++) {
        const float* line = scene.lines + 7 * i;
        V3 a = seen_from(view, v3(line)), b = seen_from(view, v3(line + 3));
        if (fmaxf(a.z, b.z) <= scene.near_m) continue;
        a = cut(a, b, scene.near_m), b = cut(b, a, scene.near_m);
        float shrink0 = parallel ? 1.0f : 1.0f / a.z, shrink1 = parallel ? 1.0f : 1.0f / b.z;
        float x0 = (a.x * shrink0 - view.x0) / view.dx, y0 = (a.y * shrink0 - view.y0) / view.dy;
        float x1 = (b.x * shrink1 - view.x0) / view.dx, y1 = (b.y * shrink1 - view.y0) / view.dy;
        bool across = fabsf(y1 - y0) > fabsf(x1 - x0);  // the width lies along the picture's other axis
        float length = across ? y1 - y0 : x1 - x0;
        if (fabsf(length) < TINY) continue;
        float slope = (across ? x1 - x0 : y1 - y0) / length, along = across ? y - y0 : x - x0;
        float off = fabsf((across ? x - x0 : y - y0) - along * slope), share = along / length;
        float t = parallel ? a.z + share * (b.z - a.z) : 1.0f / (shrink0 + share * (shrink1 - shrink0));
        bool inside = share >= 0.0f && share <= 1.0f && off <= line[6];
        if (inside && t > near && t < hit.t) hit.t = t, hit.flat = scene.plane_count + i;
    }
}
#endif

// Finds the nearest surface; hit.t comes as the farthest distance.
__device__ __forceinline__ void meet(const Scene& scene, V3 o, V3 d, float near, Hit& hit) {
#if FULL
    hit.part = -1;
    if (scene.still_count)
#endif
    walk(scene.still.nodes, o, d, near, hit.t, [&](int i) { meet_prim(scene.still, i, o, d, near, hit); return false; });
#if FULL
    if (scene.part_count)
        walk(scene.top, o, d, near, hit.t, [&](int k) {
            const Part& part = scene.parts[k];
            V3 po = transform(part.to_part, o, 1.0f), pd = transform(part.to_part, d, 0.0f);
            float before = hit.t;
            walk(part.geometry.nodes, po, pd, near, hit.t,
                 [&](int i) { meet_prim(part.geometry, i, po, pd, near, hit); return false; });
            if (hit.t < before) hit.part = k;
            return false;
        });
    if (hit.prim >= 0) hit.flat = -1;
#endif
}
