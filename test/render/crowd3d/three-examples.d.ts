/** three.js ships no declarations. */
declare module "three/examples/jsm/loaders/GLTFLoader.js" {
  export const GLTFLoader: new () => { parseAsync(data: ArrayBuffer, path: string): Promise<any> };
}
declare module "three/examples/jsm/utils/SkeletonUtils.js" {
  export function clone(object: any): any;
}
