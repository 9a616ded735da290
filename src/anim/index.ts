/** The animation module: tweens, motions, sprites, 3D characters, procedural animation. Entry `osteon/anim`. */
export * from "./errors.js";
