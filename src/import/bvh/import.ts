import { AnimArgumentError } from "../../anim/errors.js";
import { AnimClip } from "../../anim/rig/clip.js";
import { AnimSkeleton } from "../../anim/rig/skeleton.js";
import { axisRotation, multiplyQuaternions, type Quaternion, rotateVector } from "../angles.js";
import { type ImportReport, ReportBuilder } from "../model/report.js";
import { refusePath } from "../refuse-path.js";
import { type BvhFile, type BvhJoint, parseBvh } from "./parse.js";

export interface BvhOptions {
  /** Name of the file, for messages; also the clip's name. */
  file?: string | undefined;
  /** Multiplies all lengths. CMU conversions: 0.056444 gives metres. Default 1. */
  scale?: number | undefined;
  /** The axis that points up in the file; `"z"` is turned to +Y at the roots. Default `"y"`. */
  upAxis?: "y" | "z" | undefined;
  /** `"inPlace"` holds the roots above where they stood in the first frame. Default `"keep"`. */
  rootMotion?: "keep" | "inPlace" | undefined;
  /** Puts the bind pose before the first frame. Default false. */
  addTPoseFrame?: boolean | undefined;
  /** Whether end sites become bones named `<parent>_end`. Default true. */
  endSites?: boolean | undefined;
}

export interface BvhImport {
  skeleton: AnimSkeleton;
  clip: AnimClip;
  report: ImportReport;
}

/**
 * Reads a BVH file: a skeleton with the offsets as bind pose, and a clip that does not loop, one key per frame. Tracks
 * that never change have a single key.
 * @throws AnimFormatError with the line of what is wrong
 * @throws AnimArgumentError for options that make no sense
 */
export function importBvh(text: string, options: BvhOptions = {}): BvhImport {
  const scale = options.scale ?? 1;
  if (!(Number.isFinite(scale) && scale > 0)) throw new AnimArgumentError(`importBvh: options.scale is ${scale}, expected a number above 0.`, { found: scale });
  oneOf("upAxis", options.upAxis, ["y", "z"]);
  oneOf("rootMotion", options.rootMotion, ["keep", "inPlace"]);
  if (typeof text === "string") refusePath("importBvh", text);
  const bvh = parseBvh(text, options.file);
  const report = new ReportBuilder();
  const turn: Quaternion = options.upAxis === "z" ? axisRotation(0, -90) : [0, 0, 0, 1];
  const boneOf: number[] = [];
  const skeleton = new AnimSkeleton();
  let clip: AnimClip | undefined;
  try {
    bvh.joints.forEach((joint, j) => {
      if (joint.endSite && options.endSites === false) {
        boneOf[j] = -1;
        return;
      }
      const bone = skeleton.addBone(joint.name, joint.parent < 0 ? -1 : boneOf[joint.parent]!);
      boneOf[j] = bone;
      const offset = scaled(joint.offset, scale);
      skeleton.setBindPosition(bone, ...(joint.parent < 0 ? rotateVector(turn, offset) : offset));
      if (joint.parent < 0) skeleton.setBindRotation(bone, ...turn);
      if (/#\d+$/.test(joint.name)) report.repaired(`"${joint.name}" was renamed, because the file has the name twice`);
    });
    clip = new AnimClip(clipName(options.file));
    fillClip(clip, bvh, boneOf, scale, turn, options);
  } catch (error) {
    skeleton.dispose();
    clip?.dispose();
    throw error;
  }
  return { skeleton, clip, report: report.finish() };
}

function fillClip(clip: AnimClip, bvh: BvhFile, boneOf: readonly number[], scale: number, turn: Quaternion, options: BvhOptions): void {
  const lead = options.addTPoseFrame === true ? 1 : 0;
  const frames = bvh.frameCount + lead;
  clip.setLoop(false);
  clip.setSampleRate(1 / bvh.frameTime);
  bvh.joints.forEach((joint, j) => {
    if (boneOf[j]! < 0) return;
    addPositions(clip, bvh, joint, boneOf[j]!, scale, turn, lead, options.rootMotion === "inPlace");
    addRotations(clip, bvh, joint, boneOf[j]!, turn, lead);
  });
  clip.setDuration(Math.max(0, frames - 1) * bvh.frameTime);
}

function addPositions(clip: AnimClip, bvh: BvhFile, joint: BvhJoint, bone: number, scale: number, turn: Quaternion, lead: number, inPlace: boolean): void {
  if (bvh.frameCount === 0 || !joint.channels.some((channel) => channel.kind === "position")) return;
  const isRoot = joint.parent < 0;
  const rows: [number, number, number][] = lead === 1 ? [placed(joint.offset)] : [];
  for (let f = 0; f < bvh.frameCount; f++) {
    const p: [number, number, number] = [...joint.offset];
    joint.channels.forEach((channel, c) => {
      if (channel.kind === "position") p[channel.axis] = bvh.values[f * bvh.channelCount + joint.firstChannel + c]!;
    });
    rows.push(placed(p));
  }
  if (isRoot && inPlace) {
    const first = rows[lead]!;
    for (const row of rows) [row[0], row[2]] = [first[0], first[2]];
  }
  const constant = rows.every((row) => row.every((v, i) => v === rows[0]![i]));
  setKeys(clip, bone, "position", constant ? rows.slice(0, 1) : rows, bvh.frameTime);

  function placed(p: readonly [number, number, number]): [number, number, number] {
    const lengths = scaled(p, scale);
    return isRoot ? rotateVector(turn, lengths) : lengths;
  }
}

function addRotations(clip: AnimClip, bvh: BvhFile, joint: BvhJoint, bone: number, turn: Quaternion, lead: number): void {
  if (bvh.frameCount === 0 || !joint.channels.some((channel) => channel.kind === "rotation")) return;
  const start: Quaternion = joint.parent < 0 ? turn : [0, 0, 0, 1];
  const rows: Quaternion[] = lead === 1 ? [[...start]] : [];
  let previous: Quaternion = start;
  for (let f = 0; f < bvh.frameCount; f++) {
    // Channels multiply in the order they are listed: "Zrotation Xrotation Yrotation" is Rz · Rx · Ry.
    let q: Quaternion = start;
    joint.channels.forEach((channel, c) => {
      if (channel.kind === "rotation") q = multiplyQuaternions(q, axisRotation(channel.axis, bvh.values[f * bvh.channelCount + joint.firstChannel + c]!));
    });
    if (q[0] * previous[0] + q[1] * previous[1] + q[2] * previous[2] + q[3] * previous[3] < 0) q = q.map((v) => -v) as Quaternion;
    previous = q;
    rows.push(q);
  }
  const constant = rows.every((row) => row.every((v, i) => v === rows[0]![i]));
  setKeys(clip, bone, "rotation", constant ? rows.slice(0, 1) : rows, bvh.frameTime);
}

function setKeys(clip: AnimClip, bone: number, channel: "position" | "rotation", rows: readonly (readonly number[])[], frameTime: number): void {
  clip.setTrackKeys(bone, channel, rows.map((_, f) => f * frameTime), rows.flat());
}

function scaled(p: readonly [number, number, number], scale: number): [number, number, number] {
  return [p[0] * scale, p[1] * scale, p[2] * scale];
}

function clipName(file: string | undefined): string {
  const name = (file ?? "").replace(/^.*[/\\]/, "").replace(/\.bvh$/i, "");
  return name === "" ? "bvh" : name;
}

function oneOf(name: string, value: string | undefined, allowed: readonly string[]): void {
  if (value !== undefined && !allowed.includes(value)) {
    throw new AnimArgumentError(`importBvh: options.${name} is ${JSON.stringify(value)}, expected ${allowed.map((a) => `"${a}"`).join(" or ")}.`, { found: value });
  }
}
