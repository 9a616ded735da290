import { CharacterField } from "../../../assembly/layout/crowd3d.js";
import type { Crowd3D } from "../../crowd/crowd3d.js";
import { ArgumentError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import { WIDTH_SHIFT } from "../crowd/shaders.js";
import { figureArrays } from "./figure-mesh.js";

/** What is needed of a `BufferGeometry` of three.js. */
export interface ThreeGeometry {
  readonly index: { readonly array: ArrayLike<number> } | null;
  readonly attributes: Readonly<Record<string, unknown>>;
  getAttribute(name: string): { readonly count: number; getX(i: number): number; getY(i: number): number; getZ(i: number): number };
}

/** What is needed of a `Material` of three.js. */
export interface ThreeMaterial {
  onBeforeCompile: (shader: { uniforms: Record<string, { value: unknown }>; vertexShader: string; fragmentShader: string }, renderer: never) => void;
  customProgramCacheKey(): string;
  needsUpdate: boolean;
}

/** The classes of three.js that a crowd is made of: pass the module, `import * as THREE from "three"`. */
export interface ThreeModule {
  readonly InstancedBufferGeometry: new () => any;
  readonly InstancedBufferAttribute: new (array: Uint8Array, itemSize: number, normalized: boolean) => any;
  readonly BufferAttribute: new (array: Float32Array, itemSize: number) => any;
  readonly DataTexture: new (data: Float32Array, width: number, height: number, format: any, type: any) => any;
  readonly Mesh: new (geometry: any, material: any) => any;
  readonly MeshDepthMaterial: new (parameters: any) => any;
  readonly RGBAFormat: unknown;
  readonly FloatType: unknown;
  readonly RGBADepthPacking: unknown;
}

/** A mesh of the characters: geometry and material of a `SkinnedMesh`, for one of the crowd's skins. */
export interface ThreeFigure {
  readonly geometry: ThreeGeometry;
  readonly material: ThreeMaterial;
  /** Index into `crowd.skins`. Default: the place in the list. */
  readonly crowdSkin?: number | undefined;
}

/** A 3D crowd in a scene of three.js. */
export interface ThreeCrowd {
  /** One instanced object a figure: add them to the scene at the origin. Lights, shadows, fog and textures are those of the materials. */
  readonly objects: readonly any[];
  /** Hands over the poses of the latest `crowd.update`. Once a frame, before the scene is rendered. */
  update(): void;
  /** Lets another material draw the crowd (for a depth pass of your own). */
  patch(material: ThreeMaterial): void;
  /** Frees geometries and texture; materials and crowd stay. */
  dispose(): void;
}

const WIDTH = 1 << WIDTH_SHIFT;

const HEAD = `
attribute vec4 osteonJoints;
attribute vec4 osteonWeights;
attribute vec4 osteonTint;
uniform highp sampler2D osteonPalette;
uniform int osteonTexels;
varying vec4 vOsteonTint;
vec4 osteonTexel(int i) { return texelFetch(osteonPalette, ivec2(i & ${WIDTH - 1}, i >> ${WIDTH_SHIFT}), 0); }
mat4 osteonMatrix() {
  vec4 x = vec4(0.0), y = vec4(0.0), z = vec4(0.0);
  for (int k = 0; k < 4; k++) {
    int at = gl_InstanceID * osteonTexels + int(osteonJoints[k] + 0.5) * 3;
    x += osteonWeights[k] * osteonTexel(at);
    y += osteonWeights[k] * osteonTexel(at + 1);
    z += osteonWeights[k] * osteonTexel(at + 2);
  }
  return transpose(mat4(x, y, z, vec4(0.0, 0.0, 0.0, 1.0)));
}
`;

/**
 * Puts a 3D crowd into a scene of three.js: instanced meshes whose own materials (standard, Lambert, basic, …) are taught to skin from
 * the crowd's palette. Works with WebGLRenderer. `tint` multiplies the colour.
 * @param three - the module: `import * as THREE from "three"`
 * @throws ArgumentError if a geometry does not fit its skin
 */
export function crowdInThree(three: ThreeModule, crowd: Crowd3D, figures: readonly ThreeFigure[]): ThreeCrowd {
  let data = new Float32Array(0), texture: any = null, capacity = 0, tints = new Uint8Array(0);
  const palette = { value: null as unknown }, texels = { value: crowd.jointCount * 3 }, patched = new WeakSet<ThreeMaterial>();

  const patch = (material: ThreeMaterial): void => {
    if (patched.has(material)) return;
    patched.add(material);
    const before = material.onBeforeCompile, key = material.customProgramCacheKey();
    material.onBeforeCompile = (shader, renderer) => {
      before.call(material, shader, renderer);
      shader.uniforms["osteonPalette"] = palette;
      shader.uniforms["osteonTexels"] = texels;
      shader.vertexShader = HEAD + shader.vertexShader
        .replace("#include <beginnormal_vertex>", "#include <beginnormal_vertex>\nobjectNormal = mat3(osteonMatrix()) * objectNormal;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\ntransformed = (osteonMatrix() * vec4(transformed, 1.0)).xyz;\nvOsteonTint = osteonTint;");
      shader.fragmentShader = `varying vec4 vOsteonTint;\n${shader.fragmentShader.replace("#include <color_fragment>", "#include <color_fragment>\ndiffuseColor *= vOsteonTint;")}`;
    };
    material.customProgramCacheKey = () => `osteon ${key}`;
    material.needsUpdate = true;
  };

  const objects = figures.map((figure, i) => {
    const index = figure.crowdSkin ?? i, skin = crowd.skins[index], position = figure.geometry.getAttribute("position");
    if (skin === undefined) throw new ArgumentError(`Figure ${i} has no skin ${index} in the crowd, which has ${crowd.skins.length}. Say which in crowdSkin.`);
    const positions = new Float32Array(position.count * 3);
    for (let v = 0; v < position.count; v++) positions.set([position.getX(v), position.getY(v), position.getZ(v)], v * 3);
    const arrays = figureArrays({ positions, indices: [] }, skin, crowd.firstJoint(index)), geometry = new three.InstancedBufferGeometry();
    for (const [name, attribute] of Object.entries(figure.geometry.attributes)) {
      if (name !== "skinIndex" && name !== "skinWeight") geometry.setAttribute(name, attribute);
    }
    geometry.setIndex(figure.geometry.index);
    geometry.setAttribute("osteonJoints", new three.BufferAttribute(Float32Array.from(arrays.joints), 4));
    geometry.setAttribute("osteonWeights", new three.BufferAttribute(arrays.weights, 4));
    patch(figure.material);
    const mesh = new three.Mesh(geometry, figure.material), depth = new three.MeshDepthMaterial({ depthPacking: three.RGBADepthPacking });
    patch(depth);
    mesh.customDepthMaterial = depth;
    // The bounds of the geometry are those of one character in its bind pose.
    mesh.frustumCulled = false;
    return mesh;
  });

  const grow = (): void => {
    capacity = crowd.capacity;
    const height = Math.max(1, Math.ceil((capacity * crowd.jointCount * 3) / WIDTH));
    texture?.dispose();
    data = new Float32Array(WIDTH * height * 4);
    palette.value = texture = new three.DataTexture(data, WIDTH, height, three.RGBAFormat, three.FloatType);
    tints = new Uint8Array(capacity * 4);
    for (const { geometry } of objects) geometry.setAttribute("osteonTint", new three.InstancedBufferAttribute(tints, 4, true));
  };

  const update = (): void => {
    if (crowd.capacity !== capacity) grow();
    // A copy: WebGL takes no views of shared memory.
    data.set(crowd.palette);
    texture.needsUpdate = true;
    const { u32 } = heap, words = new Uint32Array(tints.buffer);
    for (let row = 0; row < crowd.count; row++) words[row] = u32[(crowd._recordOf(row) + CharacterField.TINT) >>> 2]!;
    for (const { geometry } of objects) {
      geometry.instanceCount = crowd.count;
      geometry.attributes.osteonTint.needsUpdate = true;
    }
  };

  update();
  return {
    objects, update, patch,
    dispose: () => {
      texture?.dispose();
      for (const { geometry, customDepthMaterial } of objects) {
        geometry.dispose();
        customDepthMaterial.dispose();
      }
    },
  };
}
