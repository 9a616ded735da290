import { describe, expect, test } from "vitest";
import { Crowd } from "../../src/crowd/index.js";
import { MixFrom, Physics, Skeleton, type SkeletonData } from "../../src/spine/index.js";
import { distance } from "./distance.js";
import { randoms, rigs } from "./rigs.js";

const UNUSUAL_SCALES = [1, 1, 0.5, -1, 1.7];

describe.each(rigs("crowds of real exports"))("a crowd of $name", ({ data: load }) => {
  test("equals a Skeleton with the same clip, time and placement", { timeout: 120_000 }, () => {
    const data: SkeletonData = load();
    const random = randoms(7);
    const crowd = new Crowd(data, { capacity: 16 });
    const skins = [null, ...data.skins.map((skin) => skin.name)];
    const members = Array.from({ length: 200 }, () => {
      const animation = data.animations[Math.floor(random() * data.animations.length)]!;
      const loop = random() < 0.7;
      const time = random() * animation.duration * 1.5;
      const speed = 0.5 + random();
      const skin = skins[Math.floor(random() * skins.length)]!;
      const [x, y] = [random() * 800 - 400, random() * 800 - 400];
      const scaleX = UNUSUAL_SCALES[Math.floor(random() * 5)]!;
      const scaleY = Math.abs(UNUSUAL_SCALES[Math.floor(random() * 5)]!);
      const id = crowd.spawn({ animation: animation.name, time, speed, loop, x, y, scaleX, scaleY, skin });
      const skeleton = new Skeleton(data);
      if (skin !== null) skeleton.setSkin(skin);
      skeleton.setupPose();
      skeleton.setPosition(x, y);
      skeleton.setScale(scaleX, scaleY);
      return { animation, loop, time, speed, id, skeleton };
    });
    const clip = (member: (typeof members)[number]): number => (member.loop ? member.time : Math.min(member.time, member.animation.duration));
    let worst = 0;
    for (let frame = 0; frame < 8; frame++) {
      const dt = frame === 0 ? 0 : 1 / 60;
      crowd.update(dt);
      for (const member of members) {
        const last = clip(member);
        member.time += dt * Math.fround(member.speed);
        const { animation, skeleton, loop } = member;
        const time = clip(member);
        animation.apply(skeleton, last, time, loop, null, 1, MixFrom.setup, false, false, false);
        skeleton.update(dt);
        skeleton.updateWorldTransform(Physics.update);
        const error = distance(crowd, member.id, skeleton);
        if (error > 1e-4) throw new Error(`${animation.name} at ${time}: ${error} (frame ${frame}, skin ${skeleton.skin?.name ?? "none"})`);
        worst = Math.max(worst, error);
      }
    }
    expect(worst).toBeLessThan(1e-4);
    for (const { skeleton } of members) skeleton.dispose();
    crowd.dispose();
  });
});
