/** A strip of stick figures as a picture: to look at what a test has computed. */
import type { AnimPose } from "../../src/anim/rig/pose.js";
import type { AnimSkeleton } from "../../src/anim/rig/skeleton.js";
import type { Pixels } from "../../src/node/png.js";

type Colour = readonly [number, number, number];

export interface StripRow {
  readonly skeleton: AnimSkeleton;
  readonly poses: readonly AnimPose[];
  readonly colour: Colour;
  /** Height of the picture's ground line, and of a picture row, in the rig's units. */
  readonly ground: number;
  readonly height: number;
}

const COLUMN = 130, ROW = 220, MARGIN = 20;

/** Rows of figures seen from the side (+X to the right is the model's +Z), each centred on its first bone, over its ground line. */
export function drawStrip(rows: readonly StripRow[], view: (x: number, z: number) => number = (x, z) => z + 0.25 * x): Pixels {
  const columns = Math.max(...rows.map(({ poses }) => poses.length)), width = columns * COLUMN, height = rows.length * ROW, data = new Uint8Array(width * height * 4).fill(255);
  const dot = (x: number, y: number, radius: number, [r, g, b]: Colour): void => {
    for (let py = Math.max(0, Math.floor(y - radius)); py <= Math.min(height - 1, y + radius); py++) {
      for (let px = Math.max(0, Math.floor(x - radius)); px <= Math.min(width - 1, x + radius); px++) {
        if ((px - x) ** 2 + (py - y) ** 2 <= radius * radius) data.set([r, g, b, 255], (py * width + px) * 4);
      }
    }
  };
  const line = (x0: number, y0: number, x1: number, y1: number, radius: number, colour: Colour): void => {
    const steps = Math.ceil(Math.hypot(x1 - x0, y1 - y0)) + 1;
    for (let i = 0; i <= steps; i++) dot(x0 + ((x1 - x0) * i) / steps, y0 + ((y1 - y0) * i) / steps, radius, colour);
  };
  rows.forEach(({ skeleton, poses, colour, ground, height: tall }, row) => {
    const scale = (ROW - 2 * MARGIN) / tall, floor = (row + 1) * ROW - MARGIN;
    line(0, floor + 2, width - 1, floor + 2, 1, [170, 170, 170]);
    poses.forEach((pose, column) => {
      const root = pose.getBoneCount() > 1 ? 1 : 0, middle = (column + 0.5) * COLUMN, origin = view(pose.getWorldPositionX(root), pose.getWorldPositionZ(root));
      const at = (bone: number): [number, number] => [middle + (view(pose.getWorldPositionX(bone), pose.getWorldPositionZ(bone)) - origin) * scale, floor - (pose.getWorldPositionY(bone) - ground) * scale];
      for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
        const parent = skeleton.getParent(bone);
        if (parent < 0 || skeleton.getParent(parent) < 0 && skeleton.getBoneName(parent).toLowerCase().includes("root")) continue;
        const side = /(^|_)r(_|$)|right/i.test(skeleton.getBoneName(bone)) ? 0.55 : 1;
        line(...at(parent), ...at(bone), 3, [colour[0] * side, colour[1] * side, colour[2] * side]);
      }
    });
  });
  return { width, height, data };
}
