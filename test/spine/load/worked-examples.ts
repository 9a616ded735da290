/** Small hand-made skeletons with known results. */

export const CURVES = {
  skeleton: { hash: "AAAAAAAAAAE", spine: "4.3.13", x: -8, y: 0, width: 16, height: 40 },
  bones: [
    { name: "root" },
    { name: "arm", parent: "root", length: 40, x: 3, y: 5, rotation: 30, scaleX: 2, inherit: "noScale" },
  ],
  slots: [
    { name: "arm-slot", bone: "arm", attachment: "card", color: "ff8000c0", dark: "102030", blend: "additive" },
  ],
  skins: [
    { name: "default", attachments: { "arm-slot": {
      card: { x: 10, y: -4, rotation: 90, scaleX: 0.5, width: 16, height: 8, color: "80ff00" },
    } } },
  ],
  animations: { wave: { bones: { arm: {
    rotate: [
      { curve: [0.25, 0, 0.75, 90] },
      { time: 1, value: 90, curve: "stepped" },
      { time: 1.5, value: -30 },
    ],
    translate: [
      { x: 2, curve: [0.5, 2, 1, 6, 0.5, 0, 1, -8] },
      { time: 2, x: 6, y: -8 },
    ],
    scalex: [{ time: 0.5, value: 1.5 }, { time: 1 }],
  } } } },
};

export const CONSTRAINTS = {
  skeleton: { spine: "4.3.13", referenceScale: 80 },
  bones: [
    { name: "root" },
    { name: "a", parent: "root", length: 10 },
    { name: "b", parent: "a", length: 10, x: 10 },
    { name: "t", parent: "root", x: 15 },
  ],
  slots: [{ name: "track", bone: "root", attachment: "curve" }],
  constraints: [
    { type: "ik", name: "reach", bones: ["a", "b"], target: "t", bendPositive: false, softness: 6, stretch: true, scaleY: "volume" },
    { type: "transform", name: "look", bones: ["a"], source: "t", localSource: true, clamp: true,
      properties: {
        x: { offset: 4, to: { rotate: { offset: -10, max: 50, scale: 3 }, y: { max: 20 } } },
        rotate: { to: {} },
      }, x: 7, rotation: 12 },
    { type: "transform", name: "onlyY", bones: ["b"], source: "t", properties: { y: { to: { y: {} } } } },
    { type: "path", name: "follow", bones: ["b"], slot: "track", positionMode: "fixed", position: 9, spacing: 4, mixX: 0.25 },
    { type: "physics", name: "jiggle", bone: "b", rotate: 1, scaleX: 0.5, scaleY: "uniform", mass: 4, fps: 30, windGlobal: true },
    { type: "slider", name: "dial", animation: "spin", bone: "t", property: "x", from: 2, to: 0.5, scale: 0.1, max: 3, loop: true },
    { type: "slider", name: "timer", animation: "spin", time: 0.75, mix: 0.5, additive: true, skin: true },
  ],
  skins: [
    { name: "default", attachments: { track: { curve: { type: "path", vertexCount: 6, lengths: [30, 60],
      vertices: [-10, 0, 0, 0, 10, 0, 20, 0, 30, 0, 40, 0] } } } },
    { name: "extra", bones: ["t"], ik: ["reach"], slider: ["timer"] },
  ],
  animations: { spin: { bones: { b: { rotate: [{}, { time: 2, value: 360 }] } } } },
};

export const ATTACHMENTS = {
  skeleton: { spine: "4.3.13" },
  bones: [{ name: "root" }, { name: "tip", parent: "root", x: 8 }],
  slots: [{ name: "front", bone: "root", attachment: "flag" }, { name: "back", bone: "tip" }],
  skins: [
    { name: "default", attachments: {
      front: {
        flag: { type: "mesh", path: "card", hull: 3, width: 16, height: 8,
          uvs: [0, 1, 1, 1, 0.5, 0], triangles: [0, 1, 2],
          vertices: [1, 0, -8, 0, 1, 2, 0, 8, 0, 0.25, 1, 0, 0, 0.75, 1, 1, 0, 6, 1] },
      },
      back: {
        flag: { type: "linkedmesh", path: "card", source: "flag", slot: "front" },
        steps: { path: "walk", width: 12, height: 10, sequence: { count: 2, start: 7, digits: 2, setup: 1 } },
        dot: { type: "point", x: 1, y: 2, rotation: 45 },
        hit: { type: "boundingbox", vertexCount: 3, vertices: [0, 0, 4, 0, 0, 4] },
        mask: { type: "clipping", end: "back", inverse: true, vertexCount: 3, vertices: [0, 0, 4, 0, 0, 4] },
      },
    } },
  ],
};

export const TIMELINES = {
  skeleton: { spine: "4.3.13" },
  bones: [{ name: "root" }],
  slots: [
    { name: "s0", bone: "root", attachment: "tri", dark: "000000" },
    { name: "s1", bone: "root" }, { name: "s2", bone: "root" }, { name: "s3", bone: "root" }, { name: "s4", bone: "root" },
  ],
  constraints: [
    { type: "physics", name: "p", bone: "root", windGlobal: true },
    { type: "slider", name: "sl", animation: "quiet" },
  ],
  skins: [{ name: "default", attachments: { s0: { tri: { type: "boundingbox", vertexCount: 3, vertices: [0, 0, 10, 0, 0, 10] } } } }],
  events: { step: { int: 3, string: "left" }, boom: { audio: "boom.ogg", volume: 0.8, balance: -0.5 } },
  animations: {
    quiet: {},
    busy: {
      slots: { s0: {
        rgba2: [{ light: "ff0000ff", dark: "000000", curve: "stepped" }, { time: 1, light: "00ff0080", dark: "0000ff" }],
        attachment: [{ time: 0.5 }, { time: 1, name: "tri" }] } },
      physics: { "": { wind: [{}, { time: 1, value: 5 }] }, p: { mix: [{}], reset: [{}, { time: 0.5 }] } },
      slider: { sl: { time: [{}, { time: 2, value: 3 }] } },
      attachments: { default: { s0: { tri: {
        deform: [{}, { time: 0.5, offset: 2, vertices: [1, -1], curve: [0.6, 0.1, 0.9, 0.9] }, { time: 1, vertices: [1, 2, 3, 4, 5, 6] }] } } } },
      drawOrder: [{ time: 0.25, offsets: [{ slot: "s0", offset: 2 }, { slot: "s3", offset: -2 }] }, { time: 0.5 }],
      drawOrderFolder: [{ slots: ["s1", "s2", "s4"], keys: [{ offsets: [{ slot: "s4", offset: -2 }] }, { time: 1 }] }],
      events: [{ name: "step" }, { time: 0.4, name: "step", int: 9, string: "right" }, { time: 0.4, name: "boom", volume: 0.25 }],
    },
  },
};

export const TINY = {
  skeleton: { hash: "AAAAAAAAAAE", spine: "4.3.13", x: -8, y: 0, width: 16, height: 40 },
  bones: [
    { name: "root" },
    { name: "arm", parent: "root", length: 40, x: 3, y: 5, rotation: 30, scaleX: 2, inherit: "noScale" },
  ],
  slots: [
    { name: "s0", bone: "arm", color: "ff8000c0", dark: "102030", attachment: "card", blend: "additive" },
    { name: "s1", bone: "root" },
  ],
  constraints: [
    { type: "ik", name: "ik", bones: ["arm"], target: "root", mix: 0.5, scaleY: "uniform" },
    { type: "slider", name: "dial", animation: "wave", loop: true, bone: "arm", property: "rotate", from: 10, to: 0.25, scale: 0.125 },
  ],
  skins: [{ name: "default", attachments: { s0: { card: { x: 10, y: -4, scaleX: 0.5, width: 16, height: 8 } } } }],
  events: { hit: { int: -3 } },
  animations: { wave: {
    slots: { s1: { alpha: [{ value: 1, curve: "stepped" }, { time: 1, value: 0.2 }] } },
    bones: { arm: { rotate: [{ curve: [0.25, 0, 0.75, 90] }, { time: 1, value: 90 }] } },
    drawOrder: [{ time: 0.5, offsets: [{ slot: "s1", offset: -1 }] }],
    events: [{ time: 0.5, name: "hit", int: 300, float: 1.5 }],
  } },
};

export const OLD = {
  skeleton: { hash: "abc", spine: "3.8.99" },
  bones: [
    { name: "root" },
    { name: "a", parent: "root", length: 10, rotation: 5, transform: "noScale" },
    { name: "t", parent: "root", x: 20, rotation: 30 },
    { name: "g", parent: "root", x: 1 },
  ],
  slots: [{ name: "s", bone: "a", attachment: "box" }],
  ik: [{ name: "reach", order: 1, bones: ["a"], target: "t", mix: 0.5, uniform: true }],
  transform: [{ name: "copy", order: 0, bones: ["g"], target: "t", rotation: 4, rotateMix: 0.5, translateMix: 0.25, scaleMix: 0, shearMix: 0 }],
  skins: [{ name: "default", attachments: { s: { box: { type: "boundingbox", vertexCount: 3, vertices: [0, 0, 10, 0, 0, 10] } } } }],
  animations: { turn: {
    slots: { s: { color: [{ color: "ff0000ff", curve: 0.25, c3: 0.75 }, { time: 2, color: "00ff00ff" }] } },
    bones: { a: {
      rotate: [{ angle: 170, curve: 0.25, c2: 0, c3: 0.75, c4: 1 }, { time: 1, angle: -170, curve: "stepped" }, { time: 2, angle: 20 }],
      translate: [{ x: 1, y: 2, curve: 0.5, c2: 0.25 }, { time: 2, x: 5, y: -2 }],
    } },
    transform: { copy: [{ rotateMix: 0, translateMix: 0.25 }, { time: 2, rotateMix: 0.5 }] },
    deform: { default: { s: { box: [{ curve: 0.25, c3: 0.75 }, { time: 2, offset: 2, vertices: [4, -4] }] } } },
  } },
};

export const UPGRADED = {
  skeleton: { hash: "abc", spine: "3.8.99" },
  bones: [
    { name: "root" },
    { name: "a", parent: "root", length: 10, rotation: 5, inherit: "noScale" },
    { name: "t", parent: "root", x: 20, rotation: 30 },
    { name: "g", parent: "root", x: 1 },
  ],
  slots: [{ name: "s", bone: "a", attachment: "box" }],
  constraints: [
    { type: "transform", name: "copy", bones: ["g"], source: "t", rotation: 4,
      mixRotate: 0.5, mixX: 0.25, mixY: 0.25, mixScaleX: 0, mixScaleY: 0, mixShearY: 0,
      properties: { rotate: { to: { rotate: { max: 100 } } }, x: { to: { x: { max: 100 } } }, y: { to: { y: { max: 100 } } },
        scaleX: { to: { scaleX: { max: 100 } } }, scaleY: { to: { scaleY: { max: 100 } } }, shearY: { to: { shearY: { max: 100 } } } } },
    { type: "ik", name: "reach", bones: ["a"], target: "t", mix: 0.5, scaleY: "uniform" },
  ],
  skins: [{ name: "default", attachments: { s: { box: { type: "boundingbox", vertexCount: 3, vertices: [0, 0, 10, 0, 0, 10] } } } }],
  animations: { turn: {
    slots: { s: { rgba: [{ color: "ff0000ff", curve: [0.5, 1, 1.5, 0, 0.5, 0, 1.5, 1, 0.5, 0, 1.5, 0, 0.5, 1, 1.5, 1] }, { time: 2, color: "00ff00ff" }] } },
    bones: { a: {
      rotate: [{ value: 170, curve: [0.25, 170, 0.75, 190] }, { time: 1, value: 190, curve: "stepped" }, { time: 2, value: 20 }],
      translate: [{ x: 1, y: 2, curve: [1, 2, 2, 5, 1, 1, 2, -2] }, { time: 2, x: 5, y: -2 }],
    } },
    transform: { copy: [
      { mixRotate: 0, mixX: 0.25, mixY: 0.25, mixScaleX: 1, mixScaleY: 1, mixShearY: 1 },
      { time: 2, mixRotate: 0.5, mixX: 1, mixY: 1, mixScaleX: 1, mixScaleY: 1, mixShearY: 1 }] },
    attachments: { default: { s: { box: { deform: [{ curve: [0.5, 0, 1.5, 1] }, { time: 2, offset: 2, vertices: [4, -4] }] } } } },
  } },
};

export const SHEET_ATLAS = `sheet.png
size: 64, 32
filter: Linear, Linear
card
bounds: 0, 0, 16, 8
walk07
bounds: 16, 0, 10, 6
offsets: 1, 2, 12, 10
rotate: 90
walk08
bounds: 32, 0, 12, 10
`;

/** The bytes of TINY, with one more entry in the string table. */
export const TINY_BYTES =
  "000000000000000107342e332e3133c100000000000000418000004220000042" +
  "c800000002056361726403c3a90205726f6f740000000000000000000000003f" +
  "8000003f80000000000000000000000000000000000461726d0041f000004040" +
  "000040a00000400000003f800000000000000000000003422000000002037330" +
  "01ff8000c000102030010103733100ffffffffffffffff00000203696b000101" +
  "0062013f000000056469616c04520141200000003e8000003e00000001000101" +
  "0041200000c08000003f0000003f800000418000004100000000010468697405" +
  "0000000001000105776176650401010105020000000000ff3f80000033010101" +
  "0100020100000000000000003f80000042b40000023e800000000000003f4000" +
  "0042b40000000000000000013f0000000101ffffffff0f00013f00000000d804" +
  "3fc000000000";
