import { beforeAll, describe, expect, it } from "vitest";
import { type AnimClip, AnimGraph, type AnimSkeleton } from "../../../src/anim/index.js";
import { loadBiped } from "../matching/biped.js";

/** Walk, run and turn on the built-in biped: how far a foot travels while it stands. */
let skeleton: AnimSkeleton, clips: Map<string, AnimClip>;
beforeAll(async () => {
  ({ skeleton, clips } = await loadBiped());
});

interface Walker {
  graph: AnimGraph;
  update(dt: number): void;
  /** Ball of a foot in the world. */
  ball(side: "l" | "r"): [number, number, number];
}

/** A graph whose root motion moves and turns the character. */
function walker(points: readonly (readonly [string, number, number])[], sync: "phase" | "markers"): Walker {
  const graph = new AnimGraph(skeleton), space = graph.addBlendSpace2D();
  graph.addParameter("turn");
  graph.addParameter("speed");
  for (const [name, x, y] of points) graph.addBlendSpace2DPoint(space, x, y, graph.addClip(clips.get(name)!));
  graph.bindPosition2D(space, "turn", "speed");
  graph.setBlendSpaceSync(space, sync);
  graph.setRoot(space);
  graph.setRootMotionBone(skeleton.findBone("root"));
  graph.setRootMotionMode({ translation: "xz", rotation: "yaw", space: "local" });
  let px = 0, pz = 0, yaw = 0;
  return {
    graph,
    update(dt) {
      graph.update(dt);
      const dx = graph.getRootMotionX(), dz = graph.getRootMotionZ();
      px += dx * Math.cos(yaw) + dz * Math.sin(yaw);
      pz += -dx * Math.sin(yaw) + dz * Math.cos(yaw);
      yaw += 2 * Math.atan2(graph.getRootMotionRotationY(), graph.getRootMotionRotationW());
      graph.getPose().computeWorld(skeleton);
    },
    ball(side) {
      const bone = skeleton.findBone(`toe_${side}`), pose = graph.getPose(), x = pose.getWorldPositionX(bone), z = pose.getWorldPositionZ(bone);
      return [px + x * Math.cos(yaw) + z * Math.sin(yaw), pose.getWorldPositionY(bone), pz - x * Math.sin(yaw) + z * Math.cos(yaw)];
    },
  };
}

const POINTS = [
  ["walk_left", -0.65, 1.2], ["walk", 0, 1.2], ["walk_right", 0.65, 1.2], ["run_left", -0.9, 3], ["run", 0, 3], ["run_right", 0.9, 3],
] as const;

/** Whether every clip with weight has the foot on the ground. */
function stands(graph: AnimGraph, side: string): boolean {
  for (let node = 0; node < graph.getNodeCount(); node++) {
    if (graph.getNodeKind(node) !== "clip" || graph.getNodeWeight(node) < 1e-6) continue;
    if (graph.definition.nodes[node]!.track!.clip.sampleCurve(`contact_${side}`, graph.getClipTime(node)) < 0.5) return false;
  }
  return true;
}

/** The longest way of a foot along the ground from where it came down, over all contacts of some seconds. */
function slide(one: Walker, seconds: number, steer: (t: number) => void): { worst: number; steps: number } {
  const down = new Map<string, [number, number]>(), dt = 1 / 120;
  let worst = 0, steps = 0;
  for (let i = 0; i * dt < seconds; i++) {
    steer(i * dt);
    one.update(dt);
    for (const side of ["l", "r"] as const) {
      const [x, , z] = one.ball(side);
      if (!stands(one.graph, side)) {
        down.delete(side);
        continue;
      }
      if (!down.has(side)) {
        down.set(side, [x, z]);
        steps++;
      }
      const [fromX, fromZ] = down.get(side)!;
      // The first second is the graph finding its step.
      if (i * dt > 1) worst = Math.max(worst, Math.hypot(x - fromX, z - fromZ));
    }
  }
  return { worst, steps };
}

/** Metres. */
const LIMIT = 0.02;

describe("locomotion on the biped: a foot that stands travels less than 2 cm a step", () => {
  for (const sync of ["phase", "markers"] as const) {
    it(`at the points and between them, in step by ${sync}`, () => {
      for (const turn of [-0.65, -0.4, -0.2, 0, 0.3, 0.65]) {
        for (const speed of [1.2, 1.5, 2.1, 2.7, 3]) {
          const one = walker(POINTS, sync);
          one.graph.setFloat("turn", turn);
          one.graph.setFloat("speed", speed);
          const { worst, steps } = slide(one, 3.5, () => {});
          expect(steps).toBeGreaterThan(5);
          expect(worst, `turn ${turn}, speed ${speed}`).toBeLessThan(LIMIT);
          one.graph.dispose();
        }
      }
    });

    it(`while walking becomes running and turning, in step by ${sync}`, () => {
      const one = walker(POINTS, sync);
      const { worst, steps } = slide(one, 20, (t) => {
        one.graph.setFloat("speed", 2.1 - 0.9 * Math.cos(t * 0.7));
        one.graph.setFloat("turn", 0.6 * Math.sin(t * 0.5));
      });
      expect(steps).toBeGreaterThan(40);
      expect(worst).toBeLessThan(LIMIT);
    });
  }

  it("and the measure sees a slide: without step, the same blends slide by more", () => {
    const one = walker(POINTS, "markers");
    one.graph.setBlendSpaceSync(0, "none");
    one.graph.setFloat("speed", 2.1);
    let worst = 0;
    const held: Record<string, [number, number]> = {};
    for (let i = 0; i < 600; i++) {
      one.update(1 / 120);
      for (const side of ["l", "r"] as const) {
        const [x, y, z] = one.ball(side);
        // Low is all that can be asked when clips disagree about contacts.
        if (y > 0.035) delete held[side];
        else {
          held[side] ??= [x, z];
          worst = Math.max(worst, Math.hypot(x - held[side][0], z - held[side][1]));
        }
      }
    }
    expect(worst).toBeGreaterThan(2 * LIMIT);
  });
});
