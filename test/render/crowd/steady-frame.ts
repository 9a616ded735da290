/** Prints the bytes of heap that 1,000 frames of a drawn crowd leave behind. Run in a process of its own by steady-frame.test.ts. */
import { bytesPerWindow } from "../../../bench/lib/heap.js";
import { readFileSync } from "node:fs";
import { Crowd } from "../../../src/crowd/index.js";
import { CrowdRenderer, orthographic } from "../../../src/render/index.js";
import { AtlasAttachmentLoader, FakeTexture, SkeletonJson, TextureAtlas } from "../../../src/spine/index.js";

/** A graphics card that does nothing. */
function idleGl(): WebGL2RenderingContext {
  const gl: Record<string, unknown> = {};
  const calls = [
    "createShader", "shaderSource", "compileShader", "attachShader", "deleteShader", "linkProgram", "isContextLost", "activeTexture", "bindTexture", "texParameteri",
    "texImage2D", "texSubImage2D", "pixelStorei", "useProgram", "uniform1i", "uniform3fv", "uniformMatrix4fv", "bindVertexArray", "bindBuffer", "bufferData",
    "enableVertexAttribArray", "vertexAttribPointer", "vertexAttribIPointer", "enable", "blendFuncSeparate", "drawElementsInstanced", "deleteBuffer",
  ];
  for (const name of calls) gl[name] = () => {};
  for (const name of ["createProgram", "createTexture", "createVertexArray", "createBuffer", "getUniformLocation"]) gl[name] = () => ({});
  gl["getProgramParameter"] = () => true;
  gl["getParameter"] = () => 4096;
  ["R32UI", "RG32F", "RGBA32F", "RGBA32UI", "TEXTURE0"].forEach((name, i) => (gl[name] = i + 1));
  return gl as unknown as WebGL2RenderingContext;
}

const folder = process.argv[2]!;
const atlas = new TextureAtlas(readFileSync(`${folder}/fennel.atlas`, "utf8"));
for (const page of atlas.pages) page.setTexture(new FakeTexture({}));
const data = new SkeletonJson(new AtlasAttachmentLoader(atlas)).readSkeletonData(readFileSync(`${folder}/fennel.json`, "utf8"));
const crowd = new Crowd(data, { capacity: 64, slots: true });
const names = ["idle", "walk", "run", "jump", "wave", "blink"];
for (let i = 0; i < 48; i++) {
  crowd.spawn({ animation: names[i % 6]!, time: i * 0.21, skin: i % 2 === 0 ? "ember" : "frost", x: i * 10, y: (i * 7) % 13 });
}
const renderer = new CrowdRenderer(idleGl(), crowd, { textures: () => null });
const matrix = orthographic(0, 0, 1000, 1000);
const options = { cull: { x: -500, y: -500, width: 900, height: 1000 }, fog: new Float32Array(64), fogColor: [1, 1, 1] };
const frame = (): void => {
  crowd.update(1 / 60);
  renderer.draw(matrix, options);
};

console.log(JSON.stringify({ bytes: bytesPerWindow(frame, 1000), drawn: renderer.drawn, drawCalls: renderer.drawCalls }));
