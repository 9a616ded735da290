/** The peers need no declarations here. */
declare module "three" {
  export const Vector3: new (x: number, y: number, z: number) => unknown;
  export class Object3D {
    position: { set(x: number, y: number, z: number): void };
    matrixWorld: { elements: [number, number, number, number, number, number, number, number, number, number, number, number, number, number, number, number] };
    add(child: Object3D): void;
    updateMatrixWorld(force?: boolean): void;
  }
}
declare module "@pixiv/three-vrm-springbone";
