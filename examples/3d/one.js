// One character: a player with cross-fades, root motion and events; its skeleton as lines, its skin from the CPU.
import { AnimPlayer } from "../../dist/anim/index.js";
import { LineBuffer, LineRenderer } from "../../dist/render/index.js";
import { multiply, toPixels } from "./camera.js";
import { Bodies } from "./stage.js";

const BONE = 0xffc86aff, JOINT = 0xff7a59ff;

export class One {
  drawCalls = 0;
  /** Placement that root motion moves: x, z, angle about +Y. */
  place = [0, 0, 0];
  event = "";

  constructor(gl, rig) {
    this.gl = gl;
    this.rig = rig;
    this.player = new AnimPlayer(rig.skeleton);
    this.player.onEvent((name, payload) => (this.event = payload ? `${name}: ${payload}` : name));
    this.bodies = rig.skins.length > 0 ? new Bodies(gl, rig.meshes) : null;
    this.lines = new LineBuffer();
    this.lineRenderer = new LineRenderer(gl);
    this.lineRenderer.width = 2.5;
  }

  play(clip, seconds) {
    this.player.crossFade(clip, seconds);
  }

  useRootMotion(on) {
    this.player.setRootMotionMode({ translation: "xz", rotation: "yaw", space: "local" });
    this.player.setRootMotionBone(on ? this.rig.root : -1);
    this.place = [0, 0, 0];
  }

  update(dt, speed) {
    const { player, rig, place } = this;
    player.setSpeed(speed);
    player.update(dt);
    const x = player.getRootMotionX(), z = player.getRootMotionZ(), s = Math.sin(place[2]), c = Math.cos(place[2]);
    place[0] += c * x + s * z;
    place[1] += c * z - s * x;
    place[2] += 2 * Math.atan2(player.getRootMotionRotationY(), player.getRootMotionRotationW());
    const pose = player.getPose();
    pose.computeWorld(rig.skeleton);
    rig.skins.forEach((skin, i) => {
      skin.updateSkinnedPositions(pose);
      if (skin.updateSkinnedNormals(pose)) this.bodies.update(i, skin.getSkinnedPositions(), skin.getSkinnedNormals());
      else this.bodies.update(i, skin.getSkinnedPositions(), skin.getSkinnedPositions());
    });
  }

  get matrix() {
    const [x, z, angle] = this.place, s = Math.sin(angle), c = Math.cos(angle);
    return [c, 0, -s, 0, 0, 1, 0, 0, s, 0, c, 0, x, 0, z, 1];
  }

  draw(camera, shadow, shadowColor, showsSkin, showsBones) {
    const { gl } = this;
    this.drawCalls = 0;
    if (this.bodies !== null && showsSkin) {
      this.bodies.draw(multiply(multiply(camera.matrix, shadow), this.matrix), [...shadowColor, 1]);
      this.bodies.draw(multiply(camera.matrix, this.matrix));
      this.drawCalls = 2 * this.bodies.parts.length;
    }
    if (!showsBones && this.bodies !== null) return;
    this.#drawBones(multiply(camera.matrix, this.matrix), gl.drawingBufferWidth, gl.drawingBufferHeight);
    this.drawCalls++;
  }

  /** Bones as lines on top of everything: joints are projected here, so that lines have pixels for units. */
  #drawBones(matrix, width, height) {
    const { skeleton } = this.rig, pose = this.player.getPose(), { gl, lines } = this;
    lines.clear();
    for (let bone = 0; bone < skeleton.getBoneCount(); bone++) {
      const to = toPixels(matrix, pose.getWorldPositionX(bone), pose.getWorldPositionY(bone), pose.getWorldPositionZ(bone), width, height), parent = skeleton.getParent(bone);
      if (to === null) continue;
      lines.circle(to[0], to[1], 4, JOINT, 8);
      const from = parent < 0 ? null : toPixels(matrix, pose.getWorldPositionX(parent), pose.getWorldPositionY(parent), pose.getWorldPositionZ(parent), width, height);
      if (from !== null) lines.line(from[0], from[1], to[0], to[1], BONE);
    }
    gl.disable(gl.DEPTH_TEST);
    this.lineRenderer.draw(lines, 0, 0, width, height);
    gl.disable(gl.BLEND);
    gl.enable(gl.DEPTH_TEST);
  }

  dispose() {
    this.player.dispose();
    this.lineRenderer.dispose();
  }
}
