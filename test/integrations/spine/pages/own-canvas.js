import { CanvasAssetManager, CanvasSkeletonRenderer } from "../../../../src/render/index.ts";
import { AnimationState, AnimationStateData, AtlasAttachmentLoader, Physics, Skeleton, SkeletonJson } from "../../../../src/spine/index.ts";
import { fit, HEIGHT, makeCanvas, run, scene, STEP, WIDTH } from "./scene.js";

run(async () => {
  const context = makeCanvas().getContext("2d");
  const assets = new CanvasAssetManager(`${scene.folder}/`);
  assets.loadTextureAtlas(scene.atlas);
  assets.loadJson(scene.skeleton);
  await assets.loadAll();
  const data = new SkeletonJson(new AtlasAttachmentLoader(assets.require(scene.atlas))).readSkeletonData(assets.require(scene.skeleton));
  const skeleton = new Skeleton(data);
  if (scene.skin) skeleton.setSkin(scene.skin);
  skeleton.setupPose();
  const state = new AnimationState(new AnimationStateData(data));
  state.setAnimation(0, scene.animation, true);
  for (let i = 0; i < scene.steps; i++) {
    state.update(STEP);
    state.apply(skeleton);
    skeleton.update(STEP);
    skeleton.updateWorldTransform(Physics.update);
  }
  const { scale, x, y } = fit(data);
  context.fillStyle = "#334d66";
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.translate(WIDTH / 2, HEIGHT / 2);
  context.scale(scale, -scale);
  context.translate(-x, -y);
  new CanvasSkeletonRenderer(context).draw(skeleton);
});
