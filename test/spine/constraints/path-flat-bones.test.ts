import { describe, expect, it } from "vitest";
import { official, osteon, type Runtime } from "../animation-state/script.js";

/** A bone on a path, whose x axis has no length: which way it points then is a matter of the sign of a zero. */
function poses(runtime: Runtime, rotation: number, rotateMode: string, mixRotate: number): number[][] {
  const data = runtime.load({
    skeleton: { spine: "4.3.00" },
    bones: [{ name: "root" }, { name: "flat", parent: "root", x: 3, y: 4, rotation, scaleX: 0, scaleY: 0.5, length: 10 }, { name: "tip", parent: "flat", x: 5, length: 10 }],
    slots: [{ name: "path", bone: "root", attachment: "path" }],
    constraints: [{ type: "path", name: "along", bones: ["flat", "tip"], slot: "path", rotateMode, mixRotate, position: 0.1 }],
    skins: [{ name: "default", attachments: { path: { path: { type: "path", vertexCount: 6, lengths: [100, 200], vertices: [-10, 0, 0, 0, 10, 5, 60, 40, 80, 60, 90, 90] } } } }],
  });
  const skeleton = new runtime.Skeleton(data);
  skeleton.setupPose();
  skeleton.updateWorldTransform(2);
  const rows = skeleton.bones.map(({ appliedPose: pose }: { appliedPose: Record<string, number> }) => [pose.a, pose.b, pose.c, pose.d, pose.worldX, pose.worldY]);
  skeleton.dispose?.();
  return rows;
}

describe("a bone without an x axis on a path", () => {
  for (const rotateMode of ["tangent", "chain", "chainScale"]) {
    it(`points where the official runtime lets it point (${rotateMode})`, () => {
      for (const rotation of [0, 90, 180, -90, 270, 30, 135]) {
        const got = poses(osteon, rotation, rotateMode, 1);
        const wanted = poses(official, rotation, rotateMode, 1);
        wanted.forEach((row, bone) => row.forEach((value, i) => expect(got[bone]![i], `rotation ${rotation}, bone ${bone}, ${i}`).toBeCloseTo(value, 3)));
      }
    });
  }
});
