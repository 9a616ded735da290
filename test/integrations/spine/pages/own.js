import { GlAssetManager, SkeletonRenderer } from "../../../../src/render/index.ts";
import { AnimationState, AnimationStateData, AtlasAttachmentLoader, Physics, Skeleton, SkeletonJson } from "../../../../src/spine/index.ts";
import { fit, HEIGHT, makeCanvas, run, scene, STEP, WIDTH } from "./scene.js";

run(async () => {
  const gl = makeCanvas().getContext("webgl2", { alpha: false, preserveDrawingBuffer: true, antialias: false });
  const assets = new GlAssetManager(gl, `${scene.folder}/`);
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
  gl.clearColor(0.2, 0.3, 0.4, 1);
  gl.clear(gl.COLOR_BUFFER_BIT);
  const { scale, x, y } = fit(data);
  const renderer = new SkeletonRenderer(gl);
  renderer.begin(x, y, WIDTH / scale, HEIGHT / scale);
  renderer.draw(skeleton);
  renderer.end();
  if (gl.getError() !== gl.NO_ERROR) throw new Error("WebGL reports an error");
});
