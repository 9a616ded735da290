import { describe, expect, test } from "vitest";
import { Crowd } from "../../src/crowd/index.js";
import { AnimationState, AnimationStateData, Physics, Skeleton } from "../../src/spine/index.js";
import { distance } from "./distance.js";
import { randoms, rigs } from "./rigs.js";

describe.each(rigs("200 random characters of real exports"))("200 random characters of $name", ({ data: load }) => {
  test("are where skeletons in the same situation are: any skin, speed, scale, fade and fading overlay", { timeout: 120_000 }, () => {
    const data = load();
    const random = randoms(77);
    const names = data.animations.map((animation) => animation.name);
    const pick = (): string => names[Math.floor(random() * names.length)]!;
    const crowd = new Crowd(data, { capacity: 16 });
    const members = Array.from({ length: 200 }, (_, i) => {
      const skin = random() < 0.5 ? data.skins[i % data.skins.length]! : null;
      const place = { x: random() * 200 - 100, y: random() * 200, scaleX: random() < 0.3 ? -1 : 0.5 + random(), scaleY: 0.5 + random() };
      const first = { animation: pick(), time: random() < 0.2 ? 0 : random() * 3, speed: random() * 2, loop: random() < 0.6 };
      const id = crowd.spawn({ ...place, ...first, skin });
      const skeleton = new Skeleton(data);
      if (skin !== null) skeleton.setSkin(skin);
      skeleton.setupPose();
      skeleton.setPosition(place.x, place.y);
      skeleton.setScale(place.scaleX, place.scaleY);
      const state = new AnimationState(new AnimationStateData(data));
      const entry = state.setAnimation(0, first.animation, first.loop);
      entry.trackTime = first.time;
      entry.timeScale = first.speed;
      return {
        id, skeleton, state, next: pick(), at: 1 + Math.floor(random() * 8), mix: random() * 0.4, loop: random() < 0.5, time: random(), speed: random() * 2,
        over: random() < 0.4 ? pick() : null, overMix: random() < 0.5 ? 0 : random() * 0.1, alpha: 0.1 + random() * 0.9, leaves: random() < 0.5,
      };
    });
    let worst = 0;
    for (let frame = 0; frame < 24; frame++) {
      for (const { id, state, next, at, mix, loop, time, speed, over, overMix, alpha, leaves } of members) {
        if (frame === at) {
          crowd.play(id, next, { mix, loop, time, speed });
          const entry = state.setAnimation(0, next, loop);
          entry.mixDuration = mix;
          entry.trackTime = time;
          // What lies before the start counts as passed.
          const { duration } = entry.animation!;
          entry.animationLast = loop && duration > 0 ? time % duration : Math.min(time, duration);
          entry.timeScale = speed;
        }
        if (frame === 3 && over !== null) {
          crowd.playOverlay(id, over, { alpha, mix: overMix });
          if (overMix > 0) state.setEmptyAnimation(1, 0);
          const entry = state.setAnimation(1, over, true);
          entry.alpha = alpha;
          entry.mixDuration = overMix;
        }
        if (frame === 16 && over !== null && leaves) {
          crowd.stopOverlay(id, 0.15);
          state.setEmptyAnimation(1, 0.15);
        }
      }
      const dt = random() < 0.1 ? 0 : random() * 0.04;
      crowd.update(dt);
      for (const { id, skeleton, state, next, over } of members) {
        state.update(dt);
        state.apply(skeleton);
        skeleton.update(dt);
        skeleton.updateWorldTransform(Physics.update);
        const error = distance(crowd, id, skeleton);
        if (!(error < 5e-4)) throw new Error(`frame ${frame}: ${error}, ${state.tracks.map((e) => `${e?.animation?.name} <- ${e?.mixingFrom?.animation?.name} ${e?.mixTime} of ${e?.mixDuration}`).join(" | ")}, ${next}, ${over}`);
        worst = Math.max(worst, error);
      }
    }
    expect(worst).toBeGreaterThanOrEqual(0);
    for (const { skeleton } of members) skeleton.dispose();
    crowd.dispose();
  });
});
