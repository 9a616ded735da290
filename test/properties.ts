import fc from "fast-check";

const isNightly = process.env["OSTEON_NIGHTLY"] === "1";

/*
 * The suite tries the same cases on every machine, so that what fails was changed. OSTEON_NIGHTLY=1 tries others each time
 * (the seed of a failure is in its message: OSTEON_SEED=n beside it repeats it).
 */
fc.configureGlobal({ seed: process.env["OSTEON_SEED"] !== undefined ? Number(process.env["OSTEON_SEED"]) : isNightly ? undefined! : 20_260 });

/** Cases that a property is tried with: so many, or 20 times as many with OSTEON_NIGHTLY=1. */
export function runs(count: number): number {
  return isNightly ? count * 20 : count;
}

export default fc;
