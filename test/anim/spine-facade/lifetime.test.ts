import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimFormatError, AnimStateError } from "../../../src/anim/errors.js";
import { Animation } from "../../../src/anim/module/index.js";
import { SpineAnim, SpineAtlas, SpineSkeleton } from "../../../src/anim/spine-facade/index.js";

function world(): { anim: Animation; spine: SpineAnim; skeleton: SpineSkeleton } {
  const anim = new Animation({});
  const data = anim.newSpineSkeletonDataFromJson({
    bones: [{ name: "root" }, { name: "arm", parent: "root", x: 10 }],
    slots: [{ name: "s", bone: "arm", attachment: "box" }],
    skins: [{ name: "default", attachments: { s: { box: { width: 4, height: 4 } } } }],
    events: { step: {} },
    animations: { turn: { bones: { arm: { rotate: [{ time: 0 }, { time: 1, value: 90 }] } }, events: [{ time: 0.5, name: "step" }] } },
  });
  const skeleton = anim.newSpineSkeleton(data);
  return { anim, skeleton, spine: anim.newSpineAnim(skeleton) };
}

/** Calls everything in turn and tells what each call throws. */
function thrownBy(calls: Record<string, () => unknown>): Record<string, string> {
  const thrown: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) {
    try {
      call();
      thrown[name] = "nothing";
    } catch (error) {
      thrown[name] = (error as Error).constructor.name;
    }
  }
  return thrown;
}

const all = (names: readonly string[], error: string): Record<string, string> => Object.fromEntries(names.map((name) => [name, error]));

describe("Spine objects", () => {
  it("refuse to be used after dispose, which may be called again", () => {
    const { anim, spine, skeleton } = world();
    spine.play("turn");
    spine.dispose();
    spine.dispose();
    expect(anim.getSpineAnimCount()).toBe(0);
    const ofAnim = {
      play: () => spine.play("turn"), crossFade: () => spine.crossFade("turn", 1), update: () => spine.update(0.1), apply: () => spine.apply(), setTime: () => spine.setTime(1), stop: () => spine.stop(), state: () => spine.state,
    };
    expect(thrownBy(ofAnim)).toEqual(all(Object.keys(ofAnim), "AnimStateError"));
    expect(spine.consumeEvent()).toBe("");
    skeleton.dispose();
    skeleton.dispose();
    const ofSkeleton = {
      getBoneWorldX: () => skeleton.getBoneWorldX(1), getBoneLocalX: () => skeleton.getBoneLocalX(1), setBoneLocalX: () => skeleton.setBoneLocalX(1, 1), setSkin: () => skeleton.setSkin("default"), getSkin: () => skeleton.getSkin(),
      setToSetupPose: () => skeleton.setToSetupPose(), updateWorldTransform: () => skeleton.updateWorldTransform(), getSlotAttachmentName: () => skeleton.getSlotAttachmentName(0),
      setSlotAttachmentName: () => skeleton.setSlotAttachmentName(0, ""), native: () => skeleton.native, refreshDrawSlots: () => spine.refreshDrawSlots(),
    };
    expect(thrownBy(ofSkeleton)).toEqual(all(Object.keys(ofSkeleton), "AnimStateError"));
    skeleton.getData().clear();
  });

  it("refuse to be updated inside their own callback, and go on afterwards", () => {
    const { anim, spine } = world();
    const errors: unknown[] = [];
    spine.onBeforeWorld(() => {
      for (const call of [() => spine.update(0.1), () => spine.apply(), () => spine.play("turn")]) {
        try {
          call();
        } catch (error) {
          errors.push(error);
        }
      }
    });
    spine.play("turn");
    expect(errors.length).toBe(3);
    for (const error of errors) expect(error).toBeInstanceOf(AnimStateError);
    spine.onBeforeWorld(() => {
      throw new Error("aim");
    });
    const reported: unknown[] = [];
    anim.setErrorHandler((error) => reported.push(error));
    anim.update(0.25);
    spine.onBeforeWorld(null);
    anim.update(0.25);
    expect([reported.length, spine.getTime()]).toEqual([1, 0.5]);
    expect(spine.getSkeleton().getBoneLocalRotation(1)).toBeCloseTo(45, 4);
    expect(() => spine.onBeforeWorld(5 as never)).toThrow(AnimArgumentError);
  });

  it("take nothing of another kind", () => {
    const { anim, spine } = world();
    for (const bad of [null, undefined, {}, 5]) {
      expect(() => anim.newSpineSkeleton(bad as never)).toThrow(AnimArgumentError);
      expect(() => anim.newSpineAnim(bad as never)).toThrow(AnimArgumentError);
      if (bad != null) expect(() => spine.setAtlas(bad as never)).toThrow(AnimArgumentError);
    }
    spine.setAtlas(undefined as never);
    expect(spine.getAtlas()).toBeNull();
    spine.draw(null);
    spine.draw(undefined as never);
    expect(() => spine.draw({})).toThrow(AnimStateError);
  });

  it("keep their numbers after steps of any length and speed", () => {
    for (const loop of [true, false]) {
      const { spine } = world();
      spine.setLoop(loop);
      spine.play("turn");
      spine.setSpeed(1e300);
      for (const dt of [1e6, 1e20, 1e300, Number.MAX_VALUE, 1 / 60]) spine.update(dt);
      expect([spine.getTime(), spine.getDrawSlotX(0), spine.getSkeleton().getBoneLocalRotation(1)].every(Number.isFinite)).toBe(true);
      expect([spine.isPlaying(), spine.isFinished()]).toEqual([loop, !loop]);
    }
  });
});

describe("SpineSkeletonData", () => {
  it("skips a byte-order mark whatever the file has, and takes nothing but objects", () => {
    const anim = new Animation({});
    for (const more of [{}, { bones: [{ name: "root" }] }, { bones: [{ name: "root" }], skins: [{ name: "default", attachments: {} }] }]) {
      const data = anim.newSpineSkeletonDataFromJson(`\uFEFF${JSON.stringify(more)}`);
      expect([data.getBoneName(0), data.getSkinName(0)]).toEqual(["root", "default"]);
    }
    for (const bad of ["", "[]", "null", "5", '"x"', "{", [], null, 5, undefined]) expect(() => anim.newSpineSkeletonDataFromJson(bad as never), String(bad)).toThrow(AnimFormatError);
  });
});

describe("SpineAtlas", () => {
  it("knows four rotations, and names the line of any other", () => {
    const atlas = new SpineAtlas();
    const text = (rotate: string): string => `p.png\nsize: 64, 64\nr\nrotate: ${rotate}\nbounds: 1, 2, 3, 4\n`;
    for (const [rotate, degrees] of [["true", 90], ["false", 0], ["0", 0], ["90", 90], ["180", 180], ["270", 270]] as const) {
      atlas.loadFromText(text(rotate));
      expect(atlas.getRegionDegrees(0), rotate).toBe(degrees);
    }
    for (const bad of ["foo", "45", "", "NaN", "yes"]) {
      let error: unknown;
      try {
        atlas.loadFromText(text(bad));
      } catch (thrown) {
        error = thrown;
      }
      expect(error, bad).toBeInstanceOf(AnimFormatError);
      expect((error as AnimFormatError).line).toBe(4);
      expect(atlas.getRegionCount()).toBe(0);
    }
  });
});
