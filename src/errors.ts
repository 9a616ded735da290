/** Where an error lies and what was found there; every field is optional. */
export interface OsteonErrorDetails {
  /** File or resource name, as the caller gave it. */
  file?: string | undefined;
  /** JSON pointer (RFC 6901) of the offending value. */
  pointer?: string | undefined;
  /** Byte offset in a binary file. */
  byteOffset?: number | undefined;
  /** 1-based line in a text file. */
  line?: number | undefined;
  /** What was found. */
  found?: unknown;
  /** What would have been accepted. */
  supported?: unknown;
  /** The error that led to this one. */
  cause?: unknown;
}

/**
 * Base class of everything osteon throws.
 *
 * `code` is stable and meant for programs; `message` says what was given, what was expected and what to do.
 */
export class OsteonError extends Error {
  readonly code: string;
  readonly file?: string | undefined;
  readonly pointer?: string | undefined;
  readonly byteOffset?: number | undefined;
  readonly line?: number | undefined;
  readonly found?: unknown;
  readonly supported?: unknown;

  constructor(code: string, message: string, { cause, ...facts }: OsteonErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    Object.assign(this, facts);
  }
}

/** `0..7`, or in words where an end is none. */
function rangeText(min: number, max: number): string {
  if (max < Number.MAX_VALUE) return min > -Number.MAX_VALUE ? `${min}..${max}` : `a finite number up to ${max}`;
  return min > -Number.MAX_VALUE ? `a finite number of at least ${min}` : "a finite number";
}

/** A number or index lies outside its range. Code `range-mismatch`. */
export class RangeMismatchError extends OsteonError {
  constructor(
    readonly argument: string,
    readonly got: number,
    readonly min: number,
    readonly max: number,
    hint = "",
  ) {
    const range = rangeText(min, max);
    // Programs without types hand over texts such as "0.1"; the quotes tell them apart.
    super("range-mismatch", `${argument} is ${typeof got === "string" ? `the text "${String(got)}"` : String(got)}, expected ${range}.${hint === "" ? "" : ` ${hint}`}`, { found: got, supported: range });
  }
}

/** An argument has the wrong type or an impossible value. Code `bad-argument`. */
export class ArgumentError extends OsteonError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super("bad-argument", message, details);
  }
}

/** A name was looked up and does not exist. Code `unknown-name`. */
export class NameError extends OsteonError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super("unknown-name", message, details);
  }
}

/** An object was used after its `dispose()`. Code `disposed`. */
export class DisposedError extends OsteonError {
  constructor(readonly owner: string) {
    super("disposed", `${owner} was used after dispose(). Create a new one, or dispose it later.`);
  }
}

/** Calls came in an order that makes no sense. Code `bad-state`. */
export class StateError extends OsteonError {
  constructor(message: string, details: OsteonErrorDetails = {}) {
    super("bad-state", message, details);
  }
}

/**
 * A file is malformed, truncated, of an unsupported version, or larger than the stated limits.
 * Codes: `bad-format`, `truncated`, `unsupported-version`, `limit-exceeded`, `missing-region`, `missing-reference`.
 */
export class FormatError extends OsteonError {}

/** Linear memory cannot grow any further. Code `out-of-memory`. */
export class OutOfMemoryError extends OsteonError {
  constructor(readonly requestedBytes: number, readonly limitBytes: number) {
    super(
      "out-of-memory",
      `${requestedBytes} bytes were asked for, but linear memory ends at ${limitBytes} bytes. ` +
        "Dispose something, or raise the limit with configureMemory().",
      { found: requestedBytes, supported: limitBytes },
    );
  }
}
