import { AttachmentKind } from "../../../assembly/layout/attachment.js";
import { Color } from "../utils/color.js";
import type { TextureRegion } from "../texture.js";
import type { NumberArrayLike } from "../utils/utils.js";
import type { HasSequence } from "./has-sequence.js";
import { refreshRecord } from "./record.js";
import { meshUVs } from "./region-uvs.js";
import { Sequence } from "./sequence.js";
import { VertexAttachment } from "./vertex-attachment.js";

/** An attachment that shows a textured mesh: hull vertices first, then inner ones; no holes. */
export class MeshAttachment extends VertexAttachment implements HasSequence {
  /** @internal */
  override readonly _kind = AttachmentKind.MESH;
  readonly sequence: Sequence;
  /** Texture coordinates of each vertex in the untrimmed image, 0..1, v down. */
  regionUVs: NumberArrayLike = [];
  /** Three vertex indices per triangle. */
  triangles: number[] = [];
  /** Number of values at the start of the vertices that make up the hull: twice the number of hull vertices. */
  hullLength = 0;
  path: string | undefined = undefined;
  readonly color = new Color(1, 1, 1, 1);
  /** Pairs of vertex indices: edges that the triangulation must not cross. Only in exports with nonessential data. */
  edges: number[] = [];
  /** Size of the image; 0 without nonessential data. */
  width = 0;
  height = 0;
  /** @internal */
  readonly tempColor = new Color(0, 0, 0, 0);
  #sourceMesh: MeshAttachment | null = null;

  constructor(name: string, sequence: Sequence) {
    super(name);
    this.sequence = sequence;
  }

  /** Computes texture coordinates. Call it after a change of regions or `regionUVs`. */
  updateSequence(): void {
    this.sequence.update(this);
  }

  /** @internal */
  _updateFrames(sequence: Sequence): void {
    const frames = sequence.regions.length;
    if (sequence.uvs.length > frames) sequence.uvs.length = frames;
    for (let i = 0; i < frames; i++) {
      let uvs = sequence.uvs[i];
      if (uvs === undefined || uvs.length !== this.regionUVs.length) sequence.uvs[i] = uvs = new Float32Array(this.regionUVs.length);
      meshUVs(sequence.regions[i] ?? null, this.regionUVs, uvs);
    }
    if (this._record !== 0) refreshRecord(this);
  }

  /** The mesh that a linked mesh shares its geometry with, null for an ordinary mesh. */
  getSourceMesh(): MeshAttachment | null {
    return this.#sourceMesh;
  }

  /** Makes this a linked mesh: it takes over bones, vertices, `regionUVs`, triangles, hull, edges and size by reference. */
  setSourceMesh(sourceMesh: MeshAttachment | null): void {
    this.#sourceMesh = sourceMesh;
    if (sourceMesh === null) return;
    this._shareVertices(sourceMesh);
    this.regionUVs = sourceMesh.regionUVs;
    this.triangles = sourceMesh.triangles;
    this.hullLength = sourceMesh.hullLength;
    this.edges = sourceMesh.edges;
    this.width = sourceMesh.width;
    this.height = sourceMesh.height;
  }

  /** Same as `getSourceMesh` and `setSourceMesh`. */
  get parentMesh(): MeshAttachment | null {
    return this.#sourceMesh;
  }
  set parentMesh(sourceMesh: MeshAttachment | null) {
    this.setSourceMesh(sourceMesh);
  }

  override copy(): MeshAttachment {
    if (this.#sourceMesh !== null) return this.newLinkedMesh();
    const copy = new MeshAttachment(this.name, this.sequence.copy());
    this.copyTo(copy);
    copy.regionUVs = this.regionUVs.slice();
    copy.triangles = this.triangles.slice();
    copy.hullLength = this.hullLength;
    copy.path = this.path;
    copy.color.setFromColor(this.color);
    copy.edges = this.edges.slice();
    copy.width = this.width;
    copy.height = this.height;
    return copy;
  }

  /** A new mesh that shares this mesh's geometry, or that of its source mesh if it has one. */
  newLinkedMesh(): MeshAttachment {
    const linked = new MeshAttachment(this.name, this.sequence.copy());
    linked.timelineAttachment = this.timelineAttachment;
    linked.timelineSlots = this.timelineSlots;
    linked.path = this.path;
    linked.color.setFromColor(this.color);
    linked.setSourceMesh(this.#sourceMesh ?? this);
    linked.updateSequence();
    return linked;
  }

  /** Maps coordinates in the untrimmed image to texture coordinates. */
  static computeUVs(region: TextureRegion | null, regionUVs: ArrayLike<number>, uvs: NumberArrayLike): void {
    meshUVs(region, regionUVs, uvs);
  }
}
