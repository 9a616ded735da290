import { describe, expect, it } from "vitest";
import { Animation } from "../../../src/anim/module/index.js";
import { Registry } from "../../../src/anim/module/registry.js";
import { SpineSkeletonData } from "../../../src/anim/spine-facade/index.js";

/** A world with two things that are pumped one after the other, and how to meddle with the second while the first has its turn. */
const kinds: [string, () => { update: () => void; onFirst: (act: () => void) => void; moved: () => boolean; restart: () => void; pause: () => void; stop: () => void }][] = [
  ["tweens", () => {
    const anim = new Animation({});
    const [first, second] = [anim.newTween(1), anim.newTween(1)];
    for (const tween of [first, second]) {
      tween.setTo("x", 1);
      tween.start();
    }
    return {
      update: () => anim.update(0.25), onFirst: (act) => void first.onUpdate(act), moved: () => second.get("x") > 0, restart: () => second.start(), pause: () => second.pause(), stop: () => second.stop(),
    };
  }],
  ["sprite players", () => {
    const anim = new Animation({});
    const sheet = anim.newSpriteSheet();
    sheet.setGrid(2, 2, 8, 8);
    const clip = anim.newSpriteClip("c");
    clip.addRange(0, 3, 4);
    const [first, second] = [anim.newSpriteAnim(), anim.newSpriteAnim()];
    first.setSheet(sheet);
    first.play(clip);
    second.play(clip);
    return {
      update: () => anim.update(0.25), onFirst: (act) => first.bindQuad({ setViewport: (x) => void (x > 0 && act()) }), moved: () => second.getClipFrame() > 0 || second.getTime() > 0,
      restart: () => second.play(clip), pause: () => second.pause(), stop: () => second.stop(),
    };
  }],
  ["sprite players inside of a frame", () => {
    const anim = new Animation({});
    const sheet = anim.newSpriteSheet();
    sheet.setGrid(2, 2, 8, 8);
    const clip = anim.newSpriteClip("c");
    clip.addRange(0, 3, 4);
    const [first, second] = [anim.newSpriteAnim(), anim.newSpriteAnim()];
    first.setSheet(sheet);
    first.play(clip);
    const slow = anim.newSpriteClip("slow");
    slow.addFrame(0, 5);
    second.play(slow);
    return {
      update: () => anim.update(0.25), onFirst: (act) => first.bindQuad({ setViewport: (x) => void (x > 0 && act()) }), moved: () => second.getClipFrame() > 0 || second.getTime() > 0,
      restart: () => second.play(slow), pause: () => second.pause(), stop: () => second.stop(),
    };
  }],
  ["Spine players", () => {
    const anim = new Animation({});
    const data = anim.newSpineSkeletonDataFromJson({ bones: [{ name: "root" }], animations: { a: { bones: { root: { rotate: [{ time: 0 }, { time: 1, value: 90 }] } } } } });
    expect(data).toBeInstanceOf(SpineSkeletonData);
    const [first, second] = [anim.newSpineAnim(anim.newSpineSkeleton(data)), anim.newSpineAnim(anim.newSpineSkeleton(data))];
    first.play("a");
    second.play("a");
    return {
      update: () => anim.update(0.25), onFirst: (act) => first.onBeforeWorld(act), moved: () => second.getTime() > 0, restart: () => second.play("a"), pause: () => second.pause(), stop: () => second.stop(),
    };
  }],
];

describe("while a list is pumped", () => {
  for (const [name, make] of kinds) {
    for (const what of ["restart", "pause", "stop"] as const) {
      it(`${name} whose turn has not come are not moved after ${what}`, () => {
        const world = make();
        let once = true;
        world.onFirst(() => {
          if (once) world[what]();
          once = false;
        });
        world.update();
        expect(once).toBe(false);
        expect(world.moved()).toBe(false);
        world.update();
        expect(world.moved()).toBe(what === "restart");
      });
    }
  }

  it("a callback may dispose the whole world, which ends the update there", () => {
    const setups: [string, (anim: Animation, end: () => void) => void][] = [
      ["tween", (anim, end) => void anim.newTween(1).onUpdate(end).start()],
      ["sink", (anim, end) => void anim.motion(0, 1, 1).immediate(false).bind(end)],
      ["end of a motion", (anim, end) => void anim.motion(0, 1, 0.1).onComplete(end).run()],
      ["sequence", (anim, end) => void anim.sequence().appendCallback(end).append(anim.motion(0, 1, 1)).run()],
      ["quad", (anim, end) => {
        const sheet = anim.newSpriteSheet(), clip = anim.newSpriteClip(), player = anim.newSpriteAnim();
        sheet.setGrid(2, 1, 8, 8);
        clip.addRange(0, 1, 10);
        player.setSheet(sheet);
        player.play(clip);
        player.bindQuad({ setViewport: () => void (player.getClipFrame() > 0 && end()) });
      }],
      ["Spine hook", (anim, end) => {
        const player = anim.newSpineAnim(anim.newSpineSkeleton(anim.newSpineSkeletonDataFromJson({ bones: [{ name: "root" }], animations: { a: {} } })));
        player.play("a");
        player.onBeforeWorld(end);
      }],
    ];
    for (const [name, setup] of setups) {
      const anim = new Animation({});
      let ends = 0;
      setup(anim, () => {
        ends++;
        anim.dispose();
      });
      // Something of every kind that comes later.
      const motion = anim.motion(0, 1, 1).run(), player = anim.newSpriteAnim(), clip = anim.newSpriteClip();
      clip.addFrame(0, 9);
      player.play(clip);
      expect(() => anim.update(0.1), name).not.toThrow();
      expect(ends, name).toBe(1);
      expect(motion.isActive(), name).toBe(false);
      expect(() => anim.update(0.1), name).toThrow(/disposed/);
    }
  });

  it("a scaled step beyond every number counts as the largest", () => {
    const anim = new Animation({});
    anim.setTimeScale(1e300);
    const tween = anim.newTween(1);
    tween.setTo("x", 1);
    tween.start();
    anim.update(1e300);
    expect(tween.isFinished()).toBe(true);
  });
});

describe("Registry", () => {
  it("removes many in one pass, keeps the order, and gives back the old place", () => {
    const registry = new Registry<{ n: number }>();
    const all = Array.from({ length: 50_000 }, (_, n) => ({ n }));
    for (const item of all) registry.add(item);
    const begin = performance.now();
    expect(registry.removeWhere(({ n }) => n % 2 === 1)).toBe(25_000);
    expect(registry.removeWhere(({ n }) => n > 10)).toBe(24_994);
    // One pass each takes milliseconds; a search per item took half a minute.
    expect(performance.now() - begin).toBeLessThan(2000);
    registry.add(all[3]!);
    const seen: number[] = [];
    registry.walk(({ n }) => void seen.push(n), 0);
    expect(seen).toEqual([0, 2, 3, 4, 6, 8, 10]);
    expect([registry.size, registry.count(({ n }) => n === 3)]).toEqual([7, 1]);
  });
});
