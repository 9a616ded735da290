import { OsteonError, type OsteonErrorDetails } from "../errors.js";

/** Base class of everything that the animation module throws. */
export class AnimError extends OsteonError {}

/** A missing object, an empty name, a non-finite number, an unknown enum string, an array of the wrong length. */
export class AnimArgumentError extends AnimError {
  constructor(message: string, details: OsteonErrorDetails = {}, code = "anim-argument") {
    super(code, message, details);
  }
}

/** A name is looked up and does not exist. The message lists near matches. */
export class AnimNameError extends AnimArgumentError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super(message, details, "anim-name");
  }
}

/** An index of a bone, key, node, layer, vertex, … lies outside its range. */
export class AnimIndexError extends AnimError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super("anim-index", message, details);
  }
}

/** Calls came in an order that makes no sense, or an object was used after `dispose()`. */
export class AnimStateError extends AnimError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super("anim-state", message, details);
  }
}

/** Two objects do not fit each other: bone counts differ, another skeleton, an incompatible clip. */
export class AnimMismatchError extends AnimError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super("anim-mismatch", message, details);
  }
}

/** Imported text or binary is malformed. `file` names the source. */
export class AnimFormatError extends AnimError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super("anim-format", message, details);
  }

  /** The file or resource, as the caller named it. */
  get source(): string | undefined {
    return this.file;
  }
}

/** A file cannot be read or an image not be decoded; `cause` holds the original error. */
export class AnimIOError extends AnimError {
  constructor(message: string, readonly path: string, details: OsteonErrorDetails = {}) {
    super("anim-io", message, { file: path, ...details });
  }
}

/** A fixed limit is exceeded. */
export class AnimCapacityError extends AnimError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super("anim-capacity", message, details);
  }
}
