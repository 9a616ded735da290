// Draws every part once. Pictures of meshes that both looks share get one common box, so that one set of UVs fits both.
import { Canvas } from "../raster/canvas.mjs";
import { boundsOf } from "../raster/path.mjs";
import { LOOKS, PLACED } from "./attachments.mjs";

/** Pixels per world unit. */
export const PIXELS_PER_UNIT = 1.2;

const join = (a, b) => [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];

/** @returns Map name → { canvas, mesh: whether a mesh shows it (then it must not be trimmed) } */
export function drawPictures() {
  const wanted = new Map();
  const want = (part, box, isMesh) => {
    const known = wanted.get(part.name);
    if (known) known.box = join(known.box, box);
    else wanted.set(part.name, { part, box, isMesh });
  };
  for (const placed of PLACED) {
    if (placed.shared) want(placed.shared, boundsOf(...placed.shared.shapes), false);
    else if (placed.sequence) {
      const frames = Array.from({ length: placed.sequence }, (_, i) => placed.part(i));
      const box = boundsOf(...frames.flatMap((frame) => frame.shapes));
      for (const frame of frames) want(frame, box, false);
    } else {
      const looks = LOOKS.filter((look) => placed.only === undefined || placed.only === look.name);
      const parts = looks.map((look) => placed.part(look));
      if (placed.mesh) {
        const box = boundsOf(placed.mesh.points, ...parts.flatMap((part) => part.shapes));
        for (const part of parts) want(part, box, true);
      } else {
        parts.forEach((part, i) => {
          const points = placed.meshOf ? [placed.meshOf(looks[i]).points] : [];
          want(part, boundsOf(...points, ...part.shapes), placed.meshOf !== undefined);
        });
      }
    }
  }
  const pictures = new Map();
  for (const [name, { part, box, isMesh }] of wanted) {
    const canvas = new Canvas(box, PIXELS_PER_UNIT);
    part.draw(canvas);
    pictures.set(name, { canvas, isMesh });
  }
  return pictures;
}
