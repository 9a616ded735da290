import type { DrawItem2D, GraphicsLike, RawImage, Rgba, TextureLike, TrailMesh } from "../../anim/module/host.js";
import { linkProgram } from "../gl/program.js";
import { inDrawOrder, quadCorners } from "./item-order.js";

const VERTEX = `#version 300 es
uniform vec2 scale;
in vec2 position; in vec2 uv; in vec4 light; in vec4 dark;
out vec2 texel; out vec4 lightColor; out vec4 darkColor;
void main() {
  texel = uv; lightColor = light; darkColor = dark;
  gl_Position = vec4(position.x * scale.x - 1.0, 1.0 - position.y * scale.y, 0.0, 1.0);
}`;
// Output is premultiplied. dark.a tells whether the texture is.
const FRAGMENT = `#version 300 es
precision mediump float;
uniform sampler2D image;
in vec2 texel; in vec4 lightColor; in vec4 darkColor;
out vec4 result;
void main() {
  vec4 t = texture(image, texel);
  vec3 straight = darkColor.a > 0.5 && t.a > 0.0 ? t.rgb / t.a : t.rgb;
  float a = t.a * lightColor.a;
  result = vec4(mix(darkColor.rgb, lightColor.rgb, straight) * a, a);
}`;

/** Floats per vertex: x y u v, light r g b a, dark r g b and the texture's kind of alpha. */
const STRIDE = 12;
const VERTICES = 16384;
const INDICES = 49152;
const QUAD = [0, 1, 2, 0, 2, 3];

/** A picture that `GlGraphics` draws. */
export class GlImage implements TextureLike {
  constructor(readonly gl: WebGL2RenderingContext, readonly handle: WebGLTexture, readonly width: number, readonly height: number) {}

  getWidth(): number {
    return this.width;
  }

  getHeight(): number {
    return this.height;
  }

  destroy(): void {
    this.gl.deleteTexture(this.handle);
  }
}

/**
 * Draws what the animation module has to show with WebGL2, batched by texture and blend mode. Positions are pixels of the
 * canvas, y down. Call `flush` at the end of a frame. Textures must be `GlImage`s.
 */
export class GlGraphics implements GraphicsLike {
  readonly #gl: WebGL2RenderingContext;
  readonly #program: WebGLProgram;
  readonly #array: WebGLVertexArrayObject;
  readonly #vertexBuffer: WebGLBuffer;
  readonly #indexBuffer: WebGLBuffer;
  readonly #white: GlImage;
  readonly #vertices = new Float32Array(VERTICES * STRIDE);
  readonly #indices = new Uint16Array(INDICES);
  #vertexCount = 0;
  #indexCount = 0;
  #image: GlImage | null = null;
  #blend: DrawItem2D["blend"] = "normal";
  #width: number;
  #height: number;
  readonly #positions = new Float32Array(8);
  readonly #uvs = new Float32Array(8);

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#width = gl.drawingBufferWidth;
    this.#height = gl.drawingBufferHeight;
    this.#program = linkProgram(gl, VERTEX, FRAGMENT);
    this.#array = gl.createVertexArray();
    this.#vertexBuffer = gl.createBuffer();
    this.#indexBuffer = gl.createBuffer();
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#vertexBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, this.#vertices.byteLength, gl.DYNAMIC_DRAW);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#indexBuffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.#indices.byteLength, gl.DYNAMIC_DRAW);
    for (const [name, size, offset] of [["position", 2, 0], ["uv", 2, 2], ["light", 4, 4], ["dark", 4, 8]] as const) {
      const location = gl.getAttribLocation(this.#program, name);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, size, gl.FLOAT, false, STRIDE * 4, offset * 4);
    }
    gl.bindVertexArray(null);
    this.#white = this.newTextureFromImage({ width: 1, height: 1, data: new Uint8Array([255, 255, 255, 255]) });
  }

  /** Size of the surface in the units of positions; default the size of the drawing buffer. */
  resize(width: number, height: number): void {
    this.flush();
    this.#width = width;
    this.#height = height;
  }

  newTextureFromImage(image: RawImage): GlImage {
    const gl = this.#gl;
    const handle = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, handle);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, image.width, image.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(image.data));
    for (const [key, value] of [[gl.TEXTURE_MIN_FILTER, gl.LINEAR], [gl.TEXTURE_MAG_FILTER, gl.LINEAR], [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE], [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE]] as const) {
      gl.texParameteri(gl.TEXTURE_2D, key, value);
    }
    return new GlImage(gl, handle, image.width, image.height);
  }

  drawSolidRect(x: number, y: number, width: number, height: number, color: Rgba): void {
    this.#begin(this.#white, "normal", 4, 6);
    const first = this.#vertexCount;
    for (let i = 0; i < 4; i++) this.#vertex(x + (i === 1 || i === 2 ? width : 0), y + (i > 1 ? height : 0), 0, 0, color.r, color.g, color.b, color.a, undefined, false);
    for (const i of QUAD) this.#indices[this.#indexCount++] = first + i;
  }

  drawTriangles({ positions, colors, indices, vertexCount, indexCount }: TrailMesh): void {
    if (vertexCount > VERTICES || indexCount > INDICES) return this.#splitTriangles(positions, colors, indices, indexCount);
    this.#begin(this.#white, "normal", vertexCount, indexCount);
    const first = this.#vertexCount;
    for (let i = 0; i < vertexCount; i++) this.#vertex(positions[i * 2]!, positions[i * 2 + 1]!, 0, 0, colors[i * 4]!, colors[i * 4 + 1]!, colors[i * 4 + 2]!, colors[i * 4 + 3]!, undefined, false);
    for (let i = 0; i < indexCount; i++) this.#indices[this.#indexCount++] = first + indices[i]!;
  }

  drawItems(items: readonly DrawItem2D[]): void {
    for (const item of inDrawOrder(items)) {
      if (!(item.texture instanceof GlImage)) continue;
      let positions: ArrayLike<number> = this.#positions;
      let uvs: ArrayLike<number> = this.#uvs;
      let indices: ArrayLike<number> = QUAD;
      if (item.kind === "mesh") {
        positions = item.positions!;
        uvs = item.uvs!;
        indices = item.indices!;
      } else {
        quadCorners(item, this.#positions, this.#uvs);
      }
      const count = positions.length >> 1;
      this.#begin(item.texture, item.blend, count, indices.length);
      const first = this.#vertexCount;
      const { r, g, b, a } = item.color;
      for (let i = 0; i < count; i++) this.#vertex(positions[i * 2]!, positions[i * 2 + 1]!, uvs[i * 2]!, uvs[i * 2 + 1]!, r, g, b, a, item.darkColor, item.premultiplied);
      for (let i = 0; i < indices.length; i++) this.#indices[this.#indexCount++] = first + indices[i]!;
    }
  }

  /** Sends what is collected. */
  flush(): void {
    const gl = this.#gl;
    if (this.#indexCount === 0) return;
    gl.useProgram(this.#program);
    gl.uniform2f(gl.getUniformLocation(this.#program, "scale"), 2 / this.#width, 2 / this.#height);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.#image!.handle);
    gl.enable(gl.BLEND);
    const { ONE, ONE_MINUS_SRC_ALPHA, ONE_MINUS_SRC_COLOR, DST_COLOR } = gl;
    const [from, to] = { normal: [ONE, ONE_MINUS_SRC_ALPHA], additive: [ONE, ONE], multiply: [DST_COLOR, ONE_MINUS_SRC_ALPHA], screen: [ONE, ONE_MINUS_SRC_COLOR] }[this.#blend]!;
    gl.blendFuncSeparate(from!, to!, ONE, ONE_MINUS_SRC_ALPHA);
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#vertexBuffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.#vertices, 0, this.#vertexCount * STRIDE);
    gl.bufferSubData(gl.ELEMENT_ARRAY_BUFFER, 0, this.#indices, 0, this.#indexCount);
    gl.drawElements(gl.TRIANGLES, this.#indexCount, gl.UNSIGNED_SHORT, 0);
    gl.bindVertexArray(null);
    this.#vertexCount = this.#indexCount = 0;
  }

  /** Gives program, buffers and the white texture back. */
  dispose(): void {
    const gl = this.#gl;
    gl.deleteProgram(this.#program);
    gl.deleteBuffer(this.#vertexBuffer);
    gl.deleteBuffer(this.#indexBuffer);
    gl.deleteVertexArray(this.#array);
    this.#white.destroy();
  }

  #begin(image: GlImage, blend: DrawItem2D["blend"], vertices: number, indices: number): void {
    if (image !== this.#image || blend !== this.#blend || this.#vertexCount + vertices > VERTICES || this.#indexCount + indices > INDICES) this.flush();
    this.#image = image;
    this.#blend = blend;
  }

  #vertex(x: number, y: number, u: number, v: number, r: number, g: number, b: number, a: number, dark: Rgba | undefined, premultiplied: boolean): void {
    const at = this.#vertexCount++ * STRIDE;
    const out = this.#vertices;
    out[at] = x;
    out[at + 1] = y;
    out[at + 2] = u;
    out[at + 3] = v;
    out[at + 4] = r;
    out[at + 5] = g;
    out[at + 6] = b;
    out[at + 7] = a;
    out[at + 8] = dark?.r ?? 0;
    out[at + 9] = dark?.g ?? 0;
    out[at + 10] = dark?.b ?? 0;
    out[at + 11] = premultiplied ? 1 : 0;
  }

  /** A mesh that does not fit into one batch, triangle by triangle. */
  #splitTriangles(positions: Float32Array, colors: Float32Array, indices: Uint32Array, indexCount: number): void {
    for (let i = 0; i < indexCount; i++) {
      if (i % 3 === 0) this.#begin(this.#white, "normal", 3, 3);
      const k = indices[i]!;
      this.#indices[this.#indexCount++] = this.#vertexCount;
      this.#vertex(positions[k * 2]!, positions[k * 2 + 1]!, 0, 0, colors[k * 4]!, colors[k * 4 + 1]!, colors[k * 4 + 2]!, colors[k * 4 + 3]!, undefined, false);
    }
  }
}
