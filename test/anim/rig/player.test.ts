import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimClip, AnimIndexError, AnimPlayer, AnimPose, AnimSkeleton, AnimStateError } from "../../../src/anim/index.js";
import { collectEvents, EventLog } from "../../../src/anim/rig/event-log.js";
import { angleBetween, golden, randomQuaternion, seeded } from "./golden.js";

const data = golden("root-motion-events-golden.json");

function skeletonOf(count: number): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  for (let i = 0; i < count; i++) skeleton.addBone(`b${i}`, i - 1);
  return skeleton;
}

/** A clip that moves bone 0 along x from 0 to `distance` in `duration` seconds. */
function ramp(duration: number, distance: number, loop = true): AnimClip {
  const clip = new AnimClip();
  clip.addPositionKey(0, 0, 0, 0, 0);
  clip.addPositionKey(0, duration, distance, 0, 0);
  clip.setLoop(loop);
  return clip;
}

function eventClip(duration: number, events: [number, string][], loop = true): AnimClip {
  const clip = new AnimClip();
  clip.setDuration(duration);
  clip.setLoop(loop);
  for (const [time, name] of events) clip.addEvent(time, name, `${name}!`);
  return clip;
}

const x = (player: AnimPlayer): number => player.getPose().getLocalPositionX(0);
const names = (player: AnimPlayer): string[] => Array.from({ length: player.getEventCount() }, (_, i) => player.getEventName(i));

describe("AnimPlayer playback", () => {
  it("starts with the bind pose, samples at once on play and advances by dt times speed", () => {
    const skeleton = skeletonOf(2);
    skeleton.setBindPosition(0, 9, 0, 0);
    const player = new AnimPlayer(skeleton);
    expect(x(player)).toBe(9);
    expect(player.getClip()).toBe(null);
    const clip = ramp(2, 4);
    player.play(clip);
    expect(x(player)).toBe(0);
    expect(player.isPlaying()).toBe(true);
    player.update(0.5);
    expect(x(player)).toBeCloseTo(1, 6);
    player.setSpeed(2);
    player.update(0.25);
    expect(x(player)).toBeCloseTo(2, 6);
    expect(player.getTime()).toBeCloseTo(1, 12);
    player.update(1000.5);
    expect(player.getTime()).toBeCloseTo(0, 6);
    expect(player.getLoopCount()).toBe(1001);
    player.stop();
    expect(x(player)).toBe(9);
    expect(player.getClip()).toBe(null);
    expect(player.getTime()).toBe(0);
  });

  it("stops at the end of a clip that does not loop, in the update that reaches it", () => {
    const player = new AnimPlayer(skeletonOf(1)), clip = ramp(1, 4, false);
    clip.addEvent(1, "end");
    player.play(clip);
    player.update(0.9);
    expect(player.isPlaying()).toBe(true);
    player.update(0.2);
    expect(player.isPlaying()).toBe(false);
    expect(player.hasFinished()).toBe(true);
    expect(x(player)).toBe(4);
    expect(names(player)).toEqual(["end"]);
    player.update(0.2);
    expect(x(player)).toBe(4);
    expect(names(player)).toEqual([]);
    player.setTime(0.25);
    expect(x(player)).toBeCloseTo(1, 6);
    player.update(0.25);
    expect(x(player)).toBeCloseTo(2, 6);
  });

  it("overrides loop flags until the override is cleared", () => {
    const player = new AnimPlayer(skeletonOf(1));
    player.setLoop(false);
    player.play(ramp(1, 1));
    player.update(3);
    expect(player.isPlaying()).toBe(false);
    player.clearLoopOverride();
    player.play(ramp(1, 1));
    player.update(3.5);
    expect(x(player)).toBeCloseTo(0.5, 5);
  });

  it("plays a clip without length once or for ever, and fires its events once", () => {
    const player = new AnimPlayer(skeletonOf(1));
    const clip = eventClip(0, [[0, "now"]]);
    clip.addPositionKey(0, 0, 3, 0, 0);
    player.play(clip);
    player.update(0.1);
    expect(names(player)).toEqual(["now"]);
    player.update(0.1);
    expect(names(player)).toEqual([]);
    expect(player.isPlaying()).toBe(true);
    expect(x(player)).toBe(3);
    clip.setLoop(false);
    player.play(clip);
    player.update(0.1);
    expect(player.isPlaying()).toBe(false);
  });

  it("does nothing while paused and reports no events and no motion", () => {
    const player = new AnimPlayer(skeletonOf(1)), clip = ramp(1, 1);
    clip.addEvent(0.05, "e");
    player.setRootMotionBone(0);
    player.play(clip);
    player.update(0.1);
    expect(player.getEventCount()).toBe(1);
    expect(player.getRootMotionX()).toBeCloseTo(0.1, 6);
    player.pause();
    player.update(0.5);
    expect(player.getTime()).toBeCloseTo(0.1, 12);
    expect(player.getEventCount()).toBe(0);
    expect(player.getRootMotionX()).toBe(0);
    player.resume();
    player.update(0.1);
    expect(player.getTime()).toBeCloseTo(0.2, 12);
  });

  it("ignores a dt that is not finite, refuses a negative one, and re-evaluates at 0", () => {
    const player = new AnimPlayer(skeletonOf(1)), clip = ramp(1, 1);
    player.play(clip);
    player.update(0.25);
    player.update(NaN);
    player.update(Infinity);
    player.update(-Infinity);
    expect(player.getTime()).toBe(0.25);
    expect(() => player.update(-0.1)).toThrow(AnimArgumentError);
    clip.setPositionKey(0, 1, 1, 2, 0, 0);
    player.update(0);
    expect(x(player)).toBe(0.5);
  });

  it("evaluates at its update rate without losing time", () => {
    const player = new AnimPlayer(skeletonOf(1)), clip = ramp(10, 10);
    clip.addEvent(0.05, "e");
    player.setUpdateRate(10);
    player.play(clip);
    player.update(0.06);
    expect(x(player)).toBe(0);
    expect(player.getEventCount()).toBe(0);
    player.update(0.06);
    expect(x(player)).toBeCloseTo(0.12, 6);
    expect(names(player)).toEqual(["e"]);
    player.update(0.05);
    player.setUpdateRate(0);
    player.update(0);
    expect(x(player)).toBeCloseTo(0.17, 6);
    expect(() => player.setUpdateRate(-1)).toThrow(AnimArgumentError);
    player.setUpdateRate(10);
    player.setUpdatePhase(0.5);
    player.update(0.06);
    expect(x(player)).toBeCloseTo(0.23, 6);
    player.update(0.06);
    expect(x(player)).toBeCloseTo(0.23, 6);
  });

  it("plays backward", () => {
    const player = new AnimPlayer(skeletonOf(1)), clip = ramp(1, 1, false);
    for (const t of [0, 0.3, 0.6, 1]) clip.addEvent(t, `e${t}`);
    player.playReverse(clip);
    expect(x(player)).toBe(1);
    player.update(0.5);
    expect(x(player)).toBeCloseTo(0.5, 6);
    expect(names(player)).toEqual(["e1", "e0.6"]);
    player.update(0.6);
    expect(names(player)).toEqual(["e0.3", "e0"]);
    expect(x(player)).toBe(0);
    expect(player.isPlaying()).toBe(false);
  });

  it("plays a queued clip when the current one ends", () => {
    const player = new AnimPlayer(skeletonOf(1)), first = ramp(1, 1, false), second = ramp(1, 10);
    player.play(first);
    player.queue(second, 0);
    player.update(1.2);
    expect(player.getClip()).toBe(second);
    player.update(0.5);
    expect(x(player)).toBeCloseTo(5, 5);
  });
});

describe("AnimPlayer cross-fades", () => {
  it("blends linearly while both clips advance, in real seconds", () => {
    const player = new AnimPlayer(skeletonOf(1)), a = ramp(10, 10), b = ramp(10, 100);
    player.setSpeed(2);
    player.play(a);
    player.update(0.5);
    player.crossFade(b, 0.4);
    expect(x(player)).toBeCloseTo(1, 6);
    expect(player.getWeight()).toBe(0);
    player.update(0.1);
    // a at 1.2, b at 0.2 (x 2): a quarter of the way.
    expect(x(player)).toBeCloseTo(1.2 * 0.75 + 2 * 0.25, 5);
    expect(player.getWeight()).toBeCloseTo(0.25, 12);
    player.update(0.3);
    expect(player.isFading()).toBe(false);
    expect(x(player)).toBeCloseTo(8, 5);
  });

  it("is a play without a clip before it or without length, and refuses bad lengths", () => {
    const player = new AnimPlayer(skeletonOf(1)), a = ramp(1, 1), b = ramp(1, 5);
    player.crossFade(a, 1);
    expect(player.isFading()).toBe(false);
    player.crossFade(b, 0);
    expect(player.getClip()).toBe(b);
    expect(player.isFading()).toBe(false);
    expect(() => player.crossFade(b, -1)).toThrow(AnimArgumentError);
    expect(() => player.crossFade(b, NaN)).toThrow(AnimArgumentError);
    expect(() => player.crossFade(null as never, 1)).toThrow(AnimArgumentError);
  });

  it("never jumps, also when fades begin during fades or to the same clip", () => {
    const random = seeded(12);
    for (const curve of ["linear", "smooth", "inertial"] as const) {
      const player = new AnimPlayer(skeletonOf(1)), clips = [ramp(4, 4), ramp(3, -3), ramp(5, 2)];
      player.setFadeCurve(curve);
      player.play(clips[0]!);
      player.update(0.01);
      let last = x(player);
      for (let frame = 0; frame < 200; frame++) {
        if (frame % 17 === 5) {
          player.crossFade(clips[Math.floor(random() * 3)]!, 0.35);
          expect(Math.abs(x(player) - last)).toBeLessThan(1e-6);
        }
        player.update(0.005);
        expect(Math.abs(x(player) - last), `${curve} frame ${frame}`).toBeLessThan(0.12);
        last = x(player);
      }
    }
  });

  it("finishes a fade to a clip that ends before the fade does", () => {
    const player = new AnimPlayer(skeletonOf(1)), short = ramp(0.2, 6, false);
    short.addEvent(0.2, "end");
    player.play(ramp(10, 0));
    player.update(0.1);
    player.crossFade(short, 1);
    const heard: string[] = [];
    for (let i = 0; i < 5; i++) {
      player.update(0.1);
      heard.push(...names(player));
    }
    expect(player.isPlaying()).toBe(false);
    expect(x(player)).toBeCloseTo(3, 5);
    for (let i = 0; i < 6; i++) player.update(0.1);
    expect(x(player)).toBe(6);
    expect(heard).toEqual(["end"]);
  });

  it("drops the old clip in an inertial fade and ends on the new one", () => {
    const player = new AnimPlayer(skeletonOf(1)), still = new AnimClip();
    still.addPositionKey(0, 0, 5, 0, 0);
    still.setDuration(10);
    player.setFadeCurve("inertial");
    player.setInertialCurve("quintic");
    player.play(ramp(10, 10));
    for (let i = 0; i < 60; i++) player.update(1 / 60);
    const before = x(player);
    player.crossFade(still, 0.3);
    player.update(1 / 60);
    // It goes on with its speed of 1 a second (towards 5) at first.
    expect(x(player) - before).toBeGreaterThan(0.01);
    for (let i = 0; i < 18; i++) player.update(1 / 60);
    expect(x(player)).toBeCloseTo(5, 5);
  });

  it("starts a synced fade at the corresponding time", () => {
    const player = new AnimPlayer(skeletonOf(1)), a = ramp(2, 2), b = ramp(1, 1);
    player.play(a);
    player.update(0.5);
    player.crossFadeSynced(b, 1);
    expect(player.getTime()).toBeCloseTo(0.25, 9);
  });

  it("fires only the events of the clip that comes in, unless told otherwise", () => {
    for (const [policy, want] of [["target", ["b"]], ["all", ["b", "a"]], ["dominant", ["a"]]] as const) {
      const player = new AnimPlayer(skeletonOf(1));
      player.setEventPolicy(policy);
      player.play(eventClip(1, [[0.55, "a"]]));
      player.update(0.5);
      player.crossFade(eventClip(1, [[0.05, "b"]]), 1);
      player.update(0.1);
      expect(names(player), policy).toEqual(want);
    }
  });
});

describe("events", () => {
  it("fire in the golden cases", () => {
    for (const c of data.events.cases) {
      const clip = eventClip(data.events.duration, data.events.events.map((e: any) => [e.t, e.name])), log = new EventLog();
      const to = c.loop ? c.to : Math.min(c.to, data.events.duration);
      collectEvents(clip.events, data.events.duration, c.loop, c.from, to, c.closedStart, 1, log);
      expect(Array.from({ length: log.count }, (_, i) => log.entry(i).name), c.name).toEqual(c.fired);
    }
  });

  it("are the same for one step or many, forward and backward, whatever the step", () => {
    const random = seeded(100);
    for (let round = 0; round < 100; round++) {
      const duration = 0.2 + random(), loop = random() < 0.7;
      const clip = eventClip(duration, Array.from({ length: Math.floor(random() * 6) }, (_, i) => [random() < 0.2 ? duration * Math.round(random()) : random() * duration * 1.1, `e${i}`]), loop);
      const end = loop ? random() * 5 : duration, reverse = random() < 0.5;
      const cuts = [0, ...Array.from({ length: 9 }, () => random() * end).toSorted((p, q) => p - q), end];
      if (reverse) cuts.reverse();
      const whole = new EventLog(), parts: string[] = [], log = new EventLog();
      collectEvents(clip.events, duration, loop, cuts[0]!, cuts[10]!, true, 1, whole);
      for (let i = 0; i < 10; i++) {
        log.beginUpdate();
        collectEvents(clip.events, duration, loop, cuts[i]!, cuts[i + 1]!, i === 0, 1, log);
        for (let k = 0; k < log.count; k++) parts.push(log.entry(k).name);
      }
      expect(parts).toEqual(Array.from({ length: whole.count }, (_, i) => whole.entry(i).name));
    }
  });

  it("fire at time 0 with the first update after play, and on every loop", () => {
    const player = new AnimPlayer(skeletonOf(1));
    player.play(eventClip(1, [[0, "start"], [0.5, "half"]]));
    expect(player.getEventCount()).toBe(0);
    player.update(0);
    expect(player.getEventCount()).toBe(0);
    player.update(0.1);
    expect(names(player)).toEqual(["start"]);
    player.update(2);
    expect(names(player)).toEqual(["half", "start", "half", "start"]);
    player.setTime(0);
    player.update(0.1);
    expect(names(player)).toEqual([]);
  });

  it("carry payload, clip time and age, and wait in a queue", () => {
    const player = new AnimPlayer(skeletonOf(1));
    player.setSpeed(2);
    player.play(eventClip(1, [[0.25, "a"], [0.5, "b"]]));
    player.update(0.3);
    expect(player.getEventPayload(1)).toBe("b!");
    expect(player.getEventTime(0)).toBe(0.25);
    expect(player.getEventAge(0)).toBeCloseTo(0.175, 9);
    expect(() => player.getEventName(2)).toThrow(AnimIndexError);
    player.update(0.01);
    expect(player.getEventCount()).toBe(0);
    player.stop();
    expect([player.consumeEvent(), player.consumeEventPayload(), player.consumeEvent(), player.consumeEvent()]).toEqual(["a", "a!", "b", ""]);
    player.play(eventClip(1, [[0.25, "a"]]));
    player.update(0.5);
    player.clearEvents();
    expect(player.getEventCount()).toBe(0);
    expect(player.consumeEvent()).toBe("");
  });

  it("are capped at 1024 an update, first and last halves, while the clock stays exact", () => {
    const player = new AnimPlayer(skeletonOf(1));
    player.play(eventClip(0.001, [[0, "a"], [0.0005, "b"]]));
    player.update(1e4);
    expect(player.getEventCount()).toBe(1024);
    expect(player.getEventName(0)).toBe("a");
    expect(player.getDroppedEventCount()).toBeGreaterThan(1.9e7);
    expect(player.getLoopCount()).toBe(1e7);
  });

  it("call a listener at the end of the update", () => {
    const player = new AnimPlayer(skeletonOf(1)), heard: string[] = [];
    player.onEvent((name, payload) => heard.push(name + payload));
    player.play(eventClip(1, [[0.1, "a"]]));
    player.update(0.2);
    player.onEvent(null);
    player.update(1);
    expect(heard).toEqual(["aa!"]);
  });
});

describe("root motion", () => {
  const keys = data.rootMotion.clip.keys as { t: number; p: number[]; q: number[] }[];

  function rootClip(): AnimClip {
    const clip = new AnimClip();
    for (const k of keys) {
      clip.addPositionKey(0, k.t, k.p[0]!, k.p[1]!, k.p[2]!);
      clip.addRotationKey(0, k.t, k.q[0]!, k.q[1]!, k.q[2]!, k.q[3]!);
    }
    clip.setDuration(data.rootMotion.clip.duration);
    return clip;
  }

  function measured(player: AnimPlayer): number[] {
    return [
      player.getRootMotionX(), player.getRootMotionY(), player.getRootMotionZ(), player.getRootMotionRotationX(),
      player.getRootMotionRotationY(), player.getRootMotionRotationZ(), player.getRootMotionRotationW(),
    ];
  }

  it("gives the golden deltas of every mode and span", () => {
    for (const mode of data.rootMotion.modes) {
      for (const d of mode.deltas) {
        const player = new AnimPlayer(skeletonOf(2));
        player.setRootMotionBone(0);
        player.setRootMotionMode({ translation: mode.translation, rotation: mode.rotation, space: mode.space });
        player.play(rootClip());
        player.setTime(d.from);
        player.update(d.to - d.from);
        const got = measured(player), label = `${mode.translation} ${mode.rotation} ${mode.space} ${d.from} to ${d.to}`;
        for (let i = 0; i < 3; i++) expect(Math.abs(got[i]! - d.translation[i]), label).toBeLessThanOrEqual(data.tolerance.position);
        expect(angleBetween(got.slice(3), d.rotation), label).toBeLessThanOrEqual(data.tolerance.rotationRad);
        expect(got[6]).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it("leaves the golden rest in the pose when it extracts", () => {
    const { mode, samples } = data.rootMotion.extract;
    for (const s of samples) {
      const player = new AnimPlayer(skeletonOf(2)), pose = player.getPose();
      player.setRootMotionBone(0);
      player.setRootMotionMode({ translation: mode.translation, rotation: mode.rotation, space: mode.space });
      player.play(rootClip());
      player.setTime(s.t);
      const got = [pose.getLocalPositionX(0), pose.getLocalPositionY(0), pose.getLocalPositionZ(0)];
      for (let i = 0; i < 3; i++) expect(Math.abs(got[i]! - s.position[i])).toBeLessThanOrEqual(data.tolerance.position);
      expect(angleBetween([pose.getLocalRotationX(0), pose.getLocalRotationY(0), pose.getLocalRotationZ(0), pose.getLocalRotationW(0)], s.rotation))
        .toBeLessThanOrEqual(data.tolerance.rotationRad);
    }
  });

  it("adds up to the same motion for every subdivision, in every mode, forward and backward", () => {
    const random = seeded(55);
    for (const mode of data.rootMotion.modes) {
      for (const reverse of [false, true]) {
        const start = 3 * random(), length = 4;
        const run = (steps: number[]): number[] => {
          const player = new AnimPlayer(skeletonOf(1));
          player.setRootMotionBone(0);
          player.setRootMotionMode({ translation: mode.translation, rotation: mode.rotation, space: mode.space });
          player.play(rootClip());
          player.setTime(start + (reverse ? length : 0));
          player.setReverse(reverse);
          let sum = [0, 0, 0, 0, 0, 0, 1];
          for (const step of steps) {
            player.update(step);
            sum = compose(sum, measured(player), mode.space);
          }
          return sum;
        };
        const whole = run([length]);
        const cuts = [0, ...Array.from({ length: 30 }, () => random() * length).toSorted((p, q) => p - q), length];
        const parts = run(cuts.slice(1).map((c, i) => c - cuts[i]!));
        for (let i = 0; i < 3; i++) expect(Math.abs(parts[i]! - whole[i]!), `${mode.translation} ${mode.rotation} ${mode.space}`).toBeLessThan(1e-5 * Math.max(1, Math.abs(whole[i]!)));
        expect(angleBetween(parts.slice(3), whole.slice(3))).toBeLessThan(1e-5);
      }
    }
  });

  it("moves the character as the bone would have moved: pose and motion together give the clip back", () => {
    // A tilted armature with a scale, as axis and unit conversions leave it (not so far that +Z points up: then it has no heading).
    const skeleton = new AnimSkeleton(), random = seeded(17);
    skeleton.addBone("armature");
    skeleton.addBone("hips", 0);
    skeleton.setBindRotation(0, -0.5, 0.1, 0.3, 0.8);
    skeleton.setBindScale(0, 0.5, 0.5, 0.5);
    const clip = new AnimClip(), plain = new AnimPose();
    let q = [0, 0, 0, 1] as [number, number, number, number];
    for (let i = 0; i <= 10; i++) {
      clip.addPositionKey(1, i / 10, random(), i * 0.3, random());
      clip.addRotationKey(1, i / 10, ...q);
      const turn = randomQuaternion(random).map((v, k) => (k === 3 ? v * 0.1 + 1 : v * 0.1));
      const [x1, y1, z1, w1] = q, [x2, y2, z2, w2] = turn as [number, number, number, number];
      q = [w1 * x2 + x1 * w2 + y1 * z2 - z1 * y2, w1 * y2 + y1 * w2 + z1 * x2 - x1 * z2, w1 * z2 + z1 * w2 + x1 * y2 - y1 * x2, w1 * w2 - x1 * x2 - y1 * y2 - z1 * z2];
      const n = Math.hypot(...q);
      q = q.map((v) => v / n) as typeof q;
    }
    for (const mode of [{ rotation: "full", space: "local" }, { rotation: "yaw", translation: "xz", space: "local" }] as const) {
      const player = new AnimPlayer(skeleton), pose = player.getPose();
      player.setRootMotionBone(1);
      player.setRootMotionMode(mode);
      player.play(clip);
      pose.computeWorld(skeleton);
      // The frame that root motion moves: E(0) at the start.
      const e0 = [0, 0, 0, 0, 0, 0, 1];
      e0[0] = pose.getWorldPositionX(1);
      e0[1] = mode.rotation === "full" ? pose.getWorldPositionY(1) : 0;
      e0[2] = pose.getWorldPositionZ(1);
      const r0 = [pose.getWorldRotationX(1), pose.getWorldRotationY(1), pose.getWorldRotationZ(1), pose.getWorldRotationW(1)];
      if (mode.rotation === "full") e0.splice(3, 4, ...r0);
      else {
        const heading = Math.atan2(2 * (r0[0]! * r0[2]! + r0[3]! * r0[1]!), 1 - 2 * (r0[0]! ** 2 + r0[1]! ** 2));
        e0.splice(3, 4, 0, Math.sin(heading / 2), 0, Math.cos(heading / 2));
      }
      let frame = e0;
      for (let i = 0; i < 9; i++) {
        player.update(0.1);
        frame = compose(frame, measured(player), "local");
        // Object transform = E(t) E(0)^-1; object times pose = what the clip says.
        const object = compose(frame, inverse(e0), "local");
        pose.computeWorld(skeleton);
        const shown = compose(object, [pose.getWorldPositionX(1), pose.getWorldPositionY(1), pose.getWorldPositionZ(1), pose.getWorldRotationX(1), pose.getWorldRotationY(1), pose.getWorldRotationZ(1), pose.getWorldRotationW(1)], "local");
        clip.sample((i + 1) * 0.1, plain, skeleton);
        plain.computeWorld(skeleton);
        expect(Math.abs(shown[0]! - plain.getWorldPositionX(1))).toBeLessThan(2e-5);
        expect(Math.abs(shown[1]! - plain.getWorldPositionY(1))).toBeLessThan(2e-5);
        expect(Math.abs(shown[2]! - plain.getWorldPositionZ(1))).toBeLessThan(2e-5);
        expect(angleBetween(shown.slice(3), [plain.getWorldRotationX(1), plain.getWorldRotationY(1), plain.getWorldRotationZ(1), plain.getWorldRotationW(1)])).toBeLessThan(2e-5);
      }
    }
  });

  it("leaves the pose alone when it only measures, and is zero after seeks and stops", () => {
    const player = new AnimPlayer(skeletonOf(1));
    player.setRootMotionBone(0);
    player.setRootMotionMode({ apply: "measure" });
    player.play(ramp(1, 1));
    player.update(0.25);
    expect(x(player)).toBeCloseTo(0.25, 6);
    expect(player.getRootMotionX()).toBeCloseTo(0.25, 6);
    player.setTime(0.5);
    expect(player.getRootMotionX()).toBe(0);
    player.update(0.1);
    player.stop();
    expect(measured(player)).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(() => player.setRootMotionBone(1)).toThrow(AnimIndexError);
    expect(() => player.setRootMotionMode({ space: "world" as never })).toThrow(AnimArgumentError);
  });

  it("mixes the motions of both clips during a fade", () => {
    const player = new AnimPlayer(skeletonOf(1));
    player.setRootMotionBone(0);
    player.play(ramp(1, 1));
    player.update(0.1);
    player.crossFade(ramp(1, 3), 1);
    player.update(0.5);
    expect(player.getRootMotionX()).toBeCloseTo(0.5 * 0.5 + 1.5 * 0.5, 5);
  });
});

describe("AnimPlayer", () => {
  it("freezes its skeleton and throws after dispose", () => {
    const skeleton = skeletonOf(1), player = new AnimPlayer(skeleton);
    expect(() => skeleton.addBone("late")).toThrow(AnimStateError);
    expect(() => new AnimPlayer(null as never)).toThrow(AnimArgumentError);
    expect(() => player.setSpeed(-1)).toThrow(AnimArgumentError);
    expect(() => player.setFadeCurve("cubic" as never)).toThrow(AnimArgumentError);
    player.dispose();
    player.dispose();
    expect(() => player.play(ramp(1, 1))).toThrow(AnimStateError);
    expect(() => player.update(1)).toThrow(AnimStateError);
  });
});

/** "local": a then b in a's frame. "model": translations add, rotations multiply from the left. */
function compose(a: number[], b: number[], space: string): number[] {
  const mul = (p: number[], q: number[]): number[] => {
    const [ax, ay, az, aw] = p as [number, number, number, number], [bx, by, bz, bw] = q as [number, number, number, number];
    return [aw * bx + ax * bw + ay * bz - az * by, aw * by + ay * bw + az * bx - ax * bz, aw * bz + az * bw + ax * by - ay * bx, aw * bw - ax * bx - ay * by - az * bz];
  };
  if (space === "model") return [a[0]! + b[0]!, a[1]! + b[1]!, a[2]! + b[2]!, ...mul(b.slice(3), a.slice(3))];
  const q = a.slice(3), v = mul(mul(q, [b[0]!, b[1]!, b[2]!, 0]), [-q[0]!, -q[1]!, -q[2]!, q[3]!]);
  return [a[0]! + v[0]!, a[1]! + v[1]!, a[2]! + v[2]!, ...mul(q, b.slice(3))];
}

function inverse(a: number[]): number[] {
  const q = [-a[3]!, -a[4]!, -a[5]!, a[6]!];
  const moved = compose([0, 0, 0, ...q], [-a[0]!, -a[1]!, -a[2]!, 0, 0, 0, 1], "local");
  return [...moved.slice(0, 3), ...q];
}
