import { beforeAll, describe, expect, test } from "vitest";
import { AnimArgumentError, AnimMismatchError, AnimNameError, AnimStateError } from "../../../src/anim/errors.js";
import { MotionDatabase } from "../../../src/anim/matching/database.js";
import { MotionMatcherGroup } from "../../../src/anim/matching/group.js";
import { MotionMatcher } from "../../../src/anim/matching/matcher.js";
import { AnimClip } from "../../../src/anim/rig/clip.js";
import { AnimSkeleton } from "../../../src/anim/rig/skeleton.js";
import { heap } from "../../../src/wasm/heap.js";
import { bipedDatabase, bipedLegs, loadBiped, LOCOMOTION } from "./biped.js";

const STEP = 1 / 60;
let skeleton: AnimSkeleton;
let clips: Map<string, AnimClip>;
let database: MotionDatabase;

beforeAll(async () => {
  ({ skeleton, clips } = await loadBiped());
  database = bipedDatabase(skeleton, clips, LOCOMOTION);
});

function play(matcher: MotionMatcher, seconds: number, each?: (i: number) => void): void {
  for (let i = 0; i < Math.round(seconds / STEP); i++) {
    each?.(i);
    matcher.update(STEP);
  }
}

const nameOf = (matcher: MotionMatcher): string => database.getClip(matcher.getMatchedClipIndex()).getName();

describe("MotionMatcher", () => {
  test("stands, walks off, walks on and stops", () => {
    const matcher = new MotionMatcher(skeleton, database);
    expect(matcher.getMatchedClipIndex()).toBe(-1);
    expect(matcher.getMatchedFrame()).toBe(-1);
    play(matcher, 1);
    expect(nameOf(matcher)).toBe("idle");
    matcher.setDesiredVelocity(0, 1.2);
    play(matcher, 3);
    expect(nameOf(matcher)).toBe("walk");
    expect(matcher.getRootZ()).toBeGreaterThan(2);
    const before = matcher.getRootZ();
    play(matcher, 1);
    expect(matcher.getRootZ() - before).toBeCloseTo(1.2, 1);
    matcher.setDesiredVelocity(0, 0);
    play(matcher, 3);
    const stopped = matcher.getRootZ();
    play(matcher, 0.5);
    expect(matcher.getRootZ() - stopped).toBeLessThan(0.02);
    matcher.dispose();
  });

  test("turns towards the desired yaw, whole turns do not matter", () => {
    for (const turns of [0, 1, -3]) {
      const matcher = new MotionMatcher(skeleton, database);
      play(matcher, 0.5);
      matcher.setDesiredYaw(1.4 + turns * 2 * Math.PI);
      play(matcher, 3);
      expect(Math.abs(matcher.getRootYaw() - 1.4)).toBeLessThan(0.35);
      matcher.dispose();
    }
  });

  test("root motion adds up to the root's place", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setDesiredVelocity(0.8, 0.9);
    matcher.setDesiredYaw(0.7);
    let x = 0, z = 0, yaw = 0;
    play(matcher, 2);
    [x, z, yaw] = [matcher.getRootX(), matcher.getRootZ(), matcher.getRootYaw()];
    for (let i = 0; i < 120; i++) {
      matcher.update(STEP);
      const dx = matcher.getRootMotionX(), dz = matcher.getRootMotionZ();
      x += dx * Math.cos(yaw) + dz * Math.sin(yaw);
      z += -dx * Math.sin(yaw) + dz * Math.cos(yaw);
      yaw += 2 * Math.atan2(matcher.getRootMotionRotationY(), matcher.getRootMotionRotationW());
      expect(matcher.getRootMotionRotationX()).toBe(0);
    }
    expect(x).toBeCloseTo(matcher.getRootX(), 6);
    expect(z).toBeCloseTo(matcher.getRootZ(), 6);
    expect(Math.abs(Math.sin(yaw - matcher.getRootYaw()))).toBeLessThan(1e-6);
    matcher.dispose();
  });

  test("the pose stays over its root, or moves with the clip when that is kept", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setDesiredVelocity(0, 1.2);
    play(matcher, 2.55);
    expect(Math.hypot(matcher.getPose().getLocalPositionX(0), matcher.getPose().getLocalPositionZ(0))).toBeLessThan(1e-5);
    matcher.setRootMotion("keep");
    matcher.update(STEP);
    expect(matcher.getPose().getLocalPositionZ(0)).toBeGreaterThan(0.05);
    matcher.dispose();
  });

  test("no pose jumps at a switch: bones move no further in a step than they do within clips", () => {
    const largest = (mode: "inertial" | "crossfade", blendTime: number): number => {
      const matcher = new MotionMatcher(skeleton, database);
      matcher.setTransitionMode(mode);
      matcher.setBlendTime(blendTime);
      const hand = skeleton.findBone("hand_l"), foot = skeleton.findBone("foot_r");
      let most = 0;
      const before = [NaN, NaN, NaN, NaN, NaN, NaN];
      play(matcher, 12, (i) => {
        const wish = Math.floor(i / 90) % 4;
        matcher.setDesiredVelocity(wish === 0 ? 0 : Math.sin(wish), wish === 0 ? 0 : Math.cos(wish));
        matcher.setDesiredYaw(wish);
        if (i < 30) return;
        const pose = matcher.getPose();
        pose.computeWorld(skeleton);
        const now = [hand, foot].flatMap((bone) => [pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone)]);
        for (const k of [0, 3]) {
          const d = Math.hypot(now[k]! - before[k]!, now[k + 1]! - before[k + 1]!, now[k + 2]! - before[k + 2]!);
          if (d > most) most = d;
        }
        now.forEach((v, k) => (before[k] = v));
      });
      matcher.dispose();
      return most;
    };
    const cut = largest("inertial", 0), inertial = largest("inertial", 0.15), crossfade = largest("crossfade", 0.15);
    expect(inertial).toBeLessThan(0.1);
    expect(crossfade).toBeLessThan(0.1);
    expect(cut).toBeGreaterThan(Math.max(inertial, crossfade));
  });

  test("a continuing frame that is best goes on without a transition", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setSearchInterval(0);
    matcher.setDesiredVelocity(0, 1.2);
    play(matcher, 4);
    let last = matcher.getMatchedTime();
    play(matcher, 0.5, () => {
      last = matcher.getMatchedTime();
    });
    const step = matcher.getMatchedTime() - last;
    expect(Math.abs(step - STEP) < 1e-9 || Math.abs(step + 1 - STEP) < 1e-9).toBe(true);
    matcher.dispose();
  });

  test("searches at its interval, and at once when the wish jumps", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setSearchInterval(10);
    play(matcher, 0.5);
    matcher.setDesiredVelocity(0, 1);
    play(matcher, 0.5);
    expect(nameOf(matcher)).toBe("idle");
    matcher.setForceSearchThreshold(0.5, 10);
    matcher.update(STEP);
    expect(nameOf(matcher)).not.toBe("idle");
    matcher.dispose();
  });

  test("tags require, exclude and cost", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setDesiredVelocity(0, 1.2);
    matcher.setRequiredTags(["idle"]);
    play(matcher, 2);
    expect(nameOf(matcher)).toBe("idle");
    matcher.setRequiredTags([]);
    matcher.setExcludedTags(["idle", "turn"]);
    play(matcher, 1);
    expect(nameOf(matcher)).toMatch(/walk/);
    expect(() => matcher.setRequiredTags(["swim"])).toThrow(AnimNameError);
    matcher.setExcludedTags([]);
    matcher.setDesiredVelocity(0, 0);
    matcher.setTagCost("idle", 1e6);
    matcher.setTagCost("turn", 1e6);
    play(matcher, 3);
    expect(nameOf(matcher)).toMatch(/walk/);
    matcher.dispose();
  });

  test("with every frame excluded the pose is kept and the cost is -1", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setRequiredTags(["idle", "walk"]);
    play(matcher, 0.2);
    expect(matcher.getMatchedClipIndex()).toBe(-1);
    expect(matcher.getLastSearchCost()).toBe(-1);
    matcher.dispose();
  });

  test("plays a clip on demand and returns by searching", () => {
    const local = bipedDatabase(skeleton, clips, [...LOCOMOTION, "jump"]);
    const matcher = new MotionMatcher(skeleton, local);
    matcher.setExcludedTags(["jump"]);
    play(matcher, 0.5);
    matcher.playClip(clips.get("jump")!);
    expect(local.getClip(matcher.getMatchedClipIndex()).getName()).toBe("jump");
    play(matcher, 1);
    expect(local.getClip(matcher.getMatchedClipIndex()).getName()).toBe("jump");
    expect(matcher.getRootZ()).toBeGreaterThan(0.8);
    play(matcher, 1);
    expect(local.getClip(matcher.getMatchedClipIndex()).getName()).not.toBe("jump");
    expect(() => matcher.playClip(new AnimClip("other"))).toThrow(AnimMismatchError);
    matcher.dispose();
    local.dispose();
  });

  test("events of the clip that plays are reported, each once", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setDesiredVelocity(0, 1.2);
    play(matcher, 3);
    const steps: string[] = [];
    matcher.clearEvents();
    for (let i = 0; i < 180; i++) {
      matcher.update(STEP);
      for (let e = 0; e < matcher.getEventCount(); e++) steps.push(`${matcher.getEventName(e)} ${matcher.getEventPayload(e)}`);
    }
    // Three seconds of walking: three steps with each foot, in turn.
    expect(steps.length).toBe(6);
    expect(new Set(steps)).toEqual(new Set(["step left", "step right"]));
    for (let i = 1; i < steps.length; i++) expect(steps[i]).not.toBe(steps[i - 1]);
    expect(matcher.consumeEvent()).toBe("step");
    matcher.dispose();
  });

  test("a given trajectory replaces the prediction, a controller may own the simulated object", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setTrajectory([{ time: 0, x: 0, z: 0, yaw: 0 }, { time: 1, x: 0, z: 1.2, yaw: 0 }, { time: 10, x: 0, z: 12, yaw: 0 }]);
    play(matcher, 0.7);
    expect(nameOf(matcher)).toMatch(/walk/);
    expect(() => matcher.setTrajectory([{ time: 1, x: 0, z: 0, yaw: 0 }, { time: 1, x: 0, z: 0, yaw: 0 }])).toThrow(AnimArgumentError);
    matcher.setTrajectory([]);
    matcher.setCharacterState(5, 6, 0.5, 0, 1);
    matcher.update(STEP);
    expect([matcher.getSimulatedX(), matcher.getSimulatedZ(), matcher.getSimulatedYaw()]).toEqual([5, 6, 0.5]);
    matcher.dispose();
  });

  test("the clamp keeps the root near the simulated object", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setRootClamp(0.25, 0.5);
    play(matcher, 5, (i) => {
      matcher.setDesiredVelocity(3 * Math.sin(i / 40), 3 * Math.cos(i / 40));
      matcher.setDesiredYaw(i / 40);
      if (i === 0) return;
      expect(Math.hypot(matcher.getRootX() - matcher.getSimulatedX(), matcher.getRootZ() - matcher.getSimulatedZ())).toBeLessThan(0.2501);
    });
    matcher.dispose();
  });

  test("debug costs are those of the last search, by group", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setDesiredVelocity(0, 1.2);
    play(matcher, 3);
    matcher.setSearchInterval(1e3);
    matcher.search();
    const out = { groups: [] as string[], best: [] as number[], continuing: [] as number[], runnerUp: [] as number[] };
    matcher.getDebugCosts(out);
    expect(out.groups).toEqual(["velocity", "trajectoryPosition", "trajectoryDirection", "bonePosition", "boneVelocity"]);
    const sum = (list: number[]): number => list.reduce((a, b) => a + b, 0);
    expect(sum(out.best)).toBeCloseTo(matcher.getLastSearchCost(), 4);
    expect(sum(out.runnerUp)).toBeGreaterThanOrEqual(sum(out.best));
    matcher.dispose();
  });

  test("the same calls give the same bits", () => {
    const run = (): string => {
      const matcher = new MotionMatcher(skeleton, database);
      matcher.setFootLock(bipedLegs(skeleton));
      const out = new Float32Array(skeleton.getBoneCount() * 10);
      const parts: string[] = [];
      play(matcher, 6, (i) => {
        matcher.setDesiredVelocity(Math.fround((i % 200) / 150), Math.fround((i % 130) / 100));
        matcher.setDesiredYaw((i % 300) / 50);
        if (i % 30 !== 29) return;
        matcher.getPose().writeLocalTo(out);
        parts.push(Buffer.from(out.buffer).toString("base64"), String(matcher.getRootX()), String(matcher.getRootYaw()));
      });
      matcher.dispose();
      return parts.join();
    };
    expect(run()).toBe(run());
  });

  test("dt that is not finite is ignored, negative dt is an error, zero changes nothing", () => {
    const matcher = new MotionMatcher(skeleton, database);
    play(matcher, 1);
    const time = matcher.getMatchedTime(), x = matcher.getRootX();
    matcher.update(NaN);
    matcher.update(Infinity);
    matcher.update(0);
    expect([matcher.getMatchedTime(), matcher.getRootX()]).toEqual([time, x]);
    expect(matcher.getRootMotionX()).toBe(0);
    expect(() => matcher.update(-1)).toThrow(AnimArgumentError);
    matcher.update(1e6);
    expect(Number.isFinite(matcher.getRootX())).toBe(true);
    matcher.dispose();
  });

  test("an update before bake throws, and only once when not strict", () => {
    const unbaked = new MotionDatabase(skeleton);
    unbaked.addClip(clips.get("idle")!);
    const matcher = new MotionMatcher(skeleton, unbaked);
    expect(() => matcher.update(STEP)).toThrow(AnimStateError);
    expect(() => matcher.update(STEP)).toThrow(AnimStateError);
    expect(() => matcher.search()).toThrow(/bake/);
    matcher.setStrict(false);
    expect(() => matcher.update(STEP)).not.toThrow();
    unbaked.bake();
    matcher.update(STEP);
    expect(matcher.getMatchedClipIndex()).toBe(0);
    matcher.dispose();
    unbaked.dispose();
  });

  test("a new bake restarts a running matcher from the pose it shows", () => {
    const local = bipedDatabase(skeleton, clips, ["idle", "walk"]);
    const matcher = new MotionMatcher(skeleton, local);
    play(matcher, 1);
    local.addClip(clips.get("walk_left")!);
    local.bake();
    const pose = matcher.getPose();
    const before = pose.getLocalRotationX(skeleton.findBone("upper_leg_l"));
    matcher.update(STEP);
    expect(Math.abs(pose.getLocalRotationX(skeleton.findBone("upper_leg_l")) - before)).toBeLessThan(0.05);
    expect(matcher.getMatchedFrame()).toBeGreaterThanOrEqual(0);
    matcher.dispose();
    local.dispose();
  });

  test("one clip of one frame is always matched", () => {
    const still = new AnimClip("still");
    still.setLoop(false);
    still.addPositionKey(1, 0, 0, 0.9, 0);
    const local = new MotionDatabase(skeleton);
    local.addFeatureBoneByName("foot_l");
    local.addClip(still);
    local.bake();
    const matcher = new MotionMatcher(skeleton, local);
    play(matcher, 1);
    expect([matcher.getMatchedFrame(), matcher.getMatchedClipIndex(), matcher.getMatchedTime()]).toEqual([0, 0, 0]);
    matcher.dispose();
    local.dispose();
  });

  test("settings reject what makes no sense and can be read back", () => {
    const matcher = new MotionMatcher(skeleton, database);
    for (const call of [
      () => matcher.setDesiredVelocity(NaN, 0), () => matcher.setDesiredYaw(Infinity), () => matcher.setSearchInterval(-1), () => matcher.setBlendTime(NaN),
      () => matcher.setTrajectoryWeight(-1), () => matcher.setIgnoreRadius(1.5), () => matcher.setTransitionCost(-2), () => matcher.setContinuingBias(2),
      () => matcher.setRootClamp(-1, 0), () => matcher.setTransitionMode("x" as never), () => matcher.setInertialCurve("x" as never), () => matcher.setPoseSource("x" as never),
      () => matcher.setCharacterState(0, 0, NaN, 0, 0), () => matcher.setRootAdjustment({ maxRatio: -1 }), () => matcher.setPlaybackRate(-1),
      () => matcher.setFootLock([{ upper: 0, lower: 1, foot: 5 }]),
    ]) expect(call).toThrow(AnimArgumentError);
    matcher.setTrajectoryWeight(2);
    matcher.setPoseWeight(0.5);
    matcher.setVelocityWeight(3);
    matcher.setIgnoreRadius(7);
    matcher.setSearchInterval(0.25);
    matcher.setBlendTime(0.3);
    matcher.setDesiredVelocity(1, 2);
    matcher.setDesiredYaw(3);
    expect([matcher.getTrajectoryWeight(), matcher.getPoseWeight(), matcher.getVelocityWeight(), matcher.getIgnoreRadius(), matcher.getSearchInterval(), matcher.getBlendTime(), matcher.getDesiredVelocityX(), matcher.getDesiredVelocityZ(), matcher.getDesiredYaw()])
      .toEqual([2, 0.5, 3, 7, 0.25, 0.3, 1, 2, 3]);
    expect(() => new MotionMatcher(new AnimSkeleton(), database)).toThrow(AnimMismatchError);
    expect(() => new MotionMatcher(null as never, database)).toThrow(AnimArgumentError);
    matcher.dispose();
    matcher.dispose();
    expect(() => matcher.update(STEP)).toThrow(AnimStateError);
  });
});

describe("MotionMatcherGroup", () => {
  test("plays exactly what single matchers play", () => {
    const make = (): MotionMatcher[] => Array.from({ length: 7 }, (_, i) => {
      const matcher = new MotionMatcher(skeleton, database);
      matcher.setDesiredVelocity(0.2 * i, 1 - 0.1 * i);
      matcher.setDesiredYaw(0.3 * i);
      return matcher;
    });
    const alone = make(), together = make();
    const group = new MotionMatcherGroup(database);
    for (const matcher of together) group.add(matcher);
    for (let i = 0; i < 200; i++) {
      for (const matcher of alone) matcher.update(STEP);
      group.update(STEP);
    }
    alone.forEach((matcher, i) => {
      expect([together[i]!.getMatchedFrame(), together[i]!.getRootX(), together[i]!.getRootZ(), together[i]!.getRootYaw()])
        .toEqual([matcher.getMatchedFrame(), matcher.getRootX(), matcher.getRootZ(), matcher.getRootYaw()]);
    });
    group.dispose();
    for (const matcher of [...alone, ...together]) matcher.dispose();
  });

  test("keeps to its budget and serves everybody in turn", () => {
    const group = new MotionMatcherGroup(database);
    const matchers = Array.from({ length: 20 }, () => new MotionMatcher(skeleton, database));
    for (const matcher of matchers) group.add(matcher);
    group.setSearchBudget(3);
    for (let i = 0; i < 7; i++) {
      group.update(STEP);
      expect(group.getLastSearchCount()).toBeLessThanOrEqual(3);
    }
    expect(matchers.every((matcher) => matcher.getMatchedFrame() >= 0)).toBe(true);
    expect(() => group.setSearchBudget(0)).toThrow(AnimArgumentError);
    expect(() => group.add(matchers[0]!)).toThrow(AnimArgumentError);
    expect(group.remove(matchers[0]!)).toBe(true);
    expect(group.remove(matchers[0]!)).toBe(false);
    group.dispose();
    for (const matcher of matchers) matcher.dispose();
  });
});

describe("memory", () => {
  test("matchers and databases give everything back", () => {
    const once = (): void => {
      const local = bipedDatabase(skeleton, clips, ["idle", "walk"]);
      const matcher = new MotionMatcher(skeleton, local);
      matcher.setFootLock(bipedLegs(skeleton));
      matcher.setTagCost("walk", 1);
      const group = new MotionMatcherGroup(local);
      group.add(matcher);
      for (let i = 0; i < 10; i++) group.update(STEP);
      group.dispose();
      matcher.dispose();
      local.dispose();
    };
    once();
    const blocks = heap.blockCount, bytes = heap.usedBytes;
    for (let i = 0; i < 20; i++) once();
    expect([heap.blockCount, heap.usedBytes]).toEqual([blocks, bytes]);
  });

  test("memory may grow under a running matcher", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setDesiredVelocity(0, 1);
    const reference = new MotionMatcher(skeleton, database);
    reference.setDesiredVelocity(0, 1);
    const big: number[] = [];
    for (let i = 0; i < 120; i++) {
      if (i % 40 === 0) big.push(heap.alloc(8 << 20));
      matcher.update(STEP);
      reference.update(STEP);
    }
    expect(matcher.getRootZ()).toBe(reference.getRootZ());
    for (const ptr of big) heap.free(ptr);
    matcher.dispose();
    reference.dispose();
  });

  test("messages name the method that was called", () => {
    const unbaked = new MotionMatcher(skeleton, new MotionDatabase(skeleton)), matcher = new MotionMatcher(skeleton, database);
    expect(() => unbaked.search()).toThrow(/^MotionMatcher\.search: the database is not baked/);
    expect(() => matcher.setRequiredTags(["swim"])).toThrow(/^MotionMatcher\.setRequiredTags: no clip has the tag "swim"/);
    expect(() => matcher.setTrajectoryWeight(-1)).toThrow(/^MotionMatcher\.setTrajectoryWeight/);
    expect(() => matcher.setPoseWeight(NaN)).toThrow(/^MotionMatcher\.setPoseWeight/);
    expect(() => matcher.setVelocityWeight(-1)).toThrow(/^MotionMatcher\.setVelocityWeight/);
    expect(() => matcher.playClip(null as never)).toThrow(AnimArgumentError);
  });

  test("steps of any size leave finite numbers", () => {
    const matcher = new MotionMatcher(skeleton, database);
    matcher.setDesiredVelocity(0, 1.2);
    for (const dt of [STEP, 1e9, 1e100, 1e308, 1e308, 1e308, STEP]) {
      matcher.update(dt);
      const pose = matcher.getPose();
      const numbers = [matcher.getMatchedTime(), matcher.getRootX(), matcher.getRootZ(), matcher.getRootYaw(), matcher.getRootMotionZ(), matcher.getRootMotionRotationW(), pose.getLocalPositionY(0), pose.getLocalRotationW(1)];
      expect(numbers.every(Number.isFinite), `${dt}: ${numbers.join(" ")}`).toBe(true);
    }
  });
});
