import type { Disposable, Restorable } from "../../spine/utils/utils.js";
import type { LineBuffer } from "../debug/line-buffer.js";
import { linkProgram, orthographic } from "./program.js";

// Each line is a quad: an instance stretches the unit square between its ends and makes it `uWidth` pixels wide.
const VERTEX_SHADER = `#version 300 es
uniform mat4 uProjection;
uniform vec2 uViewport;
uniform float uWidth;
layout(location = 0) in vec4 aEnds;
layout(location = 1) in vec4 aColor;
out vec4 vColor;
void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  vec4 a = uProjection * vec4(aEnds.xy, 0.0, 1.0);
  vec4 b = uProjection * vec4(aEnds.zw, 0.0, 1.0);
  vec2 along = (b.xy - a.xy) * uViewport;
  float reach = max(length(along), 1e-6);
  vec2 across = vec2(-along.y, along.x) / reach / uViewport * uWidth;
  gl_Position = mix(a, b, corner.x) + vec4(across * (corner.y * 2.0 - 1.0), 0.0, 0.0);
  vColor = vec4(aColor.rgb * aColor.a, aColor.a);
}`;

const FRAGMENT_SHADER = `#version 300 es
precision mediump float;
in vec4 vColor;
out vec4 color;
void main() { color = vColor; }`;

/** Draws a LineBuffer with WebGL2, lines of constant width in pixels. */
export class LineRenderer implements Disposable, Restorable {
  readonly gl: WebGL2RenderingContext;
  /** Width of lines in pixels. */
  width = 1.5;
  #program!: WebGLProgram;
  #array!: WebGLVertexArrayObject;
  #positions!: WebGLBuffer;
  #colors!: WebGLBuffer;
  readonly #matrix = new Float32Array(16);

  constructor(gl: WebGL2RenderingContext) {
    this.gl = gl;
    this.restore();
  }

  restore(): void {
    const { gl } = this;
    this.#program = linkProgram(gl, VERTEX_SHADER, FRAGMENT_SHADER);
    this.#array = gl.createVertexArray();
    this.#positions = gl.createBuffer();
    this.#colors = gl.createBuffer();
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#positions);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 16, 0);
    gl.vertexAttribDivisor(0, 1);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#colors);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 4, 0);
    gl.vertexAttribDivisor(1, 1);
    gl.bindVertexArray(null);
  }

  /** Draws all lines over the world rectangle of a size around (x, y). */
  draw(lines: LineBuffer, x: number, y: number, width: number, height: number): void {
    if (lines.lineCount === 0) return;
    const { gl } = this;
    gl.useProgram(this.#program);
    gl.uniformMatrix4fv(gl.getUniformLocation(this.#program, "uProjection"), false, orthographic(x, y, width, height, this.#matrix));
    gl.uniform2f(gl.getUniformLocation(this.#program, "uViewport"), gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.uniform1f(gl.getUniformLocation(this.#program, "uWidth"), this.width);
    gl.bindVertexArray(this.#array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#positions);
    gl.bufferData(gl.ARRAY_BUFFER, lines.positions, gl.STREAM_DRAW, 0, lines.lineCount * 4);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#colors);
    gl.bufferData(gl.ARRAY_BUFFER, lines.colors, gl.STREAM_DRAW, 0, lines.lineCount);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.ONE, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, lines.lineCount);
    gl.bindVertexArray(null);
    gl.useProgram(null);
  }

  dispose(): void {
    const { gl } = this;
    gl.deleteProgram(this.#program);
    gl.deleteVertexArray(this.#array);
    gl.deleteBuffer(this.#positions);
    gl.deleteBuffer(this.#colors);
  }
}
