// What the kernels read: scenes as flat arrays, the same that the CPU's kernels read, with trees beside them.
//
// One text, compiled by NVRTC for a GPU or by a C++ compiler for the CPU (host.cpp), where it is tested.
//   FULL 1 draws everything; 0 draws still meshes without shadows, which is all that a house needs, with fewer registers.

#ifndef FULL
#define FULL 1
#endif

#define MAX_LAYERS 16
#define TEXTURE_LEVELS 15
#define OPAQUE 0.995f
#define PLANE_FROM_BELOW 0.3f
#define TINY 1e-20f
#define ENDLESS 1e30f

// Faces of triangles: 0 where normals at the corners shade it, otherwise one of these.
#define FLAT -1
#define FLAT_MIRROR -2
#define PLANE_FACE -3
#define QUADRIC_FACE -4
#define LINE_FACE -1000

#define MAPPING_NONE 0
#define MAPPING_PLANE 1
#define MAPPING_CUBE 2
#define MAPPING_CORNERS 3

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned char u8;

struct V3 { float x, y, z; };

struct Texture {         // mirrored by TEXTURE in records.py
    const u32* texels;
    int count, width, height, pad;
    int first[TEXTURE_LEVELS + 1];
};

struct Light {           // mirrored by LIGHT_ORDER in records.py
    float x, y, z, point;
    float ax, ay, az, cutoff;
    float a0, a1, a2, exponent;
    float ambient[3], shadow;
    float diffuse[3], radius;
    float specular[3], pad0;
    float lower[3], pad1;
    float upper[3], pad2;
};

struct Geometry {        // what moves together, in its own frame
    const float4* nodes; // 4 a node: boxes of two children, and the children
    const float4* prims; // 3 a primitive, in the order of leaves: corner and quadric, edge and object, edge and face
    const uint4* looks;  // 3 a primitive: packed normals and texture density, texture coordinates, object
    const float* quadrics;  // 24 each, as kernels/quadrics.py describes them
};

struct Part {            // mirrored by PART in records.py
    Geometry geometry;
    float to_part[12];   // 3x4 from the world
};

struct Scene {           // mirrored by SCENE in records.py
    Geometry still;      // in the world's frame
    const float4* top;   // tree over the boxes of the parts
    const Part* parts;
    const float* planes;
    const int* plane_objects;
    const float* lines;
    const int* line_objects;
    const float4* materials;  // 2 an object
    const int* object_texture;
    const float* texture_maps;
    const Texture* textures;
    const Light* lights;
    int still_count, part_count, plane_count, line_count, light_count, sky, headlight, pad;
    float near_m, far_m, sky_m, ambient;
};

struct Options { int shadows, reflections, textures; };

struct View {            // a camera row of kernels/arrays.py
    V3 position, right, up, back;
    float x0, dx, y0, dy, orthographic;
};

struct Hit {
    float t, u, v;
    int prim;            // place in leaf order, or -1
#if FULL
    int part;            // -1: what is still
    int flat;            // a plane without end or a line after them, or -1
    V3 normal;           // of a quadric, in its part's frame
#endif
};

struct Pixel {
    V3 colour;
    float depth, shade;
    int id;
};

__device__ __forceinline__ V3 v3(float x, float y, float z) { V3 r; r.x = x; r.y = y; r.z = z; return r; }
__device__ __forceinline__ V3 v3(const float* p) { return v3(p[0], p[1], p[2]); }
__device__ __forceinline__ V3 xyz(float4 a) { return v3(a.x, a.y, a.z); }
__device__ __forceinline__ V3 operator+(V3 a, V3 b) { return v3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ __forceinline__ V3 operator-(V3 a, V3 b) { return v3(a.x - b.x, a.y - b.y, a.z - b.z); }
__device__ __forceinline__ V3 operator*(float s, V3 a) { return v3(s * a.x, s * a.y, s * a.z); }
__device__ __forceinline__ V3 operator*(V3 a, V3 b) { return v3(a.x * b.x, a.y * b.y, a.z * b.z); }
__device__ __forceinline__ float dot(V3 a, V3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ __forceinline__ V3 cross(V3 a, V3 b) {
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__device__ __forceinline__ V3 unit(V3 a) { return rsqrtf(fmaxf(dot(a, a), TINY)) * a; }
__device__ __forceinline__ V3 least(V3 a, float b) { return v3(fminf(a.x, b), fminf(a.y, b), fminf(a.z, b)); }
__device__ __forceinline__ float invert(float d) { return 1.0f / (fabsf(d) > 1e-12f ? d : copysignf(1e-12f, d)); }
__device__ __forceinline__ V3 transform(const float* m, V3 p, float w) {
    return v3(m[0] * p.x + m[1] * p.y + m[2] * p.z + w * m[3], m[4] * p.x + m[5] * p.y + m[6] * p.z + w * m[7],
              m[8] * p.x + m[9] * p.y + m[10] * p.z + w * m[11]);
}
__device__ __forceinline__ V3 turn_back(const float* m, V3 p) {  // by the transpose of a 3x4 matrix's rotation
    return v3(m[0] * p.x + m[4] * p.y + m[8] * p.z, m[1] * p.x + m[5] * p.y + m[9] * p.z,
              m[2] * p.x + m[6] * p.y + m[10] * p.z);
}

__device__ __forceinline__ View view_of(const float* camera) {
    View view;
    view.position = v3(camera), view.right = v3(camera + 3), view.up = v3(camera + 6), view.back = v3(camera + 9);
    view.x0 = camera[12], view.dx = camera[13], view.y0 = camera[14], view.dy = camera[15];
    view.orthographic = camera[16];
    return view;
}

// One long along the optical axis, so that the distance `t` is metric depth.
__device__ __forceinline__ V3 direction(const View& view, float x, float y) {
    float u = view.x0 + x * view.dx, v = view.y0 + y * view.dy;
    V3 across = u * view.right + v * view.up;
#if FULL
    return (1.0f - view.orthographic) * across - view.back;
#else
    return across - view.back;
#endif
}

__device__ __forceinline__ V3 origin(const View& view, float x, float y) {
#if FULL
    float u = view.x0 + x * view.dx, v = view.y0 + y * view.dy;
    return view.position + view.orthographic * (u * view.right + v * view.up);
#else
    return view.position;
#endif
}

// The far plane or the sky, a cylinder as high as it is wide, which hides what lies beyond it.
__device__ __forceinline__ float farthest(const Scene& scene, V3 d) {
    if (scene.sky_m <= 0.0f) return scene.far_m;
    return fminf(scene.far_m, scene.sky_m * rsqrtf(fmaxf(fmaxf(d.x * d.x + d.y * d.y, d.z * d.z), TINY)));
}
