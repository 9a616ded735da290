import { AnimClip, AnimGraph, AnimSkeleton, AnimStateMachine } from "../../../src/anim/index.js";
import { randomQuaternion, seeded } from "../rig/golden.js";

/** A skeleton of seven bones and clips that turn all of them; `clipN` is 1 + N / 8 seconds long. */
export function cast(clipCount = 6): { skeleton: AnimSkeleton; clips: AnimClip[]; find: (name: string) => AnimClip | undefined } {
  const random = seeded(5), skeleton = new AnimSkeleton();
  for (let i = 0; i < 7; i++) skeleton.addBone(`bone${i}`, i - 1);
  const clips = Array.from({ length: clipCount }, (_, c) => {
    const clip = new AnimClip(`clip${c}`), duration = 1 + c / 8;
    for (let bone = 0; bone < 7; bone++) for (let k = 0; k <= 8; k++) clip.addRotationKey(bone, (k / 8) * duration, ...randomQuaternion(random));
    for (let k = 0; k <= 8; k++) clip.addPositionKey(0, (k / 8) * duration, random(), random(), random());
    clip.setDuration(duration);
    clip.addEvent(duration / 3, `event${c}`);
    clip.addSyncMarker(0.1 + c * 0.02, "left");
    clip.addSyncMarker(0.55 + c * 0.05, "right");
    return clip;
  });
  return { skeleton, clips, find: (name) => clips.find((clip) => clip.getName() === name) };
}

/** The ten numbers of every bone of a pose. */
export function numbersOf(source: { getPose(): AnimGraph["getPose"] extends () => infer P ? P : never }): number[] {
  const pose = source.getPose(), out: number[] = [];
  for (let bone = 0; bone < pose.getBoneCount(); bone++) {
    out.push(
      pose.getLocalPositionX(bone), pose.getLocalPositionY(bone), pose.getLocalPositionZ(bone), pose.getLocalRotationX(bone),
      pose.getLocalRotationY(bone), pose.getLocalRotationZ(bone), pose.getLocalRotationW(bone));
  }
  return out;
}

export type Parts = ReturnType<typeof cast>;

/** A graph with every kind of node. */
export function everyNode({ skeleton, clips }: Parts): { graph: AnimGraph; line: number; plane: number; shot: number; inertial: number; smooth: number; layer: number } {
  const graph = new AnimGraph(skeleton), line = graph.addBlendSpace1D(), plane = graph.addBlendSpace2D();
  graph.addBlendSpace1DPoint(line, 0, graph.addClip(clips[0]!));
  graph.addBlendSpace1DPoint(line, 1, graph.addClip(clips[1]!));
  graph.setBlendSpaceSync(line, "markers");
  for (const [i, [x, y]] of [[0, 0], [1, 0], [0, 1], [1, 1]].entries()) graph.addBlendSpace2DPoint(plane, x!, y!, graph.addClip(clips[i + 1]!));
  const blend = graph.addBlend(line, plane, 0.4), layer = graph.addLayer(blend, graph.addClip(clips[5]!), 0.7);
  graph.setBoneMask(layer, 3, 0.5, true);
  const shot = graph.addOneShot(layer, graph.addClip(clips[2]!), 0.1, 0.2), inertial = graph.addOneShot(shot, graph.addClip(clips[3]!), 0.15, 0.2);
  graph.setOneShotMode(inertial, "inertial");
  const sum = graph.addAdditive(inertial, graph.addClip(clips[4]!), 0.3);
  graph.setAdditiveReference(sum, "bind");
  const smooth = graph.addInertialize(sum);
  graph.addParameter("speed", 0.25);
  graph.addParameter("turn", 0.5);
  graph.bindPosition1D(line, "speed");
  graph.bindPosition2D(plane, "turn", "speed");
  return { graph, line, plane, shot, inertial, smooth, layer };
}

/** A machine with every kind of state and transition. */
export function everyState(parts: Parts): AnimStateMachine {
  const { skeleton, clips } = parts, machine = new AnimStateMachine(skeleton), inner = new AnimStateMachine(skeleton), { graph } = everyNode(parts);
  inner.addState("up", clips[0]!);
  inner.addState("down", clips[1]!);
  inner.setExitTime(inner.addTransition("up", "down", 0.2), 0.5);
  inner.addTriggerCondition(inner.addTransition("down", "up", 0.1), "again");
  inner.setExit("down");
  machine.addStateFromGraph("move", graph);
  machine.addStateFromMachine("air", inner);
  machine.addState("idle", clips[2]!);
  machine.addStateFromBlendSpace1D("line", "speed", [{ x: 0, clip: clips[3]! }, { x: 1, clip: clips[4]! }]);
  machine.setExitTime(machine.addTransition("move", "air", 0.3), 0.8);
  machine.setExitTime(machine.addTransition("air", "idle", 0.25), 1);
  machine.setExitTime(machine.addTransition("idle", "line", 0.3), 0.25);
  machine.setTransitionMode(2, "inertial");
  machine.addFloatCondition(machine.addTransition("line", "move", 0.4), "speed", ">", 0.1);
  machine.setTransitionMode(3, "frozen");
  machine.setExitTime(3, 0.5);
  machine.addTriggerCondition(machine.addTransition("*", "idle", 0.5), "stop");
  machine.addTriggerCondition(machine.addTransition("idle", "idle", 0.3), "again");
  for (const id of [0, 1, 4]) machine.setInterruptible(id, "both");
  graph.dispose();
  inner.dispose();
  return machine;
}
