// Draws a whole crowd with a few instanced calls (WebGL2): bones from the palette, attachments, colours and draw orders from the slot states.
import { HAZE } from "../backdrop.js";
import { buildGeometry } from "./geometry.js";
import { Orders, mergeOrders } from "./orders.js";
import { VERTEX, fragment } from "./shaders.js";

/** Texels a row; the shaders know these numbers too. */
const PALETTE_WIDTH = 2048, SLOTS_WIDTH = 4096, PEOPLE_WIDTH = 1024;

export class InstancedRenderer {
  /**
   * @param crowd - made with `slots: true`
   * @param skins - names of the looks (or null), in the order in which runs number them
   * @param pages - { image, texture } per atlas page; images are premultiplied
   */
  constructor(gl, crowd, skins, pages) {
    this.gl = gl;
    this.crowd = crowd;
    this.skins = skins;
    this.pages = pages;
    this.orders = new Orders(crowd.data.slots.length);
    this.program = link(gl, VERTEX, fragment(pages.length));
    this.place = (name) => gl.getUniformLocation(this.program, name);
    this.firstPlace = this.place("first");
    this.pageTextures = pages.map((page) => pageTexture(gl, page));
    this.paletteTexture = dataTexture(gl);
    this.slotsTexture = dataTexture(gl);
    this.peopleTexture = dataTexture(gl);
    this.rows = new Map();
    this.copies = new Map();
    this.buffers = [];
    this.#rebuild();
  }

  /** Makes the mesh for the draw orders that are known now. */
  #rebuild() {
    const { gl, crowd } = this;
    for (const buffer of this.buffers) gl.deleteBuffer(buffer);
    if (this.vertexArray) gl.deleteVertexArray(this.vertexArray);
    const pageOf = (texture) => this.pages.findIndex((page) => page.texture === texture);
    this.geometry = buildGeometry(crowd.data, crowd.drawables, this.skins, mergeOrders(this.orders.known), pageOf);
    this.ordersBuilt = this.orders.known.length;
    this.#upload();
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

  /**
   * @param people - row, draw order (filled in here), haze, 0 per character, far to near; padded to whole rows of PEOPLE_WIDTH
   * @param runs - [{ range, first, count }]: consecutive characters of one look
   */
  draw(people, count, runs, width, height) {
    const { gl, program, crowd, orders } = this;
    const { slots } = crowd;
    for (let i = 0; i < count; i++) people[i * 4 + 1] = orders.find(slots, people[i * 4]);
    if (orders.known.length > this.ordersBuilt) this.#rebuild();
    gl.viewport(0, 0, gl.drawingBufferWidth, gl.drawingBufferHeight);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.useProgram(program);
    gl.bindVertexArray(this.vertexArray);
    this.#bind(0, this.paletteTexture, "palette");
    this.#fill("palette", this.#unshared("palette", crowd.palette), PALETTE_WIDTH * 4, gl.RGBA32F, gl.RGBA, gl.FLOAT, 4);
    this.#bind(1, this.slotsTexture, "slots");
    this.#fill("slots", this.#unshared("slots", slots), SLOTS_WIDTH, gl.R32UI, gl.RED_INTEGER, gl.UNSIGNED_INT, 1);
    this.#bind(2, this.peopleTexture, "people");
    this.#fill("people", people, PEOPLE_WIDTH * 4, gl.RGBA32F, gl.RGBA, gl.FLOAT, 4);
    this.pageTextures.forEach((texture, i) => this.#bind(3 + i, texture, `page${i}`));
    gl.uniform1i(this.place("floatsPerRow"), crowd.boneCount * 6);
    gl.uniform1i(this.place("wordsPerRow"), crowd.data.slots.length * 3);
    gl.uniform2f(this.place("size"), width, height);
    gl.uniform3f(this.place("hazeColor"), ...HAZE);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    for (const { range, first, count: instances } of runs) {
      const { start, count: indices } = this.geometry.ranges[range];
      gl.uniform1i(this.firstPlace, first);
      gl.drawElementsInstanced(gl.TRIANGLES, indices, gl.UNSIGNED_INT, start * 4, instances);
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
  #unshared(name, array) {
    if (typeof SharedArrayBuffer === "undefined" || !(array.buffer instanceof SharedArrayBuffer)) return array;
    let copy = this.copies.get(name);
    if (copy?.length !== array.length) this.copies.set(name, (copy = new array.constructor(array.length)));
    copy.set(array);
    return copy;
  }

  /** Fills the bound texture, row by row of `perRow` numbers; the last row may be part of one. */
  #fill(name, array, perRow, inside, format, type, perTexel) {
    const { gl } = this;
    const width = perRow / perTexel, whole = Math.floor(array.length / perRow), rest = array.length - whole * perRow;
    if (whole + 1 > (this.rows.get(name) ?? 0)) {
      gl.texImage2D(gl.TEXTURE_2D, 0, inside, width, whole + 1, 0, format, type, null);
      this.rows.set(name, whole + 1);
    }
    if (whole > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, whole, format, type, array, 0);
    const texels = Math.floor(rest / perTexel);
    if (texels > 0) gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, whole, texels, 1, format, type, array, whole * perRow);
    // An odd number of bones leaves two floats over.
    const over = rest - texels * perTexel;
    if (over > 0) {
      const last = new array.constructor(perTexel);
      last.set(array.subarray(array.length - over));
      gl.texSubImage2D(gl.TEXTURE_2D, 0, texels, whole, 1, 1, format, type, last, 0);
    }
  }

  dispose() {
    const { gl } = this;
    for (const buffer of this.buffers) gl.deleteBuffer(buffer);
    for (const texture of [this.paletteTexture, this.peopleTexture, this.slotsTexture, ...this.pageTextures]) gl.deleteTexture(texture);
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
