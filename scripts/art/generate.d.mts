/** Types of generate.mjs for the tests. */
export const CHARACTER: string;
export function generate(): {
  pictures: Map<string, { canvas: { width: number; height: number; box: [number, number, number, number]; toBytes(): Uint8Array }; isMesh: boolean }>;
  page: { width: number; height: number; data: Uint8Array; atlas: string };
  skeleton: Record<string, unknown>;
  png: Uint8Array;
};
export function skeletonText(skeleton: Record<string, unknown>): string;
