// A teacher that knows the house: it looks into every corner, nearest first, until it has looked where the goal's picture
// was taken; then it goes there, faces as the picture does, and stops. It knows the goal's place only once it has seen it,
// so that what it does can be learned from what is seen.

#define SEEN_WITHIN_M 2.5   // walking distance within which a place is looked at
#define SEEN_TURN_DEG 46.0  // between the two looks
#define SEEN_AHEAD_M 1.5    // the point before a place that a look at it must show
#define SEEN_HALF_DEG 38.0  // of the picture's width
#define NEAR_M 1.25         // of a corner, from where it is looked into
#define CLOSE_M 0.35        // of a corner that could not be looked into from there
#define AT_GOAL_M 0.5       // of the goal, where the teacher begins to turn
#define LEAST_GAIN_M 0.1    // of the way by one move

struct Guide {           // mirrored by GUIDE in teacher.py
    u64 checked;         // corners that have been looked into, as bits
    int episode, target, closer;
    int plan;            // headings of the next two moves, plus one, eight bits each; none are 0
};

__device__ __forceinline__ double turned(double degrees) { return remainder(degrees, 360.0); }

__device__ bool looks_at(const Floor& floor, const Agent& agent, int goal, double walk) {
    const double* place = floor.goals + 3 * goal;
    if (walk > SEEN_WITHIN_M || fabs(turned(agent.yaw - place[2])) > SEEN_TURN_DEG || agent.pitch != 0.0) return false;
    if (walk > 0.5 + 1.5 * length_of(place[0] - agent.x, place[1] - agent.y)) return false;  // round a wall
    double x = place[0] + SEEN_AHEAD_M * cos(place[2] * DEGREE) - agent.x;
    double y = place[1] + SEEN_AHEAD_M * sin(place[2] * DEGREE) - agent.y;
    return fabs(turned(atan2(y, x) / DEGREE - agent.yaw)) <= SEEN_HALF_DEG;
}

__device__ __forceinline__ double walk_of(const Floor& floor, int goal, int cell) {
    return cell < 0 ? FAR : floor.fields[(u64)goal * floor.free_count + cell];
}

__device__ int turn_by(double degrees) { return degrees > 0.0 ? 1 : 2; }

// Where a step in a direction leads, as a cell; -1 where it is blocked.
__device__ int cell_after(const Floor& floor, const Rules& rules, const double* table, double x, double y, double yaw,
                          double& to_x, double& to_y) {
    double degrees = fmod(yaw + 720.0, 360.0);
    to_x = __dadd_rn(x, __dmul_rn(rules.step_m, cosine_of(table, degrees)));
    to_y = __dadd_rn(y, __dmul_rn(rules.step_m, sine_of(table, degrees)));
    int i, j, cell = cell_at(floor, to_x, to_y, i, j);
    return cell >= 0 && clear_line(floor, x, y, to_x, to_y) ? cell : -1;
}

// Where no single move shortens the way: plans the two moves after which the least of it is left. Where these do not
// either, any two: from a place a few centimetres beside, a narrow passage may be met.
__device__ int plan_round(const Floor& floor, const Agent& agent, const Rules& rules, const double* table, int goal, double walk) {
    int around = (int)rint(360.0 / rules.turn_deg), plan = 0, any = 0;
    double best = FAR, x, y, to_x, to_y;
    u32 draw = mixed((u32)agent.steps * 0x9e3779b9u ^ agent.noise), most = 0;
    for (int n = 0; n < around; n++) {
        if (cell_after(floor, rules, table, agent.x, agent.y, n * rules.turn_deg, x, y) < 0) continue;
        for (int m = 0; m < around; m++) {
            int cell = cell_after(floor, rules, table, x, y, m * rules.turn_deg, to_x, to_y);
            double off = fabs(turned(n * rules.turn_deg - agent.yaw)), left = walk_of(floor, goal, cell) + 1e-6 * off;
            if (left < best) best = left, plan = n + 1 + ((m + 1) << 8);
            u32 lot = cell < 0 ? 0u : mixed(draw + (u32)(around * n + m)) | 1u;
            if (lot > most) most = lot, any = n + 1 + ((m + 1) << 8);
        }
    }
    return best < walk - 0.5 * LEAST_GAIN_M ? plan : any;
}

__device__ int follow(const Floor& floor, const Agent& agent, const Rules& rules, const double* table, Guide& guide) {
    double off = turned(((guide.plan & 255) - 1) * rules.turn_deg - agent.yaw), x, y;
    if (fabs(off) > 0.51 * rules.turn_deg) return turn_by(off);
    guide.plan = cell_after(floor, rules, table, agent.x, agent.y, agent.yaw, x, y) < 0 ? 0 : guide.plan >> 8;
    return 0;
}

// The first action of the best move with the turns before it, judged by the way that is left. A move must shorten the way:
// who may also put off a turn never takes it.
__device__ int go(const Floor& floor, const Agent& agent, const Rules& rules, const double* table, Guide& guide, int goal,
                  double walk) {
    if (guide.plan) return follow(floor, agent, rules, table, guide);
    int half = (int)rint(180.0 / rules.turn_deg), first = -1;
    double best = FAR;
    for (int n = 0; n < 2 * half; n++) {
        int turns = (n + 1) / 2, side = n & 1 ? 1 : -1;
        if (turns + walk / rules.step_m - 0.4 >= best) break;
        double x, y, yaw = agent.yaw + side * turns * rules.turn_deg;
        int cell = cell_after(floor, rules, table, agent.x, agent.y, yaw, x, y);
        double left = walk_of(floor, goal, cell), cost = turns + 1.0 + left / rules.step_m;
        if (left < walk - LEAST_GAIN_M && cost < best) best = cost, first = turns == 0 ? 0 : turn_by(side);
    }
    if (first >= 0) return first;
    guide.plan = plan_round(floor, agent, rules, table, goal, walk);
    return guide.plan ? follow(floor, agent, rules, table, guide) : 1;
}

// Steps until a corner has been looked into, about: turns towards it, the way, and turns to its view.
__device__ __forceinline__ double effort(const Floor& floor, const Agent& agent, const Rules& rules, int goal, int cell) {
    const double* place = floor.goals + 3 * goal;
    double walk = walk_of(floor, goal, cell), yaw = agent.yaw, off = 0.0;
    if (walk > NEAR_M) yaw = atan2(place[1] - agent.y, place[0] - agent.x) / DEGREE, off = fabs(turned(yaw - agent.yaw));
    off += fabs(turned(place[2] - yaw));
    return fmax(walk - NEAR_M, 0.0) / rules.step_m + off / rules.turn_deg;
}

// The nearest corner, which is kept until it has been looked into: who weighs anew at every step turns to and fro. Whoever
// did otherwise than the teacher said is told of the corner nearest from there, since nobody can see which one is meant.
__device__ void choose_target(const Floor& floor, const Agent& agent, const Rules& rules, Guide& guide, int cell, bool strayed) {
    if (!strayed && guide.target >= 0 && !(guide.checked >> guide.target & 1)) return;
    double best = FAR;
    int nearest = agent.goal;
    for (int l = 0; l < floor.goal_count; l++) {
        if (guide.checked >> l & 1) continue;
        double steps = effort(floor, agent, rules, l, cell);
        if (steps < best) best = steps, nearest = l;
    }
    if (nearest != guide.target) guide.closer = guide.plan = 0;
    guide.target = nearest;
}

__device__ int advice(const Floor& floor, const Agent& agent, const Rules& rules, const double* table, Guide& guide, int cell,
                      bool strayed) {
    if (agent.pitch != 0.0) return agent.pitch > 0.0 ? 3 : 4;
    bool found = guide.checked >> agent.goal & 1;
    if (strayed) guide.plan = 0;
    if (!found) choose_target(floor, agent, rules, guide, cell, strayed);
    int target = found ? agent.goal : guide.target;
    double walk = walk_of(floor, target, cell), off = turned(floor.goals[3 * target + 2] - agent.yaw);
    bool turns = fabs(off) > 0.51 * rules.turn_deg;
    if (found) return walk > AT_GOAL_M ? go(floor, agent, rules, table, guide, target, walk) : turns ? turn_by(off) : 5;
    if (walk > (guide.closer ? CLOSE_M : NEAR_M)) return go(floor, agent, rules, table, guide, target, walk);
    if (turns) return turn_by(off);
    if (guide.closer) guide.checked |= 1ull << target;  // it cannot be looked into
    guide.closer = 1;
    return go(floor, agent, rules, table, guide, target, walk);
}

// What the teacher would do now, and what only it knows: metres to the goal, ahead and left; the way; whether it has been
// seen; cosine and sine of the turn that is left; how many corners have been looked into. `strayed` tells who did not do
// what was said before.
extern "C" __global__ void teach(
    const Floor* __restrict__ floors, const Agent* __restrict__ agents, int count, const Rules* __restrict__ all_rules,
    const double* __restrict__ table, Guide* __restrict__ guides, long long* __restrict__ actions, float* __restrict__ known,
    const u8* __restrict__ strayed
) {
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= count) return;
    const Agent& agent = agents[number];
    const Floor& floor = floors[agent.floor];
    Guide guide = guides[number];
    if (guide.episode != agent.episode) guide.checked = 0, guide.episode = agent.episode, guide.target = -1, guide.closer = guide.plan = 0;
    int i, j, cell = cell_at(floor, agent.x, agent.y, i, j);
    for (int l = 0; l < floor.goal_count; l++)
        if (!(guide.checked >> l & 1) && looks_at(floor, agent, l, walk_of(floor, l, cell))) guide.checked |= 1ull << l;
    actions[number] = advice(floor, agent, *all_rules, table, guide, cell, strayed[number]);
    const double* place = floor.goals + 3 * agent.goal;
    double dx = place[0] - agent.x, dy = place[1] - agent.y, yaw = agent.yaw * DEGREE, off = (place[2] - agent.yaw) * DEGREE;
    float* row = known + 7 * (u64)number;
    row[0] = (float)(dx * cos(yaw) + dy * sin(yaw)), row[1] = (float)(dy * cos(yaw) - dx * sin(yaw));
    row[2] = (float)fmin(walk_of(floor, agent.goal, cell), 100.0), row[3] = (float)(guide.checked >> agent.goal & 1);
    row[4] = (float)cos(off), row[5] = (float)sin(off);
    int corners = 0;
    for (u64 rest = guide.checked; rest; rest &= rest - 1) corners++;
    row[6] = (float)corners;
    guides[number] = guide;
}
