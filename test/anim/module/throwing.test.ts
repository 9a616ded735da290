import { describe, expect, it } from "vitest";
import { AnimSkeleton, AnimTrail, Animation, ControlAnim, ControlPose, FloatRef, MotionSequence, MotionStore, SpineAtlas, SpineSkeletonData, SpriteAnim, SpriteClip, SpriteSheet, Tween } from "../../../src/anim/index.js";

/* eslint-disable @typescript-eslint/no-explicit-any */
/** Everything that an object tells without arguments, and per index where it counts something. */
function told(object: any): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  const counts = ["getFrameCount", "getPropertyCount", "getPointCount", "getPageCount", "getRegionCount", "getBoneCount"].filter((name) => typeof object[name] === "function");
  const count = counts.length > 0 ? object[counts[0]!]() : 0;
  for (let proto = Object.getPrototypeOf(object); proto !== Object.prototype; proto = Object.getPrototypeOf(proto)) {
    for (const name of Object.getOwnPropertyNames(proto)) {
      const descriptor = Object.getOwnPropertyDescriptor(proto, name)!;
      if (typeof descriptor.value !== "function" || !/^(get|is|has|cursor|duration|itemCount)/.test(name)) continue;
      const perIndex = descriptor.value.length > 0 ? Array.from({ length: count }, (_, i) => i) : [undefined];
      for (const i of perIndex) {
        try {
          const value = object[name](i);
          if (typeof value !== "object") all[i === undefined ? name : `${name}(${i})`] = value;
        } catch {
          // A question of another kind.
        }
      }
    }
  }
  return all;
}

const BAD = [NaN, Infinity, -Infinity, -1, 1.5, -2, 2 ** 60, undefined, null, "x", "", {}, []];

/** Arguments that are all right but for one, in every place and way. */
function* spoiled(good: readonly unknown[]): Generator<unknown[]> {
  for (let at = 0; at < good.length; at++) {
    for (const bad of BAD) yield good.with(at, bad);
  }
}

const texture = { getWidth: () => 64, getHeight: () => 64 };
const data = (): SpineSkeletonData => {
  const spine = new SpineSkeletonData();
  spine.loadFromJson({ bones: [{ name: "root" }, { name: "arm", parent: "root" }] });
  return spine;
};
const skeleton = (): AnimSkeleton => {
  const rig = new AnimSkeleton();
  rig.addBone("root", -1);
  rig.addBone("arm", 0);
  return rig;
};

/** What is made, and good arguments of every method that can refuse them. */
const subjects: [string, () => any, [string, ...unknown[]][]][] = [
  ["Tween", () => {
    const tween = new Tween(2);
    tween.setFrom("x", 1);
    tween.setTo("x", 2);
    tween.start();
    tween.update(0.5);
    return tween;
  }, [["setFrom", "y", 1], ["setTo", "x", 1], ["setDelta", "z", 1], ["setFromAngle", "w", 1], ["setToAngle", "x", 1], ["setDeltaAngle", "x", 1], ["setDuration", 1], ["setDelay", 1], ["setEase", "inQuad"], ["setRepeat", 2], ["update", 0.25], ["seek", 1], ["setTimeScale", 2], ["setCycleDelay", 1]]],
  ["SpriteClip", () => {
    const clip = new SpriteClip("walk");
    clip.addRange(0, 3, 10);
    clip.addEvent(1, "step");
    return clip;
  }, [["addFrame", 1, 0.25], ["addRange", 1, 2, 10], ["setFPS", 5], ["addEvent", 2, "name"]]],
  ["SpriteSheet", () => {
    const sheet = new SpriteSheet();
    sheet.setGrid(2, 2, 8, 8);
    sheet.setTexture(texture);
    return sheet;
  }, [["addFrame", "new", 1, 2, 3, 4], ["setGrid", 3, 2, 4, 4, 1, 1, 2, 2], ["addFrameEx", { name: "frame1", x: 0, y: 0, width: 1, height: 1 }], ["addFrameEx", { name: "out", x: 60, y: 0, width: 8, height: 1 }]]],
  ["SpriteAnim", () => {
    const player = new SpriteAnim();
    const clip = new SpriteClip();
    clip.addRange(0, 3, 4);
    player.play(clip);
    player.update(0.3);
    return player;
  }, [["play", new SpriteClip()], ["playOnce", null], ["queue", new SpriteClip()], ["setSpeed", 2], ["addSpeedCurveKey", 1, 2], ["setSpeedCurveInterpolation", "cubic"], ["setTime", 0.5], ["setFrame", 2], ["step", 1], ["update", 0.25], ["setLoopDelay", 1]]],
  ["AnimTrail", () => {
    const trail = new AnimTrail(8);
    trail.addPoint(1, 2);
    trail.addPoint(3, 4);
    return trail;
  }, [["setCapacity", 4], ["setDuration", 1], ["setMinDistance", 1], ["setWidth", 2], ["setColor", 0.5, 0.5, 0.5, 0.5], ["setStyle", "points"], ["setDrawScale", 2, 3], ["setDrawOffset", 2, 3], ["addPoint", 9, 9], ["addPoint3", 9, 9, 9], ["addEdge", 9, 9, 8, 8], ["setHead", 9, 9, 9], ["update", 0.1], ["setTaper", 1, 0], ["setSmoothing", 2], ["setTeleportDistance", 5]]],
  ["ControlAnim", () => {
    const control = new ControlAnim(2, 0.5, 1);
    control.set("x", 1);
    control.setTarget("x", 2);
    control.update(0.1);
    return control;
  }, [["setFrequency", 1], ["setDamping", 1], ["setResponse", 2], ["setIntegrator", "pd"], ["setDiscretization", "poleMatch"], ["set", "y", 1], ["setTarget", "z", 1], ["setTargetVelocity", "x", 1], ["impulse", "x", 1], ["update", 0.1], ["setChannelParameters", "x", 1, 1, 1], ["setTargetAngle", "x", 1]]],
  ["ControlPose", () => new ControlPose(skeleton()), [["setFrequency", 1], ["setDamping", 1], ["setResponse", 1], ["setIntegrator", "spring"], ["setBoneWeight", 1, 0.5], ["setTargetPose", null], ["update", 0.1]]],
  ["MotionSequence", () => {
    const store = new MotionStore();
    return new MotionSequence(store).append(store.motion(0, 1, 1)).appendInterval(0.5);
  }, [["append", null], ["join", null], ["insert", 1, null], ["appendInterval", 1], ["insertCallback", 1, () => 0], ["appendCallback", null], ["loops", 2, "yoyo"], ["speed", 2]]],
  ["Motion", () => {
    const motion = new MotionStore().motion(0, 1, 4).loops(3).bind(new FloatRef());
    motion.setSpeed(2);
    return motion;
  }, [["setSpeed", 1], ["seek", 1]]],
  ["Animation", () => new Animation({}), [["update", 0.1], ["advance", 0.1], ["setTimeScale", 2], ["ensureMotionCapacity", 64], ["newTween", 1], ["newTrail", 8], ["newControlAnim", 1, 1, 1], ["motion", 0, 1, 1], ["punch", 0, 1, 1]]],
  ["SpineAtlas", () => {
    const atlas = new SpineAtlas();
    atlas.loadFromText("page.png\nsize: 64, 64\nregion\nbounds: 1, 2, 3, 4\n");
    return atlas;
  }, [["getRegionX", 0], ["getRegionName", 0], ["getPageName", 0], ["getRegionRotate", 0], ["getPageFilter", 0]]],
  ["SpineSkeleton", () => new Animation({}).newSpineSkeleton(data()), [["setSkin", "none"], ["setBoneLocalX", 1, 5], ["setBoneLocalRotation", 1, 5], ["setBoneLocalScaleY", 1, 2], ["setSlotAttachmentName", 0, "x"]]],
  ["SpineAnim", () => {
    const anim = new Animation({});
    return anim.newSpineAnim(anim.newSpineSkeleton(data()));
  }, [["play", "none"], ["crossFade", "none", 1], ["setPageTexture", 0, null], ["setSpeed", 2], ["setTime", 1], ["setPosition", 2, 3], ["setScale", 2, 3], ["setLayer", 2], ["setColor", 0.5, 0.5, 0.5, 0.5], ["update", 0.1]]],
];

describe("a call that throws changes nothing", () => {
  for (const [name, make, calls] of subjects) {
    it(`of ${name}, whichever argument is wrong`, () => {
      let thrown = 0;
      for (const [method, ...good] of calls) {
        for (const args of spoiled(good)) {
          const object = make();
          const before = told(object);
          try {
            object[method](...args);
          } catch (error) {
            thrown++;
            const call = `${name}.${method}(${args.map(String).join(", ")})`;
            expect((error as Error).constructor.name, `${call}: ${(error as Error).message}`).toMatch(/^Anim\w+Error$/);
            expect(told(object), call).toEqual(before);
          }
          // Whether it threw or not, no question is answered with NaN or undefined.
          for (const [question, answer] of Object.entries(told(object))) expect(answer === undefined || Number.isNaN(answer), `${question} after ${name}.${method}(${args.map(String).join(", ")})`).toBe(false);
        }
      }
      expect(thrown).toBeGreaterThan(5);
    });
  }
});
