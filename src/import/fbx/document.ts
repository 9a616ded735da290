import { childNamed, contentError, type FbxNode, type FbxTree, type FbxValue, plainName } from "./tree.js";

/** A value as part of an object's property table. */
export type Properties = ReadonlyMap<string, readonly FbxValue[]>;

/** Identifier of an object: a number, or a text where a double would not be exact. */
export type FbxId = number | string;

/** An entry of `Objects`. */
export interface FbxObject {
  readonly id: FbxId;
  /** Record name: Model, Geometry, Deformer, AnimationCurve, … */
  readonly kind: string;
  /** Mesh, LimbNode, Cluster, … */
  readonly type: string;
  readonly name: string;
  readonly node: FbxNode;
  readonly properties: Properties;
}

/** A link from an object to its user. */
export interface Link {
  readonly object: FbxObject;
  /** The property it drives, "" for a plain link. */
  readonly property: string;
}

/** Objects, their links and the global settings. */
export class FbxDocument {
  readonly objects = new Map<FbxId, FbxObject>();
  readonly settings: Properties;
  /** Objects that hang on an object, in file order. Key 0 is the scene. */
  readonly #below = new Map<FbxId, Link[]>();
  readonly #above = new Map<FbxId, Link[]>();

  constructor(tree: FbxTree, readonly file: string | undefined) {
    this.settings = propertiesOf(childNamed(tree, "GlobalSettings"), undefined);
    const templates = templatesOf(tree);
    for (const node of childNamed(tree, "Objects")?.children ?? []) {
      const id = node.values[0];
      if (!isId(id)) continue;
      const type = node.values[2];
      if (this.objects.has(id)) throw contentError(file, `two objects have the identifier ${id}`);
      this.objects.set(id, {
        id, kind: node.name, type: typeof type === "string" ? type : "", name: plainName(node.values[1]), node, properties: propertiesOf(node, templates.get(node.name)),
      });
    }
    for (const link of childNamed(tree, "Connections")?.children ?? []) {
      const [kind, from, to, property] = link.values;
      if ((kind !== "OO" && kind !== "OP") || !isId(from) || !isId(to)) continue;
      const child = this.objects.get(from);
      if (child === undefined) continue;
      const name = kind === "OP" && typeof property === "string" ? property : "";
      push(this.#below, to, { object: child, property: name });
      const parent = this.objects.get(to);
      if (parent !== undefined) push(this.#above, from, { object: parent, property: name });
    }
  }

  /** What hangs on an object (0 = the scene), optionally only of one kind. */
  below(id: FbxId, kind?: string): readonly Link[] {
    const links = this.#below.get(id) ?? [];
    return kind === undefined ? links : links.filter(({ object }) => object.kind === kind);
  }

  /** What an object hangs on. */
  above(id: FbxId, kind?: string): readonly Link[] {
    const links = this.#above.get(id) ?? [];
    return kind === undefined ? links : links.filter(({ object }) => object.kind === kind);
  }

  ofKind(kind: string): FbxObject[] {
    return [...this.objects.values()].filter((object) => object.kind === kind);
  }
}

/** Three numbers of a property, or the fallback. */
export function vectorOf(properties: Properties, name: string, fallback: readonly [number, number, number]): [number, number, number] {
  const values = properties.get(name);
  if (values === undefined || values.length < 3) return [...fallback];
  const [x, y, z] = values;
  const usable = [x, y, z].every((v) => typeof v === "number" && Number.isFinite(v));
  return usable ? [x as number, y as number, z as number] : [...fallback];
}

/** One number of a property, or the fallback. */
export function numberOf(properties: Properties, name: string, fallback: number): number {
  const value = properties.get(name)?.[0];
  if (typeof value === "boolean") return value ? 1 : 0;
  return typeof value === "number" && Number.isFinite(value) ? value : fallback;
}

function isId(value: FbxValue | undefined): value is FbxId {
  return typeof value === "number" || typeof value === "string";
}

function push(map: Map<FbxId, Link[]>, key: FbxId, link: Link): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [link]);
  else list.push(link);
}

/** `Properties70: { P: name, type, label, flags, values… }` over the defaults of the object's kind. */
function propertiesOf(node: FbxNode | undefined, template: Properties | undefined): Properties {
  const properties = new Map(template ?? []);
  for (const entry of childNamed(node, "Properties70")?.children ?? []) {
    const name = entry.values[0];
    if (entry.name === "P" && typeof name === "string") properties.set(name, entry.values.slice(4));
  }
  return properties;
}

function templatesOf(tree: FbxTree): Map<string, Properties> {
  const templates = new Map<string, Properties>();
  for (const type of childNamed(tree, "Definitions")?.children ?? []) {
    const kind = type.values[0];
    if (type.name === "ObjectType" && typeof kind === "string") templates.set(kind, propertiesOf(childNamed(type, "PropertyTemplate"), undefined));
  }
  return templates;
}
