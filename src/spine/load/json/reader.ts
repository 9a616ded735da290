import { ArgumentError, FormatError } from "../../../errors.js";
import { CONSTRAINT_TYPES, EntryIndex, checkLinks, noteDuplicates, type PendingLink } from "../checks.js";
import {
  BLEND_NAMES,
  BONE_COLOR,
  INHERIT_NAMES,
  SKIN_COLOR,
  WHITE,
  type BoneDocument,
  type ConstraintType,
  type SkeletonDocument,
  type SkinDocument,
  type SlotDocument,
} from "../document.js";
import { Budget, MAX_ITEMS, MAX_SKELETON_BYTES, limitError } from "../limits.js";
import { LoadReport } from "../report.js";
import { parseVersion, versionText, type FormatVersion } from "../version.js";
import { readAnimation } from "./animations.js";
import { readAttachment } from "./attachments.js";
import { readConstraints } from "./constraints.js";
import { guessVersion } from "./guess-version.js";
import { JsonSource, type JsonObject } from "./source.js";

/** What a reader produces. */
export interface ReadResult {
  document: SkeletonDocument;
  report: LoadReport;
}

/**
 * Reads a skeleton in JSON of 3.7 to 4.3.
 * @param json - text, or the parsed object, which is not changed
 * @param file - name for error messages
 * @throws FormatError with a JSON pointer
 */
export function readJsonDocument(json: string | object, file?: string): ReadResult {
  const report = new LoadReport("json", file);
  let root: unknown = json;
  if (typeof json === "string") {
    if (json.length > MAX_SKELETON_BYTES) throw limitError("The JSON text is too long", json.length, MAX_SKELETON_BYTES, { file });
    try {
      root = JSON.parse(json.charCodeAt(0) === 0xfeff ? json.slice(1) : json);
    } catch (cause) {
      throw new FormatError(
        "bad-format",
        `${file === undefined ? "The text" : file} is not JSON: ${(cause as Error).message}. If it is a binary export (.skel), load it with SkeletonBinary.`,
        { file, cause },
      );
    }
  }
  if (typeof root !== "object" || root === null || Array.isArray(root)) {
    throw new ArgumentError(`Skeleton data is ${root === null ? "null" : Array.isArray(root) ? "an array" : typeof root}, expected the text or the object of a JSON export.`, { file });
  }
  const reader = new JsonReader(new JsonSource(new Budget(typeof json === "string" ? json.length : undefined), report, typeof json === "string"), report);
  reader.read(root as JsonObject);
  return { document: reader.document, report };
}

/** The state of reading one JSON skeleton: the document so far, and where names are found in it. */
export class JsonReader {
  version: FormatVersion = 43;
  readonly bones = new Map<string, number>();
  readonly slots = new Map<string, number>();
  readonly constraints: Readonly<Record<ConstraintType, Map<string, number>>> = {
    ik: new Map(), transform: new Map(), path: new Map(), physics: new Map(), slider: new Map(),
  };
  readonly skins = new Map<string, number>();
  readonly events = new Map<string, number>();
  readonly animations = new Map<string, number>();
  defaultSkin = -1;
  readonly links: PendingLink[] = [];
  readonly linkPaths: (string | number)[][] = [];
  readonly document: SkeletonDocument = {
    hasHeader: false, hash: null, version: null, x: 0, y: 0, width: 0, height: 0, referenceScale: 100, nonessential: null,
    fps: 30, imagesPath: null, audioPath: null, bones: [], slots: [], constraints: [], skins: [], events: [], animations: [],
  };
  readonly entries = new EntryIndex(this.document);

  constructor(
    readonly source: JsonSource,
    readonly report: LoadReport,
  ) {}

  read(root: JsonObject): void {
    this.#readHeader(root);
    this.#readBones(root);
    this.#readSlots(root);
    const { source, document } = this;
    const animations = source.object(root, "animations");
    const animationNames = animations === undefined ? [] : Object.keys(animations);
    this.checkCount(animationNames.length, "animations");
    animationNames.forEach((name, i) => this.animations.set(name, i));
    if (this.animations.has("")) source.fail("an animation needs a name, found an empty one.", "animations");
    document.constraints = readConstraints(this, root);
    document.constraints.forEach((constraint, i) => this.#register(this.constraints[constraint.type], constraint.name, i));
    this.#readSkins(root);
    this.#readEvents(root);
    for (const name of animationNames) {
      source.path.push("animations", name);
      document.animations.push(readAnimation(this, name, source.asObject(animations![name], "")));
      source.path.length = 0;
    }
    noteDuplicates(document, (code, message) => this.report.note(code, message));
    this.report.elements = source.budget.spent;
  }

  /** A list of `count` items of one kind must not be longer than the formats allow. */
  checkCount(count: number, what: string): void {
    if (count > MAX_ITEMS) throw limitError(`Too many ${what}`, count, MAX_ITEMS, this.source.where());
    this.source.spend(count * 8, what);
  }

  #readHeader(root: JsonObject): void {
    const { source, document } = this;
    const header = source.object(root, "skeleton");
    if (header !== undefined) {
      source.path.push("skeleton");
      document.hasHeader = true;
      document.version = source.string(header, "spine", null);
      if (document.version !== null) {
        const version = parseVersion(document.version, source.where("spine"));
        if (version !== undefined) this.version = version;
        else this.report.note("unknown-version", `The version '${document.version.slice(0, 64)}' is not of the form major.minor.`);
      }
      document.hash = source.string(header, "hash", null);
      document.x = source.number(header, "x", 0);
      document.y = source.number(header, "y", 0);
      document.width = source.number(header, "width", 0);
      document.height = source.number(header, "height", 0);
      document.referenceScale = source.number(header, "referenceScale", 100);
      document.fps = source.number(header, "fps", 30);
      document.imagesPath = source.string(header, "images", null);
      document.audioPath = source.string(header, "audio", null);
      source.path.pop();
    }
    if (document.version === null || !/^\s*\d+\.\d+/.test(document.version)) this.version = guessVersion(root);
    this.report.version = document.version;
    this.report.readAs = versionText(this.version);
    if (this.version < 43) this.report.note("upgraded", `Read as ${this.report.readAs} and upgraded to 4.3.`);
  }

  #register(names: Map<string, number>, name: string, index: number): void {
    if (!names.has(name)) names.set(name, index);
  }

  #readBones(root: JsonObject): void {
    const { source } = this;
    const list = source.array(root, "bones") ?? [];
    this.checkCount(list.length, "bones");
    source.path.push("bones", 0);
    for (let i = 0; i < list.length; i++) {
      source.path[1] = i;
      const o = source.asObject(list[i], i);
      const name = source.name(o, "name", "a bone");
      const bone: BoneDocument = {
        name,
        parent: source.string(o, "parent", null) === null ? -1 : source.reference(o, "parent", "earlier bone", this.bones, "a bone"),
        length: source.number(o, "length", 0),
        x: source.number(o, "x", 0),
        y: source.number(o, "y", 0),
        rotation: source.number(o, "rotation", 0),
        scaleX: source.number(o, "scaleX", 1),
        scaleY: source.number(o, "scaleY", 1),
        shearX: source.number(o, "shearX", 0),
        shearY: source.number(o, "shearY", 0),
        inherit: source.choice(o, o["inherit"] === undefined ? "transform" : "inherit", INHERIT_NAMES, 0),
        skinRequired: source.boolean(o, "skin", false),
        color: source.color(o, "color", true) ?? BONE_COLOR,
        icon: source.string(o, "icon", null),
        iconSize: source.number(o, "iconSize", 1),
        iconRotation: source.number(o, "iconRotation", 0),
        visible: source.boolean(o, "visible", true),
      };
      this.document.bones.push(bone);
      this.#register(this.bones, name, i);
    }
    source.path.length = 0;
  }

  #readSlots(root: JsonObject): void {
    const { source } = this;
    const list = source.array(root, "slots") ?? [];
    this.checkCount(list.length, "slots");
    source.path.push("slots", 0);
    for (let i = 0; i < list.length; i++) {
      source.path[1] = i;
      const o = source.asObject(list[i], i);
      const name = source.name(o, "name", "a slot");
      const slot: SlotDocument = {
        name,
        bone: source.reference(o, "bone", "bone", this.bones, "a slot"),
        color: source.color(o, "color", true) ?? WHITE,
        dark: source.color(o, "dark", false) ?? null,
        attachment: source.string(o, "attachment", null) || null,
        blend: source.choice(o, "blend", BLEND_NAMES, 0),
        visible: source.boolean(o, "visible", true),
      };
      this.document.slots.push(slot);
      this.#register(this.slots, name, i);
    }
    source.path.length = 0;
  }

  #readSkins(root: JsonObject): void {
    const { source, document } = this;
    // 3.7 has an object of skins, newer formats an array.
    const value = root["skins"];
    const list: { name: string; o: JsonObject; attachments: JsonObject | undefined; path: (string | number)[] }[] = [];
    if (value !== undefined && value !== null && !Array.isArray(value)) {
      const skins = source.asObject(value, "skins");
      for (const name of Object.keys(skins)) {
        source.path.push("skins", name);
        if (name === "") source.fail("a skin needs a name, found an empty one.");
        list.push({ name, o: {}, attachments: source.asObject(skins[name], ""), path: ["skins", name] });
        source.path.length = 0;
      }
    } else {
      (source.array(root, "skins") ?? []).forEach((item, i) => {
        source.path.push("skins", i);
        const o = source.asObject(item, "");
        list.push({ name: source.name(o, "name", "a skin"), o, attachments: source.object(o, "attachments"), path: ["skins", i, "attachments"] });
        source.path.length = 0;
      });
    }
    this.checkCount(list.length, "skins");
    list.forEach(({ name }, i) => this.#register(this.skins, name, i));
    this.defaultSkin = this.skins.get("default") ?? -1;
    list.forEach(({ name, o, attachments, path }) => {
      source.path.push("skins", path[1]!);
      const skin: SkinDocument = {
        name,
        color: source.color(o, "color", true) ?? SKIN_COLOR,
        bones: source.references(o, "bones", "bone", this.bones),
        constraints: [],
        entries: [],
      };
      for (const type of CONSTRAINT_TYPES) {
        skin.constraints.push(...source.references(o, type, `${type} constraint`, this.constraints[type]));
      }
      document.skins.push(skin);
      source.path.length = 0;
      source.path.push(...path);
      if (attachments !== undefined) this.#readEntries(skin, attachments);
      source.path.length = 0;
    });
    checkLinks(this.entries, this.links, true, (i) => {
      source.path.length = 0;
      source.path.push(...this.linkPaths[i]!);
    });
  }

  #readEntries(skin: SkinDocument, slots: JsonObject): void {
    const { source } = this;
    const { path } = source;
    const depth = path.length;
    for (const slotName of Object.keys(slots)) {
      path.length = depth;
      path.push(slotName);
      const slot = this.slots.get(slotName) ?? source.unknown("slot", slotName, this.slots.keys());
      const placeholders = source.asObject(slots[slotName], "");
      for (const placeholder of Object.keys(placeholders)) {
        path.length = depth + 1;
        path.push(placeholder);
        if (placeholder === "") source.fail("a skin placeholder needs a name, found an empty one.");
        source.spend(8, "attachments");
        const attachment = readAttachment(this, source.asObject(placeholders[placeholder], ""), slot, placeholder);
        skin.entries.push({ slot, placeholder, attachment });
      }
    }
    path.length = depth;
  }

  #readEvents(root: JsonObject): void {
    const { source } = this;
    const events = source.object(root, "events");
    if (events === undefined) return;
    const names = Object.keys(events);
    this.checkCount(names.length, "events");
    source.path.push("events", "");
    names.forEach((name, i) => {
      source.path[1] = name;
      if (name === "") source.fail("an event needs a name, found an empty one.");
      const o = source.asObject(events[name], "");
      const audio = source.string(o, "audio", null);
      this.document.events.push({
        name,
        int: source.integer(o, "int", 0),
        float: source.number(o, "float", 0),
        string: source.string(o, "string", ""),
        audio,
        volume: audio === null ? 1 : source.number(o, "volume", 1),
        balance: audio === null ? 0 : source.number(o, "balance", 0),
      });
      this.events.set(name, i);
    });
    source.path.length = 0;
  }
}
