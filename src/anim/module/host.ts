/*
 * What the module needs from its surroundings. Nothing here imports a renderer; every member that is optional is needed
 * only by the features that say so.
 */

/** Straight colour, four numbers. */
export interface Rgba {
  r: number;
  g: number;
  b: number;
  a: number;
}

/** A decoded picture: RGBA8, straight alpha, top row first. */
export interface RawImage {
  width: number;
  height: number;
  data: Uint8Array | Uint8ClampedArray;
}

/** Files and pictures. */
export interface AnimationHost {
  readText?(path: string): string | Promise<string>;
  readBytes?(path: string): Uint8Array | Promise<Uint8Array>;
  decodeImage?(bytes: Uint8Array, path: string): RawImage | Promise<RawImage>;
}

/** A texture, whoever owns it. */
export interface TextureLike {
  getWidth(): number;
  getHeight(): number;
  destroy?(): void;
}

/** A rectangle of a texture that something draws. */
export interface QuadLike {
  /** Atlas rectangle in texels. */
  setViewport(x: number, y: number, width: number, height: number): void;
  /** Needed for rotated frames: the picture was turned by this many degrees clockwise when packed. */
  setRotated?(degreesClockwise: 0 | 90): void;
}

/** Size and place of a trimmed frame inside its untrimmed box. */
export interface FrameLayout {
  width: number;
  height: number;
  sourceWidth: number;
  sourceHeight: number;
  offsetX: number;
  offsetY: number;
  rotated: boolean;
}

/** Something that shows a frame of a sheet. */
export interface SpriteLike {
  setTexture?(texture: TextureLike): void;
  setQuad?(quad: QuadLike): void;
  setFrameLayout?(layout: FrameLayout): void;
}

/** A trail as triangles: x y per vertex, r g b a per vertex, u v per vertex. Views of `count` used elements. */
export interface TrailMesh {
  positions: Float32Array;
  colors: Float32Array;
  uvs: Float32Array;
  indices: Uint32Array;
  vertexCount: number;
  indexCount: number;
}

/** One textured rectangle or one mesh of the shared 2D queue. */
export interface DrawItem2D {
  kind: "quad" | "mesh";
  /** Top left and size before rotation. */
  x: number;
  y: number;
  w: number;
  h: number;
  /** Degrees, clockwise on screen, about the rectangle's centre. */
  rotation: number;
  depthY: number;
  layer: number;
  order: number;
  hasOrder: boolean;
  color: Rgba;
  darkColor?: Rgba;
  blend: "normal" | "additive" | "multiply" | "screen";
  premultiplied: boolean;
  texture: TextureLike | null;
  hasUV: boolean;
  rotatedUV: boolean;
  u0: number;
  v0: number;
  u1: number;
  v1: number;
  positions?: Float32Array;
  uvs?: Float32Array;
  indices?: Uint16Array;
}

/** Where things are drawn. */
export interface GraphicsLike {
  /** Needed by image sequences and atlas JSON. */
  newTextureFromImage?(image: RawImage, name: string): TextureLike;
  /** Needed by trails without `drawTriangles`. */
  drawSolidRect?(x: number, y: number, width: number, height: number, color: Rgba): void;
  /** Trails as ribbons. */
  drawTriangles?(mesh: TrailMesh): void;
  /** Needed by `SpineAnim.draw`. */
  drawItems?(items: DrawItem2D[]): void;
}
