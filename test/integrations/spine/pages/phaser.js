import * as Phaser from "phaser";
import { SpinePlugin } from "@esotericsoftware/spine-phaser-v4";
import { fit, HEIGHT, run, scene, STEP, WIDTH } from "./scene.js";

run(
  () =>
    new Promise((resolve, reject) => {
      class Stage extends Phaser.Scene {
        preload() {
          this.load.spineJson("skeleton", `${scene.folder}/${scene.skeleton}`);
          this.load.spineAtlas("atlas", `${scene.folder}/${scene.atlas}`);
          this.load.on("loaderror", (file) => reject(new Error(`cannot load ${file.key}`)));
        }

        create() {
          try {
            const spine = this.add.spine(0, 0, "skeleton", "atlas");
            const { skeleton } = spine;
            const { scale, x, y } = fit(skeleton.data);
            if (scene.skin) {
              skeleton.setSkin(scene.skin);
              skeleton.setupPose();
            }
            spine.animationState.setAnimation(0, scene.animation, true);
            spine.setScale(scale);
            spine.setPosition(WIDTH / 2 - x * scale, HEIGHT / 2 + y * scale);
            for (let i = 0; i < scene.steps; i++) spine.updatePose(STEP * 1000);
            // The clock of the game stands still from here on.
            spine.preUpdate = () => {};
            this.time.delayedCall(200, resolve);
          } catch (error) {
            reject(error);
          }
        }
      }
      const game = new Phaser.Game({
        type: Phaser.WEBGL, width: WIDTH, height: HEIGHT, backgroundColor: "#334d66", parent: document.body, scene: Stage,
        render: { antialias: true, preserveDrawingBuffer: true }, audio: { noAudio: true }, banner: false,
        plugins: { scene: [{ key: "spine.SpinePlugin", plugin: SpinePlugin, mapping: "spine" }] },
      });
      window.game = game;
    }),
);
