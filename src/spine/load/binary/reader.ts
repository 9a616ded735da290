import { ArgumentError, FormatError } from "../../../errors.js";
import { EntryIndex, noteDuplicates } from "../checks.js";
import { BONE_COLOR, type AnimationDocument, type ConstraintDocument, type ConstraintType, type EventDocument, type SkeletonDocument } from "../document.js";
import { Budget, MAX_ITEMS, MAX_SKELETON_BYTES, limitError } from "../limits.js";
import type { ReadResult } from "../json/reader.js";
import { LoadReport } from "../report.js";
import { parseVersion, versionText, type FormatVersion } from "../version.js";
import { readAnimation } from "./animations.js";
import { readConstraints } from "./constraints.js";
import { BinaryInput } from "./input.js";
import { readSkins } from "./skins.js";

/**
 * Reads a skeleton in the binary format of 3.7 to 4.3.
 * @param bytes - contents of the file, which are not changed
 * @param file - name for error messages
 * @throws FormatError with a byte offset
 */
export function readBinaryDocument(bytes: Uint8Array | ArrayBuffer, file?: string): ReadResult {
  const view = bytes instanceof Uint8Array ? bytes : bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : undefined;
  if (view === undefined) {
    throw new ArgumentError(`Skeleton data is ${bytes === null ? "null" : typeof bytes}, expected the bytes of a .skel file (Uint8Array or ArrayBuffer).`, { file });
  }
  if (view.length > MAX_SKELETON_BYTES) throw limitError("The skeleton file is too large", view.length, MAX_SKELETON_BYTES, { file });
  const report = new LoadReport("binary", file);
  const reader = new BinaryReader(new BinaryInput(view, new Budget(view.length), report), report);
  reader.read();
  return { document: reader.document, report };
}

/** The state of reading one binary skeleton. */
export class BinaryReader {
  version: FormatVersion = 43;
  readonly document: SkeletonDocument = {
    hasHeader: true, hash: null, version: null, x: 0, y: 0, width: 0, height: 0, referenceScale: 100, nonessential: false,
    fps: 30, imagesPath: null, audioPath: null, bones: [], slots: [], constraints: [], skins: [], events: [], animations: [],
  };
  readonly entries = new EntryIndex(this.document);
  /** Constraints of formats below 4.3 by type; their indices count within the type. */
  readonly byType: Record<ConstraintType, ConstraintDocument[]> = { ik: [], transform: [], path: [], physics: [], slider: [] };
  /** Index of a constraint in the merged list. */
  readonly indexOf = new Map<ConstraintDocument, number>();

  constructor(
    readonly input: BinaryInput,
    readonly report: LoadReport,
  ) {}

  read(): void {
    const { input, document } = this;
    this.#readHeader();
    if (this.version >= 38) {
      const count = input.count("strings", 1);
      for (let i = 0; i < count; i++) input.strings.push(input.name("the string table"));
    }
    this.#readBones();
    this.#readSlots();
    readConstraints(this);
    readSkins(this);
    this.#readEvents();
    const animationCount = input.count("animations", 9, MAX_ITEMS);
    const animations: AnimationDocument[] = [];
    for (let i = 0; i < animationCount; i++) animations.push(readAnimation(this));
    document.animations = animations;
    for (const constraint of document.constraints) {
      if (constraint.type === "slider") constraint.animation = input.index("animation", animationCount);
    }
    if (input.remaining > 0) {
      input.fail(`${input.remaining} bytes are left over after the last value. The file is damaged or of another version than it says (${this.document.version}).`, undefined, input.remaining, "bad-format", input.at);
    }
    noteDuplicates(document, (code, message) => this.report.note(code, message));
    this.report.elements = input.budget.spent;
  }

  /** A string: inline in 3.7, a reference into the string table since. */
  text(): string | null {
    return this.version < 38 ? this.input.string() : this.input.ref();
  }

  /** A string that must be there. */
  textName(of: string): string {
    return this.version < 38 ? this.input.name(of) : this.input.refName(of);
  }

  /** Index in the merged list of constraint `index`, which counts within its type below 4.3. */
  constraint(type: ConstraintType, index: number): number {
    const { input, document } = this;
    if (this.version < 43) {
      const constraint = this.byType[type][index];
      if (constraint === undefined) input.fail(`${type} constraint ${index} does not exist, there are ${this.byType[type].length}.`, undefined, index, "missing-reference");
      return this.indexOf.get(constraint as ConstraintDocument)!;
    }
    const constraint = document.constraints[index];
    if (constraint?.type !== type) {
      const found = constraint === undefined ? "does not exist" : `is a ${constraint.type} constraint`;
      input.fail(`constraint ${index} should be a ${type} constraint, but ${found}.`, undefined, index, "missing-reference");
    }
    return index;
  }

  /** Indices of bones. */
  bones(): number[] {
    const { input } = this;
    const count = input.count("bones", 1, MAX_ITEMS);
    const list: number[] = [];
    for (let i = 0; i < count; i++) list.push(this.bone());
    return list;
  }

  bone(): number {
    return this.input.index("bone", this.document.bones.length);
  }

  slot(): number {
    return this.input.index("slot", this.document.slots.length);
  }

  #readHeader(): void {
    const { input, document, report } = this;
    const start = versionOffset(input);
    const oldHeader = start.old;
    if (oldHeader) document.hash = input.string();
    else {
      const hash = input.bytes.subarray(0, 8);
      input.at = 8;
      if (hash.some((byte) => byte !== 0)) document.hash = btoa(String.fromCharCode(...hash)).replace(/=+$/, "");
    }
    document.version = input.string();
    this.version = start.version;
    report.version = document.version;
    report.readAs = versionText(this.version);
    if (this.version < 43) report.note("upgraded", `Read as ${report.readAs} and upgraded to 4.3.`);
    if (this.version >= 38) {
      document.x = input.f32();
      document.y = input.f32();
    }
    document.width = input.f32();
    document.height = input.f32();
    if (this.version >= 42) document.referenceScale = input.f32();
    document.nonessential = input.bool();
    if (document.nonessential) {
      document.fps = input.f32();
      document.imagesPath = input.string();
      document.audioPath = input.string();
    }
  }

  #readBones(): void {
    const { input, document, version } = this;
    const count = input.count("bones", 35, MAX_ITEMS);
    for (let i = 0; i < count; i++) {
      const name = input.name("a bone");
      const parent = i === 0 ? -1 : input.index("earlier bone", i);
      const rotation = input.f32(), x = input.f32(), y = input.f32(), scaleX = input.f32(), scaleY = input.f32();
      const shearX = input.f32(), shearY = input.f32();
      let inherit = 0, length: number;
      if (version >= 43) {
        inherit = input.choice("inherit mode", 5);
        length = input.f32();
      } else {
        length = input.f32();
        inherit = version === 42 ? input.choice("inherit mode", 5) : input.index("inherit mode", 5);
      }
      const skinRequired = version >= 38 && input.bool();
      const nonessential = document.nonessential === true;
      const color = nonessential ? input.rgba() : BONE_COLOR;
      const icon = nonessential && version >= 42 ? input.string() : null;
      const iconSize = nonessential && version >= 43 ? input.f32() : 1;
      const iconRotation = nonessential && version >= 43 ? input.f32() : 0;
      const visible = nonessential && version >= 42 ? input.bool() : true;
      document.bones.push({
        name, parent, length, x, y, rotation, scaleX, scaleY, shearX, shearY, inherit, skinRequired, color, icon, iconSize, iconRotation, visible,
      });
    }
  }

  #readSlots(): void {
    const { input, document, version } = this;
    const count = input.count("slots", 12, MAX_ITEMS);
    for (let i = 0; i < count; i++) {
      const name = input.name("a slot");
      const bone = this.bone();
      const color = input.rgba();
      const dark = input.i32();
      document.slots.push({
        name,
        bone,
        color,
        dark: dark === -1 ? null : dark & 0xffffff,
        attachment: this.text(),
        blend: input.index("blend mode", 4),
        visible: document.nonessential && version >= 42 ? input.bool() : true,
      });
    }
  }

  #readEvents(): void {
    const { input, document, version } = this;
    const count = input.count("events", 7, MAX_ITEMS);
    for (let i = 0; i < count; i++) {
      const name = version >= 38 && version < 42 ? input.refName("an event") : input.name("an event");
      const event: EventDocument = {
        name, int: input.sv(), float: input.f32(), string: input.string() ?? "", audio: input.string(), volume: 1, balance: 0,
      };
      if (event.audio !== null) {
        event.volume = input.f32();
        event.balance = input.f32();
      }
      document.events.push(event);
    }
  }
}

/** Finds out which header a file has, by where its version text is. */
function versionOffset(input: BinaryInput): { old: boolean; version: FormatVersion } {
  const newer = textAt(input.bytes, 8);
  if (newer !== undefined && /^\d+\.\d/.test(newer)) {
    const version = parseVersion(newer, input.where(8));
    if (version !== undefined && version >= 40) return { old: false, version };
  }
  const hash = skipText(input.bytes, 0);
  const older = hash === undefined ? undefined : textAt(input.bytes, hash);
  if (older !== undefined && /^\d+\.\d/.test(older)) {
    const version = parseVersion(older, input.where(hash));
    if (version !== undefined && version < 40) return { old: true, version };
  }
  const first = input.bytes.find((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte < 0x80);
  const hint = first === 0x7b ? "It looks like JSON: load it with SkeletonJson." : "Check that it is a binary skeleton (.skel), complete and unchanged.";
  const code = input.bytes.length < 16 ? "truncated" : "bad-format";
  throw new FormatError(code, `${input.report.file ?? "The file"} has no Spine version where a binary skeleton has one. ${hint}`, input.where(0));
}

/** Offset behind the string at `at`. */
function skipText(bytes: Uint8Array, at: number): number | undefined {
  const length = bytes[at];
  if (length === undefined || length >= 0x80) return undefined;
  return at + Math.max(1, length);
}

/** The printable ASCII string at `at`, if there is one of 3 to 30 characters. */
function textAt(bytes: Uint8Array, at: number): string | undefined {
  const length = bytes[at];
  if (length === undefined || length < 4 || length > 31 || at + length > bytes.length) return undefined;
  const text = bytes.subarray(at + 1, at + length);
  return text.every((byte) => byte >= 0x20 && byte < 0x7f) ? String.fromCharCode(...text) : undefined;
}
