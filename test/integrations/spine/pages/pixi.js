import { Application, Assets } from "pixi.js";
import { Spine } from "@esotericsoftware/spine-pixi-v8";
import { fit, HEIGHT, run, scene, STEP, WIDTH } from "./scene.js";

run(async () => {
  const app = new Application();
  await app.init({ width: WIDTH, height: HEIGHT, background: 0x334d66, preference: "webgl", antialias: false, autoStart: false, preserveDrawingBuffer: true });
  document.body.append(app.canvas);
  app.canvas.style.display = "block";
  Assets.add({ alias: "skeleton", src: `${scene.folder}/${scene.skeleton}` });
  Assets.add({ alias: "atlas", src: `${scene.folder}/${scene.atlas}` });
  await Assets.load(["skeleton", "atlas"]);
  const spine = Spine.from({ skeleton: "skeleton", atlas: "atlas", autoUpdate: false });
  const { skeleton } = spine;
  if (scene.skin) {
    skeleton.setSkin(scene.skin);
    skeleton.setupPose();
  }
  spine.state.setAnimation(0, scene.animation, true);
  for (let i = 0; i < scene.steps; i++) spine.update(STEP);
  const { scale, x, y } = fit(skeleton.data);
  spine.scale.set(scale);
  spine.x = WIDTH / 2 - x * scale;
  spine.y = HEIGHT / 2 + y * scale;
  app.stage.addChild(spine);
  app.render();
});
