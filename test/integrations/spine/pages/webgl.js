import {
  AnimationState, AnimationStateData, AssetManager, AtlasAttachmentLoader, ManagedWebGLRenderingContext, Physics, ResizeMode, SceneRenderer, Skeleton,
  SkeletonJson,
} from "@esotericsoftware/spine-webgl";
import { fit, HEIGHT, makeCanvas, run, scene, STEP, WIDTH } from "./scene.js";

run(async () => {
  const canvas = makeCanvas();
  const context = new ManagedWebGLRenderingContext(canvas, { alpha: false, preserveDrawingBuffer: true, antialias: false });
  const renderer = new SceneRenderer(canvas, context);
  const assets = new AssetManager(context, `${scene.folder}/`);
  assets.loadTextureAtlas(scene.atlas);
  assets.loadJson(scene.skeleton);
  await assets.loadAll();
  const atlas = assets.require(scene.atlas);
  const data = new SkeletonJson(new AtlasAttachmentLoader(atlas)).readSkeletonData(assets.require(scene.skeleton));

  const make = (phase) => {
    const skeleton = new Skeleton(data);
    if (scene.skin) skeleton.setSkin(scene.skin);
    skeleton.setupPose();
    const state = new AnimationState(new AnimationStateData(data));
    state.setAnimation(0, scene.animation, true).trackTime = phase;
    return { skeleton, state };
  };
  const pose = ({ skeleton, state }) => {
    state.update(STEP);
    state.apply(skeleton);
    skeleton.update(STEP);
    skeleton.updateWorldTransform(Physics.update);
  };
  const { scale, x, y } = fit(data);
  const draw = (list) => {
    if (scene.crowd === 0) renderer.resize(ResizeMode.Expand);
    renderer.camera.position.x = x;
    renderer.camera.position.y = y;
    renderer.camera.zoom = 1 / scale;
    renderer.camera.setViewport(WIDTH, HEIGHT);
    renderer.camera.update();
    context.gl.clearColor(0.2, 0.3, 0.4, 1);
    context.gl.clear(context.gl.COLOR_BUFFER_BIT);
    renderer.begin();
    for (const { skeleton } of list) renderer.drawSkeleton(skeleton);
    renderer.end();
  };

  if (scene.crowd > 0) {
    // A tiny picture: what counts is the time in JavaScript, not that of a graphics card made of software.
    canvas.width = canvas.height = 16;
    const list = Array.from({ length: scene.crowd }, (_, i) => make(i * 0.037));
    const times = { pose: [], draw: [] };
    for (let frame = 0; frame < 36; frame++) {
      const t0 = performance.now();
      for (const one of list) pose(one);
      const t1 = performance.now();
      draw(list);
      const t2 = performance.now();
      if (frame >= 12) {
        times.pose.push(t1 - t0);
        times.draw.push(t2 - t1);
      }
      await new Promise((resolve) => setTimeout(resolve));
    }
    window.times = times;
    return;
  }
  const one = make(0);
  for (let i = 0; i < scene.steps; i++) pose(one);
  draw([one]);
});
