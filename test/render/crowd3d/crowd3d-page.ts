/** Runs in the browser: a 3D crowd drawn by osteon and in three.js, beside the same characters as SkinnedMeshes of three.js. */
import * as three from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { clone } from "three/examples/jsm/utils/SkeletonUtils.js";
import { Crowd3D } from "../../../src/crowd/index.js";
import { loadGltf, newClipFromModel, newSkeletonFromModel, newSkinFromModel } from "../../../src/import/gltf/index.js";
import { Crowd3DRenderer, crowdInThree } from "../../../src/render/index.js";

/** three.js ships no declarations. */
const THREE = three as any;

export interface Report {
  /** Share of pixels of which a channel differs by more than 8 of 255: crowd in three.js against SkinnedMeshes. */
  different: number;
  /** Share of pixels that one of own renderer and SkinnedMeshes covers and the other does not. */
  uncovered: number;
  covered: number;
  /** Share of pixels that change by the tint of one character. */
  tinted: number;
  /** With shadows: difference to SkinnedMeshes. */
  shadows: number;
  drawn: number;
  drawCalls: number;
  drawnNear: number;
  culledDifference: number;
  errors: number;
}

const WIDTH = 480, HEIGHT = 320, COUNT = 7;

async function run(url: string): Promise<Report> {
  const buffer = await (await fetch(url)).arrayBuffer();
  const model = await loadGltf(new Uint8Array(buffer)), skeleton = newSkeletonFromModel(model), skin = newSkinFromModel(model, 0, skeleton);
  const clips = ["walk", "run", "idle"].map((name) => newClipFromModel(model, skeleton, model.animations.findIndex((animation) => animation.name === name)));
  const crowd = new Crowd3D(skeleton, skin, { capacity: 2 });
  const gltf: any = await new GLTFLoader().parseAsync(buffer.slice(0), "");
  const reference = new THREE.Scene(), mine = new THREE.Scene();

  let source: any;
  gltf.scene.traverse((object: any) => {
    if (object.isSkinnedMesh) source = object;
  });
  const ids: number[] = [];
  for (let i = 0; i < COUNT; i++) {
    const clip = clips[i % 3]!, time = 0.13 * i, angle = i * 0.9, x = (i - 3) * 0.7, z = -Math.abs(i - 3) * 0.5, scale = 1 + 0.05 * i;
    const figure = clone(gltf.scene), place = new THREE.Group(), mixer = new THREE.AnimationMixer(figure);
    place.add(figure);
    place.position.set(x, 0, z);
    place.rotation.y = angle;
    place.scale.setScalar(scale);
    mixer.clipAction(gltf.animations.find((animation: any) => animation.name === clip.getName())).play();
    mixer.setTime(time);
    figure.traverse((object: any) => {
      if (object.isSkinnedMesh) {
        object.frustumCulled = false;
        object.castShadow = object.receiveShadow = true;
      }
    });
    reference.add(place);
    ids.push(crowd.spawn({ clip, time, x, z, scale, rotation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] }));
  }
  crowd.update(0);

  const helper = crowdInThree(THREE, crowd, [{ geometry: source.geometry, material: source.material.clone() }]);
  mine.add(...helper.objects);
  for (const object of helper.objects) object.castShadow = object.receiveShadow = true;
  const camera = new THREE.PerspectiveCamera(45, WIDTH / HEIGHT, 0.1, 50);
  camera.position.set(0, 1.6, 5);
  camera.lookAt(0, 0.9, -0.5);
  camera.updateMatrixWorld();
  const lights: any[] = [];
  for (const scene of [reference, mine]) {
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(2, 4, 3);
    lights.push(sun);
    const floor = new THREE.Mesh(new THREE.PlaneGeometry(20, 20), new THREE.MeshStandardMaterial({ color: 0x808080 }));
    floor.rotation.x = -Math.PI / 2;
    floor.receiveShadow = true;
    floor.visible = false;
    scene.add(sun, new THREE.HemisphereLight(0xbbccff, 0x443322, 1), floor);
    scene.userData["floor"] = floor;
  }
  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true, antialias: false });
  renderer.setSize(WIDTH, HEIGHT, false);
  renderer.setClearColor(0x203040, 1);
  const errors: string[] = [];
  renderer.debug.onShaderError = (gl: any, _program: any, vertex: any, fragment: any) => errors.push(`${gl.getShaderInfoLog(vertex)} ${gl.getShaderInfoLog(fragment)}`);
  const take = (scene: any): Uint8Array => {
    renderer.render(scene, camera);
    return read(renderer.getContext());
  };
  show("three.js SkinnedMesh", renderer.domElement);
  const want = take(reference), got = take(mine);
  crowd.setTint(ids[3]!, 1, 0.2, 0.2);
  helper.update();
  const tinted = share(got, take(mine));
  crowd.setTint(ids[3]!, 1, 1, 1);
  helper.update();
  renderer.shadowMap.enabled = true;
  for (const light of lights) light.castShadow = true;
  for (const scene of [reference, mine]) {
    scene.userData["floor"].visible = true;
    scene.traverse((object: any) => {
      if (object.material) object.material.needsUpdate = true;
    });
  }
  const shadows = share(take(reference), take(mine));

  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  show("osteon", canvas);
  const gl = canvas.getContext("webgl2", { preserveDrawingBuffer: true, antialias: false })!, own = new Crowd3DRenderer(gl, crowd, model.meshes);
  const matrix = new THREE.Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse).elements;
  const draw = (elements: ArrayLike<number>, cull: boolean): Uint8Array => {
    gl.viewport(0, 0, WIDTH, HEIGHT);
    gl.clearColor(0x20 / 255, 0x30 / 255, 0x40 / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    own.draw(elements, { cull });
    return read(gl);
  };
  // Close to the leftmost: others are outside.
  const near = new THREE.PerspectiveCamera(20, WIDTH / HEIGHT, 0.1, 50);
  near.position.set(-2.1, 1.2, 2);
  near.lookAt(-2.1, 1, -1.5);
  near.updateMatrixWorld();
  const nearMatrix = new THREE.Matrix4().multiplyMatrices(near.projectionMatrix, near.matrixWorldInverse).elements;
  const culledDifference = share(draw(nearMatrix, true), draw(nearMatrix, false));
  draw(nearMatrix, true);
  const drawnNear = own.drawn;
  crowd.setVisible(ids[6]!, false);
  crowd.update(0);
  draw(matrix, true);
  const drawn = own.drawn;
  crowd.setVisible(ids[6]!, true);
  crowd.update(0);
  const picture = draw(matrix, true), drawCalls = own.drawCalls;
  const inWant = coverage(want), inOwn = coverage(picture);
  let uncovered = 0, covered = 0;
  for (let i = 0; i < inWant.length; i++) {
    if (inWant[i] !== inOwn[i]) uncovered++;
    covered += inWant[i]!;
  }
  const glErrors = gl.getError() + renderer.getContext().getError() + errors.length;
  if (errors.length > 0) throw new Error(errors.join("\n"));
  return {
    different: share(want, got), uncovered: uncovered / inWant.length, covered: covered / inWant.length, tinted, shadows, drawn, drawCalls, drawnNear, culledDifference,
    errors: glErrors,
  };
}

function show(title: string, canvas: HTMLCanvasElement): void {
  const figure = document.createElement("figure");
  figure.append(title, canvas);
  document.body.append(figure);
}

function read(gl: WebGLRenderingContext | WebGL2RenderingContext): Uint8Array {
  const out = new Uint8Array(WIDTH * HEIGHT * 4);
  gl.readPixels(0, 0, WIDTH, HEIGHT, gl.RGBA, gl.UNSIGNED_BYTE, out);
  return out;
}

function share(a: Uint8Array, b: Uint8Array): number {
  let different = 0;
  for (let i = 0; i < a.length; i += 4) if ([0, 1, 2].some((k) => Math.abs(a[i + k]! - b[i + k]!) > 8)) different++;
  return different / (a.length / 4);
}

function coverage(pixels: Uint8Array): Uint8Array {
  const out = new Uint8Array(pixels.length / 4);
  for (let i = 0; i < out.length; i++) out[i] = [0x20, 0x30, 0x40].some((value, k) => Math.abs(pixels[i * 4 + k]! - value) > 2) ? 1 : 0;
  return out;
}

(globalThis as unknown as { run: typeof run }).run = run;
