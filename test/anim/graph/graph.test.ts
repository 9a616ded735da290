import { describe, expect, it } from "vitest";
import { AnimArgumentError, AnimBoneMask, AnimClip, AnimGraph, AnimIndexError, AnimPose, AnimSkeleton, AnimStateError } from "../../../src/anim/index.js";
import { heap } from "../../../src/wasm/heap.js";
import { golden } from "../rig/golden.js";
import fc, { runs } from "../../properties.js";

function body(): AnimSkeleton {
  const skeleton = new AnimSkeleton();
  skeleton.addBone("root", -1);
  skeleton.addBone("spine", 0);
  skeleton.addBone("arm", 1);
  skeleton.addBone("leg", 0);
  skeleton.addBone("foot", 3);
  for (let i = 0; i < 5; i++) skeleton.setBindPosition(i, 0, i, 0);
  return skeleton;
}

/** All bones stand at x = `value`. */
function still(value: number, duration = 1, loop = true): AnimClip {
  const clip = new AnimClip();
  for (let bone = 0; bone < 5; bone++) clip.addPositionKey(bone, 0, value, 0, 0);
  clip.setDuration(duration);
  clip.setLoop(loop);
  return clip;
}

/** Bones move along x from 0 to `distance`. */
function ramp(duration: number, distance: number, loop = true): AnimClip {
  const clip = new AnimClip();
  for (let bone = 0; bone < 5; bone++) {
    clip.addPositionKey(bone, 0, 0, 0, 0);
    clip.addPositionKey(bone, duration, distance, 0, 0);
  }
  clip.setLoop(loop);
  return clip;
}

const xs = (graph: AnimGraph): number[] => Array.from({ length: 5 }, (_, i) => graph.getPose().getLocalPositionX(i));
const names = (graph: AnimGraph): string[] => Array.from({ length: graph.getEventCount() }, (_, i) => graph.getEventName(i));

describe("AnimGraph nodes", () => {
  it("without nodes it is the bind pose", () => {
    const graph = new AnimGraph(body());
    graph.update(0.1);
    expect(graph.getRoot()).toBe(-1);
    expect(graph.getPose().getLocalPositionY(4)).toBe(4);
  });

  it("a clip runs on its own clock, at its speed", () => {
    const graph = new AnimGraph(body()), clip = graph.addClip(ramp(1, 10));
    graph.setSpeed(clip, 0.5);
    graph.update(0.5);
    expect(xs(graph)[0]).toBeCloseTo(2.5, 5);
    graph.update(1.75);
    expect(xs(graph)[4]).toBeCloseTo(1.25, 5);
    expect(graph.getClipTime(clip)).toBeCloseTo(0.125, 6);
  });

  it("the root is the node added last until it is chosen", () => {
    const graph = new AnimGraph(body()), a = graph.addClip(still(1));
    graph.addClip(still(2));
    graph.update(0);
    expect(xs(graph)[0]).toBe(2);
    graph.setRoot(a);
    graph.addClip(still(3));
    graph.update(0);
    expect(xs(graph)[0]).toBe(1);
    expect(graph.getNodeCount()).toBe(3);
  });

  it("a blend mixes by weight and mask", () => {
    const graph = new AnimGraph(body()), blend = graph.addBlend(graph.addClip(still(0)), graph.addClip(still(8)), 0.25);
    graph.update(0.1);
    expect(xs(graph)).toEqual([2, 2, 2, 2, 2]);
    graph.setBoneMask(blend, 1, 0, true);
    graph.setBoneMask(blend, 3, 0.5);
    graph.update(0.1);
    expect(xs(graph)).toEqual([2, 0, 0, 1, 2]);
    graph.setWeight(blend, 7);
    graph.update(0.1);
    expect(xs(graph)).toEqual([8, 0, 0, 4, 8]);
  });

  it("a layer changes nothing until bones are set", () => {
    const graph = new AnimGraph(body()), layer = graph.addLayer(graph.addClip(still(1)), graph.addClip(still(5)));
    graph.update(0.1);
    expect(xs(graph)).toEqual([1, 1, 1, 1, 1]);
    graph.setBoneMask(layer, 1, 1, true);
    graph.update(0.1);
    expect(xs(graph)).toEqual([1, 5, 5, 1, 1]);
    graph.clearBoneMask(layer);
    graph.update(0.1);
    expect(xs(graph)).toEqual([1, 1, 1, 1, 1]);
  });

  it("a weight of any size leaves an additive node finite and its rotation of unit length", () => {
    const delta = new AnimClip(), skeleton = body(), graph = new AnimGraph(skeleton);
    delta.addRotationKey(0, 0, 0, Math.sin(1), 0, Math.cos(1));
    delta.addPositionKey(0, 0, 1, 2, 3);
    const node = graph.addAdditive(graph.addClip(still(1)), graph.addClip(delta), 1);
    graph.addParameter("much");
    const pose = graph.getPose();
    const check = (): void => {
      graph.update(0.1);
      expect(Math.hypot(pose.getLocalRotationX(0), pose.getLocalRotationY(0), pose.getLocalRotationZ(0), pose.getLocalRotationW(0))).toBeCloseTo(1, 5);
      expect(pose.getLocalPositionX(0)).toBeLessThanOrEqual(1e6 + 1);
    };
    for (const weight of [1, 1e3, 1e6, 1e10, 1e38]) {
      graph.setWeight(node, weight);
      check();
    }
    graph.bindWeight(node, "much");
    graph.setFloat("much", 1e300);
    check();
  });

  it("an additive node adds its input, or the input's difference to the bind pose", () => {
    const skeleton = body();
    for (let i = 0; i < 5; i++) skeleton.setBindPosition(i, 1, 0, 0);
    const graph = new AnimGraph(skeleton), node = graph.addAdditive(graph.addClip(still(10)), graph.addClip(still(4)));
    expect(graph.getAdditiveReference(node)).toBe("identity");
    graph.update(0);
    expect(xs(graph)[0]).toBeCloseTo(14, 5);
    graph.setAdditiveReference(node, "bind");
    graph.setWeight(node, 2);
    graph.update(0);
    expect(xs(graph)[0]).toBeCloseTo(16, 5);
    expect(graph.getAdditiveReference(node)).toBe("bind");
    graph.setBoneMask(node, 0, 0);
    graph.setWeight(node, -3);
    graph.update(0);
    expect(xs(graph)[1]).toBe(10);
  });

  it("shares a mask, and copies it before it edits its own", () => {
    const skeleton = body(), graph = new AnimGraph(skeleton), layer = graph.addLayer(graph.addClip(still(1)), graph.addClip(still(5)));
    const mask = new AnimBoneMask(skeleton);
    graph.setMask(layer, mask);
    mask.setBoneWeight(2, 1);
    graph.update(0);
    expect(xs(graph)).toEqual([1, 1, 5, 1, 1]);
    graph.setBoneMask(layer, 0, 1);
    expect(mask.getBoneWeight(0)).toBe(0);
    graph.update(0);
    expect(xs(graph)).toEqual([5, 1, 5, 1, 1]);
  });
});

describe("AnimGraph one-shots", () => {
  const build = (fadeIn: number, fadeOut: number, duration = 1): { graph: AnimGraph; shot: number } => {
    const graph = new AnimGraph(body());
    const shot = graph.addOneShot(graph.addClip(still(0)), graph.addClip(still(8, duration)), fadeIn, fadeOut);
    return { graph, shot };
  };

  it("play once when triggered, with fades, even if the clip loops", () => {
    const { graph, shot } = build(0.25, 0.5);
    graph.update(0.125);
    expect([xs(graph)[0], graph.isOneShotActive(shot)]).toEqual([0, false]);
    graph.trigger(shot);
    expect(graph.isOneShotActive(shot)).toBe(true);
    const seen: number[] = [];
    for (let i = 0; i < 8; i++) {
      graph.update(0.125);
      seen.push(xs(graph)[0]!);
    }
    expect(seen).toEqual([4, 8, 8, 8, 6, 4, 2, 0]);
    expect(graph.isOneShotActive(shot)).toBe(false);
  });

  it("shorten fades that do not fit", () => {
    const { graph, shot } = build(3, 1);
    graph.trigger(shot);
    graph.update(0.375);
    expect(xs(graph)[0]).toBeCloseTo(4, 5);
    graph.update(0.375);
    expect(xs(graph)[0]).toBeCloseTo(8, 5);
    graph.update(0.125);
    expect(xs(graph)[0]).toBeCloseTo(4, 5);
  });

  it("go on from the present weight when triggered again", () => {
    const { graph, shot } = build(0.5, 0.5);
    graph.trigger(shot);
    graph.update(0.25);
    expect(xs(graph)[0]).toBe(4);
    graph.trigger(shot);
    graph.update(0);
    expect(xs(graph)[0]).toBe(4);
    graph.update(0.25);
    expect(xs(graph)[0]).toBe(6);
  });

  it("report the events at their very end", () => {
    const graph = new AnimGraph(body()), clip = still(8, 1);
    clip.addEvent(0, "begin");
    clip.addEvent(1, "end");
    const shot = graph.addOneShot(graph.addClip(still(0)), graph.addClip(clip));
    graph.update(2);
    expect(names(graph)).toEqual([]);
    graph.trigger(shot);
    graph.update(0.5);
    expect(names(graph)).toEqual(["begin"]);
    graph.update(0.75);
    expect(names(graph)).toEqual(["end"]);
    graph.update(5);
    expect(names(graph)).toEqual([]);
  });

  it("may be confined to bones", () => {
    const { graph, shot } = build(0, 0);
    graph.clearBoneMask(shot);
    graph.setBoneMask(shot, 1, 1, true);
    graph.trigger(shot);
    graph.update(0.5);
    expect(xs(graph)).toEqual([0, 8, 8, 0, 0]);
  });
});

describe("AnimGraph blend spaces", () => {
  it("blend the inputs at their points", () => {
    const graph = new AnimGraph(body()), space = graph.addBlendSpace1D();
    graph.update(0);
    expect(graph.getPose().getLocalPositionY(4)).toBe(4);
    expect(graph.addBlendSpace1DPoint(space, 0, graph.addClip(still(0)))).toBe(0);
    expect(graph.addBlendSpace1DPoint(space, 2, graph.addClip(still(20)))).toBe(1);
    graph.setRoot(space);
    graph.setPosition1D(space, 0.5);
    graph.update(0);
    expect(xs(graph)[3]).toBeCloseTo(5, 5);
    expect(graph.getPointWeight(space, 1)).toBe(0.25);
  });

  it("blend three inputs on a plane", () => {
    const graph = new AnimGraph(body()), space = graph.addBlendSpace2D();
    for (const [x, y, value] of [[0, 0, 0], [1, 0, 10], [0, 1, 100]] as const) graph.addBlendSpace2DPoint(space, x, y, graph.addClip(still(value)));
    graph.setRoot(space);
    graph.setPosition2D(space, 0.25, 0.5);
    graph.update(0.1);
    expect(xs(graph)[0]).toBeCloseTo(52.5, 4);
  });

  it("keep clips in step as in the golden file", () => {
    const { cases } = golden("blendspace-golden.json").durationSync;
    for (const { weights, durations, speeds, clipTimesAfter_0_1s: times } of cases) {
      const graph = new AnimGraph(body()), space = graph.addBlendSpace2D();
      // A triangle (or a line) whose barycentric weights are the ones asked for.
      const at = [[0, 0], [1, 0], [0, 1]], clips = durations.map((d: number) => graph.addClip(ramp(d, 1)));
      clips.forEach((clip: number, i: number) => {
        graph.addBlendSpace2DPoint(space, at[i]![0]!, at[i]![1]!, clip);
        graph.setSpeed(clip, speeds[i]);
      });
      graph.setRoot(space);
      graph.setPosition2D(space, weights[1], weights[2] ?? 0);
      graph.update(0.1);
      clips.forEach((clip: number, i: number) => expect(Math.abs(graph.getClipTime(clip) - times[i])).toBeLessThan(1e-6));
    }
  });

  it("keep the phase over many passes and changes of weight", () => {
    const graph = new AnimGraph(body()), space = graph.addBlendSpace1D(), a = graph.addClip(ramp(1, 1)), b = graph.addClip(ramp(2, 1));
    graph.addBlendSpace1DPoint(space, 0, a);
    graph.addBlendSpace1DPoint(space, 1, b);
    graph.setRoot(space);
    for (let i = 0; i < 500; i++) {
      graph.setPosition1D(space, (i % 7) / 6);
      graph.update(0.017);
      expect(Math.abs(graph.getClipTime(a) - graph.getClipTime(b) / 2)).toBeLessThan(1e-9);
    }
  });

  it("fire each event once a pass, of the heaviest input", () => {
    const graph = new AnimGraph(body()), space = graph.addBlendSpace1D(), a = ramp(1, 1), b = ramp(2, 1);
    a.addEvent(0.5, "a");
    b.addEvent(1, "b");
    const nodeA = graph.addClip(a);
    graph.addBlendSpace1DPoint(space, 0, nodeA);
    graph.addBlendSpace1DPoint(space, 1, graph.addClip(b));
    graph.setRoot(space);
    graph.setPosition1D(space, 0.25);
    let count = 0;
    // One pass takes 1.25 s.
    for (let i = 0; i < 1000; i++) {
      graph.update(0.0125);
      for (let e = 0; e < graph.getEventCount(); e++) {
        expect([graph.getEventName(e), graph.getEventNode(e)]).toEqual(["a", nodeA]);
        count++;
      }
    }
    expect(count).toBe(10);
    graph.setEventPolicy("all");
    graph.update(1.25);
    expect(names(graph).toSorted()).toEqual(["a", "b"]);
  });

  it("leave a clip that feeds two spaces to the first", () => {
    const graph = new AnimGraph(body()), first = graph.addBlendSpace1D(), second = graph.addBlendSpace1D();
    const shared = graph.addClip(ramp(1, 1)), slow = graph.addClip(ramp(3, 1));
    graph.addBlendSpace1DPoint(first, 0, shared);
    graph.addBlendSpace1DPoint(second, 0, shared);
    graph.addBlendSpace1DPoint(second, 1, slow);
    graph.addBlend(first, second);
    graph.setPosition1D(second, 1);
    graph.update(0.25);
    expect(graph.getClipTime(shared)).toBeCloseTo(0.25, 9);
    graph.setRoot(second);
    graph.update(0.25);
    // The first space is out of reach: the clip has its own clock again.
    expect(graph.getClipTime(shared)).toBeCloseTo(0.5, 9);
  });

  it("may leave every clip its own clock", () => {
    const graph = new AnimGraph(body()), space = graph.addBlendSpace1D(), a = graph.addClip(ramp(1, 1)), b = graph.addClip(ramp(2, 1));
    graph.addBlendSpace1DPoint(space, 0, a);
    graph.addBlendSpace1DPoint(space, 1, b);
    graph.setRoot(space);
    graph.setBlendSpaceSync(space, "none");
    graph.update(0.5);
    expect([graph.getClipTime(a), graph.getClipTime(b)]).toEqual([0.5, 0.5]);
  });
});

describe("AnimGraph time, events and root motion", () => {
  it("clips without weight advance, so that they return in phase", () => {
    const graph = new AnimGraph(body()), b = graph.addClip(ramp(1, 10)), blend = graph.addBlend(graph.addClip(still(0)), b, 0);
    graph.update(0.5);
    expect(xs(graph)[0]).toBe(0);
    expect(graph.getNodeWeight(b)).toBe(0);
    graph.setWeight(blend, 1);
    graph.update(0.25);
    expect(xs(graph)[0]).toBeCloseTo(7.5, 5);
    expect(graph.getNodeWeight(b)).toBe(1);
  });

  it("a shared node advances once an update", () => {
    const graph = new AnimGraph(body()), clip = graph.addClip(ramp(1, 10));
    graph.addBlend(clip, graph.addBlend(clip, clip));
    graph.update(0.25);
    expect(graph.getClipTime(clip)).toBe(0.25);
    expect(xs(graph)[0]).toBeCloseTo(2.5, 5);
  });

  it("the heavier input of a blend fires its events, both parts of a layer do", () => {
    const graph = new AnimGraph(body()), a = still(0), b = still(1);
    a.addEvent(0.5, "a");
    b.addEvent(0.5, "b");
    const nodes = [graph.addClip(a), graph.addClip(b)] as const, blend = graph.addBlend(...nodes, 0.5);
    graph.update(1);
    expect(names(graph)).toEqual(["a"]);
    graph.setWeight(blend, 0.6);
    graph.update(1);
    expect(names(graph)).toEqual(["b"]);
    const layer = graph.addLayer(...nodes);
    graph.update(1);
    expect(names(graph)).toEqual(["a"]);
    graph.setBoneMask(layer, 1, 1);
    graph.update(1);
    expect(names(graph)).toEqual(["a", "b"]);
  });

  it("root motion is blended with the weights", () => {
    const graph = new AnimGraph(body()), blend = graph.addBlend(graph.addClip(ramp(1, 2)), graph.addClip(ramp(1, 6)), 0.25);
    graph.setRootMotionBone(0);
    graph.update(0.5);
    expect(graph.getRootMotionX()).toBeCloseTo(1.5, 6);
    expect(xs(graph)[0]).toBeCloseTo(0, 6);
    graph.setBoneMask(blend, 0, 0);
    graph.update(0.5);
    expect(graph.getRootMotionX()).toBeCloseTo(1, 6);
    const sum = graph.addAdditive(blend, graph.addClip(ramp(1, 4)), 0.5);
    graph.setRoot(sum);
    graph.update(0.5);
    expect(graph.getRootMotionX()).toBeCloseTo(2, 6);
    const space = graph.addBlendSpace2D();
    for (const [x, y, distance] of [[0, 0, 4], [1, 0, 8], [0, 1, 12]] as const) graph.addBlendSpace2DPoint(space, x, y, graph.addClip(ramp(1, distance)));
    graph.setPosition2D(space, 0.25, 0.5);
    graph.setRoot(space);
    graph.update(0.5);
    expect(graph.getRootMotionX()).toBeCloseTo(4.5, 5);
    expect(graph.getRootMotionRotationW()).toBe(1);
    graph.update(Number.NaN);
    expect(graph.getRootMotionX()).toBe(0);
  });

  it("a graph with shared nodes is the graph with copies, for any structure and weights", () => {
    const recipe = fc.array(fc.record({
      kind: fc.constantFrom("blend", "additive", "layer", "space"), a: fc.nat(), b: fc.nat(), c: fc.nat(),
      weight: fc.oneof(fc.constantFrom(0, 1), fc.double({ min: 0, max: 1, noNaN: true })), bone: fc.nat(4), mask: fc.constantFrom(0, 0.5, 1),
    }), { minLength: 1, maxLength: 7 });
    fc.assert(fc.property(recipe, (steps) => {
      const skeleton = body(), clips = [still(0), ramp(1, 4), ramp(2, -3), still(7)];
      const shared = new AnimGraph(skeleton), copies = new AnimGraph(skeleton);
      type Maker = (graph: AnimGraph, input: (i: number) => number) => number;
      const makers: Maker[] = clips.map((clip) => (graph) => graph.addClip(clip));
      for (const step of steps) {
        const count = makers.length, [a, b, c] = [step.a % count, step.b % count, step.c % count];
        makers.push((graph, input) => {
          let node: number;
          if (step.kind === "space") {
            node = graph.addBlendSpace2D();
            graph.setBlendSpaceSync(node, "none");
            for (const [i, [x, y]] of [[0, 0], [1, 0], [0, 1]].entries()) graph.addBlendSpace2DPoint(node, x!, y!, input([a, b, c][i]!));
            graph.setPosition2D(node, step.weight / 2, (1 - step.weight) / 2);
            return node;
          }
          const [first, second] = [input(a), input(b)];
          node = step.kind === "blend" ? graph.addBlend(first, second, step.weight)
            : step.kind === "layer" ? graph.addLayer(first, second, step.weight) : graph.addAdditive(first, second, step.weight);
          graph.setBoneMask(node, step.bone, step.mask, true);
          return node;
        });
      }
      const once: number[] = [];
      for (const maker of makers) once.push(maker(shared, (i) => once[i]!));
      const copy = (i: number): number => makers[i]!(copies, copy);
      copies.setRoot(copy(makers.length - 1));
      for (const dt of [0, 0.3, 0.9]) {
        shared.update(dt);
        copies.update(dt);
        expect(xs(shared)).toEqual(xs(copies));
      }
      shared.dispose();
      copies.dispose();
      skeleton.dispose();
      for (const clip of clips) clip.dispose();
    }), { numRuns: runs(150) });
  });
});

describe("AnimGraph errors", () => {
  it("name the handle, the kind and the range", () => {
    const graph = new AnimGraph(body()), clip = graph.addClip(still(0)), space = graph.addBlendSpace1D(), blend = graph.addBlend(clip, space);
    const wrong: [() => void, new (message: string) => Error][] = [
      [() => graph.addClip(undefined as never), AnimArgumentError],
      [() => graph.setRoot(99), AnimIndexError],
      [() => graph.setWeight(99, 1), AnimIndexError],
      [() => graph.setWeight(clip, 1), AnimArgumentError],
      [() => graph.setWeight(space, 1), AnimArgumentError],
      [() => graph.setWeight(blend, Number.NaN), AnimArgumentError],
      [() => graph.setSpeed(clip, -1), AnimArgumentError],
      [() => graph.setSpeed(blend, 1), AnimArgumentError],
      [() => graph.trigger(clip), AnimArgumentError],
      [() => graph.addOneShot(clip, blend), AnimArgumentError],
      [() => graph.addOneShot(blend, clip, -1), AnimArgumentError],
      [() => graph.setAdditiveReference(blend, "bind"), AnimArgumentError],
      [() => graph.setPosition1D(space, Infinity), AnimArgumentError],
      [() => graph.setPosition2D(space, 0, 0), AnimArgumentError],
      [() => graph.addBlendSpace1DPoint(space, 0, blend), AnimArgumentError],
      [() => graph.addBlendSpace1DPoint(space, 0, space), AnimArgumentError],
      [() => graph.setBoneMask(clip, 0, 1), AnimArgumentError],
      [() => graph.setBoneMask(blend, 5, 1), AnimIndexError],
      [() => graph.update(-1), AnimArgumentError],
      [() => new AnimGraph(null as never), AnimArgumentError],
    ];
    for (const [call, type] of wrong) expect(call, String(call)).toThrow(type);
    expect(graph.getNodeCount()).toBe(3);
    graph.update(0.1);
    expect(xs(graph).every(Number.isFinite)).toBe(true);
  });

  it("memory comes back", () => {
    const skeleton = body(), clip = still(1);
    const build = (): AnimGraph => {
      const graph = new AnimGraph(skeleton), layer = graph.addLayer(graph.addClip(clip), graph.addClip(clip));
      graph.setBoneMask(layer, 0, 0.5);
      graph.update(0.1);
      return graph;
    };
    build().dispose();
    new AnimPose(5).dispose();
    const before = heap.usedBytes, graph = build();
    graph.dispose();
    graph.dispose();
    expect(heap.usedBytes).toBe(before);
    expect(() => graph.update(0)).toThrow(AnimStateError);
  });
});
