/** The package's main file is a script that Node takes for a module; its .mjs works everywhere but has no types beside it. */
declare module "maxrects-packer/dist/maxrects-packer.mjs" {
  export { MaxRectsPacker } from "maxrects-packer";
}
