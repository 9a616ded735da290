// The bones, given by the world positions of their ends in the setup pose; local values follow from them.

/** [name, parent, head x, head y, tail x, tail y]; no tail: length 0, unrotated. Parents first. */
const BONES = [
  ["root", null, 0, 0],
  ["squash", "root", 0, 0],
  ["shadow", "root", 6, 4],
  ["hip", "squash", 0, 152],
  ["tail-1", "hip", -22, 152, -66, 134],
  ["tail-2", "tail-1", -66, 134, -112, 142],
  ["tail-3", "tail-2", -112, 142, -142, 178],
  ["tail-4", "tail-3", -142, 178, -150, 226],
  ["tail-5", "tail-4", -150, 226, -142, 268],
  ["thigh-far", "hip", 5, 156, 8, 92],
  ["shin-far", "thigh-far", 8, 92, 3, 34],
  ["foot-far", "shin-far", 3, 34, 35, 20],
  ["thigh-near", "hip", -12, 152, -9, 88],
  ["shin-near", "thigh-near", -9, 88, -14, 30],
  ["foot-near", "shin-near", -14, 30, 18, 16],
  ["torso", "hip", 0, 152, 2, 206],
  ["chest", "torso", 2, 206, 5, 256],
  ["bag", "torso", -44, 164, -44, 116],
  ["arm-far", "chest", 20, 242, 11, 200],
  ["forearm-far", "arm-far", 11, 200, 18, 154],
  ["hand-far", "forearm-far", 18, 154, 20, 128],
  ["arm-near", "chest", -24, 242, -33, 200],
  ["forearm-near", "arm-near", -33, 200, -26, 154],
  ["hand-near", "forearm-near", -26, 154, -24, 128],
  ["scarf-ctl-1", "chest", -18, 256, -58, 226],
  ["scarf-ctl-2", "scarf-ctl-1", -58, 226, -79, 178],
  ["scarf-ctl-3", "scarf-ctl-2", -79, 178, -92, 112],
  ["scarf-1", "chest", -18, 256, -44, 242.5],
  ["scarf-2", "scarf-1", -44, 242.5, -62, 220],
  ["scarf-3", "scarf-2", -62, 220, -73, 194],
  ["scarf-4", "scarf-3", -73, 194, -81, 166],
  ["scarf-5", "scarf-4", -81, 166, -90, 124],
  ["neck", "chest", 5, 256, 8, 272],
  ["head", "neck", 8, 272, 16, 396],
  ["face", "head", 58, 338],
  ["jaw", "face", 64, 316],
  ["brow-near", "face", 18, 389],
  ["brow-far", "face", 94, 390],
  ["ear-near-1", "head", -48, 404, -76, 470],
  ["ear-near-2", "ear-near-1", -76, 470, -104, 540],
  ["ear-far-1", "head", 80, 412, 85, 470],
  ["ear-far-2", "ear-far-1", 85, 470, 90, 536],
  ["hair-1", "head", 10, 440, 44, 450],
  ["hair-2", "hair-1", 44, 450, 80, 436],
  ["hair-3", "hair-2", 80, 436, 116, 396],
  ["look", "head", 58, 338],
  ["hand-near-goal", "chest", -26, 154],
  ["hand-far-goal", "chest", 18, 154],
  ["foot-near-goal", "root", -14, 30],
  ["foot-far-goal", "root", 3, 34],
  ["dust-near", "root", 0, 4],
  ["dust-far", "root", 17, 8],
  ["spark", "root", 70, 300],
  ["mood", "root", 150, 0],
];

const DEGREES = 180 / Math.PI;
export const round = (value, digits = 3) => {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit + 0;
};

/** name → { name, parent, index, x, y (world), rotation (world, degrees), length }. */
export const bonesByName = new Map();
for (const [name, parent, x, y, tailX, tailY] of BONES) {
  const length = tailX === undefined ? 0 : Math.hypot(tailX - x, tailY - y);
  const rotation = tailX === undefined ? 0 : Math.atan2(tailY - y, tailX - x) * DEGREES;
  bonesByName.set(name, { name, parent, index: bonesByName.size, x, y, rotation, length, tailX: tailX ?? x, tailY: tailY ?? y });
}

/** World point in the space of a bone in the setup pose. */
export function toBone(name, x, y) {
  const bone = bonesByName.get(name);
  const cos = Math.cos(bone.rotation / DEGREES), sin = Math.sin(bone.rotation / DEGREES);
  const dx = x - bone.x, dy = y - bone.y;
  return [dx * cos + dy * sin, dy * cos - dx * sin];
}

const ICONS = { mood: "gear", squash: "arrowUpDown" };

/** The `bones` section. */
export function bonesSection() {
  return [...bonesByName.values()].map((bone) => {
    const out = { name: bone.name };
    if (bone.parent === null) return out;
    const parent = bonesByName.get(bone.parent);
    out.parent = bone.parent;
    if (bone.length > 0) out.length = round(bone.length, 2);
    const rotation = round((((bone.rotation - parent.rotation + 180) % 360) + 360) % 360 - 180, 2);
    if (rotation !== 0) out.rotation = rotation;
    const [x, y] = toBone(bone.parent, bone.x, bone.y);
    if (round(x, 2) !== 0) out.x = round(x, 2);
    if (round(y, 2) !== 0) out.y = round(y, 2);
    if (ICONS[bone.name]) out.icon = ICONS[bone.name];
    return out;
  });
}
