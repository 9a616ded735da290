import { ArgumentError } from "../../../errors.js";
import { Animation } from "../../animation.js";
import { BoneData } from "../../data/bone-data.js";
import { EventData } from "../../data/event-data.js";
import { SkeletonData } from "../../data/skeleton-data.js";
import { SlotData } from "../../data/slot-data.js";
import { Color } from "../../utils/color.js";
import type { AttachmentLoader } from "../attachment-loader.js";
import type { SkeletonDocument } from "../document.js";
import { SinglePool } from "../number-pool.js";
import type { LoadReport } from "../report.js";
import { buildSkins } from "./attachments.js";
import { buildConstraints, linkSliders } from "./constraints.js";
import { buildTimeline, type TimelineContext } from "./timelines.js";
import type { Timeline } from "../../timelines/index.js";

const f32 = Math.fround;

/**
 * Makes skeleton data of a document that a reader has validated.
 * @param scale - not 0; see the format's list of what it multiplies
 * @throws FormatError `missing-region` if the attachment loader finds regions missing and does not allow it
 */
export function buildSkeleton(document: SkeletonDocument, loader: AttachmentLoader, scale: number, report: LoadReport): SkeletonData {
  if (!(Number.isFinite(scale) && scale !== 0)) throw new ArgumentError(`scale is ${scale}, expected a finite number other than 0.`, { found: scale });
  const data = new SkeletonData();
  data.version = document.version;
  data.hash = document.hash;
  data.x = f32(document.x);
  data.y = f32(document.y);
  data.width = f32(document.width);
  data.height = f32(document.height);
  data.referenceScale = document.hasHeader ? f32(document.referenceScale * scale) : document.referenceScale;
  data.fps = f32(document.fps);
  data.imagesPath = document.imagesPath;
  data.audioPath = document.audioPath;
  buildBones(document, data, scale);
  buildSlots(document, data);
  buildConstraints(document, data, scale);
  buildSkins(document, data, loader, scale, report);
  buildEvents(document, data);

  const context: TimelineContext = {
    document,
    data,
    scale,
    frames: new SinglePool(),
  };
  for (const source of document.animations) {
    const timelines: Timeline[] = [];
    for (const item of source.timelines) {
      const timeline = buildTimeline(item, context);
      if (timeline === undefined) report.note("left-out", `A timeline of animation '${source.name}' is left out with its attachment.`);
      else timelines.push(timeline);
    }
    const animation = new Animation(source.name, timelines);
    Color.rgba8888ToColor(animation.color, source.color);
    data.animations.push(animation);
  }
  linkSliders(document, data);
  return data;
}

function buildBones(document: SkeletonDocument, data: SkeletonData, scale: number): void {
  document.bones.forEach((source, i) => {
    const bone = new BoneData(i, source.name, source.parent < 0 ? null : data.bones[source.parent]!);
    const setup = bone.setupPose;
    bone.length = f32(source.length * scale);
    setup.x = f32(source.x * scale);
    setup.y = f32(source.y * scale);
    setup.rotation = f32(source.rotation);
    setup.scaleX = f32(source.scaleX);
    setup.scaleY = f32(source.scaleY);
    setup.shearX = f32(source.shearX);
    setup.shearY = f32(source.shearY);
    setup.inherit = source.inherit;
    bone.skinRequired = source.skinRequired;
    Color.rgba8888ToColor(bone.color, source.color);
    if (source.icon !== null) bone.icon = source.icon;
    bone.iconSize = f32(source.iconSize);
    bone.iconRotation = f32(source.iconRotation);
    bone.visible = source.visible;
    data.bones.push(bone);
  });
}

function buildSlots(document: SkeletonDocument, data: SkeletonData): void {
  document.slots.forEach((source, i) => {
    const slot = new SlotData(i, source.name, data.bones[source.bone]!);
    Color.rgba8888ToColor(slot.setupPose.color, source.color);
    if (source.dark !== null) {
      const dark = new Color(0, 0, 0, 1);
      Color.rgb888ToColor(dark, source.dark);
      slot.setupPose.darkColor = dark;
    }
    slot.attachmentName = source.attachment;
    slot.blendMode = source.blend;
    slot.visible = source.visible;
    data.slots.push(slot);
  });
}

function buildEvents(document: SkeletonDocument, data: SkeletonData): void {
  for (const source of document.events) {
    const event = new EventData(source.name);
    const setup = event.setupPose;
    setup.intValue = source.int;
    setup.floatValue = source.float;
    setup.stringValue = source.string;
    event.audioPath = source.audio;
    setup.volume = source.volume;
    setup.balance = source.balance;
    data.events.push(event);
  }
}
