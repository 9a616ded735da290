// Makes the built-in character: one atlas page, its atlas text and a skeleton in the 4.3 JSON format.
import { createHash } from "node:crypto";
import { encode } from "fast-png";
import { blink, mood } from "./animations/blink.mjs";
import { idle } from "./animations/idle.mjs";
import { jump } from "./animations/jump.mjs";
import { run } from "./animations/run.mjs";
import { walk } from "./animations/walk.mjs";
import { wave } from "./animations/wave.mjs";
import { packPage } from "./pack.mjs";
import { bonesSection } from "./rig/bones.mjs";
import { constraintsSection } from "./rig/constraints.mjs";
import { drawPictures } from "./rig/pictures.mjs";
import { skinsSection, slotsSection } from "./rig/skins.mjs";

/** Name of the character, its folder and its files. */
export const CHARACTER = "fennel";
const PAGE_WIDTH = 1024, PAGE_HEIGHT = 1024;

const EVENTS = { footstep: { string: "soft" }, jump: {}, hello: {} };

/** The skeleton as an object, from the drawn pictures. */
export function makeSkeleton(pictures) {
  const sections = {
    bones: bonesSection(),
    slots: slotsSection(),
    constraints: constraintsSection(),
    skins: skinsSection(pictures),
    events: EVENTS,
    animations: { idle: idle(), walk: walk(), run: run(), jump: jump(), wave: wave(), blink: blink(), mood: mood() },
  };
  const hash = createHash("sha256").update(JSON.stringify(sections)).digest("base64").slice(0, 11);
  return { skeleton: { hash, spine: "4.3.00", x: -195, y: -12, width: 335, height: 568, referenceScale: 100, images: "", audio: "" }, ...sections };
}

/** All files of the character: [file name, string or bytes]. The same bytes on every run. */
export function generate() {
  const pictures = drawPictures();
  const page = packPage(pictures, `${CHARACTER}.png`, PAGE_WIDTH, PAGE_HEIGHT);
  const png = encode({ width: page.width, height: page.height, channels: 4, depth: 8, data: page.data });
  return { pictures, page, skeleton: makeSkeleton(pictures), png };
}

/** JSON with one bone, slot, constraint, attachment or timeline a line: small, and readable in a diff. */
export function skeletonText(skeleton) {
  const lines = (value, depth) => {
    if (depth === 0 || value === null || typeof value !== "object" || JSON.stringify(value).length < 120) return JSON.stringify(value);
    const open = Array.isArray(value) ? "[" : "{", close = Array.isArray(value) ? "]" : "}";
    const inner = Array.isArray(value)
      ? value.map((item) => lines(item, depth - 1))
      : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}:${lines(item, depth - 1)}`);
    return `${open}\n${inner.join(",\n")}\n${close}`;
  };
  return `${lines(skeleton, 7)}\n`;
}
