import * as official from "@esotericsoftware/spine-core";
import { expect, it } from "vitest";
import { SkeletonPhysicsMovement, type SkeletonPhysicsMovementTransform } from "../../../src/spine/index.js";

/** Everything that a movement asks of its skeleton and adapter, for one script of placements and settings. */
function trace(Movement: typeof SkeletonPhysicsMovement): unknown[] {
  const log: unknown[] = [];
  const now: SkeletonPhysicsMovementTransform = { x: 1, y: 2, z: 0, rotation: 170 };
  const skeleton = {
    physicsTranslate: (x: number, y: number) => log.push(["translate", x, y]),
    physicsRotate: (x: number, y: number, degrees: number) => log.push(["rotate", x, y, degrees]),
  };
  const adapter = {
    readTransform(out: SkeletonPhysicsMovementTransform, readRotation: boolean) {
      out.x = now.x;
      out.y = now.y;
      out.z = now.z;
      if (readRotation) out.rotation = now.rotation;
    },
    worldToSkeleton(point: { x: number; y: number }) {
      point.x *= 2;
      point.y *= -1;
      return point;
    },
  };
  const movement = new Movement(skeleton as never, adapter as never, { positionInheritanceX: 1, rotationInheritance: 0.5 });
  movement.applyTransformMovement();
  Object.assign(now, { x: 3, y: 5, rotation: -170 });
  movement.applyTransformMovement();
  movement.applyTransformMovement();
  movement.setPositionInheritance(0, 0);
  now.x = 9;
  movement.applyTransformMovement();
  movement.setPositionInheritance(1, 0.25);
  movement.applyTransformMovement();
  Object.assign(now, { x: 10, y: 6, rotation: 20 });
  movement.applyTransformMovement();
  now.x = 50;
  movement.resetTransform();
  movement.applyTransformMovement();
  return log;
}

it("passes movements of the host on as the reference does", () => {
  const expected = trace(official.SkeletonPhysicsMovement as unknown as typeof SkeletonPhysicsMovement);
  expect(expected.length).toBeGreaterThan(3);
  expect(trace(SkeletonPhysicsMovement)).toEqual(expected);
});
