// Skins a character in the vertex shader from its row of the palette, and tints in two colours.

export const VERTEX = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
layout(location = 0) in vec4 places01;
layout(location = 1) in vec4 places23;
layout(location = 2) in vec4 weights;
layout(location = 3) in uvec4 bones;
layout(location = 4) in vec2 uv;
layout(location = 5) in uvec4 info;      // slot; drawable, page and flags; mask of draw orders; colour of the attachment
uniform highp sampler2D palette;         // floats of all rows, four a texel
uniform highp usampler2D slots;          // words of all rows: per slot light, dark, drawable
uniform highp sampler2D people;          // per place in the painter's order: row, draw order, haze
uniform int first;                       // place of the first instance of this call
uniform int floatsPerRow;
uniform int wordsPerRow;
uniform vec2 size;                       // of the picture, in pixels
out vec2 texturePlace;
out vec4 light;
out vec3 dark;
out float haze;
flat out uint page;

vec4 texelOf(int index) {
  return texelFetch(palette, ivec2(index & 2047, index >> 11), 0);
}
vec2 moved(vec2 place, uint bone, int row) {
  int at = row * floatsPerRow + int(bone) * 6;
  vec4 p = texelOf(at >> 2), q = texelOf((at >> 2) + 1);
  vec4 m = (at & 2) == 0 ? p : vec4(p.zw, q.xy);
  vec2 t = (at & 2) == 0 ? q.xy : q.zw;
  return vec2(m.x * place.x + m.y * place.y, m.z * place.x + m.w * place.y) + t;
}
uint wordOf(int index) {
  return texelFetch(slots, ivec2(index & 4095, index >> 12), 0).x;
}
vec4 colorOf(uint packed) {
  return vec4(packed & 255u, (packed >> 8) & 255u, (packed >> 16) & 255u, packed >> 24) / 255.0;
}
void main() {
  int place = first + gl_InstanceID;
  vec4 person = texelFetch(people, ivec2(place & 1023, place >> 10), 0);
  int row = int(person.x), word = row * wordsPerRow + int(info.x) * 3;
  // What is hidden now lies outside the picture.
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  if ((info.z & (1u << uint(person.y))) == 0u || (wordOf(word + 2) & 65535u) != (info.y & 65535u)) return;
  vec2 world = moved(places01.xy, bones.x, row) * weights.x;
  if (weights.y > 0.0) world += moved(places01.zw, bones.y, row) * weights.y;
  if (weights.z > 0.0) world += moved(places23.xy, bones.z, row) * weights.z;
  if (weights.w > 0.0) world += moved(places23.zw, bones.w, row) * weights.w;
  gl_Position = vec4(world / size * 2.0 - 1.0, 0.0, 1.0);
  texturePlace = uv;
  light = colorOf(wordOf(word)) * colorOf(info.w);
  dark = colorOf(wordOf(word + 1)).rgb;
  haze = person.z;
  page = info.y >> 16;
}`;

/** One sampler per page, chosen by number. Textures hold premultiplied colours; so does the output. */
export const fragment = (pages) => `#version 300 es
precision highp float;
precision highp int;
${Array.from({ length: pages }, (_, i) => `uniform sampler2D page${i};`).join("\n")}
uniform vec3 hazeColor;
in vec2 texturePlace;
in vec4 light;
in vec3 dark;
in float haze;
flat in uint page;
out vec4 color;
void main() {
  vec4 t = vec4(0.0);
  switch (int(page & 255u)) {
${Array.from({ length: pages }, (_, i) => `    case ${i}: t = texture(page${i}, texturePlace); break;`).join("\n")}
  }
  vec3 tinted = ((t.a - t.rgb) * dark + t.rgb * light.rgb) * light.a;
  float alpha = t.a * light.a;
  tinted = mix(tinted, hazeColor * alpha, haze);
  color = vec4(tinted, (page & 256u) != 0u ? 0.0 : alpha);
}`;
