import { existsSync, readFileSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimFormatError, AnimIndexError, AnimNameError, AnimStateError } from "../../../src/anim/errors.js";
import { Animation, type DrawItem2D, type TextureLike } from "../../../src/anim/module/index.js";
import { AnimationState, AnimationStateData, AtlasAttachmentLoader, FakeTexture, Physics, Skeleton, SkeletonJson, SkeletonRendererCore, TextureAtlas } from "../../../src/spine/index.js";
import { sharedData } from "../../shared-data.js";

const ATLAS = "page.png\nsize: 128,64\nfilter: Linear, Linear\nbody\nrotate: false\nxy: 2, 2\nsize: 40, 50\norig: 40, 50\noffset: 0, 0\nindex: -1\nhead\nrotate: true\nxy: 50, 2\nsize: 20, 30\norig: 24, 36\noffset: 1, 4\nindex: -1\n";
const SKELETON = {
  skeleton: { spine: "4.2.0" },
  bones: [{ name: "root" }, { name: "body", parent: "root", y: 40 }, { name: "head", parent: "body", y: 30 }],
  slots: [{ name: "body", bone: "body", attachment: "body" }, { name: "head", bone: "head", attachment: "head" }],
  skins: [{ name: "default", attachments: { body: { body: { width: 40, height: 50 } }, head: { head: { width: 24, height: 36 } } } }],
  events: { step: {} },
  animations: {
    idle: { bones: { body: { rotate: [{ value: 0 }, { time: 0.5, value: 20 }, { time: 1, value: 0 }] } }, events: [{ time: 0.25, name: "step" }] },
    nod: { bones: { head: { translate: [{ y: 0 }, { time: 0.25, y: -8 }, { time: 0.5, y: 0 }] } } },
    turn: { bones: { root: { rotate: [{ value: 0 }, { time: 1, value: 90 }] } } },
  },
};
const texture: TextureLike = { getWidth: () => 128, getHeight: () => 64 };
const make = (anim: Animation) => anim.newSpineAnim(anim.newSpineSkeleton(anim.newSpineSkeletonDataFromJson(JSON.stringify(SKELETON))));

describe("SpineAtlas", () => {
  it("tells pages and regions by index", () => {
    const anim = new Animation();
    const atlas = anim.newSpineAtlasFromText(ATLAS);
    expect([atlas.getPageCount(), atlas.getPageName(0), atlas.getPageWidth(0), atlas.getPageHeight(0)]).toEqual([1, "page.png", 128, 64]);
    expect([atlas.getRegionCount(), atlas.findRegion("head"), atlas.findRegion("x"), atlas.getRegionRotate(1), atlas.getRegionOffsetY(1)]).toEqual([2, 1, -1, true, 4]);
    const uv = new Float32Array(4);
    atlas.getRegionUV(0, 128, 64, uv);
    expect([uv[0], uv[1]]).toEqual([2 / 128, 2 / 64]);
    atlas.getRegionUV(1, 128, 64, uv);
    expect([uv[2], uv[3]]).toEqual([80 / 128, 22 / 64]);
    expect(() => atlas.getRegionUV(0, 0, 64, uv)).toThrow(AnimArgumentError);
    expect(() => atlas.getRegionX(2)).toThrow(AnimIndexError);
    expect(() => atlas.loadFromText("")).toThrow(AnimFormatError);
    expect(atlas.getPageCount()).toBe(0);
    anim.dispose();
  });
});

describe("SpineSkeletonData and SpineSkeleton", () => {
  it("give the seed's example", () => {
    const anim = new Animation();
    const data = anim.newSpineSkeletonDataFromJson(SKELETON);
    expect([data.getBoneCount(), data.findBone("head"), data.getBoneParent(2), data.getBoneY(1), data.getSlotAttachment(1), data.findAnimation("nod"), data.getAnimationDuration(0)]).toEqual([3, 2, 1, 40, "head", 1, 1]);
    const skeleton = anim.newSpineSkeleton(data);
    expect([skeleton.getBoneWorldY(1), skeleton.getBoneWorldY(2)]).toEqual([40, 70]);
    expect(() => data.clear()).toThrow(AnimStateError);
    skeleton.setBoneLocalRotation(1, 90);
    expect(skeleton.getBoneWorldX(2)).toBeCloseTo(-30, 4);
    expect(skeleton.getBoneWorldRotation(2)).toBeCloseTo(90, 4);
    skeleton.setSlotAttachmentName(0, "");
    expect(skeleton.getSlotAttachmentName(0)).toBe("");
    expect(() => skeleton.setSlotAttachmentName(0, "nope")).toThrow(AnimNameError);
    expect(() => skeleton.setSkin("nope")).toThrow(AnimNameError);
    expect(() => skeleton.setBoneLocalX(0, NaN)).toThrow(AnimArgumentError);
    expect(() => skeleton.getBoneLocalX(9)).toThrow(AnimIndexError);
    skeleton.dispose();
    data.clear();
    expect(() => anim.newSpineSkeleton(data)).toThrow(AnimStateError);
    anim.dispose();
  });

  it("read the empty file as one bone and one skin, and name version and place in errors", () => {
    const anim = new Animation();
    const data = anim.newSpineSkeletonDataFromJson("{}");
    expect([data.getBoneName(0), data.getSkinName(0)]).toEqual(["root", "default"]);
    expect(() => anim.newSpineSkeletonDataFromJson("{")).toThrow(AnimFormatError);
    expect(() => anim.newSpineSkeletonDataFromJson({ ...SKELETON, skeleton: { spine: "9.9.9" } })).toThrow(/9\.9/);
    anim.dispose();
  });
});

describe("SpineAnim", () => {
  it("poses, mixes in the pump, ends, and fires events", () => {
    const anim = new Animation();
    const spine = make(anim);
    spine.play("idle");
    const skeleton = spine.getSkeleton();
    anim.update(0.5);
    expect(skeleton.getBoneLocalRotation(1)).toBeCloseTo(20, 4);
    expect([spine.consumeEvent(), spine.consumeEvent()]).toEqual(["step", ""]);
    spine.setTime(0.25);
    expect(skeleton.getBoneLocalRotation(1)).toBeCloseTo(10, 4);
    expect(spine.consumeEvent()).toBe("");
    spine.setLoop(false);
    spine.play("nod");
    anim.update(0.25);
    expect(skeleton.getBoneLocalY(2)).toBeCloseTo(22, 4);
    expect(spine.update(5)).toBe(false);
    expect([spine.isFinished(), spine.isPlaying(), spine.getTime()]).toEqual([true, false, 0.5]);
    spine.play("turn");
    anim.update(0.5);
    expect(skeleton.getBoneLocalRotation(0)).toBeCloseTo(45, 4);
    spine.stop();
    spine.apply();
    expect(skeleton.getBoneLocalRotation(0)).toBe(0);
    expect([spine.getAnimation(), spine.getTime()]).toEqual(["", 0]);
    expect(() => spine.play("nope")).toThrow(AnimNameError);
    expect(() => spine.setSpeed(-1)).toThrow(AnimArgumentError);
    spine.setLoop(true);
    spine.play("turn");
    spine.crossFade("idle", 0.5);
    anim.update(0.25);
    expect(spine.getAnimation()).toBe("idle");
    spine.queue("nod");
    // The runtime changes over in the update after the one that reached the end.
    anim.update(1);
    anim.update(0.1);
    expect(spine.getAnimation()).toBe("nod");
    expect(anim.getSpineAnimCount()).toBe(1);
    spine.dispose();
    expect(anim.getSpineAnimCount()).toBe(0);
    anim.dispose();
  });

  it("lays draw slots on screen, trimmed and rotated regions where their whole pictures would be", () => {
    const anim = new Animation();
    const spine = make(anim);
    spine.setPosition(400, 300);
    spine.play("idle");
    expect(spine.getDrawSlotCount()).toBe(2);
    expect([spine.getDrawSlotX(1), spine.getDrawSlotY(1), spine.getDrawSlotWidth(1), spine.getDrawSlotRegion(1)]).toEqual([400, 230, 24, "head"]);
    const atlas = anim.newSpineAtlasFromText(ATLAS);
    spine.setAtlas(atlas);
    spine.setPageTextureByName("page.png", texture);
    // 20 x 30 of 24 x 36, cut 1 from the left and 4 from the bottom: centre at (-1, +1) of the whole picture.
    expect([spine.getDrawSlotX(1), spine.getDrawSlotY(1)].map(Math.round)).toEqual([399, 229]);
    expect([spine.getDrawSlotWidth(1), spine.getDrawSlotHeight(1)].map(Math.round)).toEqual([20, 30]);
    const items: DrawItem2D[] = [];
    spine.collectDrawItems(items);
    expect(items.map((item) => [item.kind, item.rotatedUV, item.texture === texture, item.order])).toEqual([["quad", false, true, 0], ["quad", true, true, 1]]);
    expect([items[0]!.u0, items[0]!.v0]).toEqual([2 / 128, 2 / 64]);
    spine.setScale(-1, 1);
    const mirrored: DrawItem2D[] = [];
    const { u0, v0, u1, v1 } = items[0]!;
    spine.collectDrawItems(mirrored);
    expect([mirrored[0]!.u0, mirrored[0]!.u1, mirrored[0]!.v0, mirrored[0]!.v1]).toEqual([u0, u1, v1, v0]);
    spine.setScale(0);
    expect(spine.getDrawSlotCount()).toBe(0);
    expect(() => spine.getDrawSlotX(0)).toThrow(AnimIndexError);
    expect(() => spine.setPageTexture(1, null)).toThrow(AnimIndexError);
    expect(() => spine.setPageTextureByName("x", null)).toThrow(AnimNameError);
    spine.setAtlas(null);
    expect(() => spine.setPageTexture(0, null)).toThrow(AnimStateError);
    expect(() => spine.draw({})).toThrow(AnimStateError);
    spine.draw(null);
    anim.dispose();
  });

  it("lists missing regions and draws the others", () => {
    const anim = new Animation();
    const spine = make(anim);
    spine.setAtlas(anim.newSpineAtlasFromText(ATLAS.replace(/head/, "hat")));
    spine.play("idle");
    expect([spine.getDrawSlotCount(), spine.getMissingRegions()]).toEqual([1, ["head"]]);
    anim.dispose();
  });

  it("lets bones be aimed between animation and world", () => {
    const anim = new Animation();
    const spine = make(anim);
    spine.onBeforeWorld(() => spine.getSkeleton().setBoneLocalRotation(2, 33));
    spine.play("idle");
    anim.update(0.1);
    expect(spine.getSkeleton().getBoneLocalRotation(2)).toBeCloseTo(33, 4);
    anim.dispose();
  });
});

const folder = sharedData("spine/4.3", "facade skeletons of real exports");
describe.skipIf(folder === undefined)("real exports", () => {
  for (const [example, name] of [["goblins", "goblins-pro"], ["spineboy", "spineboy-pro"], ["raptor", "raptor-pro"], ["coin", "coin-pro"], ["celestial-circus", "celestial-circus-pro"]] as const) {
    it.skipIf(folder === undefined || !existsSync(`${folder}/${example}/${name}.json`))(`${name} covers the same triangles as the runtime's renderer`, () => {
      const path = `${folder}/${example}`;
      const atlasFile = readdirSync(path).filter((file) => file.endsWith(".atlas") && name.startsWith(file.slice(0, -6))).toSorted((a, b) => b.length - a.length)[0]!;
      const atlasText = readFileSync(`${path}/${atlasFile}`, "utf8");
      const anim = new Animation();
      const data = anim.newSpineSkeletonDataFromFileSync(`${path}/${name}.json`);
      const skeleton = anim.newSpineSkeleton(data);
      if (example === "goblins") skeleton.setSkin("goblin");
      const spine = anim.newSpineAnim(skeleton);
      spine.setAtlas(anim.newSpineAtlasFromText(atlasText));
      spine.setFlipY(false);

      const native = new SkeletonJson(new AtlasAttachmentLoader(new TextureAtlas(atlasText, () => new FakeTexture({})))).readSkeletonData(readFileSync(`${path}/${name}.json`, "utf8"));
      const twin = new Skeleton(native);
      if (example === "goblins") twin.setSkin("goblin");
      const core = new SkeletonRendererCore();
      const state = new AnimationState(new AnimationStateData(native));
      const entry = state.setAnimation(0, data.getAnimationName(0), true);
      spine.play(data.getAnimationName(0));
      for (const time of [0, 0.1, 0.35]) {
        spine.setTime(time);
        spine.apply();
        twin.setupPose();
        entry.trackTime = time;
        state.apply(twin);
        twin.updateWorldTransform(Physics.none);
        skeleton.native.updateWorldTransform(Physics.none);
        spine.refreshDrawSlots();
        let area = 0;
        const sums = [0, 0];
        const add = (positions: ArrayLike<number>, indices: ArrayLike<number>, count: number): void => {
          for (let i = 0; i < count; i += 3) {
            const [a, b, c] = [indices[i]!, indices[i + 1]!, indices[i + 2]!];
            const cross = (positions[b * 2]! - positions[a * 2]!) * (positions[c * 2 + 1]! - positions[a * 2 + 1]!) - (positions[c * 2]! - positions[a * 2]!) * (positions[b * 2 + 1]! - positions[a * 2 + 1]!);
            area += Math.abs(cross);
            sums[0]! += positions[a * 2]! + positions[b * 2]! + positions[c * 2]!;
            sums[1]! += positions[a * 2 + 1]! + positions[b * 2 + 1]! + positions[c * 2 + 1]!;
          }
        };
        for (let command = core.render(twin); command !== undefined; command = command.next) add(command.positions, command.indices, command.numIndices);
        const expected = [area, ...sums];
        area = sums[0] = sums[1] = 0;
        const items: DrawItem2D[] = [];
        spine.collectDrawItems(items);
        expect(items.length).toBeGreaterThan(0);
        for (const item of items) {
          if (item.kind === "mesh") {
            add(item.positions!, item.indices!, item.indices!.length);
            continue;
          }
          // Corners from the rectangle and its rotation about the centre, as a host would draw it: bottom left first.
          const angle = (item.rotation * Math.PI) / 180;
          const corner = (sx: number, sy: number): number[] => {
            const [x, y] = [(sx * item.w) / 2, (sy * item.h) / 2];
            return [item.x + item.w / 2 + x * Math.cos(angle) - y * Math.sin(angle), item.y + item.h / 2 + x * Math.sin(angle) + y * Math.cos(angle)];
          };
          // y is not flipped here, so the mirrored rectangle has its lower edge on the other side.
          add([...corner(-1, -1), ...corner(-1, 1), ...corner(1, 1), ...corner(1, -1)], [0, 1, 2, 2, 3, 0], 6);
        }
        const actual = [area, ...sums];
        actual.forEach((value, i) => expect(Math.abs(value - expected[i]!)).toBeLessThan(1e-4 * Math.abs(expected[i]!) + 1));
      }
      anim.dispose();
    });
  }
});
