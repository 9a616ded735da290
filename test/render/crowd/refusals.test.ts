import { expect, test } from "vitest";
import { AnimSkeleton, AnimSkin } from "../../../src/anim/index.js";
import { Crowd, Crowd3D } from "../../../src/crowd/index.js";
import { ArgumentError, OsteonError, RangeMismatchError, StateError } from "../../../src/errors.js";
import { Crowd3DRenderer, CrowdRenderer, orthographic } from "../../../src/render/index.js";
import { builtIn } from "../../crowd/rigs.js";

/** A context that takes every call and counts draw calls: what is refused must not get as far as that. */
function quiet(): { gl: WebGL2RenderingContext; draws: () => number } {
  let draws = 0;
  const gl = new Proxy({}, {
    get: (_target, name) => {
      if (/^[A-Z0-9_]+$/.test(String(name))) return 1;
      if (name === "getParameter") return () => 32;
      return () => {
        if (String(name).startsWith("draw")) draws++;
        return {};
      };
    },
  });
  return { gl: gl as WebGL2RenderingContext, draws: () => draws };
}

const any = (value: unknown): never => value as never;

test("a crowd is drawn as it is shown while an asynchronous update runs", async () => {
  const { gl } = quiet();
  const crowd = new Crowd(builtIn(), { slots: true });
  for (let i = 0; i < 3; i++) crowd.spawn({ animation: "walk", x: i * 100 });
  crowd.update(0.1);
  const renderer = new CrowdRenderer(gl, crowd, { textures: () => null });
  const before = crowd.palette.slice();
  const running = crowd.updateAsync(0.1);
  expect(() => crowd.spawn()).toThrow(StateError);
  renderer.draw(orthographic(0, 0, 800, 600));
  expect([renderer.drawn, [...crowd.palette]]).toEqual([3, [...before]]);
  await running;
  expect([...crowd.palette]).not.toEqual([...before]);
  renderer.draw(orthographic(0, 0, 800, 600));
  renderer.dispose();
  crowd.dispose();
});

test("a renderer of crowds refuses rows, matrices, fog and options that make no sense, before it draws anything", () => {
  const { gl, draws } = quiet();
  const crowd = new Crowd(builtIn(), { slots: true });
  for (let i = 0; i < 3; i++) crowd.spawn({ animation: "walk", x: i * 100 });
  crowd.update(0.1);
  const renderer = new CrowdRenderer(gl, crowd, { textures: () => null });
  const view = orthographic(0, 0, 800, 600);
  for (const order of [[3], [-1], [0, 1.5], [Number.NaN], ["0"], [0, undefined]]) expect(() => renderer.draw(view, { order: any(order) }), String(order)).toThrow(RangeMismatchError);
  const bad: [unknown, unknown][] = [
    [null, {}], [undefined, {}], [[1, 2, 3], {}], [view, { order: 5 }], [view, { order: "012" }], [view, { cull: {} }], [view, { cull: { x: 0, y: 0, width: 10 } }],
    [view, { fog: [0.1] }], [view, { fog: 1 }], [view, { fogColor: [1] }], [view, { fogColor: null }], [view, { culling: null }], [view, null], [view, 1],
  ];
  for (const [matrix, options] of bad) expect(() => renderer.draw(any(matrix), any(options)), JSON.stringify(options)).toThrow(ArgumentError);
  expect(draws()).toBe(0);
  renderer.draw(view, { order: [2, 0], fog: [0, 0.5, 1], fogColor: [1, 1, 1], cull: { x: -500, y: -500, width: 1000, height: 1000 } });
  expect(renderer.drawn).toBe(2);
  expect(() => new CrowdRenderer(gl, any({}))).toThrow(ArgumentError);
  expect(() => new CrowdRenderer(gl, crowd, any({ texture: null }))).toThrow(/no option "texture"\. Did you mean "textures"/);
  expect(() => new CrowdRenderer(gl, new Crowd(crowd.data))).toThrow(/slots: true/);
  crowd.dispose();
  expect(() => renderer.draw(view)).toThrow(OsteonError);
  renderer.dispose();
});

test("a renderer of 3D crowds does, too", () => {
  const { gl, draws } = quiet();
  const skeleton = new AnimSkeleton();
  skeleton.addBone("a", -1);
  const positions = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  const skin = AnimSkin.fromArrays({
    positions, joints: Array.from({ length: 12 }, () => 0), weights: [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], jointNames: ["a"], inverseBind: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
  }, skeleton);
  const crowd = new Crowd3D(skeleton, skin);
  crowd.spawn();
  crowd.update(0);
  const mesh = { positions, indices: [0, 1, 2] };
  const renderer = new Crowd3DRenderer(gl, crowd, [mesh]);
  const view = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  for (const [matrix, options] of [[null, {}], [[1], {}], [view, { light: [1, 1, 1] }], [view, null], [view, 1]]) expect(() => renderer.draw(any(matrix), any(options))).toThrow(ArgumentError);
  expect(draws()).toBe(0);
  renderer.draw(view, { cull: false });
  expect(draws()).toBe(1);
  expect(() => new Crowd3DRenderer(gl, crowd, [mesh], [any({ colour: [1, 1, 1] })])).toThrow(/a look has no option "colour"/);
  expect(() => new Crowd3DRenderer(gl, any({}), [mesh])).toThrow(ArgumentError);
  renderer.dispose();
  crowd.dispose();
});
