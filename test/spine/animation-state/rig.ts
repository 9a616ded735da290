import { AnimationState, AnimationStateData, type AnimationStateListener, type AnimationStateOptions } from "../../../src/spine/animation-state/index.js";
import type { SkeletonData } from "../../../src/spine/data/skeleton-data.js";
import { Skeleton } from "../../../src/spine/model/skeleton.js";
import { loadWithoutAtlas } from "../paths.js";

const mesh = { type: "mesh", uvs: [0, 0, 1, 0, 1, 1], triangles: [0, 1, 2], vertices: [0, 0, 10, 0, 10, 10], hull: 3 };
const region = { type: "region", width: 4, height: 4 };
const events = [{ time: 0, name: "first" }, { time: 0.5, name: "middle" }, { time: 1, name: "last" }];

/** A small rig whose setup rotation of bone "arm" is 10. */
export const RIG = {
  skeleton: { spine: "4.3.00" },
  bones: [{ name: "root" }, { name: "arm", parent: "root", rotation: 10 }, { name: "leg", parent: "root", x: 3 }],
  slots: [
    { name: "hand", bone: "arm", attachment: "open" }, { name: "skin", bone: "leg" }, { name: "foot", bone: "leg", attachment: "foot" },
  ],
  constraints: [{ type: "ik", name: "reach", bones: ["arm"], target: "leg", mix: 0.5, bendPositive: true }],
  skins: [{ name: "default", attachments: { hand: { open: region, fist: region }, skin: { mesh, other: mesh }, foot: { foot: region } } }],
  events: { first: {}, middle: {}, last: {} },
  animations: {
    forty: { bones: { arm: { rotate: [{ value: 40 }] } } },
    hundred: { bones: { arm: { rotate: [{ value: 100 }] } } },
    sweep: { bones: { arm: { rotate: [{ value: 0 }, { time: 1, value: 90 }] } }, events },
    steps: { bones: { leg: { translate: [{ x: 8, y: 4 }, { time: 1, x: 8, y: 4 }] } } },
    beat: { events },
    other: { events: [{ time: 0.25, name: "middle" }, { time: 1, name: "last" }] },
    nothing: {},
    fist: { slots: { hand: { attachment: [{ name: "fist" }] } } },
    order: { drawOrder: [{ offsets: [{ slot: "hand", offset: 2 }] }] },
    folder: { drawOrderFolder: [{ slots: ["hand", "skin"], keys: [{ offsets: [{ slot: "hand", offset: 1 }] }, { time: 1 }] }] },
    inherit: { bones: { arm: { inherit: [{ inherit: "onlyTranslation" }] } } },
    reach: { ik: { reach: [{ mix: 1, bendPositive: false }] } },
    bulge: { slots: { skin: { attachment: [{ name: "mesh" }] } }, attachments: { default: { skin: { mesh: { deform: [{ vertices: [1, 1, 1, 1, 1, 1] }] } } } } },
    dent: { slots: { skin: { attachment: [{ name: "mesh" }] } }, attachments: { default: { skin: { mesh: { deform: [{ vertices: [-3, -3, -3, -3, -3, -3] }] } } } } },
    flash: { bones: { arm: { rotate: [{ value: 50 }, { time: 0.1, value: 50 }] } }, events: [{ time: 0, name: "first" }] },
    turn: { bones: { arm: { rotate: [{ value: 100 }, { time: 1, value: 240 }] } } },
  },
};

export interface Player {
  data: SkeletonData;
  state: AnimationState;
  skeleton: Skeleton;
  /** What happened, as "type animation" or "event name". */
  log: string[];
  /** update and apply. */
  frame(delta: number, count?: number): void;
  rotation(): number;
  dispose(): void;
}

/** A listener that notes what it is told. */
export function noting(log: string[], prefix = ""): AnimationStateListener {
  return {
    start: (entry) => log.push(`${prefix}start ${entry.animation!.name}`),
    interrupt: (entry) => log.push(`${prefix}interrupt ${entry.animation!.name}`),
    end: (entry) => log.push(`${prefix}end ${entry.animation!.name}`),
    dispose: (entry) => log.push(`${prefix}dispose ${entry.animation!.name}`),
    complete: (entry) => log.push(`${prefix}complete ${entry.animation!.name}`),
    event: (_entry, event) => log.push(`${prefix}event ${event.data.name}`),
  };
}

const loaded = { data: undefined as SkeletonData | undefined };

/** A state and a skeleton of the rig. */
export function player(options?: AnimationStateOptions, mix = 0): Player {
  const data = (loaded.data ??= loadWithoutAtlas(RIG));
  const stateData = new AnimationStateData(data);
  stateData.defaultMix = mix;
  const state = new AnimationState(stateData, options);
  const skeleton = new Skeleton(data);
  skeleton.setupPose();
  const log: string[] = [];
  state.addListener(noting(log));
  return {
    data,
    state,
    skeleton,
    log,
    frame: (delta, count = 1) => {
      for (let i = 0; i < count; i++) {
        state.update(delta);
        state.apply(skeleton);
      }
    },
    rotation: () => skeleton.findBone("arm")!.pose.rotation,
    dispose: () => {
      state.dispose();
      skeleton.dispose();
    },
  };
}
