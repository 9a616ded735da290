// A crowd: every character has a clip, a pace, a heading and a place of its own, and changes its mind now and then.
import { Crowd3D } from "../../dist/crowd/index.js";
import { Crowd3DRenderer } from "../../dist/render/index.js";
import { multiply } from "./camera.js";
import { onTheSpot } from "./rig.js";
import { simplify } from "./simplify.js";

const TINTS = [[1, 1, 1], [1, 0.72, 0.6], [0.75, 1, 0.7], [0.95, 0.85, 0.5], [0.8, 0.75, 1], [1, 0.62, 0.75]];

/** Numbers in [0, 1), the same at every visit. */
let state = 12345;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;

export class Many {
  drawCalls = 0;

  constructor(gl, rig) {
    this.rig = rig;
    const locomotion = ["walk", "run", "idle"].map((name) => rig.clips.find((clip) => clip.getName().toLowerCase() === name)).filter(Boolean);
    this.moves = (locomotion.length > 0 ? locomotion : rig.clips).map((clip) => onTheSpot(clip, rig.root));
    this.crowd = new Crowd3D(rig.skeleton, rig.skins, { capacity: 2048, clips: this.moves.map(({ clip }) => clip) });
    this.people = [];
    this.positions = new Float32Array(0);
    this.rotations = new Float32Array(0);
    if (rig.skins.length > 0) {
      // Full meshes close by, fewer triangles further off.
      const h = rig.height, meshes = rig.meshes.map((mesh, i) => ({ ...mesh, crowdSkin: i }));
      const levels = [[meshes, 0, 5], [meshes.map((mesh) => simplify(mesh, h / 40)), 5, 13], [meshes.map((mesh) => simplify(mesh, h / 17)), 13, Infinity]];
      this.renderer = new Crowd3DRenderer(gl, this.crowd, levels.flatMap(([list]) => list), levels.flatMap(([list, near, far]) => {
        const distances = { near: near * h, far: far * h };
        return list.map(() => ({ distances }));
      }));
    }
  }

  get seen() { return this.renderer?.drawn ?? 0; }

  setCount(count) {
    const { crowd, people, rig } = this;
    while (crowd.count > count) {
      crowd.despawn(crowd.idAt(crowd.count - 1));
      people.pop();
    }
    while (crowd.count < count) {
      const move = this.#choose(), heading = random() * 2 * Math.PI, scale = 0.92 + 0.16 * random(), i = people.length;
      // A sunflower: even and without rows.
      const radius = 0.95 * rig.height * Math.sqrt(i + 0.5), angle = i * 2.399963;
      crowd.spawn({ clip: move.clip, time: random() * move.clip.getDuration(), speed: 0.9 + 0.2 * random(), scale, tint: TINTS[i % TINTS.length] });
      people.push({ x: radius * Math.sin(angle), z: radius * Math.cos(angle), heading, turn: 0, move, scale, patience: 2 + 6 * random() });
    }
    this.positions = new Float32Array(count * 3);
    this.rotations = new Float32Array(count * 4);
    this.edge = 0.98 * rig.height * Math.sqrt(count) + rig.height;
  }

  /** Two in three walk. */
  #choose() {
    const { moves } = this, pick = random();
    return moves.length === 3 ? moves[pick < 0.66 ? 0 : pick < 0.85 ? 1 : 2] : moves[Math.floor(pick * moves.length)];
  }

  /** Smaller clips, sampled from their codes. */
  setCompiled(on) {
    for (const { clip } of this.moves) clip.compile(on ? "uniform" : "raw", on ? { skeleton: this.rig.skeleton } : undefined);
  }

  update(dt, pace) {
    const { crowd, people, positions, rotations } = this;
    for (let row = 0; row < people.length; row++) {
      const person = people[row];
      person.patience -= dt * pace;
      if (person.patience < 0) {
        person.patience = 2 + 7 * random();
        person.turn = (random() - 0.5) * 1.2;
        person.move = this.#choose();
        crowd.play(crowd.idAt(row), person.move.clip, { mix: 0.35 });
      }
      const speed = person.move.speed * person.scale;
      if (Math.hypot(person.x, person.z) > this.edge) {
        // Towards the middle again.
        const home = Math.atan2(-person.x, -person.z) - person.heading;
        person.turn = Math.sign(Math.atan2(Math.sin(home), Math.cos(home))) * 1.5;
      }
      if (speed > 0) person.heading += person.turn * dt * pace;
      person.x += Math.sin(person.heading) * speed * dt * pace;
      person.z += Math.cos(person.heading) * speed * dt * pace;
      positions[row * 3] = person.x;
      positions[row * 3 + 2] = person.z;
      rotations[row * 4 + 1] = Math.sin(person.heading / 2);
      rotations[row * 4 + 3] = Math.cos(person.heading / 2);
    }
    crowd.setPositions(positions);
    crowd.setRotations(rotations);
    crowd.update(dt * pace);
  }

  draw(camera, shadow, shadowColor, sky) {
    if (this.renderer === undefined) return;
    const { eye } = camera, dark = [0, 0, 0], linear = (v) => v ** 2.2;
    // Without light and in thick fog: shapes of one colour, flat on the ground.
    const fog = { color: shadowColor.map(linear), density: 1e6 };
    this.renderer.draw(multiply(camera.matrix, shadow), { lightColor: dark, skyColor: dark, groundColor: dark, fog, eye, doubleSided: true });
    this.drawCalls = this.renderer.drawCalls;
    this.renderer.draw(camera.matrix, { fog: { color: sky.map(linear), density: 0.014 / camera.size }, eye });
    this.drawCalls += this.renderer.drawCalls;
  }

  dispose() {
    this.renderer?.dispose();
    this.crowd.dispose();
  }
}
