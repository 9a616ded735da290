import { describe, expect, test } from "vitest";
import { Crowd } from "../../src/crowd/index.js";
import { AnimationState, AnimationStateData, ClippingAttachment, Physics, Skeleton } from "../../src/spine/index.js";
import { distance } from "./distance.js";
import { randoms, rigs } from "./rigs.js";

const DT = 1 / 60;

/** A crowd of one beside a Skeleton with an AnimationState. */
function pair(crowd: Crowd, animation: string, time: number, loop: boolean) {
  const { data } = crowd;
  const skeleton = new Skeleton(data);
  skeleton.setupPose();
  const state = new AnimationState(new AnimationStateData(data));
  const entry = state.setAnimation(0, animation, loop);
  entry.trackTime = time;
  const id = crowd.spawn({ animation, time, loop });
  const step = (dt: number): void => {
    state.update(dt);
    state.apply(skeleton);
    skeleton.update(dt);
    skeleton.updateWorldTransform(Physics.update);
  };
  return { id, skeleton, state, step };
}

describe.each(rigs("crowds of real exports against animation states"))("characters of $name that mix", ({ data: load }) => {
  test("equal an AnimationState through one cross-fade each", { timeout: 120_000 }, () => {
    const data = load();
    const random = randoms(11);
    const names = data.animations.map((animation) => animation.name);
    const pick = (): string => names[Math.floor(random() * names.length)]!;
    const crowd = new Crowd(data);
    const members = Array.from({ length: 60 }, () => ({
      ...pair(crowd, pick(), random() * 2, random() < 0.7),
      next: pick(),
      at: 1 + Math.floor(random() * 6),
      mix: 0.05 + random() * 0.2,
      loop: random() < 0.5,
    }));
    for (let frame = 0; frame < 24; frame++) {
      for (const member of members) {
        if (member.at !== frame) continue;
        crowd.play(member.id, member.next, { mix: member.mix, loop: member.loop });
        const entry = member.state.setAnimation(0, member.next, member.loop);
        entry.mixDuration = member.mix;
      }
      crowd.update(DT);
      for (const member of members) {
        member.step(DT);
        const error = distance(crowd, member.id, member.skeleton);
        if (!(error < 2e-4)) throw new Error(`frame ${frame}: ${error}, to ${member.next} at ${member.at}, mix ${member.mix}`);
      }
    }
    for (const { skeleton } of members) skeleton.dispose();
    crowd.dispose();
  });

  test("equal an AnimationState with a second track", { timeout: 120_000 }, () => {
    const data = load();
    const random = randoms(5);
    const names = data.animations.map((animation) => animation.name);
    const pick = (): string => names[Math.floor(random() * names.length)]!;
    const crowd = new Crowd(data);
    const members = Array.from({ length: 30 }, () => {
      const member = pair(crowd, pick(), random() * 2, true);
      const overlay = pick();
      const alpha = 0.2 + random() * 0.7;
      crowd.playOverlay(member.id, overlay, { alpha, loop: true });
      member.state.setAnimation(1, overlay, true).alpha = alpha;
      return { ...member, overlay, alpha };
    });
    for (let frame = 0; frame < 10; frame++) {
      crowd.update(DT);
      for (const member of members) {
        member.step(DT);
        const error = distance(crowd, member.id, member.skeleton);
        if (!(error < 2e-4)) throw new Error(`frame ${frame}: ${error}, overlay ${member.overlay} at ${member.alpha}`);
      }
    }
    for (const { skeleton } of members) skeleton.dispose();
    crowd.dispose();
  });

  test("show the attachments, colours and draw order of an AnimationState", { timeout: 120_000 }, () => {
    const data = load();
    const random = randoms(3);
    const crowd = new Crowd(data, { slots: true });
    const members = Array.from({ length: 40 }, () => {
      const animation = data.animations[Math.floor(random() * data.animations.length)]!;
      return pair(crowd, animation.name, random() * animation.duration, random() < 0.5);
    });
    for (let frame = 0; frame < 6; frame++) {
      crowd.update(DT);
      const slotCount = data.slots.length;
      const { slots } = crowd;
      for (const member of members) {
        member.step(DT);
        const row = crowd.row(member.id) * slotCount * 3;
        member.skeleton.slots.forEach((slot, i) => {
          const [light, , shown] = slots.subarray(row + i * 3, row + i * 3 + 3);
          const { appliedPose } = slot;
          const drawable = shown! & 0xffff;
          const attachment = drawable === 0 ? null : crowd.drawables[drawable - 1]!.attachment;
          const expected = slot.bone.active ? appliedPose.attachment : null;
          if (expected instanceof ClippingAttachment || "sequence" in (expected ?? {})) expect(attachment).toBe(expected);
          else expect(attachment).toBe(null);
          const { r, a } = appliedPose.color;
          expect(light! & 0xff).toBe(Math.floor(r * 255 + 0.5));
          expect(light! >>> 24).toBe(Math.floor(a * 255 + 0.5));
        });
        const order = member.skeleton.drawOrder.appliedPose.map((slot) => slot.data.index);
        expect(Array.from({ length: slotCount }, (_, i) => slots[row + i * 3 + 2]! >>> 16)).toEqual(order);
      }
    }
    for (const { skeleton } of members) skeleton.dispose();
    crowd.dispose();
  });
});
