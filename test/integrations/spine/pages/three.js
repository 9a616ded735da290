import * as THREE from "three";
import { AssetManager, AtlasAttachmentLoader, SkeletonJson, SkeletonMesh } from "@esotericsoftware/spine-threejs";
import { fit, HEIGHT, makeCanvas, run, scene, STEP, WIDTH } from "./scene.js";

run(async () => {
  const canvas = makeCanvas();
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: false, preserveDrawingBuffer: true });
  renderer.setSize(WIDTH, HEIGHT, false);
  const assets = new AssetManager(`${scene.folder}/`);
  assets.loadText(scene.skeleton);
  assets.loadTextureAtlas(scene.atlas);
  await assets.loadAll();
  const loader = new AtlasAttachmentLoader(assets.require(scene.atlas));
  const data = new SkeletonJson(loader).readSkeletonData(JSON.parse(assets.require(scene.skeleton)));
  const mesh = new SkeletonMesh({ skeletonData: data });
  if (scene.skin) {
    mesh.skeleton.setSkin(scene.skin);
    mesh.skeleton.setupPose();
  }
  mesh.state.setAnimation(0, scene.animation, true);
  for (let i = 0; i < scene.steps; i++) mesh.update(STEP);
  const { scale, x, y } = fit(data);
  const stage = new THREE.Scene();
  stage.background = new THREE.Color(0x334d66);
  stage.add(mesh);
  const [w, h] = [WIDTH / scale / 2, HEIGHT / scale / 2];
  const camera = new THREE.OrthographicCamera(x - w, x + w, y + h, y - h, 1, 4000);
  camera.position.z = 2000;
  renderer.render(stage, camera);
});
