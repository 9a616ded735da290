/** FBX 7, binary and text. Entry `osteon/fbx`. */
export { loadFbx, type FbxOptions } from "./load.js";
export * from "../model/index.js";
