import { InstanceField } from "../../../assembly/layout/crowd.js";
import { checkMatrix, checkNumbers, checkOptions } from "../../crowd/checks.js";
import type { Crowd } from "../../crowd/crowd.js";
import { ArgumentError, DisposedError, OsteonError } from "../../errors.js";
import { BlendMode } from "../../spine/enums.js";
import type { Texture } from "../../spine/texture.js";
import type { Disposable, Restorable } from "../../spine/utils/utils.js";
import { heap } from "../../wasm/heap.js";
import { setBlend } from "../gl/blend.js";
import { GlTexture } from "../gl/gl-texture.js";
import { linkProgram } from "../gl/program.js";
import { buildCrowdMesh, type CrowdMesh, type Look, type MeshRange, type Part } from "./crowd-mesh.js";
import { DataTexture } from "./data-texture.js";
import { DrawOrders, mergeOrders, SLOT_WORDS } from "./draw-orders.js";
import { FigureRecords } from "./figure-records.js";
import { type Reach, reachOf } from "./reach.js";
import { type Rectangle, RowList } from "./row-list.js";
import { CROWD_VERTEX_SHADER, crowdFragmentShader } from "./shaders.js";

/** Texture units of the data textures, in the order of their names; pages come behind. */
const enum Unit {
  PALETTE,
  SLOTS,
  PEOPLE,
  INFLUENCES,
  KEYS,
  RECORDS,
}
const DATA_TEXTURES = ["uPalette", "uSlots", "uPeople", "uInfluences", "uKeys", "uRecords"] as const;
/** Words per character to draw: row; draw order | number of records << 8; first record; fog as f32. */
const PERSON_WORDS = 4;
/** Vertices that a draw call may waste before another one is cheaper. */
const VERTICES_PER_CALL = 20_000;
/** Number of the draw order that the mesh does not have. */
const UNKNOWN_ORDER = 255;
const DRAW_OPTIONS: readonly (keyof CrowdDrawOptions)[] = ["order", "cull", "fogColor", "fog"];

/** Where a texture of the atlas is on the graphics card; null for one that is not there. */
export type TextureResolver = (texture: Texture) => WebGLTexture | null;

export interface CrowdRendererOptions {
  /** Default: textures are `GlTexture`s. Images must be premultiplied. */
  textures?: TextureResolver;
}

export interface CrowdDrawOptions {
  /** Rows (`crowd.row(id)`) in painter's order, first to last. Default: all, those with a high y first. */
  order?: ArrayLike<number> | null;
  /** What is seen, in world coordinates; characters outside are left out. */
  cull?: Rectangle | null;
  /** Colour towards which `fog` takes characters: r, g, b of 0 .. 1. */
  fogColor?: ArrayLike<number>;
  /** By row: share of the fog colour, 0 .. 1. */
  fog?: ArrayLike<number>;
}

/**
 * Draws a whole crowd with a few instanced calls (WebGL2). The graphics card skins: bones come from the palette, attachments,
 * colours and draw orders from the slot states, deforms are sums of keys that lie in a texture.
 *
 * One mesh has the pictures of all looks in an order that contains every draw order. Characters of any look share a call; a
 * character that shows a slot of blend mode multiply or screen, or a draw order beyond the first 32 of the rig, gets calls of
 * its own. Clips are tested per pixel.
 */
export class CrowdRenderer implements Disposable, Restorable {
  readonly gl: WebGL2RenderingContext;
  readonly crowd: Crowd;
  /** Draw calls of the last frame. */
  drawCalls = 0;
  /** Characters drawn in the last frame. */
  drawn = 0;
  readonly #textures: TextureResolver;
  readonly #pages: Texture[] = [];
  readonly #orders: DrawOrders;
  readonly #records: FigureRecords;
  readonly #rows = new RowList();
  readonly #hasOrders: boolean;
  /** Slots of blend mode multiply or screen. */
  readonly #blendSlots: readonly number[];
  readonly #matrix = new Float32Array(16);
  readonly #fogColor = new Float32Array(3);
  #people = new Uint32Array(64 * PERSON_WORDS);
  #fog = new Float32Array(this.#people.buffer);
  #mesh!: CrowdMesh;
  #looks: Look[] = [];
  #orderCount = 0;
  #reach: Reach = { left: 0, right: 0, bottom: 0, top: 0 };
  #reachLooks = 0;
  #program!: WebGLProgram;
  #array!: WebGLVertexArrayObject;
  #buffers: WebGLBuffer[] = [];
  #data: DataTexture[] = [];
  readonly #places = new Map<string, WebGLUniformLocation | null>();
  #blend: BlendMode = BlendMode.Normal;
  #isDisposed = false;

  /**
   * @param crowd - made with `slots: true`
   * @throws StateError if it was not, ArgumentError for what is no crowd and unknown options, OsteonError `limit-exceeded` if the rig has more texture pages than the graphics card can show at once
   */
  constructor(gl: WebGL2RenderingContext, crowd: Crowd, options: CrowdRendererOptions = {}) {
    if (gl == null || typeof crowd?._recordOf !== "function") throw new ArgumentError("A CrowdRenderer needs a WebGL2 context and a Crowd.");
    checkOptions("new CrowdRenderer", options, ["textures"]);
    // Says what is missing if the crowd keeps no slot states.
    void crowd.slots;
    this.gl = gl;
    this.crowd = crowd;
    const { data } = crowd;
    this.#textures = options.textures ?? handleOf;
    this.#orders = new DrawOrders(data.slots.length);
    this.#records = new FigureRecords(crowd);
    this.#hasOrders = data.animations.some(({ timelines }) => timelines.some((timeline) => "drawOrders" in timeline));
    const isPlain = (mode: BlendMode): boolean => mode === BlendMode.Normal || mode === BlendMode.Additive;
    this.#blendSlots = data.slots.filter(({ blendMode }) => !isPlain(blendMode)).map(({ index }) => index);
    const pages = new Set<Texture>();
    for (const { attachment, frame } of crowd.drawables) {
      const texture = "sequence" in attachment ? attachment.sequence.regions[frame]?.texture : null;
      if (texture != null) pages.add(texture);
    }
    this.#pages.push(...pages);
    const most = (gl.getParameter(gl.MAX_TEXTURE_IMAGE_UNITS) as number) - 1;
    if (pages.size > most) {
      throw new OsteonError("limit-exceeded", `The rig has ${pages.size} texture pages, this graphics card shows ${most} at once. Pack them into fewer pages.`);
    }
    this.restore();
  }

  /** Makes everything on the graphics card anew, after a lost context came back. */
  restore(): void {
    const { gl } = this;
    this.#program = linkProgram(gl, CROWD_VERTEX_SHADER, crowdFragmentShader(this.#pages.length));
    this.#places.clear();
    const formats = [gl.RGBA32F, gl.R32UI, gl.RGBA32UI, gl.RGBA32F, gl.RG32F, gl.RGBA32F];
    this.#data = formats.map((format, unit) => new DataTexture(gl, unit, format));
    gl.useProgram(this.#program);
    DATA_TEXTURES.forEach((name, unit) => gl.uniform1i(this.#place(name), unit));
    this.#pages.forEach((_, i) => gl.uniform1i(this.#place(`uPage${i}`), DATA_TEXTURES.length + i));
    gl.uniform1i(this.#place("uFloatsPerRow"), this.crowd.boneCount * 6);
    gl.uniform1i(this.#place("uWordsPerRow"), this.crowd.data.slots.length * SLOT_WORDS);
    gl.useProgram(null);
    this.#buffers = [];
    this.#array = gl.createVertexArray();
    this.#rebuild();
    this.#data[Unit.KEYS]!.fill(this.#records.keys, this.#records.keys.length);
    this.#unbind();
  }

  /**
   * Draws the characters as the latest update posed them.
   * @param projection - column-major 4x4 matrix, see `orthographic`
   * @throws ArgumentError for what is no matrix, for unknown options and for fog that does not reach all rows, RangeMismatchError for rows
   *   that do not exist
   */
  draw(projection: ArrayLike<number>, options?: CrowdDrawOptions): void {
    if (this.#isDisposed) throw new DisposedError("CrowdRenderer");
    const { gl, crowd } = this;
    checkMatrix("projection", projection);
    if (options !== undefined) this.#check(options);
    const cull = options?.cull ?? null;
    if (cull !== null && this.#reachLooks !== crowd._variants.length) {
      this.#reachLooks = crowd._variants.length;
      this.#reach = reachOf(crowd.data, crowd._variants.map(({ skin }) => skin));
    }
    this.drawCalls = 0;
    this.#rows.gather(crowd, options?.order ?? null, cull, this.#reach);
    const { palette, slots } = crowd;
    const people = this.#gatherPeople(slots, palette, options?.fog);
    this.drawn = people;
    if (people === 0) return;
    if (this.#orders.known.length > this.#orderCount || crowd._variants.length > this.#looks.length) this.#rebuild();

    gl.useProgram(this.#program);
    gl.bindVertexArray(this.#array);
    const data = this.#data;
    data[Unit.PALETTE]!.fill(palette, palette.length);
    data[Unit.SLOTS]!.fill(slots, slots.length);
    data[Unit.PEOPLE]!.fill(this.#people, people * PERSON_WORDS);
    data[Unit.RECORDS]!.fill(this.#records.texels, this.#records.count * 4);
    data[Unit.INFLUENCES]!.bind();
    data[Unit.KEYS]!.bind();
    for (let i = 0; i < this.#pages.length; i++) {
      gl.activeTexture(gl.TEXTURE0 + DATA_TEXTURES.length + i);
      gl.bindTexture(gl.TEXTURE_2D, this.#textures(this.#pages[i]!));
    }
    this.#matrix.set(projection);
    gl.uniformMatrix4fv(this.#place("uProjection"), false, this.#matrix);
    if (options?.fogColor !== undefined) this.#fogColor.set(options.fogColor);
    gl.uniform3fv(this.#place("uFog"), this.#fogColor);
    gl.enable(gl.BLEND);
    this.#setBlend(BlendMode.Normal, true);
    this.#drawPeople(people, slots);
    gl.bindVertexArray(null);
    gl.useProgram(null);
    this.#unbind();
  }

  #check(options: CrowdDrawOptions): void {
    checkOptions("draw", options, DRAW_OPTIONS);
    const { order, cull, fog, fogColor } = options;
    if (order != null) checkNumbers("order", order);
    if (cull != null && Number.isNaN(cull.x + cull.y + cull.width + cull.height)) {
      throw new ArgumentError("cull is no rectangle, expected { x, y, width, height } in world coordinates.", { found: cull });
    }
    if (fogColor !== undefined && !(fogColor?.length >= 3)) throw new ArgumentError("fogColor is no colour, expected r, g, b of 0 .. 1.", { found: fogColor });
    if (fog !== undefined && !(fog?.length >= this.crowd.count)) {
      throw new ArgumentError(`fog has ${fog?.length} values, expected one a row: ${this.crowd.count}.`, { found: fog });
    }
  }

  /** Lets go of all texture units: a host whose samplers meet textures of whole numbers there cannot draw. */
  #unbind(): void {
    const { gl } = this;
    for (let unit = DATA_TEXTURES.length + this.#pages.length - 1; unit >= 0; unit--) {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, null);
    }
  }

  /** Frees buffers, textures and shaders; the crowd and the atlas textures stay. Safe to call twice. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    const { gl } = this;
    for (const buffer of this.#buffers) gl.deleteBuffer(buffer);
    for (const texture of this.#data) texture.dispose();
    gl.deleteVertexArray(this.#array);
    gl.deleteProgram(this.#program);
  }

  /** Fills in what is drawn; hidden characters are left out. @returns number of characters */
  #gatherPeople(slots: Uint32Array, palette: Float32Array, fog: ArrayLike<number> | undefined): number {
    const { crowd } = this;
    const records = this.#records;
    const { rows, count } = this.#rows;
    if (count * PERSON_WORDS > this.#people.length) {
      this.#people = new Uint32Array(count * 2 * PERSON_WORDS);
      this.#fog = new Float32Array(this.#people.buffer);
    }
    const people = this.#people;
    const slotCount = crowd.data.slots.length;
    records.begin();
    let at = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      if (isEmpty(slots, row, slotCount)) continue;
      const order = this.#hasOrders ? this.#orders.find(slots, row) : 0;
      const recordCount = records.write(row, crowd._recordOf(row), slots, palette);
      people[at] = row;
      people[at + 1] = (order < 0 ? 0 : order) | (recordCount << 8);
      people[at + 2] = records.firstRecord;
      this.#fog[at + 3] = fog === undefined ? 0 : fog[row]!;
      this.#alone(at / PERSON_WORDS, order < 0 ? UNKNOWN_ORDER : this.#showsBlend(row, slots) ? 1 : 0);
      at += PERSON_WORDS;
    }
    return at / PERSON_WORDS;
  }

  /** Per character to draw: 0 shares calls, 1 has calls per blend mode, UNKNOWN_ORDER calls per slot. */
  #modes = new Uint8Array(64);

  #alone(person: number, mode: number): void {
    if (person >= this.#modes.length) {
      const larger = new Uint8Array(this.#modes.length * 2);
      larger.set(this.#modes);
      this.#modes = larger;
    }
    this.#modes[person] = mode;
  }

  #showsBlend(row: number, slots: Uint32Array): boolean {
    const from = row * this.crowd.data.slots.length * SLOT_WORDS;
    for (const slot of this.#blendSlots) {
      const at = from + slot * SLOT_WORDS;
      if ((slots[at + 2]! & 0xffff) !== 0 && slots[at]! >>> 24 !== 0) return true;
    }
    return false;
  }

  #drawPeople(people: number, slots: Uint32Array): void {
    const mesh = this.#mesh;
    // A shared call that is not issued yet.
    let first = 0;
    let count = 0;
    let pending: MeshRange | null = null;
    for (let i = 0; i < people;) {
      const mode = this.#modes[i]!;
      const look = this.#lookOf(i);
      const own = mesh.looks[look]!;
      if (mode !== 0) {
        if (pending !== null) this.#call(pending.start, pending.count, first, count);
        pending = null;
        if (mode === UNKNOWN_ORDER) this.#drawSlots(own, i, slots);
        else for (const part of own.parts) this.#drawPart(part, i);
        this.#setBlend(BlendMode.Normal);
        i++;
        continue;
      }
      let end = i + 1;
      while (end < people && this.#modes[end] === 0 && this.#lookOf(end) === look) end++;
      // Characters of one look: apart if that saves more vertices than a call costs, else with their neighbours.
      const isWorthACall = (end - i) * (mesh.union.count - own.count) > VERTICES_PER_CALL;
      if (pending !== null && (isWorthACall || pending !== mesh.union)) {
        if (isWorthACall || (count * (mesh.union.count - pending.count)) > VERTICES_PER_CALL) {
          this.#call(pending.start, pending.count, first, count);
          pending = null;
        } else pending = mesh.union;
      }
      if (pending === null) {
        first = i;
        count = 0;
        pending = own;
      }
      count += end - i;
      i = end;
    }
    if (pending !== null) this.#call(pending.start, pending.count, first, count);
  }

  #lookOf(person: number): number {
    return heap.u32[(this.crowd._recordOf(this.#people[person * PERSON_WORDS]!) + InstanceField.VARIANT) >> 2]!;
  }

  /** Slot by slot in the order of the moment. */
  #drawSlots(range: MeshRange, person: number, slots: Uint32Array): void {
    const slotCount = this.crowd.data.slots.length;
    const from = this.#people[person * PERSON_WORDS]! * slotCount * SLOT_WORDS + 2;
    for (let i = 0; i < slotCount; i++) this.#drawPart(range.slots[slots[from + i * SLOT_WORDS]! >>> 16]!, person);
  }

  #drawPart(part: Part, person: number): void {
    if (part.count === 0) return;
    this.#setBlend(part.blend);
    this.#call(part.start, part.count, person, 1);
  }

  #call(start: number, indices: number, first: number, people: number): void {
    if (indices === 0) return;
    const { gl } = this;
    gl.uniform1i(this.#place("uFirst"), first);
    gl.drawElementsInstanced(gl.TRIANGLES, indices, gl.UNSIGNED_INT, start * 4, people);
    this.drawCalls++;
  }

  #setBlend(blend: BlendMode, always = false): void {
    if (blend === this.#blend && !always) return;
    this.#blend = blend;
    setBlend(this.gl, blend);
  }

  #place(name: string): WebGLUniformLocation | null {
    let place = this.#places.get(name);
    if (place === undefined) this.#places.set(name, (place = this.gl.getUniformLocation(this.#program, name)));
    return place;
  }

  /** Makes the mesh for the looks and draw orders that are known now. */
  #rebuild(): void {
    const { gl, crowd } = this;
    this.#looks = crowd._variants.map(({ skin }, i) => ({ skin, skipped: crowd._skippedSlots(i) }));
    this.#orderCount = this.#orders.known.length;
    const pageOf = (texture: Texture | null): number => (texture === null ? -1 : this.#pages.indexOf(texture));
    const mesh = buildCrowdMesh(crowd.data, crowd.drawables, this.#looks, mergeOrders(this.#orders.known), this.#records.recorded, pageOf);
    this.#mesh = mesh;
    this.#data[Unit.INFLUENCES]!.fill(mesh.influences, mesh.influences.length);
    for (const buffer of this.#buffers) gl.deleteBuffer(buffer);
    this.#buffers = [];
    gl.bindVertexArray(this.#array);
    const upload = (target: GLenum, array: Float32Array | Uint32Array): void => {
      const buffer = gl.createBuffer();
      this.#buffers.push(buffer);
      gl.bindBuffer(target, buffer);
      gl.bufferData(target, array, gl.STATIC_DRAW);
    };
    upload(gl.ARRAY_BUFFER, mesh.uvs);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    upload(gl.ARRAY_BUFFER, mesh.info);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 4, gl.UNSIGNED_INT, 0, 0);
    upload(gl.ARRAY_BUFFER, mesh.influenceRanges);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribIPointer(2, 2, gl.UNSIGNED_INT, 0, 0);
    upload(gl.ELEMENT_ARRAY_BUFFER, mesh.indices);
    gl.bindVertexArray(null);
  }
}

/** Hidden characters, and those that were not posed yet, have slot 0 at every place. */
function isEmpty(slots: Uint32Array, row: number, slotCount: number): boolean {
  const from = row * slotCount * SLOT_WORDS + 2;
  if (slotCount < 2) return slotCount === 0 || (slots[from]! & 0xffff) === 0;
  return slots[from]! >>> 16 === slots[from + SLOT_WORDS]! >>> 16;
}

function handleOf(texture: Texture): WebGLTexture | null {
  return texture instanceof GlTexture ? texture.handle : null;
}
