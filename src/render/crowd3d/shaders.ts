import { WIDTH_SHIFT } from "../crowd/shaders.js";

/** Skins a character from its row of the palette: three rows of four floats a joint. */
export const FIGURE_VERTEX_SHADER = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aUV;
layout(location = 3) in vec4 aColor;
layout(location = 4) in uvec4 aJoints;
layout(location = 5) in vec4 aWeights;
layout(location = 6) in uint aRow;      // of an instance
layout(location = 7) in vec4 aTint;     // of an instance
uniform highp sampler2D uPalette;
uniform mat4 uViewProjection;
uniform int uTexelsPerRow;
uniform vec4 uColor;
out vec3 vNormal;
out vec3 vWorld;
out vec2 vUV;
out vec4 vColor;

vec4 texel(int i) { return texelFetch(uPalette, ivec2(i & ${(1 << WIDTH_SHIFT) - 1}, i >> ${WIDTH_SHIFT}), 0); }

void main() {
  vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
  int row = int(aRow) * uTexelsPerRow;
  for (int k = 0; k < 4; k++) {
    float weight = aWeights[k];
    if (weight == 0.0) continue;
    int at = row + int(aJoints[k]) * 3;
    x += weight * texel(at);
    y += weight * texel(at + 1);
    z += weight * texel(at + 2);
  }
  vec4 p = vec4(aPosition, 1.0);
  vWorld = vec3(dot(x, p), dot(y, p), dot(z, p));
  vNormal = vec3(dot(x.xyz, aNormal), dot(y.xyz, aNormal), dot(z.xyz, aNormal));
  vUV = aUV;
  vColor = aColor * uColor * aTint;
  gl_Position = uViewProjection * vec4(vWorld, 1.0);
}
`;

/** Light from the sky, from the ground and from one direction, in linear light; fog by distance. */
export const FIGURE_FRAGMENT_SHADER = `#version 300 es
precision highp float;
uniform sampler2D uTexture;
uniform vec3 uLightDirection;           // to the light, unit
uniform vec3 uLightColor;
uniform vec3 uSkyColor;
uniform vec3 uGroundColor;
uniform vec3 uEye;
uniform vec4 uFog;                      // colour, density
in vec3 vNormal;
in vec3 vWorld;
in vec2 vUV;
in vec4 vColor;
out vec4 color;

vec3 toLinear(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
vec3 fromLinear(vec3 c) { return mix(c * 12.92, 1.055 * pow(max(c, 0.0), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }

void main() {
  vec3 n = normalize(vNormal) * (gl_FrontFacing ? 1.0 : -1.0);
  vec4 texture = texture(uTexture, vUV);
  vec3 base = vColor.rgb * toLinear(texture.rgb);
  vec3 light = mix(uGroundColor, uSkyColor, 0.5 + 0.5 * n.y) + uLightColor * max(0.0, dot(n, uLightDirection));
  float far = 1.0 - exp(-uFog.w * distance(vWorld, uEye));
  color = vec4(fromLinear(mix(base * light, uFog.rgb, far)), 1.0);
}
`;
