import type { JsonCheck, JsonObject } from "../json-check.js";
import type { ModelSkin } from "../model/model-data.js";
import type { ReportBuilder } from "../model/report.js";
import type { Accessors } from "./decode.js";

/** Number of joints of every skin; joints are checked to exist and to be distinct. */
export function readJoints(check: JsonCheck, json: JsonObject, nodeCount: number): number[][] {
  return check.objects(json.skins, "/skins").map((skin, s) => {
    const pointer = `/skins/${s}/joints`;
    const joints = check.array(skin.joints, pointer).map((joint, j) => check.index(joint, `${pointer}/${j}`, nodeCount, "nodes"));
    if (joints.length === 0) check.fail(pointer, "must have at least one entry");
    if (joints.length > 65535) check.fail(pointer, `has ${joints.length} joints; 65535 is the most a vertex can name`);
    if (new Set(joints).size !== joints.length) check.fail(pointer, "names a node twice");
    return joints;
  });
}

/** Skins with their inverse bind matrices; absent ones are identities. `skin.skeleton` is only a hint and not read. */
export function readSkins(check: JsonCheck, json: JsonObject, joints: readonly number[][], accessors: Accessors, report: ReportBuilder): ModelSkin[] {
  return check.objects(json.skins, "/skins").map((skin, s) => {
    const pointer = `/skins/${s}`;
    const name = check.optionalString(skin.name, `${pointer}/name`, `skin_${s}`);
    const count = joints[s]!.length;
    const index = check.optionalIndex(skin.inverseBindMatrices, `${pointer}/inverseBindMatrices`, accessors.count, "accessors");
    const inverseBind = new Float32Array(count * 16);
    if (index < 0) {
      for (let j = 0; j < count; j++) for (let d = 0; d < 4; d++) inverseBind[j * 16 + d * 5] = 1;
      return { name, joints: joints[s]!, inverseBind };
    }
    const info = accessors.info(index);
    if (info.type !== "MAT4" || info.componentType !== 5126) check.fail(`${pointer}/inverseBindMatrices`, `is ${info.type} of component type ${info.componentType}, expected float MAT4`, index);
    if (info.count < count) check.fail(`${pointer}/inverseBindMatrices`, `has ${info.count} matrices for ${count} joints`, info.count);
    if (info.count > count) report.ignored(`${pointer}: ${info.count - count} inverse bind matrices more than joints`);
    inverseBind.set(accessors.floats(index).subarray(0, count * 16));
    return { name, joints: joints[s]!, inverseBind };
  });
}
