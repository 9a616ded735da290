import { CharacterField } from "../../../assembly/layout/crowd3d.js";
import { checkMatrix, checkOptions } from "../../crowd/checks.js";
import type { Crowd3D } from "../../crowd/crowd3d.js";
import { ArgumentError, DisposedError } from "../../errors.js";
import { heap } from "../../wasm/heap.js";
import { DataTexture } from "../crowd/data-texture.js";
import { linkProgram } from "../gl/program.js";
import { type Crowd3DMesh, type Distances, type FigureArrays, figureArrays } from "./figure-mesh.js";
import { FIGURE_FRAGMENT_SHADER, FIGURE_VERTEX_SHADER } from "./shaders.js";
import { type FigureSphere, frustumPlanes, sphereOf, visibleRows } from "./sphere.js";

/** What a mesh looks like besides its vertices. */
export interface Crowd3DLook {
  /** Linear colour that everything is multiplied with: r, g, b. Default white. */
  readonly color?: readonly [number, number, number] | undefined;
  /** Base colour picture (sRGB), as a texture that lives elsewhere. Default: white. */
  readonly texture?: WebGLTexture | undefined;
  /** Whether back faces show. Default false. */
  readonly doubleSided?: boolean | undefined;
  /** Distances from the eye between which the mesh shows: give a mesh of fewer triangles for what is far. Default: all. */
  readonly distances?: Distances | undefined;
}

/** Light of a frame; colours are linear. */
export interface Crowd3DDrawOptions {
  /** Direction to the light. Default (0.4, 0.8, 0.45). */
  readonly lightDirection?: readonly [number, number, number] | undefined;
  /** Default (1.6, 1.5, 1.35). */
  readonly lightColor?: readonly [number, number, number] | undefined;
  /** Light from above and from below. Defaults (0.42, 0.5, 0.62), (0.22, 0.19, 0.17). */
  readonly skyColor?: readonly [number, number, number] | undefined;
  readonly groundColor?: readonly [number, number, number] | undefined;
  /** Where the picture is seen from, for fog and for meshes that show at some distances only. Default: the origin. */
  readonly eye?: readonly [number, number, number] | undefined;
  /** Colour and density per unit of length of fog. Default: none. */
  readonly fog?: { readonly color: readonly [number, number, number]; readonly density: number } | undefined;
  /** Whether back faces show of all meshes, as for flattened shadows. Default false. */
  readonly doubleSided?: boolean | undefined;
  /** Whether characters outside the picture are left out. Default true. */
  readonly cull?: boolean | undefined;
}

/** A mesh on the graphics card. */
interface Figure {
  array: WebGLVertexArrayObject;
  indexCount: number;
  look: Crowd3DLook;
}

const FLOAT_ATTRIBUTES = [["positions", 3], ["normals", 3], ["uvs", 2], ["colors", 4]] as const;
const LOOK_OPTIONS: readonly (keyof Crowd3DLook)[] = ["color", "texture", "doubleSided", "distances"];
const DRAW_OPTIONS: readonly (keyof Crowd3DDrawOptions)[] = [
  "lightDirection", "lightColor", "skyColor", "groundColor", "eye", "fog", "doubleSided", "cull",
];
const ROW_LOCATION = 6;
const TINT_LOCATION = 7;
const WHITE: readonly [number, number, number] = [1, 1, 1];
const ORIGIN: readonly [number, number, number] = [0, 0, 0];

/**
 * Draws a 3D crowd with one instanced call a mesh (WebGL2): the vertex shader skins from the crowd's palette, which goes to a float
 * texture once an update. Characters outside the view are left out by spheres around them. Opaque; depth is tested and written.
 */
export class Crowd3DRenderer {
  readonly gl: WebGL2RenderingContext;
  readonly crowd: Crowd3D;
  /** Draw calls and characters of the last frame. */
  drawCalls = 0;
  drawn = 0;
  readonly #arrays: FigureArrays[];
  readonly #looks: readonly Crowd3DLook[];
  readonly #sphere: FigureSphere;
  readonly #planes = new Float32Array(24);
  readonly #places = new Map<string, WebGLUniformLocation | null>();
  #seen = new Uint32Array(64);
  #distances = new Float32Array(64);
  /** Rows and tints of one draw call. */
  #rows = new Uint32Array(64);
  #tints = new Uint32Array(64);
  /** What the palette texture holds. */
  #uploaded = -1;
  #matrix = new Float32Array(16);
  #program!: WebGLProgram;
  #palette!: DataTexture;
  #white!: WebGLTexture;
  #rowBuffer!: WebGLBuffer;
  #tintBuffer!: WebGLBuffer;
  #buffers: WebGLBuffer[] = [];
  #figures: Figure[] = [];
  #isDisposed = false;

  /**
   * @param meshes - the meshes that the crowd's skins were made of; `ModelData.meshes` fit
   * @param looks - of each mesh
   * @throws ArgumentError if meshes and skins do not fit
   */
  constructor(gl: WebGL2RenderingContext, crowd: Crowd3D, meshes: readonly Crowd3DMesh[], looks: readonly Crowd3DLook[] = []) {
    if (gl == null || typeof crowd?._recordOf !== "function") throw new ArgumentError("A Crowd3DRenderer needs a WebGL2 context and a Crowd3D.");
    if (!Array.isArray(meshes) || meshes.length === 0) throw new ArgumentError("A Crowd3DRenderer needs the meshes of the crowd's skins, at least one.");
    this.gl = gl;
    this.crowd = crowd;
    for (const look of looks) checkOptions("a look", look, LOOK_OPTIONS);
    this.#looks = looks;
    this.#arrays = (meshes as readonly Crowd3DMesh[]).map((mesh, i) => {
      const index = mesh.crowdSkin ?? i, skin = crowd.skins[index];
      if (skin === undefined) throw new ArgumentError(`Mesh ${i} has no skin ${index} in the crowd, which has ${crowd.skins.length}. Say which in crowdSkin.`);
      return figureArrays(mesh, skin, crowd.firstJoint(index));
    });
    this.#sphere = sphereOf(this.#arrays);
    this.restore();
  }

  /** Makes everything on the graphics card anew, after a lost context came back. */
  restore(): void {
    const { gl } = this;
    this.#places.clear();
    this.#program = linkProgram(gl, FIGURE_VERTEX_SHADER, FIGURE_FRAGMENT_SHADER);
    this.#palette = new DataTexture(gl, 0, gl.RGBA32F);
    this.#uploaded = -1;
    this.#white = gl.createTexture();
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.#white);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array([255, 255, 255, 255]));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.useProgram(this.#program);
    gl.uniform1i(this.#place("uPalette"), 0);
    gl.uniform1i(this.#place("uTexture"), 1);
    gl.uniform1i(this.#place("uTexelsPerRow"), this.crowd.jointCount * 3);
    gl.useProgram(null);
    this.#buffers = [];
    this.#rowBuffer = this.#buffer();
    this.#tintBuffer = this.#buffer();
    this.#figures = this.#arrays.map((arrays, i) => this.#makeFigure(arrays, this.#looks[i] ?? {}));
  }

  /**
   * Draws the characters as the latest update posed them.
   * @param viewProjection - column-major 4x4 matrix from the crowd's world to clip space
   * @throws ArgumentError for what is no matrix and for unknown options
   */
  draw(viewProjection: ArrayLike<number>, options: Crowd3DDrawOptions = {}): void {
    if (this.#isDisposed) throw new DisposedError("Crowd3DRenderer");
    const { gl, crowd } = this;
    checkMatrix("viewProjection", viewProjection);
    checkOptions("draw", options, DRAW_OPTIONS);
    this.drawCalls = this.drawn = 0;
    if (crowd.count === 0) return;
    this.#matrix.set(viewProjection);
    const seen = this.#see(options);
    if (seen === 0) return;

    if (this.#uploaded === crowd._version) {
      this.#palette.bind();
    } else {
      const { palette } = crowd;
      this.#palette.fill(palette, palette.length);
      this.#uploaded = crowd._version;
    }
    gl.useProgram(this.#program);
    this.#setLight(options);
    const culls = gl.isEnabled(gl.CULL_FACE), tests = gl.isEnabled(gl.DEPTH_TEST), blends = gl.isEnabled(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    let listed: Distances | undefined | null = null, count = 0;
    for (const { array, indexCount, look } of this.#figures) {
      if (look.distances !== listed) {
        listed = look.distances;
        count = this.#list(listed, seen);
      }
      if (count === 0) continue;
      if (look.doubleSided === true || options.doubleSided === true) gl.disable(gl.CULL_FACE);
      else gl.enable(gl.CULL_FACE);
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, look.texture ?? this.#white);
      const [r, g, b] = look.color ?? WHITE;
      gl.uniform4f(this.#place("uColor"), r, g, b, 1);
      gl.bindVertexArray(array);
      gl.drawElementsInstanced(gl.TRIANGLES, indexCount, gl.UNSIGNED_INT, 0, count);
      this.drawCalls++;
    }
    this.drawn = seen;
    gl.bindVertexArray(null);
    gl.useProgram(null);
    if (culls) gl.enable(gl.CULL_FACE);
    else gl.disable(gl.CULL_FACE);
    if (!tests) gl.disable(gl.DEPTH_TEST);
    if (blends) gl.enable(gl.BLEND);
  }

  /** Frees what is on the graphics card; the crowd stays. Safe to call twice. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const { gl } = this;
    for (const { array } of this.#figures) gl.deleteVertexArray(array);
    for (const buffer of this.#buffers) gl.deleteBuffer(buffer);
    gl.deleteTexture(this.#white);
    gl.deleteProgram(this.#program);
    this.#palette.dispose();
  }

  /** Lists the characters in view; returns how many. */
  #see({ cull = true, eye = ORIGIN }: Crowd3DDrawOptions): number {
    const { crowd } = this;
    if (this.#seen.length < crowd.count) {
      this.#seen = new Uint32Array(crowd.capacity);
      this.#distances = new Float32Array(crowd.capacity);
      this.#rows = new Uint32Array(crowd.capacity);
      this.#tints = new Uint32Array(crowd.capacity);
    }
    if (cull) frustumPlanes(this.#matrix, this.#planes);
    return visibleRows(crowd, this.#sphere, cull ? this.#planes : null, eye, this.#seen, this.#distances);
  }

  /** Hands the instances at some distances to the graphics card; returns how many. */
  #list(distances: Distances | undefined, seen: number): number {
    const { u32 } = heap, near = (distances?.near ?? 0) ** 2, far = (distances?.far ?? Infinity) ** 2;
    let count = 0;
    for (let i = 0; i < seen; i++) {
      const distance = this.#distances[i]!;
      if (distance < near || distance >= far) continue;
      const row = this.#seen[i]!;
      this.#rows[count] = row;
      this.#tints[count++] = u32[(this.crowd._recordOf(row) + CharacterField.TINT) >>> 2]!;
    }
    if (count === 0) return 0;
    this.#upload(this.#rowBuffer, this.#rows, count);
    this.#upload(this.#tintBuffer, this.#tints, count);
    return count;
  }

  #setLight(options: Crowd3DDrawOptions): void {
    const { gl } = this, [x, y, z] = options.lightDirection ?? [0.4, 0.8, 0.45], length = Math.hypot(x, y, z) || 1;
    gl.uniformMatrix4fv(this.#place("uViewProjection"), false, this.#matrix);
    gl.uniform3f(this.#place("uLightDirection"), x / length, y / length, z / length);
    gl.uniform3f(this.#place("uLightColor"), ...(options.lightColor ?? [1.6, 1.5, 1.35]));
    gl.uniform3f(this.#place("uSkyColor"), ...(options.skyColor ?? [0.42, 0.5, 0.62]));
    gl.uniform3f(this.#place("uGroundColor"), ...(options.groundColor ?? [0.22, 0.19, 0.17]));
    const { fog } = options;
    gl.uniform3f(this.#place("uEye"), ...(options.eye ?? ORIGIN));
    gl.uniform4f(this.#place("uFog"), ...(fog?.color ?? [0, 0, 0]), fog?.density ?? 0);
  }

  #makeFigure(arrays: FigureArrays, look: Crowd3DLook): Figure {
    const { gl } = this, array = gl.createVertexArray();
    gl.bindVertexArray(array);
    FLOAT_ATTRIBUTES.forEach(([name, width], location) => {
      this.#static(gl.ARRAY_BUFFER, arrays[name]);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(location, width, gl.FLOAT, false, 0, 0);
    });
    this.#static(gl.ARRAY_BUFFER, arrays.joints);
    gl.enableVertexAttribArray(4);
    gl.vertexAttribIPointer(4, 4, gl.UNSIGNED_SHORT, 0, 0);
    this.#static(gl.ARRAY_BUFFER, arrays.weights);
    gl.enableVertexAttribArray(5);
    gl.vertexAttribPointer(5, 4, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#rowBuffer);
    gl.enableVertexAttribArray(ROW_LOCATION);
    gl.vertexAttribIPointer(ROW_LOCATION, 1, gl.UNSIGNED_INT, 0, 0);
    gl.vertexAttribDivisor(ROW_LOCATION, 1);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#tintBuffer);
    gl.enableVertexAttribArray(TINT_LOCATION);
    gl.vertexAttribPointer(TINT_LOCATION, 4, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.vertexAttribDivisor(TINT_LOCATION, 1);
    this.#static(gl.ELEMENT_ARRAY_BUFFER, arrays.indices);
    gl.bindVertexArray(null);
    return { array, indexCount: arrays.indices.length, look };
  }

  #buffer(): WebGLBuffer {
    const buffer = this.gl.createBuffer();
    this.#buffers.push(buffer);
    return buffer;
  }

  #static(target: GLenum, data: ArrayBufferView<ArrayBufferLike>): void {
    const { gl } = this;
    gl.bindBuffer(target, this.#buffer());
    gl.bufferData(target, data as Float32Array<ArrayBuffer>, gl.STATIC_DRAW);
  }

  #upload(buffer: WebGLBuffer, data: Uint32Array, count: number): void {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data as Uint32Array<ArrayBuffer>, gl.STREAM_DRAW, 0, count);
  }

  #place(name: string): WebGLUniformLocation | null {
    let place = this.#places.get(name);
    if (place === undefined) this.#places.set(name, (place = this.gl.getUniformLocation(this.#program, name)));
    return place;
  }
}
