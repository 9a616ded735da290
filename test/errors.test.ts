/** What beginners do wrong, and what they are told: what was given, what is expected, what to do. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AnimConstraintStack, AnimSkeleton, MotionStore } from "../src/anim/index.js";
import { Crowd } from "../src/crowd/index.js";
import { OsteonError } from "../src/errors.js";
import { SkeletonRenderer } from "../src/render/index.js";
import { AnimationState, AnimationStateData, Physics, Skeleton, SkeletonBinary, SkeletonJson, TextureAtlas } from "../src/spine/index.js";
import { builtIn } from "./crowd/rigs.js";

const data = builtIn(), json = readFileSync("examples/assets/fennel/fennel.json", "utf8"), atlas = new TextureAtlas(readFileSync("examples/assets/fennel/fennel.atlas", "utf8"));
const state = (): AnimationState => new AnimationState(new AnimationStateData(data));
const crowd = (): Crowd => new Crowd(data, { capacity: 4 });
const wrong = <T>(value: unknown): T => value as T;

describe("mistakes of beginners", () => {
  it.each<[string, () => unknown, RegExp]>([
    ["a misspelt animation", () => state().setAnimation(0, "wlak", true), /no animation "wlak"\. The animations are: "idle", "walk"/],
    ["a time that is a text", () => state().update(wrong("0.1")), /delta is the text "0\.1", expected a finite number\. Give the seconds/],
    ["a time that is no number", () => new Skeleton(data).update(Number.NaN), /delta is NaN, expected a finite number\. Give the seconds/],
    ["a Physics of another version", () => new Skeleton(data).updateWorldTransform(wrong<Physics>("update")), /physics is update, expected a value of Physics/],
    ["JSON instead of data", () => new Skeleton(wrong(JSON.parse(json))), /given an object of the class Object, expected a SkeletonData\. Load one with SkeletonJson/],
    ["a path instead of data", () => new Skeleton(wrong("hero.json")), /given string, expected a SkeletonData/],
    ["a promise", () => new SkeletonJson(atlas).readSkeletonData(Promise.resolve({})), /is a Promise, .* Await it first/],
    ["bytes as JSON", () => new SkeletonJson(atlas).readSkeletonData(new Uint8Array(3)), /is bytes, .* load a \.skel file with SkeletonBinary/],
    ["a file name as JSON", () => new SkeletonJson(atlas).readSkeletonData("hero.json"), /not (valid )?JSON/],
    ["JSON as bytes", () => new SkeletonBinary(atlas).readSkeletonData(new TextEncoder().encode(json)), /looks like JSON: load it with SkeletonJson/],
    ["a web page as atlas", () => new TextureAtlas("<!doctype html>\n<title>404</title>"), /The atlas is a web page, expected the text .* check its address/],
    ["a file name as atlas", () => new TextureAtlas("hero.atlas"), /The atlas is the name 'hero\.atlas', expected the text .* Read the file as text/],
    ["a number that is a text, in a crowd", () => crowd().spawn({ animation: "walk", x: wrong("100") }), /x is the text "100", expected a finite number\./],
    ["no time, in a crowd", () => crowd().update(wrong(undefined)), /dt is undefined, expected a finite number of at least 0\./],
    ["a canvas for a renderer", () => new SkeletonRenderer(wrong({ getContext() {} })), /given a canvas, expected a WebGL2 context: canvas\.getContext\("webgl2"\)/],
    ["no WebGL2", () => new SkeletonRenderer(wrong(null)), /given null, which is what canvas\.getContext\(\) gives where WebGL2/],
    ["a misspelt bone", () => {
      const skeleton = new AnimSkeleton();
      skeleton.addBone("head");
      new AnimConstraintStack(skeleton).addAim(skeleton.findBone("haed"), 0, 0, 0, 1);
    }, /bone is -1, expected 0\.\.0\. -1 is what findBone\(\) gives for a name that the skeleton does not have/],
    ["a misspelt ease", () => new MotionStore().motion(0, 1, 1).ease(wrong("outBak")), /no ease "outBak"\. Did you mean "?outBack/],
    ["a disposed skeleton", () => {
      const skeleton = new Skeleton(data);
      skeleton.dispose();
      skeleton.updateWorldTransform(Physics.update);
    }, /used after dispose\(\)/],
  ])("%s", (_name, act, message) => {
    let error: unknown;
    try {
      act();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(OsteonError);
    expect((error as OsteonError).message).toMatch(message);
    expect((error as OsteonError).message).not.toMatch(/e\+308/);
  });
});
