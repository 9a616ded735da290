import { describe, expect, test } from "vitest";
import { Crowd } from "../../src/crowd/index.js";
import { AnimationState, AnimationStateData, Physics, Skeleton } from "../../src/spine/index.js";
import { distance } from "./distance.js";
import { randoms, rigs } from "./rigs.js";

describe.each(rigs("all verbs on characters of real exports"))("characters of $name", ({ data: load }) => {
  test("are where skeletons are that were told the same, in any order: play, queue, seek, speeds, places, teleports, scales, overlays", { timeout: 120_000 }, () => {
    const data = load();
    const names = data.animations.map(({ name }) => name);
    for (const seed of [1, 3]) {
      const random = randoms(seed);
      const pick = (): string => names[Math.floor(random() * names.length)]!;
      const crowd = new Crowd(data, { slots: seed === 1, capacity: 4 });
      const members = Array.from({ length: 30 }, () => {
        const animation = pick();
        const skeleton = new Skeleton(data);
        skeleton.setupPose();
        const state = new AnimationState(new AnimationStateData(data));
        state.setAnimation(0, animation, true);
        return { id: crowd.spawn({ animation }), skeleton, state, log: [animation], wasMoved: false };
      });
      /** One of them is told something at random, and its skeleton the same. */
      const tell = (member: (typeof members)[0]): void => {
        const { id, skeleton, state, log } = member;
        const entry = state.getTrack(0)!;
        const isFading = entry.mixingFrom !== null;
        const over = state.getTrack(1);
        const verb = ["play", "queue", "seek", "speed", "place", "teleport", "scale", "overlay", "stop"][Math.floor(random() * 9)]!;
        const [value, place, other] = [random(), random() * 50, random() * 50];
        const animation = pick();
        // A state keeps a chain of fades where a character freezes them, and looks at the queue one update later after a seek.
        if ((verb === "play" || verb === "queue") && isFading) return;
        if (verb === "queue" && (entry.next !== null || member.wasMoved)) return;
        if (verb === "seek" && entry.next !== null) return;
        log.push(`${verb} ${animation} ${value}`);
        if (verb === "play") {
          const mix = value < 0.3 ? 0 : value * 0.3;
          crowd.play(id, animation, { mix, loop: place < 25 });
          state.setAnimation(0, animation, place < 25).mixDuration = mix;
          member.wasMoved = false;
        } else if (verb === "queue") {
          crowd.queue(id, animation, { mix: value * 0.1, loop: place < 25, delay: other < 25 ? 0 : value });
          const next = state.addAnimation(0, animation, place < 25, 0);
          // With the delay anew, which the fade shortens.
          next.setMixDuration(value * 0.1, 0);
          if (other >= 25) next.delay = value;
        } else if (verb === "seek") {
          const time = value * 3;
          crowd.seek(id, time);
          entry.trackTime = time;
          const { duration } = entry.animation!;
          entry.animationLast = entry.loop && duration > 0 ? time % duration : Math.min(time, duration);
          member.wasMoved = true;
        } else if (verb === "speed") {
          crowd.setSpeed(id, value < 0.3 ? 0 : value * 2);
          entry.timeScale = value < 0.3 ? 0 : value * 2;
        } else if (verb === "scale") {
          crowd.setScale(id, value < 0.3 ? -1 : value + 0.5, 1);
          skeleton.setScale(value < 0.3 ? -1 : value + 0.5, 1);
        } else if (verb === "overlay" && over === null) {
          crowd.playOverlay(id, animation, { alpha: value });
          state.setAnimation(1, animation, true).alpha = value;
        } else if (verb === "stop" && over !== null && !over.isEmptyAnimation()) {
          crowd.stopOverlay(id, value * 0.2);
          state.setEmptyAnimation(1, value * 0.2);
        } else if (verb === "place") {
          crowd.setPosition(id, place, other);
          skeleton.setPosition(place, other);
        } else if (verb === "teleport") {
          crowd.teleport(id, place, other);
          skeleton.physicsTranslate(skeleton.x - place, skeleton.y - other);
          skeleton.setPosition(place, other);
        }
      };
      for (let frame = 0; frame < 70; frame++) {
        for (const member of members) if (random() < 0.12) tell(member);
        const dt = random() < 0.1 ? 0 : random() * 0.05;
        crowd.update(dt);
        for (const { id, skeleton, state, log } of members) {
          state.update(dt);
          state.apply(skeleton);
          skeleton.update(dt);
          skeleton.updateWorldTransform(Physics.update);
          const error = distance(crowd, id, skeleton);
          if (!(error < 1e-3)) expect.fail(`seed ${seed}, frame ${frame}: ${error} after ${log.join(", ")}`);
        }
      }
      for (const { skeleton } of members) skeleton.dispose();
      crowd.dispose();
    }
  });
});
