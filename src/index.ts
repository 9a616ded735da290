/**
 * osteon: skeletal animation on WebAssembly. The namespaces are also entries of their own (`osteon/spine`, …), which is
 * what an application that needs only one of them should import.
 */
export * as spine from "./spine/index.js";
export * as anim from "./anim/index.js";
export * as crowd from "./crowd/index.js";
export { eve } from "./anim/module/index.js";
export {
  ArgumentError,
  DisposedError,
  FormatError,
  NameError,
  OsteonError,
  type OsteonErrorDetails,
  OutOfMemoryError,
  RangeMismatchError,
  StateError,
} from "./errors.js";
