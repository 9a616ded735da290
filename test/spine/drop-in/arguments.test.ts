/* Calls with names that are not there, nothing, or too little: osteon throws where the official runtime throws, and nowhere else. */
import * as reference from "@esotericsoftware/spine-core";
import { describe, expect, it } from "vitest";
import * as spine from "../../../src/spine/index.js";
import { randomRig } from "../animation-state/random.js";
import { official, osteon } from "../animation-state/script.js";

// The two runtimes share names, not types.
// oxlint-disable-next-line no-explicit-any
type Any = any;

const { json } = randomRig(4);

interface Scene {
  core: Any;
  data: Any;
  skeleton: Any;
  state: Any;
  mixes: Any;
}

function outcome(core: Any, load: (json: object) => Any, call: (scene: Scene) => unknown): unknown {
  const data = load(json);
  const skeleton = new core.Skeleton(data);
  const mixes = new core.AnimationStateData(data);
  const state = new core.AnimationState(mixes);
  try {
    return call({ core, data, skeleton, state, mixes }) ?? null;
  } catch {
    return "throws";
  } finally {
    skeleton.dispose?.();
  }
}

function check(name: string, call: (scene: Scene) => unknown): void {
  expect(outcome(spine, osteon.load, call), name).toEqual(outcome(reference, official.load, call));
}

const ODD = ["nobody", "", null, undefined];

describe("arguments", () => {
  it("of searches", () => {
    for (const name of ODD) {
      for (const find of ["findBone", "findSlot", "findSkin", "findEvent", "findAnimation"]) check(`data.${find}(${name})`, ({ data }) => data[find](name));
      for (const find of ["findBone", "findSlot"]) check(`skeleton.${find}(${name})`, ({ skeleton }) => skeleton[find](name));
      check(`data.findConstraint(${name})`, ({ data, core }) => data.findConstraint(name, core.IkConstraintData));
      check(`skeleton.findConstraint(${name})`, ({ skeleton, core }) => skeleton.findConstraint(name, core.IkConstraint));
    }
    check("a constraint of another class", ({ skeleton, core }) => [skeleton.findConstraint("ik", core.Slider), skeleton.findConstraint("ik", core.IkConstraint).data.name]);
  });

  it("of skins and attachments", () => {
    for (const name of ODD) {
      check(`setSkin(${name})`, ({ skeleton }) => {
        skeleton.setSkin("default");
        skeleton.setSkin(name);
        return skeleton.skin;
      });
      check(`setAttachment(s0, ${name})`, ({ skeleton }) => {
        skeleton.setupPose();
        skeleton.setAttachment("s0", name);
        return skeleton.slots[0].pose.attachment;
      });
      check(`setAttachment(${name})`, ({ skeleton }) => skeleton.setAttachment(name, "plain"));
      check(`getAttachment(s0, ${name})`, ({ skeleton }) => skeleton.getAttachment("s0", name));
      check(`getAttachment(0, ${name})`, ({ skeleton }) => skeleton.getAttachment(0, name));
      check(`getAttachment(${name})`, ({ skeleton }) => skeleton.getAttachment(name, "plain"));
    }
    check("attachments beyond the slots", ({ skeleton }) => skeleton.getAttachment(999, "plain"));
    check("names of older versions", ({ skeleton }) => {
      skeleton.setSkinByName("default");
      return [skeleton.skin.name, skeleton.getAttachmentByName("s0", "alt").name, skeleton.getAttachmentByIndex(0, "plain").name];
    });
    check("no skin", ({ skeleton }) => {
      skeleton.setSkinBySkin(null);
      return skeleton.skin;
    });
  });

  it("of animation states", () => {
    for (const name of ODD) {
      check(`setAnimation(${name})`, ({ state }) => state.setAnimation(0, name, true));
      check(`addAnimation(${name})`, ({ state }) => state.addAnimation(0, name, true));
      check(`setMix(${name})`, ({ mixes }) => mixes.setMix(name, "a0", 1));
    }
    for (const track of [-1, 0, 2]) {
      check(`getTrack(${track})`, ({ state }) => state.getTrack(track));
      check(`clearTrack(${track})`, ({ state }) => state.clearTrack(track));
      check(`setAnimation on ${track}`, ({ state }) => [state.setAnimation(track, "a0").loop, state.tracks.length]);
      check(`setEmptyAnimation on ${track}`, ({ state }) => [state.setEmptyAnimation(track).mixDuration, state.tracks.length]);
    }
  });

  it("of updates: physics that are left out stand still", () => {
    for (const physics of [undefined, null, 0, 2]) {
      check(`updateWorldTransform(${physics})`, ({ skeleton, state }) => {
        state.setAnimation(0, "a0", true);
        for (let frame = 0; frame < 5; frame++) {
          state.update(0.1);
          state.apply(skeleton);
          skeleton.update(0.1);
          skeleton.x += 30;
          skeleton.updateWorldTransform(physics);
        }
        return skeleton.bones.map((bone: Any) => [bone.appliedPose.worldX, bone.appliedPose.worldY].map((value) => Math.round(value * 10) / 10 + 0));
      });
    }
  });

  it("of constructors", () => {
    for (const name of ["a", "", null]) {
      for (const type of ["IkConstraintData", "TransformConstraintData", "PathConstraintData", "PhysicsConstraintData", "SliderData", "Skin", "EventData", "PointAttachment"]) {
        // Events without a name are refused here.
        if (name === null && type === "EventData") continue;
        check(`new ${type}(${name})`, ({ core }) => new core[type](name).name);
      }
      check(`new BoneData(${name})`, ({ core }) => new core.BoneData(0, name, null).name);
    }
  });

  it("of copies: regions and points follow no timelines of their originals, meshes and paths do", () => {
    check("copies", ({ core, data }) => {
      const other = data.skins[0].getAttachment(2, "mesh");
      return ["RegionAttachment", "MeshAttachment", "PathAttachment", "BoundingBoxAttachment", "ClippingAttachment"].map((type) => {
        const original = new core[type]("x", new core.Sequence(2, true));
        original.timelineAttachment = other;
        original.timelineSlots = [3];
        const copy = original.copy();
        return [type, copy.timelineAttachment === copy, copy.timelineAttachment === other, [...copy.timelineSlots]];
      });
    });
  });

  it("of atlases: regions made by a program need no page with a size", () => {
    check("a region by hand", ({ core }) => {
      const atlas = new core.TextureAtlas("");
      const region = new core.TextureAtlasRegion(new core.TextureAtlasPage("page"), "hat");
      Object.assign(region, { u: 0.1, v: 0.2, u2: 0.3, v2: 0.4, width: 8, height: 4, originalWidth: 8, originalHeight: 4 });
      atlas.regions.push(region);
      const sequence = new core.Sequence(1, false);
      new core.AtlasAttachmentLoader(atlas).newRegionAttachment(new core.Skin("s"), "hat", "hat", "hat", sequence).updateSequence();
      return Array.from(sequence.getUVs(0), (value) => Math.round((value as number) * 1000));
    });
  });
});
