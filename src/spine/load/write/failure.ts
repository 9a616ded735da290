import { FormatError } from "../../../errors.js";

/** What a format cannot hold. @internal */
export function cannotWrite(format: string, what: string, hint: string): never {
  throw new FormatError("cannot-write", `${format} cannot hold ${what}. ${hint}`, { found: what });
}
