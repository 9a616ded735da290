import { MeshAttachment } from "../../spine/attachments/mesh-attachment.js";
import { RegionAttachment } from "../../spine/attachments/region-attachment.js";
import { ClippingAttachment } from "../../spine/attachments/clipping-attachment.js";
import { SkeletonClipping } from "../../spine/clipping/skeleton-clipping.js";
import { BlendMode } from "../../spine/enums.js";
import type { Skeleton } from "../../spine/model/skeleton.js";
import type { SlotPose } from "../../spine/model/slot-pose.js";
import type { Color } from "../../spine/utils/color.js";
import type { Disposable, Restorable } from "../../spine/utils/utils.js";
import { heap } from "../../wasm/heap.js";
import { setBlend } from "./blend.js";
import type { GlTexture } from "./gl-texture.js";
import { linkProgram, orthographic } from "./program.js";
import { VertexStream } from "./vertex-stream.js";

const VERTEX_SHADER = `#version 300 es
uniform mat4 uProjection;
layout(location = 0) in vec2 aPosition;
layout(location = 1) in vec2 aUV;
layout(location = 2) in vec4 aLight;
layout(location = 3) in vec4 aDark;
out vec2 vUV;
out vec4 vLight;
out vec4 vDark;
void main() {
  vUV = aUV;
  vLight = aLight;
  vDark = aDark;
  gl_Position = uProjection * vec4(aPosition, 0.0, 1.0);
}`;

// Textures and colours are premultiplied. Without a dark colour vDark is 0 and the first term vanishes.
const FRAGMENT_SHADER = `#version 300 es
precision mediump float;
uniform sampler2D uTexture;
in vec2 vUV;
in vec4 vLight;
in vec4 vDark;
out vec4 color;
void main() {
  vec4 t = texture(uTexture, vUV);
  color = vec4((t.a - t.rgb) * vDark.rgb + t.rgb * vLight.rgb, t.a * vLight.a);
}`;

/** u, v as f32, light and dark as four bytes each. */
const DETAIL_BYTES = 16;
const DETAIL_WORDS = 4;
const QUAD_INDICES = [0, 1, 2, 2, 3, 0];

/** Triangles that can be drawn with one call. */
interface Run {
  texture: GlTexture;
  blend: BlendMode;
  firstIndex: number;
  indexCount: number;
}

/**
 * Draws skeletons with WebGL2: batched over skeletons, all blend modes, two-colour tint, clipping, sequences.
 *
 * `begin`, any number of `draw`, `end`. Vertices are computed by one kernel call per skeleton and go from linear memory to
 * the graphics card without a copy. Textures must be `GlTexture`s. Colours are premultiplied throughout; normal and additive
 * slots share draw calls.
 */
export class SkeletonRenderer implements Disposable, Restorable {
  readonly gl: WebGL2RenderingContext;
  /** Draw calls of the last frame. */
  drawCalls = 0;
  /** Vertices of the last frame. */
  vertexCount = 0;
  #program!: WebGLProgram;
  #projection!: WebGLUniformLocation | null;
  #array!: WebGLVertexArrayObject;
  #buffers!: WebGLBuffer[];
  readonly #stream = new VertexStream();
  #details = new ArrayBuffer(4096 * DETAIL_BYTES);
  #detailFloats = new Float32Array(this.#details);
  #detailWords = new Uint32Array(this.#details);
  #indices = new Uint32Array(8192);
  #indexCount = 0;
  readonly #runs: Run[] = [];
  #runCount = 0;
  readonly #clipping = new SkeletonClipping();
  readonly #matrix = new Float32Array(16);
  #light = 0;
  #dark = 0;

  constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.restore();
  }

  /** Makes shaders and buffers anew, after a lost context came back. */
  restore(): void {
    const { gl } = this;
    this.#program = linkProgram(gl, VERTEX_SHADER, FRAGMENT_SHADER);
    this.#projection = gl.getUniformLocation(this.#program, "uProjection");
    this.#array = gl.createVertexArray();
    this.#buffers = [gl.createBuffer(), gl.createBuffer(), gl.createBuffer()];
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[0]!);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 8, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[1]!);
    for (const [location, size, type, normalized, offset] of [
      [1, 2, gl.FLOAT, false, 0], [2, 4, gl.UNSIGNED_BYTE, true, 8], [3, 4, gl.UNSIGNED_BYTE, true, 12],
    ] as const) {
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, type, normalized, DETAIL_BYTES, offset);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#buffers[2]!);
    gl.bindVertexArray(null);
  }

  /** Starts a frame that shows the world rectangle of a size around (x, y), y up. */
  begin(x: number, y: number, width: number, height: number): void;
  /** Starts a frame with a projection of one's own: a column-major 4x4 matrix. */
  begin(matrix: ArrayLike<number>): void;
  begin(xOrMatrix: number | ArrayLike<number>, y = 0, width = 2, height = 2): void {
    if (typeof xOrMatrix === "number") orthographic(xOrMatrix, y, width, height, this.#matrix);
    else this.#matrix.set(xOrMatrix);
    this.#stream.count = 0;
    this.#indexCount = 0;
    this.#runCount = 0;
  }

  /** Adds what a skeleton shows. Call it after `updateWorldTransform`. */
  draw(skeleton: Skeleton): void {
    const first = this.#stream.append(skeleton);
    const clipping = this.#clipping;
    const order = skeleton.drawOrder.appliedPose;
    for (let i = 0; i < order.length; i++) {
      const slot = order[i]!;
      const pose = slot.appliedPose;
      const { attachment } = pose;
      if (attachment instanceof ClippingAttachment && slot.bone.active) {
        clipping.clipEnd(slot);
        clipping.clipStart(skeleton, slot, attachment);
        continue;
      }
      const start = this.#stream.startOf(i);
      if (start >= 0 && pose.color.a !== 0) {
        if (attachment instanceof RegionAttachment) this.#add(skeleton, pose, attachment, QUAD_INDICES, 4, first + start, slot.data.blendMode);
        else if (attachment instanceof MeshAttachment) {
          this.#add(skeleton, pose, attachment, attachment.triangles, attachment.worldVerticesLength >> 1, first + start, slot.data.blendMode);
        }
      }
      clipping.clipEnd(slot);
    }
    clipping.clipEnd();
  }

  #add(
    skeleton: Skeleton, pose: SlotPose, attachment: RegionAttachment | MeshAttachment, triangles: ArrayLike<number>, count: number,
    firstVertex: number, blend: BlendMode,
  ): void {
    const { sequence, color } = attachment;
    const frame = sequence.resolveIndex(pose);
    const texture = sequence.regions[frame]?.texture as GlTexture | undefined;
    if (texture === undefined || texture === null || color.a === 0) return;
    this.#pack(skeleton.color, pose, color, blend);
    const uvs = sequence.uvs[frame]!;
    if (!this.#clipping.isClipping()) {
      this.#append(uvs, count, triangles, triangles.length, firstVertex, texture, blend);
      return;
    }
    const clipping = this.#clipping;
    const stream = this.#stream;
    clipping._clipRaw(heap.f32, stream.indexOf(firstVertex), triangles, triangles.length, uvs, 2);
    const clipped = clipping.clippedVerticesLength >> 1;
    if (clipped === 0) return;
    // What was cut goes to the end of the frame; the whole attachment stays where it is, unused.
    stream.reserve(clipped);
    const at = stream.indexOf(stream.count);
    heap.f32.set(clipping._clippedVerticesTyped.subarray(0, clipped * 2), at);
    const first = stream.count;
    stream.count += clipped;
    this.#append(clipping._clippedUVsTyped, clipped, clipping._clippedTrianglesTyped, clipping.clippedTrianglesLength, first, texture, blend);
  }

  #append(
    uvs: ArrayLike<number>, count: number, triangles: ArrayLike<number>, triangleCount: number, firstVertex: number, texture: GlTexture,
    blend: BlendMode,
  ): void {
    if ((firstVertex + count) * DETAIL_BYTES > this.#details.byteLength) this.#growDetails(firstVertex + count);
    const floats = this.#detailFloats;
    const words = this.#detailWords;
    for (let i = 0, at = firstVertex * DETAIL_WORDS; i < count; i++, at += DETAIL_WORDS) {
      floats[at] = uvs[i * 2]!;
      floats[at + 1] = uvs[i * 2 + 1]!;
      words[at + 2] = this.#light;
      words[at + 3] = this.#dark;
    }
    if (this.#indexCount + triangleCount > this.#indices.length) {
      const larger = new Uint32Array((this.#indexCount + triangleCount) * 2);
      larger.set(this.#indices);
      this.#indices = larger;
    }
    const indices = this.#indices;
    let to = this.#indexCount;
    for (let i = 0; i < triangleCount; i++) indices[to++] = triangles[i]! + firstVertex;

    // Additive needs no state of its own: its alpha is 0.
    const state = blend === BlendMode.Additive ? BlendMode.Normal : blend;
    let run = this.#runCount > 0 ? this.#runs[this.#runCount - 1] : undefined;
    if (run === undefined || run.texture !== texture || run.blend !== state) {
      run = this.#runs[this.#runCount] ??= { texture, blend: state, firstIndex: 0, indexCount: 0 };
      run.texture = texture;
      run.blend = state;
      run.firstIndex = this.#indexCount;
      run.indexCount = 0;
      this.#runCount++;
    }
    run.indexCount += triangleCount;
    this.#indexCount = to;
  }

  /** Packs light and dark as bytes r g b a (low to high), premultiplied. */
  #pack(skeleton: Color, pose: SlotPose, attachment: Color, blend: BlendMode): void {
    const slot = pose.color;
    const a = skeleton.a * slot.a * attachment.a;
    const scale = 255 * a;
    this.#light = bytes(
      skeleton.r * slot.r * attachment.r * scale, skeleton.g * slot.g * attachment.g * scale, skeleton.b * slot.b * attachment.b * scale,
      blend === BlendMode.Additive ? 0 : scale,
    );
    const dark = pose.darkColor;
    this.#dark = dark === null ? 0 : bytes(dark.r * scale, dark.g * scale, dark.b * scale, 255);
  }

  #growDetails(vertices: number): void {
    const larger = new ArrayBuffer(vertices * 2 * DETAIL_BYTES);
    const words = new Uint32Array(larger);
    words.set(this.#detailWords);
    this.#details = larger;
    this.#detailWords = words;
    this.#detailFloats = new Float32Array(larger);
  }

  /** Draws the frame. Blending stays enabled; the program and the vertex array are unbound. */
  end(): void {
    const { gl } = this;
    this.drawCalls = this.#runCount;
    this.vertexCount = this.#stream.count;
    if (this.#runCount === 0) return;
    gl.useProgram(this.#program);
    gl.uniformMatrix4fv(this.#projection, false, this.#matrix);
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[0]!);
    gl.bufferData(gl.ARRAY_BUFFER, heap.f32, gl.STREAM_DRAW, this.#stream.indexOf(0), this.#stream.count * 2);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#buffers[1]!);
    gl.bufferData(gl.ARRAY_BUFFER, this.#detailWords, gl.STREAM_DRAW, 0, Math.min(this.#detailWords.length, this.#stream.count * DETAIL_WORDS));
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.#indices, gl.STREAM_DRAW, 0, this.#indexCount);
    gl.enable(gl.BLEND);
    gl.activeTexture(gl.TEXTURE0);
    let blend = -1;
    for (let i = 0; i < this.#runCount; i++) {
      const run = this.#runs[i]!;
      if (run.blend !== blend) {
        blend = run.blend;
        setBlend(gl, run.blend);
      }
      gl.bindTexture(gl.TEXTURE_2D, run.texture.handle);
      gl.drawElements(gl.TRIANGLES, run.indexCount, gl.UNSIGNED_INT, run.firstIndex * 4);
    }
    gl.bindVertexArray(null);
    gl.useProgram(null);
  }

  /** Frees buffers and shaders. Safe to call twice. */
  dispose(): void {
    const { gl } = this;
    this.#stream.dispose();
    gl.deleteProgram(this.#program);
    gl.deleteVertexArray(this.#array);
    for (const buffer of this.#buffers) gl.deleteBuffer(buffer);
    this.#buffers.length = 0;
  }
}

function bytes(r: number, g: number, b: number, a: number): number {
  return (r + 0.5) | ((g + 0.5) << 8) | ((b + 0.5) << 16) | ((a + 0.5) << 24);
}
