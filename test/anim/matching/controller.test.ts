import { beforeAll, describe, expect, test } from "vitest";
import type { AnimClip } from "../../../src/anim/rig/clip.js";
import type { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import type { MotionDatabase } from "../../../src/anim/matching/database.js";
import { MotionMatcher } from "../../../src/anim/matching/matcher.js";
import { bipedDatabase, bipedLegs, loadBiped, LOCOMOTION } from "./biped.js";

/** A figure of eight of two circles of radius 2.2 m, walked at 1.15 m/s: place and heading after s metres. */
const RADIUS = 2.2;
const SPEED = 1.15;
const CIRCLE = 2 * Math.PI * RADIUS;

function eight(s: number): { x: number; z: number; yaw: number } {
  const lap = ((s % (2 * CIRCLE)) + 2 * CIRCLE) % (2 * CIRCLE);
  // Left circle first: centre at +X; then the right one.
  const side = lap < CIRCLE ? 1 : -1;
  const angle = ((lap % CIRCLE) / RADIUS) * side;
  return { x: side * RADIUS * (1 - Math.cos(angle)), z: RADIUS * Math.sin(angle) * side, yaw: angle };
}

describe("a figure of eight with the biped's own gaits", () => {
  let skeleton: AnimSkeleton;
  let clips: Map<string, AnimClip>;
  let database: MotionDatabase;
  beforeAll(async () => {
    ({ skeleton, clips } = await loadBiped());
    database = bipedDatabase(skeleton, clips, LOCOMOTION);
  });

  /** Two laps after a second of walking in; returns the largest distance to the path point and the largest slide of a standing foot. */
  function walk(dt: number, configure?: (matcher: MotionMatcher) => void): { distance: number; slide: number; switches: number; clipsUsed: Set<string>; hash: string } {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setRootAdjustment({ positionHalfLife: 0.15, yawHalfLife: 0.15, maxRatio: 0.4 });
    matcher.setFootLock(bipedLegs(skeleton));
    configure?.(matcher);
    const toes = [skeleton.findBone("toe_l"), skeleton.findBone("toe_r")];
    const anchors: ([number, number] | undefined)[] = [undefined, undefined];
    let s = 0, distance = 0, slide = 0, switches = 0, frameBefore = -1;
    const clipsUsed = new Set<string>();
    let sum = 0;
    for (let i = 0; i * dt < (4 * CIRCLE) / SPEED; i++) {
      s += SPEED * dt;
      const now = eight(s);
      // The path owns the simulated object, as a physics or spline controller would.
      matcher.setCharacterState(now.x, now.z, now.yaw, SPEED * Math.sin(now.yaw), SPEED * Math.cos(now.yaw));
      matcher.setTrajectory([0, 0.25, 0.5, 0.75, 1, 1.25].map((t) => {
        const ahead = eight(s + SPEED * t);
        return { time: t, x: ahead.x, z: ahead.z, yaw: ahead.yaw, vx: SPEED * Math.sin(ahead.yaw), vz: SPEED * Math.cos(ahead.yaw) };
      }));
      matcher.update(dt);
      const frame = matcher.getMatchedFrame();
      if (Math.abs(frame - frameBefore) > 3) switches++;
      frameBefore = frame;
      clipsUsed.add(clips.get([...clips.keys()].find((name) => clips.get(name) === database.getClip(matcher.getMatchedClipIndex()))!)!.getName());
      if (i * dt > 2) distance = Math.max(distance, Math.hypot(matcher.getRootX() - now.x, matcher.getRootZ() - now.z));
      const pose = matcher.getPose();
      pose.computeWorld(skeleton);
      const sin = Math.sin(matcher.getRootYaw()), cos = Math.cos(matcher.getRootYaw());
      for (const leg of [0, 1]) {
        const x = pose.getWorldPositionX(toes[leg]!), z = pose.getWorldPositionZ(toes[leg]!);
        const wx = matcher.getRootX() + x * cos + z * sin, wz = matcher.getRootZ() - x * sin + z * cos;
        sum = (sum * 31 + Math.round(wx * 1e6) + Math.round(wz * 1e6)) % 4294967291;
        const stands = matcher.getCurve(leg === 0 ? "contact_l" : "contact_r") > 0.5;
        if (!stands) anchors[leg] = undefined;
        else if (anchors[leg] === undefined) anchors[leg] = [wx, wz];
        else if (i * dt > 2) slide = Math.max(slide, Math.hypot(wx - anchors[leg]![0], wz - anchors[leg]![1]));
      }
    }
    matcher.dispose();
    return { distance, slide, switches, clipsUsed, hash: String(sum) };
  }

  test("stays within 0.3 m of the path and its standing feet move less than 3 cm", () => {
    const result = walk(1 / 60);
    console.log(`figure of eight: ${result.distance.toFixed(3)} m off the path at most, feet slide ${(result.slide * 100).toFixed(2)} cm at most, ${result.switches} switches, ${[...result.clipsUsed].join(" ")}`);
    expect(result.distance).toBeLessThan(0.3);
    expect(result.slide).toBeLessThan(0.03);
    expect(result.switches).toBeGreaterThan(5);
    expect([...result.clipsUsed].some((name) => name.includes("left"))).toBe(true);
    expect([...result.clipsUsed].some((name) => name.includes("right"))).toBe(true);
  });

  test("does so at other frame rates and with other transitions", () => {
    for (const [dt, mode] of [[1 / 30, "inertial"], [1 / 144, "inertial"], [1 / 60, "crossfade"]] as const) {
      const result = walk(dt, (matcher) => matcher.setTransitionMode(mode));
      console.log(`  dt ${dt.toFixed(4)} ${mode}: ${result.distance.toFixed(3)} m, ${(result.slide * 100).toFixed(2)} cm`);
      expect(result.distance).toBeLessThan(0.3);
      expect(result.slide).toBeLessThan(0.03);
    }
  });

  test("is the same walk every time", () => {
    expect(walk(1 / 60).hash).toBe(walk(1 / 60).hash);
  });
});
