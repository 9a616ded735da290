import { FormatError, type OsteonErrorDetails } from "../../errors.js";

/** Minor versions that load, oldest first. */
export const SUPPORTED_VERSIONS = ["3.7", "3.8", "4.0", "4.1", "4.2", "4.3"] as const;

/** Major and minor version as one number: 3.7 is 37, 4.3 is 43. */
export type FormatVersion = 37 | 38 | 40 | 41 | 42 | 43;

/** `4.3` of 43. */
export function versionText(version: FormatVersion): string {
  return SUPPORTED_VERSIONS[[37, 38, 40, 41, 42, 43].indexOf(version)]!;
}

/**
 * The format version that a version text names. Only major and minor count; a beta carries the version it leads to.
 * @returns undefined if the text is not of the form `major.minor`
 * @throws FormatError `unsupported-version` outside 3.7 .. 4.3, and for 3.8.75, whose exports are defective
 */
export function parseVersion(text: string, where: OsteonErrorDetails): FormatVersion | undefined {
  const match = /^\s*(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?/.exec(text);
  if (match === null) return undefined;
  const major = Number(match[1]), minor = Number(match[2]);
  const shown = text.slice(0, 64);
  if (major === 3 && minor === 8 && match[3] === "75") {
    throw unsupported(shown, "Exports of 3.8.75 are known to be defective. Export again with a later 3.8 or newer.", where);
  }
  const known = SUPPORTED_VERSIONS.indexOf(`${major}.${minor}` as (typeof SUPPORTED_VERSIONS)[number]);
  if (known >= 0) return [37, 38, 40, 41, 42, 43][known] as FormatVersion;
  const older = major < 3 || (major === 3 && minor < 7);
  throw unsupported(
    shown,
    older
      ? "Open the project in a newer editor and export it again."
      : "Export it for 4.3 (the editor's export dialog has a version setting), or update osteon.",
    where,
  );
}

function unsupported(found: string, hint: string, where: OsteonErrorDetails): FormatError {
  return new FormatError(
    "unsupported-version",
    `The skeleton was exported by Spine ${found}; versions ${SUPPORTED_VERSIONS[0]} to ${SUPPORTED_VERSIONS.at(-1)} are supported. ${hint}`,
    { ...where, found, supported: SUPPORTED_VERSIONS },
  );
}

/** Version text that files are written with: that of the source if it is 4.3. */
export function writtenVersion(source: string | null): string {
  return source !== null && /^\s*4\.3(?!\d)/.test(source) ? source : "4.3.13";
}
