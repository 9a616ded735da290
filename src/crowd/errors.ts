import { OsteonError } from "../errors.js";

/** An id names a character that is gone (its generation has passed) or never was. Code `stale-id`. */
export class StaleIdError extends OsteonError {
  constructor(readonly id: number) {
    super(
      "stale-id",
      `Id ${id} names no living character of this crowd. It was despawned, or the id belongs to another crowd. ` +
        "Ask crowd.has(id) before using an id that may be old.",
      { found: id },
    );
  }
}

/** A crowd that must not grow is full. Code `crowd-full`. */
export class CrowdFullError extends OsteonError {
  constructor(readonly capacity: number) {
    super("crowd-full", `The crowd already has ${capacity} characters and was created with grow: false. Despawn one, or raise the capacity.`, {
      found: capacity + 1,
      supported: capacity,
    });
  }
}
