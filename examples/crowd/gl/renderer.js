// Draws a whole crowd with a few instanced calls (WebGL2): bones from the palette, everything else from the table of states.
import { HAZE } from "../backdrop.js";
import { buildGeometry } from "./geometry.js";
import { VERTEX, fragment } from "./shaders.js";

const PALETTE_WIDTH = 2048, PEOPLE_WIDTH = 1024;

export class InstancedRenderer {
  /**
   * @param states - every clip and look that may be shown must have been asked for
   * @param pages - { image, texture } per atlas page; images are premultiplied
   */
  constructor(gl, states, skins, pages) {
    this.gl = gl;
    this.states = states;
    this.floatsPerRow = states.data.bones.length * 6;
    this.geometry = buildGeometry(states, skins, (texture) => pages.findIndex((page) => page.texture === texture));
    this.program = link(gl, VERTEX, fragment(pages.length));
    this.place = (name) => gl.getUniformLocation(this.program, name);
    this.firstPlace = this.place("first");
    this.#upload();
    this.pageTextures = pages.map((page) => pageTexture(gl, page));
    this.statesTexture = this.#statesTexture();
    this.paletteTexture = dataTexture(gl);
    this.peopleTexture = dataTexture(gl);
    this.paletteRows = this.peopleRows = 0;
    this.copy = null;
  }

  #upload() {
    const { gl, geometry } = this;
    this.vertexArray = gl.createVertexArray();
    gl.bindVertexArray(this.vertexArray);
    this.buffers = [];
    const attribute = (location, array, size, integer, offset = 0, stride = 0) => {
      if (array) {
        const buffer = gl.createBuffer();
        this.buffers.push(buffer);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
      }
      gl.enableVertexAttribArray(location);
      if (integer) gl.vertexAttribIPointer(location, size, integer, stride, offset);
      else gl.vertexAttribPointer(location, size, gl.FLOAT, false, stride, offset);
    };
    attribute(0, geometry.places, 4, 0, 0, 32);
    attribute(1, null, 4, 0, 16, 32);
    attribute(2, geometry.weights, 4, 0);
    attribute(3, geometry.bones, 4, gl.UNSIGNED_SHORT);
    attribute(4, geometry.uvs, 2, 0);
    attribute(5, geometry.info, 4, gl.UNSIGNED_INT);
    const buffer = gl.createBuffer();
    this.buffers.push(buffer);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, geometry.indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
  }

  #statesTexture() {
    const { gl, states } = this;
    const width = 1 + states.slotCount * 3, height = states.rows.length;
    const bytes = new Uint8Array(width * height * 4);
    states.rows.forEach((row, y) => {
      bytes[y * width * 4] = row[0];
      for (let s = 0; s < states.slotCount; s++) {
        const from = 1 + s * 8, at = (y * width + 1 + s * 3) * 4;
        bytes[at] = row[from] & 255;
        bytes[at + 1] = row[from] >> 8;
        for (let c = 0; c < 4; c++) bytes[at + 4 + c] = row[from + 1 + c];
        for (let c = 0; c < 3; c++) bytes[at + 8 + c] = row[from + 5 + c];
      }
    });
    const texture = dataTexture(gl);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8UI, width, height, 0, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, bytes);
    return texture;
  }

  /**
   * @param palette - of the crowd
   * @param people - palette row, state, haze, 0 per character, far to near; padded to whole rows of PEOPLE_WIDTH
   * @param runs - [{ range, first, count }]: consecutive characters of one look
   */
  draw(palette, people, runs, width, height) {
    const { gl, program } = this;
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(program);
    gl.bindVertexArray(this.vertexArray);
    this.#bind(0, this.paletteTexture, "palette");
    this.paletteRows = this.#uploadFloats(this.#unshared(palette), PALETTE_WIDTH, this.paletteRows);
    this.#bind(1, this.statesTexture, "states");
    this.#bind(2, this.peopleTexture, "people");
    this.peopleRows = this.#uploadFloats(people, PEOPLE_WIDTH, this.peopleRows);
    this.pageTextures.forEach((texture, i) => this.#bind(3 + i, texture, `page${i}`));
    gl.uniform1i(this.place("floatsPerRow"), this.floatsPerRow);
    gl.uniform2f(this.place("size"), width, height);
    gl.uniform3f(this.place("hazeColor"), ...HAZE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    for (const { range, first, count } of runs) {
      const { start, count: indices } = this.geometry.ranges[range];
      gl.uniform1i(this.firstPlace, first);
      gl.drawElementsInstanced(gl.TRIANGLES, indices, gl.UNSIGNED_INT, start * 4, count);
    }
    gl.bindVertexArray(null);
  }

  #bind(unit, texture, name) {
    const { gl } = this;
    gl.activeTexture(gl.TEXTURE0 + unit);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.uniform1i(this.place(name), unit);
  }

  /** WebGL does not take views of shared memory. */
  #unshared(floats) {
    if (typeof SharedArrayBuffer === "undefined" || !(floats.buffer instanceof SharedArrayBuffer)) return floats;
    if (this.copy?.length !== floats.length) this.copy = new Float32Array(floats.length);
    this.copy.set(floats);
    return this.copy;
  }

  /** Fills the bound float texture, four floats a texel; the last row may be part of one. Returns its number of rows. */
  #uploadFloats(floats, width, rows) {
    const { gl } = this;
    const perRow = width * 4, whole = Math.floor(floats.length / perRow), rest = floats.length - whole * perRow;
    const needed = Math.max(1, whole + 1);
    if (needed > rows) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, width, needed, 0, gl.RGBA, gl.FLOAT, null);
    if (whole > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, whole, gl.RGBA, gl.FLOAT, floats, 0);
    if (rest >= 4) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, rest >> 2, 1, gl.RGBA, gl.FLOAT, floats, whole * perRow);
    // An odd number of bones leaves two floats over.
    if (rest % 4 !== 0) {
      const last = new Float32Array(4);
      last.set(floats.subarray(floats.length - (rest % 4)));
      gl.texSubImage2D(gl.TEXTURE_2D, 0, rest >> 2, whole, 1, 1, gl.RGBA, gl.FLOAT, last, 0);
    }
    return Math.max(needed, rows);
  }

  dispose() {
    const { gl } = this;
    for (const buffer of this.buffers) gl.deleteBuffer(buffer);
    for (const texture of [this.paletteTexture, this.peopleTexture, this.statesTexture, ...this.pageTextures]) gl.deleteTexture(texture);
    gl.deleteVertexArray(this.vertexArray);
    gl.deleteProgram(this.program);
  }
}

function dataTexture(gl) {
  const texture = gl.createTexture();
  gl.activeTexture(gl.TEXTURE0);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  return texture;
}

function pageTexture(gl, { image }) {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
  gl.generateMipmap(gl.TEXTURE_2D);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAX_LOD, 4);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  return texture;
}

function link(gl, vertex, fragmentText) {
  const program = gl.createProgram();
  for (const [type, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragmentText]]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(`A shader does not compile: ${gl.getShaderInfoLog(shader)}`);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(`The shaders do not link: ${gl.getProgramInfoLog(program)}`);
  return program;
}
