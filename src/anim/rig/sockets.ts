/** Places on bones that things are attached to: a hand that holds a sword, a muzzle, a saddle. @internal */
import { AnimArgumentError, AnimNameError } from "../errors.js";
import { heap } from "../../wasm/heap.js";
import { nearMatches } from "../module/near-matches.js";
import { requireFinite3, requireIndex, requireName, requireObject, requireRotation, show } from "./checks.js";
import type { AnimPose } from "./pose.js";
import type { AnimSkeleton } from "./skeleton.js";

interface Socket {
  readonly name: string;
  readonly bone: number;
  /** From the socket to the bone: 16 numbers, column-major. */
  readonly matrix: Float64Array;
}

export class SocketTable {
  readonly #sockets: Socket[] = [];

  get count(): number { return this.#sockets.length; }

  add(method: string, name: string, bone: number): number {
    requireName(method, "name", name);
    if (this.find(name) >= 0) throw new AnimArgumentError(`${method}: a socket named ${show(name)} exists already. Names are unique.`, { found: name });
    return this.#sockets.push({ name, bone, matrix: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) }) - 1;
  }

  at(method: string, socket: number): Socket {
    requireIndex(method, "socket", socket, this.#sockets.length);
    return this.#sockets[socket]!;
  }

  find(name: string): number { return this.#sockets.findIndex((socket) => socket.name === name); }

  require(method: string, name: string): number {
    const index = this.find(name);
    if (index >= 0) return index;
    throw new AnimNameError(`${method}: there is no socket named ${show(name)}.${nearMatches(String(name), this.#sockets.map((socket) => socket.name))}`, { found: name });
  }

  remove(socket: number): void { this.#sockets.splice(socket, 1); }

  copyFrom(other: SocketTable): void {
    for (const { name, bone, matrix } of other.#sockets) this.#sockets.push({ name, bone, matrix: matrix.slice() });
  }
}

/** Checks a transform given as lists, before anything is written. */
export function requireTransform(method: string, position: ArrayLike<number>, rotation: ArrayLike<number>, scale: ArrayLike<number>): void {
  for (const [what, list, count] of [["position", position, 3], ["rotation", rotation, 4], ["scale", scale, 3]] as const) {
    requireObject(method, what, list, "array");
    if (list.length !== count) throw new AnimArgumentError(`${method}: ${what} has ${list.length} numbers, expected ${count}.`);
  }
  requireFinite3(method, "the position", position[0]!, position[1]!, position[2]!);
  requireFinite3(method, "the scale", scale[0]!, scale[1]!, scale[2]!);
  requireRotation(method, rotation[0]!, rotation[1]!, rotation[2]!, rotation[3]!);
}

/** m = T R S of a checked transform. */
export function composeInto(m: Float64Array, position: ArrayLike<number>, rotation: ArrayLike<number>, scale: ArrayLike<number>): void {
  const length = Math.sqrt(rotation[0]! ** 2 + rotation[1]! ** 2 + rotation[2]! ** 2 + rotation[3]! ** 2);
  const x = rotation[0]! / length, y = rotation[1]! / length, z = rotation[2]! / length, w = rotation[3]! / length;
  const columns = [
    1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y),
    2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x),
    2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y),
  ];
  for (let c = 0; c < 3; c++) {
    for (let r = 0; r < 3; r++) m[c * 4 + r] = columns[c * 3 + r]! * scale[c]!;
    m[12 + c] = position[c]!;
  }
}

/** Writes the matrix of a socket in model space, 16 numbers. The world of the pose is valid. */
export function writeSocket(pose: AnimPose, skeleton: AnimSkeleton, socket: number, out: Float32Array | number[], offset: number): void {
  const { bone, matrix: m } = skeleton.socketAt("AnimPose.getSocketMatrix", socket), f32 = heap.f32, w = (pose.worldPtr >>> 2) + bone * 16;
  for (let c = 0; c < 16; c += 4) {
    for (let r = 0; r < 4; r++) out[offset + c + r] = f32[w + r]! * m[c]! + f32[w + 4 + r]! * m[c + 1]! + f32[w + 8 + r]! * m[c + 2]! + f32[w + 12 + r]! * m[c + 3]!;
  }
}
