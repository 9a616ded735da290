// The built-in biped, or any model with a skin: skeleton, clips by name, and a body to draw.
import { loadGltf, newClipFromModel, newSkeletonFromModel, newSkinFromModel } from "../../dist/import/gltf/index.js";

/** @param {ArrayBuffer | Uint8Array} bytes */
export async function loadCharacter(bytes, options = {}) {
  const model = await loadGltf(bytes, options), skeleton = newSkeletonFromModel(model);
  const clips = new Map(model.animations.map((animation, i) => [animation.name || `clip ${i}`, newClipFromModel(model, skeleton, i)]));
  const skins = model.meshes.flatMap((mesh, i) => (mesh.skin >= 0 ? [newSkinFromModel(model, i, skeleton)] : []));
  return { model, skeleton, clips, skins };
}

export async function loadBiped() {
  const answer = await fetch(new URL("../assets/biped.glb", import.meta.url));
  return loadCharacter(await answer.arrayBuffer());
}

/** The body of a character on a stage: `draw(pose, color, matrix)`. */
export function bodyOf(stage, { skins }) {
  const parts = skins.map((skin) => {
    const count = skin.getVertexCount() * 3, indices = skin.getIndices() ?? Array.from({ length: count / 3 }, (_, i) => i);
    return { skin, mesh: stage.mesh(new Float32Array(count), new Float32Array(count), indices) };
  });
  return {
    draw(pose, color, matrix) {
      for (const { skin, mesh } of parts) {
        skin.updateSkinnedPositions(pose);
        skin.updateSkinnedNormals(pose);
        stage.update(mesh, skin.getSkinnedPositions(), skin.getSkinnedNormals());
        stage.draw(mesh, color, matrix);
      }
    },
  };
}

/** Calls `frame(seconds, time)` for every picture. */
export function run(frame) {
  let last = performance.now(), time = 0;
  const step = (now) => {
    const dt = Math.min(0.1, Math.max(0, (now - last) / 1000));
    last = now;
    time += dt;
    frame(dt, time);
    requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
}
