/** three.js ships no declarations; the bench needs none. */
declare module "three";
