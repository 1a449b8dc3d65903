// Whether Stop would succeed where a thing of a kind is looked for: rays to points of it, as tasks/goals.py's SightGoal.
//
// Everything is float64: the points lie on the surfaces that rays must meet first, and the box of a floor is flat.

#define RAY_STACK 64
#define RAY_DONE 0x7fffffff
#define PLACE_STRIDE 2   // places to see a thing from are looked for at every second cell and with a part of its points
#define PLACE_POINTS 24
#define AHEAD_LEAST 1e-6
#define PASSED -2        // of what rays pass, as a site

struct Sought {          // what is looked for in one house; mirrored by SOUGHT in sights.py
    const int* object_of;     // [geoms] place in the house's objects, -1 for the building
    const double* points;     // [points, 3] spread by area over surfaces
    const int* objects;       // [n] the objects of the goals, one goal after the other
    const int* first_point;   // [n + 1]
    const int* first_object;  // [goals + 1]
};

struct D3 { double x, y, z; };

__device__ __forceinline__ double inverse_of(double d) { return 1.0 / (fabs(d) > 1e-30 ? d : copysign(1e-30, d)); }

// Where a ray enters a box, or FAR where it passes it or comes too late.
__device__ __forceinline__ double entered(float x0, float x1, float y0, float y1, float z0, float z1, D3 o, D3 id, double far) {
    double ax = (x0 - o.x) * id.x, bx = (x1 - o.x) * id.x, ay = (y0 - o.y) * id.y, by = (y1 - o.y) * id.y;
    double az = (z0 - o.z) * id.z, bz = (z1 - o.z) * id.z;
    double enter = fmax(fmax(fmin(ax, bx), fmin(ay, by)), fmax(fmin(az, bz), 0.0));
    double leave = fmin(fmin(fmax(ax, bx), fmax(ay, by)), fmin(fmax(az, bz), far));
    return enter <= leave * 1.000001 + 1e-9 ? enter : FAR;
}

// Both sides of a triangle are met.
__device__ __forceinline__ void meet_triangle(const float4* prim, D3 o, D3 d, double& far, int& geom) {
    float4 a = __ldg(prim), b = __ldg(prim + 1), c = __ldg(prim + 2);
    double e1x = b.x, e1y = b.y, e1z = b.z, e2x = c.x, e2y = c.y, e2z = c.z;
    double px = d.y * e2z - d.z * e2y, py = d.z * e2x - d.x * e2z, pz = d.x * e2y - d.y * e2x;
    double det = e1x * px + e1y * py + e1z * pz, sign = det < 0.0 ? -1.0 : 1.0;
    double sx = o.x - a.x, sy = o.y - a.y, sz = o.z - a.z;
    double qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x;
    double u = sign * (sx * px + sy * py + sz * pz), v = sign * (d.x * qx + d.y * qy + d.z * qz);
    double t = sign * (e2x * qx + e2y * qy + e2z * qz);
    det *= sign;
    if (det > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= det && t >= 0.0 && t < far * det)
        far = t / det, geom = __float_as_int(b.w);
}

// The object that a ray meets first, -1 for the building, PASSED for nothing.
__device__ int first_object(const Scene& scene, const Sought& sought, D3 o, D3 d) {
    D3 id = {inverse_of(d.x), inverse_of(d.y), inverse_of(d.z)};
    int stack[RAY_STACK], top = 0, node = 0, geom = -1;
    double far = FAR;
    while (node != RAY_DONE) {
        if (node < 0) {
            int code = ~node, first = code >> 3, last = first + (code & 7);
            for (int i = first; i < last; i++) {
                double before = far;
                int other = geom;
                meet_triangle(scene.still.prims + 3 * (u64)i, o, d, far, other);
                if (other != geom && sought.object_of[other] == PASSED) far = before;
                else geom = other;
            }
            node = top ? stack[--top] : RAY_DONE;
            continue;
        }
        const float4* n = scene.still.nodes + 4 * (u64)node;
        float4 xy0 = __ldg(n), xy1 = __ldg(n + 1), z = __ldg(n + 2), c = __ldg(n + 3);
        double n0 = entered(xy0.x, xy0.y, xy0.z, xy0.w, z.x, z.y, o, id, far);
        double n1 = entered(xy1.x, xy1.y, xy1.z, xy1.w, z.z, z.w, o, id, far);
        int left = __float_as_int(c.x), right = __float_as_int(c.y);
        if (n0 < FAR && n1 < FAR) {
            stack[top++] = n1 < n0 ? left : right;
            node = n1 < n0 ? right : left;
        } else {
            node = n0 < FAR ? left : n1 < FAR ? right : top ? stack[--top] : RAY_DONE;
        }
    }
    return geom < 0 ? PASSED : sought.object_of[geom];
}

__device__ __forceinline__ D3 ray_to(const double* point, double x, double y, double z) {
    return {__dadd_rn(point[0], -x), __dadd_rn(point[1], -y), __dadd_rn(point[2], -z)};
}

struct Look { D3 right, up, ahead; double widest, highest; };

__device__ Look look_of(const Agent& agent, const Rules& rules) {
    double yaw = agent.yaw * DEGREE, pitch = agent.pitch * DEGREE;
    double cy = cos(yaw), sy = sin(yaw), cp = cos(pitch), sp = sin(pitch);
    return {{sy, -cy, 0.0}, {cy * sp, sy * sp, cp}, {cy * cp, sy * cp, -sp}, -rules.window[0], rules.window[2]};
}

__device__ __forceinline__ double along(D3 a, D3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__device__ __forceinline__ bool in_picture(const Look& look, D3 ray) {
    double ahead = along(look.ahead, ray);
    return ahead > AHEAD_LEAST && fabs(along(look.right, ray)) <= look.widest * ahead
        && fabs(along(look.up, ray)) <= look.highest * ahead;
}

__device__ bool in_sight(const Scene& scene, const Sought& sought, const Agent& agent, const Rules& rules) {
    Look look = look_of(agent, rules);
    D3 o = {agent.x, agent.y, rules.camera_m};
    for (int n = sought.first_object[agent.goal]; n < sought.first_object[agent.goal + 1]; n++)
        for (int p = sought.first_point[n]; p < sought.first_point[n + 1]; p++) {
            D3 ray = ray_to(sought.points + 3 * (u64)p, o.x, o.y, o.z);
            if (length_of(ray.x, ray.y) > rules.within_m || !in_picture(look, ray)) continue;
            if (first_object(scene, sought, o, ray) == sought.objects[n]) return true;
        }
    return false;
}

// Whether each agent's Stop, or any action of one that stops itself, succeeds; the action itself is carried out by `act`.
extern "C" __global__ void find_sights(
    const Floor* __restrict__ floors, const Scene* __restrict__ scenes, const Sought* __restrict__ all_sought,
    const Agent* __restrict__ agents, int count, const long long* __restrict__ actions, const Rules* __restrict__ all_rules,
    const double* __restrict__ table, u8* __restrict__ sighted
) {
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= count) return;
    const Rules& rules = *all_rules;
    Agent agent = agents[number];
    int action = (int)actions[number];
    sighted[number] = 0;
    if (action != 5 && !rules.stops_itself) return;
    carry_out(floors[agent.floor], agent, rules, table, action);
    sighted[number] = (u8)in_sight(scenes[agent.floor], all_sought[agent.floor], agent, rules);
}

// spots [goals, free cells]: 1 where some point of the goal's kind can be seen by who turns there.
extern "C" __global__ void spot_places(
    const Floor* __restrict__ floors, const Scene* __restrict__ scenes, const Sought* __restrict__ all_sought, int number,
    const double* __restrict__ within_and_camera, u8* __restrict__ spots
) {
    const Floor& floor = floors[number];
    const Sought& sought = all_sought[number];
    int at = blockIdx.x * blockDim.x + threadIdx.x, goal = blockIdx.y;
    if (at >= floor.nx * floor.ny || floor.cells[at] < 0) return;
    int i = at / floor.ny, j = at % floor.ny;
    u8& spot = spots[(u64)goal * floor.free_count + floor.cells[at]];
    spot = 0;
    if (i % PLACE_STRIDE || j % PLACE_STRIDE) return;
    D3 o = {middle(floor.x0, i), middle(floor.y0, j), within_and_camera[1]};
    for (int n = sought.first_object[goal]; n < sought.first_object[goal + 1]; n++) {
        int first = sought.first_point[n], last = sought.first_point[n + 1], step = max(1, (last - first) / PLACE_POINTS);
        for (int p = first; p < last; p += step) {
            D3 ray = ray_to(sought.points + 3 * (u64)p, o.x, o.y, o.z);
            if (length_of(ray.x, ray.y) > within_and_camera[0]) continue;
            if (first_object(scenes[number], sought, o, ray) != sought.objects[n]) continue;
            spot = 1;
            return;
        }
    }
}
