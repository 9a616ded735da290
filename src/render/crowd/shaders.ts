/** Texels per row of the data textures, as shifts. The shaders are made with them. */
export const WIDTH_SHIFT = 11;

const texel = (name: string): string => `texelFetch(${name}, ivec2(i & ${(1 << WIDTH_SHIFT) - 1}, i >> ${WIDTH_SHIFT}), 0)`;

/** Skins a character in the vertex shader from its row of the palette. */
export const CROWD_VERTEX_SHADER = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec2 aUV;
layout(location = 1) in uvec4 aInfo;        // slot; drawable, page and flags; mask of draw orders; colour of the attachment
layout(location = 2) in uvec2 aInfluences;  // first | number << 24; index of the first one within its attachment
uniform highp sampler2D uPalette;           // floats of all rows, four a texel
uniform highp usampler2D uSlots;            // words of all rows: per slot light, dark, drawable
uniform highp usampler2D uPeople;           // per character to draw: row; draw order | number of records << 8; first record; fog
uniform highp sampler2D uInfluences;        // x, y, weight, bone
uniform highp sampler2D uKeys;              // deform keys: x, y per influence
uniform highp sampler2D uRecords;           // slot, first key (-1 - texel of this texture: frozen) or clip vertex, weight, number of clip vertices
uniform mat4 uProjection;
uniform vec3 uFog;
uniform int uFirst;                         // number of the first character of this call
uniform int uFloatsPerRow;
uniform int uWordsPerRow;
out vec2 vUV;
out vec2 vWorld;
out vec4 vLight;
out vec3 vDark;
flat out uint vPage;
flat out ivec2 vClip;                       // first clip vertex, their number; negative: what lies inside is cut

vec4 paletteAt(int i) { return ${texel("uPalette")}; }
uint wordAt(int i) { return ${texel("uSlots")}.x; }
uvec4 personAt(int i) { return ${texel("uPeople")}; }
vec4 influenceAt(int i) { return ${texel("uInfluences")}; }
vec2 keyAt(int i) { return ${texel("uKeys")}.xy; }
vec4 recordAt(int i) { return ${texel("uRecords")}; }

vec2 moved(vec2 place, int bone, int row) {
  int at = row * uFloatsPerRow + bone * 6;
  vec4 p = paletteAt(at >> 2), q = paletteAt((at >> 2) + 1);
  vec4 m = (at & 2) == 0 ? p : vec4(p.zw, q.xy);
  vec2 t = (at & 2) == 0 ? q.xy : q.zw;
  return vec2(dot(m.xy, place), dot(m.zw, place)) + t;
}
vec4 colorOf(uint word) {
  return vec4(word & 255u, (word >> 8) & 255u, (word >> 16) & 255u, word >> 24) / 255.0;
}
void main() {
  uvec4 person = personAt(uFirst + gl_InstanceID);
  int row = int(person.x), word = row * uWordsPerRow + int(aInfo.x) * 3;
  // What is hidden now lies outside the picture, all corners at one point.
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  if ((aInfo.z & (1u << (person.y & 255u))) == 0u || (wordAt(word + 2) & 65535u) != (aInfo.y & 65535u)) return;
  int first = int(aInfluences.x & 16777215u), count = int(aInfluences.x >> 24), own = int(aInfluences.y);
  int firstRecord = int(person.z), records = (aInfo.y & 33554432u) == 0u ? 0 : int(person.y >> 8);
  bool isDeformed = false;
  vClip = ivec2(0);
  for (int i = 0; i < records; i++) {
    vec4 record = recordAt(firstRecord + i);
    if (int(record.x) != int(aInfo.x)) continue;
    if (record.w == 0.0) isDeformed = true;
    else vClip = ivec2(int(record.y), int(record.w));
  }
  vec2 world = vec2(0.0);
  for (int i = 0; i < count; i++) {
    vec4 influence = influenceAt(first + i);
    vec2 place = influence.xy;
    if (isDeformed) {
      for (int k = 0; k < records; k++) {
        vec4 record = recordAt(firstRecord + k);
        if (int(record.x) != int(aInfo.x) || record.w != 0.0) continue;
        place += record.z * (record.y < 0.0 ? recordAt(own + i - 1 - int(record.y)).xy : keyAt(int(record.y) + own + i));
      }
    }
    world += moved(place, int(influence.w), row) * influence.z;
  }
  gl_Position = uProjection * vec4(world, 0.0, 1.0);
  vUV = aUV;
  vWorld = world;
  float fog = uintBitsToFloat(person.w);
  vec4 light = colorOf(wordAt(word)) * colorOf(aInfo.w);
  vec3 dark = colorOf(wordAt(word + 1)).rgb;
  vLight = vec4(light.rgb * (1.0 - fog) + uFog * fog, light.a);
  vDark = dark * (1.0 - fog) + uFog * fog;
  vPage = aInfo.y >> 16;
}`;

/** Tints in two colours, clips, and chooses a page's sampler by number. Textures and output are premultiplied. */
export const crowdFragmentShader = (pages: number): string => `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D uRecords;
${Array.from({ length: pages }, (_, i) => `uniform sampler2D uPage${i};`).join("\n")}
in vec2 vUV;
in vec2 vWorld;
in vec4 vLight;
in vec3 vDark;
flat in uint vPage;
flat in ivec2 vClip;
out vec4 color;

vec2 clipAt(int i) { return ${texel("uRecords")}.xy; }

bool isClipped() {
  int count = abs(vClip.y);
  bool isInside = false;
  vec2 b = clipAt(vClip.x + count - 1);
  for (int i = 0; i < count; i++) {
    vec2 a = clipAt(vClip.x + i);
    if ((a.y > vWorld.y) != (b.y > vWorld.y) && vWorld.x < (b.x - a.x) * (vWorld.y - a.y) / (b.y - a.y) + a.x) isInside = !isInside;
    b = a;
  }
  return isInside == (vClip.y < 0);
}
void main() {
  // Derivatives are taken before anything branches.
  vec2 dx = dFdx(vUV), dy = dFdy(vUV);
  if (vClip.y != 0 && isClipped()) discard;
  vec4 t = vec4(0.0);
  switch (int(vPage & 255u)) {
${Array.from({ length: pages }, (_, i) => `    case ${i}: t = textureGrad(uPage${i}, vUV, dx, dy); break;`).join("\n")}
  }
  float alpha = t.a * vLight.a;
  color = vec4(((t.a - t.rgb) * vDark + t.rgb * vLight.rgb) * vLight.a, (vPage & 256u) != 0u ? 0.0 : alpha);
}`;
