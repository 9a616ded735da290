import { Skeleton } from "../../../src/spine/index.js";
import { fox, serveHero, silentGl } from "./shared.js";

serveHero();
export const gl = silentGl();
export const skeletons = [new Skeleton(fox())];
export const cameraX = 0;
export const cameraY = 100;
export const viewWidth = 640;
export const viewHeight = 400;
