import { describe, expect, it } from "vitest";
import {
  AnimArgumentError, AnimClip, AnimClipRegistry, AnimFormatError, Animation, AnimIOError, AnimNameError, AnimPlayer, AnimPose, AnimSkeleton, AnimStateError, exportEva,
} from "../../../src/anim/index.js";

function rig(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  skeleton.addBone("root");
  return skeleton;
}

/** A clip that moves along x to `end`. */
function moving(end: number, seconds = 1, name = "walk"): AnimClip {
  const clip = new AnimClip(name);
  clip.addPositionKey(0, 0, 0, 0, 0);
  clip.addPositionKey(0, seconds, end, 0, 0);
  return clip;
}

describe("AnimClip.adopt", () => {
  it("takes keys, attributes, events, markers and curves, and leaves the other clip alone", () => {
    const clip = moving(1), other = moving(4, 2, "run");
    clip.addEvent(0.5, "old");
    clip.addCurve("gone");
    other.setLoop(false);
    other.setSampleRate(60);
    other.addEvent(1, "step", "left");
    other.addSyncMarker(0.25, "plant");
    other.addCurve("lift");
    other.addCurveKey("lift", 1, 3);
    other.setTrackInterpolation(0, "position", "step");
    const version = clip.version;
    clip.adopt(other);
    expect(clip.version).toBeGreaterThan(version);
    expect(exportEva(rig(), clip)).toBe(exportEva(rig(), other));
    expect([clip.getName(), clip.getDuration(), clip.getLoop(), clip.getSampleRate()]).toEqual(["run", 2, false, 60]);
    expect([clip.getEventCount(), clip.getEventPayload(0), clip.getSyncMarkerName(0), clip.sampleCurve("lift", 1), clip.findCurve("gone")]).toEqual([1, "left", "plant", 3, -1]);
    clip.setPositionKey(0, 1, 2, 9, 9, 9);
    expect(other.getPositionKeyX(0, 1)).toBe(4);
    clip.adopt(clip);
    expect(clip.getPositionKeyX(0, 1)).toBe(9);
    expect(() => clip.adopt(null as never)).toThrow(AnimArgumentError);
  });

  it("goes on playing with the new content, also where it is shorter or was compiled", () => {
    for (const form of ["raw", "uniform"] as const) {
      const skeleton = rig(), clip = moving(1, 10), player = new AnimPlayer(skeleton);
      clip.compile(form);
      player.play(clip);
      player.update(9.5);
      clip.adopt(moving(8, 1));
      player.update(0.25);
      const x = player.getPose().getLocalPositionX(0), expected = new AnimPose();
      clip.sample(9.75, expected, skeleton);
      expect(x).toBeCloseTo(expected.getLocalPositionX(0), 5);
    }
  });
});

describe("AnimClipRegistry", () => {
  const text = (end: number): string => exportEva(rig(), moving(end));

  it("finds clips whatever the separators, and forgets them", () => {
    const registry = new AnimClipRegistry(), clip = moving(1);
    expect(registry.register("./anims\\hero\\walk.eva", clip)).toBe("anims/hero/walk.eva");
    expect(registry.find("anims/hero/walk.eva")).toBe(clip);
    expect(registry.find("anims\\hero/walk.eva")).toBe(clip);
    expect([registry.find("walk.eva"), registry.getCount(), registry.getPaths()]).toEqual([null, 1, ["anims/hero/walk.eva"]]);
    expect([registry.unregister("anims\\hero\\walk.eva"), registry.unregister("anims/hero/walk.eva"), registry.getCount()]).toEqual([true, false, 0]);
    for (const path of ["", "./", null, 3]) expect(() => registry.register(path as string, clip)).toThrow(AnimArgumentError);
    expect(() => registry.register("a", null as never)).toThrow(AnimArgumentError);
  });

  it("reloads from the host into the clip that is in use", () => {
    const files: Record<string, string> = { "walk.eva": text(5) }, anim = new Animation({ readText: (path) => files[path]! });
    const registry = anim.newClipRegistry(), clip = moving(1), pose = new AnimPose();
    registry.register("walk.eva", clip);
    expect(registry.reload("walk.eva")).toBe(clip);
    clip.setLoop(false);
    clip.sample(1, pose);
    expect(pose.getLocalPositionX(0)).toBe(5);
    expect(registry.reload("walk.eva", moving(7))).toBe(clip);
    expect(clip.getPositionKeyX(0, 1)).toBe(7);
  });

  it("leaves the clip as it was when the file is broken, missing, or answers later", async () => {
    const clip = moving(1);
    const reading = (readText: (path: string) => string | Promise<string>): AnimClipRegistry => {
      const registry = new AnimClipRegistry({ readText });
      registry.register("walk.eva", clip);
      return registry;
    };
    let error: unknown;
    try {
      reading(() => "EVA 1\nbone 0 -1 a\nclip w\np 0 0 0 0\n").reload("walk.eva");
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(AnimFormatError);
    expect((error as AnimFormatError).source).toBe("walk.eva");
    const missing = reading(() => { throw new Error("no such file"); }), later = reading(async () => text(3));
    expect(() => missing.reload("walk.eva")).toThrow(AnimIOError);
    expect(() => later.reload("walk.eva")).toThrow(AnimStateError);
    expect(() => missing.reload("wolk.eva")).toThrow(/"walk\.eva"/);
    expect(() => missing.reload("wolk.eva")).toThrow(AnimNameError);
    await expect(missing.reloadAsync("walk.eva")).rejects.toThrow(AnimIOError);
    expect(clip.getPositionKeyX(0, 1)).toBe(1);
    await expect(later.reloadAsync("walk.eva")).resolves.toBe(clip);
    expect(clip.getPositionKeyX(0, 1)).toBe(3);
    const reload = later.reloadAsync("walk.eva");
    later.unregister("walk.eva");
    await expect(reload).rejects.toThrow(AnimNameError);
  });
});
