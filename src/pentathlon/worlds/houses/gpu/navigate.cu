// Navigators for thousands of agents at once: one thread an agent, state in float64, rounded as Python and NumPy round.
//
// The rules are those of bodies/navigator.py, ways/navigation.py and tasks/goals.py.

#define CELL_M 0.05
#define SUCCESS_REWARD 5.0
#define STEP_COST 0.01
#define FACES_DEG 25.0
#define SHORTEST_M 1.0
#define DEGREE 0.017453292519943295
#define MOVE_NOISE_M 0.005
#define TURN_NOISE_DEG 0.5
#define SLIDE_STEP_M 0.01
#define FAR 1e30
#define ATTEMPTS 200

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;

struct Floor {           // one house; mirrored by FLOOR in houses.py
    const int* cells;    // [nx, ny] place among the free cells, or -1
    const int* places;   // [places] cells of the main region, i * ny + j
    const double* fields;  // [goals, free cells] walking distance to the place of each goal
    const double* goals; // [goals, 3] x, y, yaw in degrees
    const int* kinds;    // [goals] what kind of thing each is, where kinds are looked for and not places; else null
    double x0, y0;
    int nx, ny, free_count, place_count, goal_count, first_goal;
};

struct Agent {           // mirrored by AGENT in team.py
    double x, y, yaw, pitch;
    double start_x, start_y, start_yaw;
    double distance, length, travelled;
    int floor, goal, steps, episode, collisions, collided;
    u32 noise, pad;
};

struct Rules {           // mirrored by RULES in team.py
    double step_m, turn_deg, look_deg, most_look_deg, within_m, camera_m, facing, longest_m;
    double window[4];    // left, step right, top, step down of the picture at a distance of one
    int step_limit, noisy, stops_itself, slides;
    u32 seed, patient;
};

// The length of a vector as Python's math.dist rounds it: by exact squares and one step of Newton's on the root.
__device__ double length_of(double x, double y) {
    double xx = __dmul_rn(x, x), yy = __dmul_rn(y, y), low = fma(x, x, -xx) + fma(y, y, -yy);
    double sum = __dadd_rn(xx, yy), high = xx > yy ? xx : yy, other = xx > yy ? yy : xx;
    low += __dadd_rn(other, -__dadd_rn(sum, -high));
    if (sum == 0.0) return 0.0;
    double root = sqrt(sum), left = fma(-root, root, sum) + low;
    return root + left / (2.0 * root);
}

__device__ __forceinline__ int cell_at(const Floor& floor, double x, double y, int& i, int& j) {
    i = (int)rint((x - floor.x0) / CELL_M), j = (int)rint((y - floor.y0) / CELL_M);
    if (i < 0 || j < 0 || i >= floor.nx || j >= floor.ny) return -1;
    return __ldg(floor.cells + i * floor.ny + j);
}

__device__ __forceinline__ double middle(double first, int i) { return __dadd_rn(first, __dmul_rn((double)i, CELL_M)); }

// NavigationMap.clear_line: places a third of a cell apart, as numpy.linspace rounds them.
__device__ bool clear_line(const Floor& floor, double x, double y, double to_x, double to_y) {
    int count = max(2, (int)ceil(length_of(to_x - x, to_y - y) / (CELL_M / 3)));
    double step_x = (to_x - x) / (count - 1), step_y = (to_y - y) / (count - 1);
    int i, j;
    for (int k = 0; k < count; k++) {
        double at_x = k == count - 1 ? to_x : __dadd_rn(__dmul_rn((double)k, step_x), x);
        double at_y = k == count - 1 ? to_y : __dadd_rn(__dmul_rn((double)k, step_y), y);
        if (cell_at(floor, at_x, at_y, i, j) < 0) return false;
    }
    return true;
}

// Goal.distance_m of a PlaceGoal.
__device__ double goal_distance(const Floor& floor, int goal, double x, double y, double within_m) {
    const double* field = floor.fields + (u64)goal * floor.free_count;
    int i, j, own = cell_at(floor, x, y, i, j);
    if (own >= 0 && field[own] <= within_m) return 0.0;
    double best = FAR;
    for (int a = max(i - 1, 0); a <= min(i + 1, floor.nx - 1); a++)
        for (int b = max(j - 1, 0); b <= min(j + 1, floor.ny - 1); b++) {
            int cell = __ldg(floor.cells + a * floor.ny + b);
            if (cell < 0) continue;
            double beside = length_of(__dadd_rn(middle(floor.x0, a), -x), __dadd_rn(middle(floor.y0, b), -y));
            best = fmin(best, fmax(field[cell] - within_m, 0.0) + beside);
        }
    return best;
}

// How near to a goal's place is near enough; the fields of kinds begin where Stop succeeds.
__device__ __forceinline__ double within_of(const Floor& floor, const Rules& rules) { return floor.kinds ? 0.0 : rules.within_m; }

// PlaceGoal.reached, but for ways round a corner, whose length is the grid's and not straightened.
__device__ bool reached(const Floor& floor, int goal, double x, double y, double within_m) {
    const double* place = floor.goals + 3 * goal;
    if (length_of(x - place[0], y - place[1]) > within_m) return false;
    int i, j, gi, gj, own = cell_at(floor, x, y, i, j);
    cell_at(floor, place[0], place[1], gi, gj);
    if (own >= 0 && floor.fields[(u64)goal * floor.free_count + own] <= within_m) return true;
    return clear_line(floor, middle(floor.x0, i), middle(floor.y0, j), middle(floor.x0, gi), middle(floor.y0, gj));
}

__device__ __forceinline__ u32 mixed(u32 x) {
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
    return x;
}

__device__ double gauss(u32& state) {  // Box and Muller's
    state = mixed(state + 0x9e3779b9u);
    double u = ((double)state + 0.5) / 4294967296.0;
    state = mixed(state + 0x9e3779b9u);
    return sqrt(-2.0 * log(u)) * cos(6.283185307179586 * ((double)state / 4294967296.0));
}

__device__ void begin(const Floor& floor, Agent& agent, const Rules& rules, int number) {
    u32 key = mixed(mixed(rules.seed + 0x9e3779b9u * (u32)number) + (u32)agent.episode);
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        u32 r = mixed(key + 0x85ebca6bu * (u32)attempt), s = mixed(r ^ 0x51ed270bu);
        int place = floor.places[r % (u32)floor.place_count];
        agent.goal = (int)(s % (u32)floor.goal_count);
        agent.x = middle(floor.x0, place / floor.ny), agent.y = middle(floor.y0, place % floor.ny);
        agent.yaw = 30.0 * (double)(mixed(s) % 12u);
        agent.distance = goal_distance(floor, agent.goal, agent.x, agent.y, within_of(floor, rules));
        if (agent.distance >= SHORTEST_M && agent.distance <= rules.longest_m) break;
    }
    agent.pitch = 0.0, agent.start_x = agent.x, agent.start_y = agent.y, agent.start_yaw = agent.yaw;
    agent.length = agent.distance, agent.travelled = 0.0;
    agent.steps = agent.collisions = agent.collided = 0;
    agent.noise = mixed(key ^ 0x2545f491u);
    agent.episode++;
}

// Whole degrees come from a table that the host filled, so that they are rounded as there.
__device__ __forceinline__ double cosine_of(const double* table, double degrees) {
    int whole = (int)degrees;
    return whole == degrees && whole >= 0 && whole < 360 ? table[whole] : cos(degrees * DEGREE);
}
__device__ __forceinline__ double sine_of(const double* table, double degrees) {
    int whole = (int)degrees;
    return whole == degrees && whole >= 0 && whole < 360 ? table[360 + whole] : sin(degrees * DEGREE);
}

__device__ __forceinline__ bool is_free(const Floor& floor, double x, double y) {
    int i, j;
    return cell_at(floor, x, y, i, j) >= 0;
}

// Goes a blocked move in small parts, each along x or y where it cannot go both ways at once.
__device__ void slide(const Floor& floor, Agent& agent, double dx, double dy) {
    int parts = max(1, (int)ceil(length_of(dx, dy) / SLIDE_STEP_M));
    double part_x = dx / parts, part_y = dy / parts;
    for (int k = 0; k < parts; k++)
        for (int way = 0; way < 3; way++) {
            double go_x = way == 2 ? 0.0 : part_x, go_y = way == 1 ? 0.0 : part_y;
            if (!is_free(floor, agent.x + go_x, agent.y + go_y)) continue;
            agent.x += go_x, agent.y += go_y, agent.travelled += length_of(go_x, go_y);
            break;
        }
}

__device__ void carry_out(const Floor& floor, Agent& agent, const Rules& rules, const double* table, int action) {
    agent.collided = 0;
    if (action == 0) {
        double far = rules.step_m + (rules.noisy ? MOVE_NOISE_M * gauss(agent.noise) : 0.0);
        double x = __dadd_rn(agent.x, __dmul_rn(far, cosine_of(table, agent.yaw)));
        double y = __dadd_rn(agent.y, __dmul_rn(far, sine_of(table, agent.yaw)));
        agent.collided = !clear_line(floor, agent.x, agent.y, x, y);
        if (!agent.collided) {
            agent.travelled += length_of(x - agent.x, y - agent.y);
            agent.x = x, agent.y = y;
        } else if (rules.slides) {
            slide(floor, agent, x - agent.x, y - agent.y);
        }
    } else if (action == 1 || action == 2) {
        double turned = agent.yaw + (action == 1 ? rules.turn_deg : -rules.turn_deg);
        if (rules.noisy) turned += TURN_NOISE_DEG * gauss(agent.noise);
        double rest = fmod(turned, 360.0);
        agent.yaw = rest < 0.0 ? rest + 360.0 : rest;
    } else if (action == 3 || action == 4) {
        double pitch = agent.pitch + (action == 3 ? -rules.look_deg : rules.look_deg);
        agent.collided = fabs(pitch) > rules.most_look_deg;
        if (!agent.collided) agent.pitch = pitch;
    }
    agent.steps++;
    agent.collisions += agent.collided;
}

__device__ void put_camera(float* row, double x, double y, double yaw, double pitch, const Rules& rules) {
    float cy = (float)cos(yaw * DEGREE), sy = (float)sin(yaw * DEGREE);
    float cp = (float)cos(pitch * DEGREE), sp = (float)sin(pitch * DEGREE);
    row[0] = (float)x, row[1] = (float)y, row[2] = (float)rules.camera_m;
    row[3] = sy, row[4] = -cy, row[5] = 0.0f;
    row[6] = sp * cy, row[7] = sp * sy, row[8] = cp;
    row[9] = -cy * cp, row[10] = -sy * cp, row[11] = sp;
    for (int k = 0; k < 4; k++) row[12 + k] = (float)rules.window[k];
    row[16] = 0.0f;
}

// gps and compass as seen from the start, then distance and direction of the goal, counter-clockwise from ahead; of a kind
// there is neither.
__device__ void put_senses(float* row, const Agent& agent, const Floor& floor) {
    const double* place = floor.goals + 3 * agent.goal;
    double yaw = agent.start_yaw * DEGREE, dx = agent.x - agent.start_x, dy = agent.y - agent.start_y;
    row[0] = (float)(dx * cos(yaw) + dy * sin(yaw)), row[1] = (float)(dy * cos(yaw) - dx * sin(yaw));
    row[2] = (float)remainder((agent.yaw - agent.start_yaw) * DEGREE, 6.283185307179586);
    row[3] = row[4] = 0.0f;
    if (floor.kinds) return;
    double gx = place[0] - agent.x, gy = place[1] - agent.y;
    row[3] = (float)length_of(gx, gy);
    row[4] = (float)remainder(atan2(gy, gx) - agent.yaw * DEGREE, 6.283185307179586);
}

// Degrees between where an agent looks and where its goal's picture was taken, 0 to 180.
__device__ __forceinline__ double off_view(const Floor& floor, const Agent& agent) {
    return fabs(remainder(agent.yaw - floor.goals[3 * agent.goal + 2], 360.0));
}

// Begins the first episodes (without actions) or carries out an action. An episode that ends is followed by the next one
// in the same call; `ends` tells of it (1 stopped, 2 out of steps, + 4 success), and `finished` keeps its last state.
// `sighted` tells who sees what it looks for (find_sights), and is null where places are looked for.
extern "C" __global__ void act(
    const Floor* __restrict__ floors, Agent* __restrict__ agents, int count, const long long* __restrict__ actions,
    const Rules* __restrict__ all_rules, const double* __restrict__ table, float* __restrict__ cameras,
    float* __restrict__ senses, int* __restrict__ goal_rows, float* __restrict__ reward, u8* __restrict__ ends,
    Agent* __restrict__ finished, const u8* __restrict__ sighted
) {
    int number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= count) return;
    const Rules& rules = *all_rules;
    Agent agent = agents[number];
    const Floor& floor = floors[agent.floor];
    int end = 0;
    if (actions) {
        int action = (int)actions[number];
        double before = agent.distance, off_before = off_view(floor, agent);
        carry_out(floor, agent, rules, table, action);
        agent.distance = goal_distance(floor, agent.goal, agent.x, agent.y, within_of(floor, rules));
        bool near = (action == 5 || rules.stops_itself)
            && (sighted ? sighted[number] != 0 : reached(floor, agent.goal, agent.x, agent.y, rules.within_m));
        bool stops = action == 5 ? near || !rules.patient : rules.stops_itself && near;
        double gain = SUCCESS_REWARD * near + before - agent.distance - STEP_COST;
        if (rules.facing > 0.0) {
            double off = off_view(floor, agent), turned = before == 0.0 && agent.distance == 0.0 ? off_before - off : 0.0;
            gain += rules.facing * (SUCCESS_REWARD * (near && off < FACES_DEG) + turned * DEGREE);
        }
        reward[number] = (float)gain;
        end = stops ? 1 + 4 * near : agent.steps >= rules.step_limit ? 2 : 0;
        ends[number] = (u8)end;
        if (end) finished[number] = agent;
    }
    if (end || agent.episode == 0) begin(floor, agent, rules, number);
    put_camera(cameras + 17 * (u64)number, agent.x, agent.y, agent.yaw, agent.pitch, rules);
    put_senses(senses + 5 * (u64)number, agent, floor);
    goal_rows[number] = floor.kinds ? floor.kinds[agent.goal] : floor.first_goal + agent.goal;
    agents[number] = agent;
}

// One of each pair of opposite moves, and the two cells that it passes over.
__constant__ int MOVES[8][6] = {
    {1, 0, 0, 0, 0, 0}, {0, 1, 0, 0, 0, 0}, {1, 1, 1, 0, 0, 1},  {1, -1, 1, 0, 0, -1},
    {2, 1, 1, 0, 1, 1}, {1, 2, 0, 1, 1, 1}, {2, -1, 1, 0, 1, -1}, {1, -2, 0, -1, 1, -1}};

__device__ __forceinline__ int free_at(const Floor& floor, int i, int j) {
    return i < 0 || j < 0 || i >= floor.nx || j >= floor.ny ? -1 : floor.cells[i * floor.ny + j];
}

__device__ __forceinline__ bool may_go(const Floor& floor, int i, int j, const int* move) {
    return free_at(floor, i + move[2], j + move[3]) >= 0 && free_at(floor, i + move[4], j + move[5]) >= 0;
}

// neighbours [16, free cells]: where each move leads, or -1. Moves m and m + 8 are opposite.
extern "C" __global__ void link_cells(const Floor* __restrict__ floors, int number, int* __restrict__ neighbours) {
    const Floor& floor = floors[number];
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= floor.nx * floor.ny || floor.cells[at] < 0) return;
    int i = at / floor.ny, j = at % floor.ny, own = floor.cells[at];
    for (int m = 0; m < 8; m++) {
        const int* move = MOVES[m];
        int ahead = free_at(floor, i + move[0], j + move[1]), behind = free_at(floor, i - move[0], j - move[1]);
        neighbours[m * floor.free_count + own] = ahead >= 0 && may_go(floor, i, j, move) ? ahead : -1;
        bool back = behind >= 0 && may_go(floor, i - move[0], j - move[1], move);
        neighbours[(m + 8) * floor.free_count + own] = back ? behind : -1;
    }
}

// From each goal's place, or from its `spots` where these are given (uint8 [goals, free cells], spot_places).
// One block a goal: shortens ways until none gets shorter. Sums are rounded as Dijkstra's, so the result is the same.
extern "C" __global__ void walk_fields(
    const Floor* __restrict__ floors, int number, const int* __restrict__ neighbours, const double* __restrict__ lengths,
    const u8* __restrict__ spots, double* fields
) {
#ifdef ON_GPU
    __shared__ int changed;
#else
    int changed;
#endif
    const Floor& floor = floors[number];
    int count = floor.free_count, goal = blockIdx.x, i, j;
    int source = cell_at(floor, floor.goals[3 * goal], floor.goals[3 * goal + 1], i, j);
    const u8* begins = spots ? spots + (u64)goal * count : 0;
    volatile double* field = fields + (u64)goal * count;
    for (int k = threadIdx.x; k < count; k += blockDim.x) field[k] = (begins ? begins[k] : k == source) ? 0.0 : FAR;
    __syncthreads();
    while (true) {
        if (threadIdx.x == 0) changed = 0;
        __syncthreads();
        bool mine = false;
        for (int round = 0; round < 4; round++)
            for (int k = threadIdx.x; k < count; k += blockDim.x) {
                double best = field[k];
                for (int move = 0; move < 16; move++) {
                    int other = __ldg(neighbours + move * count + k);
                    if (other >= 0) best = fmin(best, __dadd_rn(field[other], lengths[move & 7]));
                }
                if (best < field[k]) field[k] = best, mine = true;
            }
        if (mine) changed = 1;
        __syncthreads();
        int again = changed;
        __syncthreads();
        if (!again) break;
    }
}
