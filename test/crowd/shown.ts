import { PALETTE_FLOATS } from "../../assembly/layout/crowd.js";
import { BoneRow } from "../../assembly/layout/rig2d.js";
import type { Crowd, CrowdVertices } from "../../src/crowd/index.js";
import { FakeTexture, MeshAttachment, RegionAttachment, type Skeleton, type SkeletonData, SkeletonRendererCore } from "../../src/spine/index.js";
import { heap } from "../../src/wasm/heap.js";

/** Gives all pages textures, so that the renderer's core draws them. @returns the page's name of each texture */
export function addTextures(data: SkeletonData): (texture: unknown) => string {
  const names = new Map<unknown, string>();
  const pages = new Map<object, FakeTexture>();
  for (const skin of data.skins) {
    for (const { attachment } of skin.getAttachments()) {
      if (!(attachment instanceof RegionAttachment || attachment instanceof MeshAttachment)) continue;
      for (const region of attachment.sequence.regions) {
        if (region === null) continue;
        const { page } = region as unknown as { page: { name: string } };
        let texture = pages.get(page);
        if (texture === undefined) pages.set(page, (texture = new FakeTexture({})));
        names.set(texture, page.name);
        region.texture = texture;
      }
    }
  }
  return (texture) => names.get(texture)!;
}

/** What a skeleton or a character draws: pictures one after the other, as triangles. */
export interface Shown {
  positions: number[];
  uvs: number[];
  /** r, g, b, a of 0 .. 255 per vertex. */
  light: number[];
  dark: number[];
  indices: number[];
  /** Page and blend mode of every triangle. */
  pages: string[];
}

const core = new SkeletonRendererCore();

/** Everything that a skeleton draws, by the renderer's core. @param pageOf - name of a texture */
export function shownBySkeleton(skeleton: Skeleton, pageOf: (texture: unknown) => string, premultiplied = false): Shown {
  const shown: Shown = { positions: [], uvs: [], light: [], dark: [], indices: [], pages: [] };
  for (let command = core.render(skeleton, premultiplied); command !== undefined; command = command.next) {
    const first = shown.positions.length / 2;
    shown.positions.push(...command.positions);
    shown.uvs.push(...command.uvs);
    for (const [words, out] of [[command.colors, shown.light], [command.darkColors, shown.dark]] as const) {
      for (const word of words) out.push((word >>> 16) & 255, (word >>> 8) & 255, word & 255, word >>> 24);
    }
    for (const index of command.indices) shown.indices.push(index + first);
    for (let i = 0; i < command.numIndices; i += 3) shown.pages.push(`${pageOf(command.texture)} ${command.blendMode}`);
  }
  return shown;
}

/** What the k-th character of the last `compute` draws. */
export function shownByCrowd(vertices: CrowdVertices, k: number): Shown {
  const { starts, ranges } = vertices;
  const [first, firstIndex, last, lastIndex] = starts.subarray(k * 2, k * 2 + 4) as unknown as [number, number, number, number];
  const bytes = (words: Uint32Array): number[] =>
    [...words.subarray(first, last)].flatMap((word) => [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24]);
  const pages: string[] = [];
  for (let i = firstIndex; i < lastIndex; i += 3) {
    let r = 0;
    while (i >= ranges[r * 4 + 2]! + ranges[r * 4 + 3]!) r++;
    pages.push(`${vertices.pages[ranges[r * 4]!]!.name} ${ranges[r * 4 + 1]}`);
  }
  return {
    positions: [...vertices.positions.subarray(first * 2, last * 2)], uvs: [...vertices.uvs.subarray(first * 2, last * 2)],
    light: bytes(vertices.light), dark: bytes(vertices.dark), indices: [...vertices.indices.subarray(firstIndex, lastIndex)].map((index) => index - first), pages,
  };
}

/** Gives a skeleton the matrices that a crowd has for a character, so that what is made from them can be compared to the bit. */
export function takeMatrices(skeleton: Skeleton, crowd: Crowd, row: number): void {
  const { palette, boneCount } = crowd;
  skeleton.bones.forEach((bone, i) => {
    const from = (row * boneCount + i) * PALETTE_FLOATS;
    heap.f32.set(palette.subarray(from, from + PALETTE_FLOATS), skeleton._base + bone.appliedPose._row + BoneRow.A);
  });
}

/** Largest difference of two lists; Infinity if they have different lengths. */
export function difference(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return Infinity;
  let worst = 0;
  for (let i = 0; i < a.length; i++) worst = Math.max(worst, Math.abs(a[i]! - b[i]!));
  return worst;
}

/** What is drawn corner by corner. @param isKept - by triangle; default: all */
export function corners({ positions, uvs, light, dark, indices, pages }: Shown, isKept?: readonly boolean[]): Shown {
  const out: Shown = { positions: [], uvs: [], light: [], dark: [], indices: [], pages: [] };
  for (let i = 0; i < indices.length; i++) {
    if (isKept !== undefined && !isKept[Math.floor(i / 3)]!) continue;
    const v = indices[i]!;
    out.positions.push(positions[v * 2]!, positions[v * 2 + 1]!);
    out.uvs.push(uvs[v * 2]!, uvs[v * 2 + 1]!);
    for (let c = 0; c < 4; c++) {
      out.light.push(light[v * 4 + c]!);
      out.dark.push(dark[v * 4 + c]!);
    }
    out.indices.push(out.indices.length);
    out.pages.push(pages[Math.floor(i / 3)]!);
  }
  return out;
}

/** The triangles of `expected` without those that nobody sees, alpha 0, and that `shown` leaves out. */
export function withoutInvisible(expected: Shown, shown: Shown): boolean[] {
  let k = 0;
  return Array.from({ length: expected.indices.length / 3 }, (_, t) => {
    const a = expected.indices[t * 3]!;
    const b = shown.indices[k * 3];
    const isInvisible = expected.light[a * 4 + 3] === 0;
    const isSame = b !== undefined && Math.hypot(expected.positions[a * 2]! - shown.positions[b * 2]!, expected.positions[a * 2 + 1]! - shown.positions[b * 2 + 1]!) < 1e-2;
    if (isInvisible && !isSame) return false;
    k++;
    return true;
  });
}
