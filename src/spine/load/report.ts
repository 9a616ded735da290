/** One thing that loading changed, left out or could not keep exactly. */
export interface LoadNote {
  /**
   * Stable, for programs: `upgraded`, `inexact-upgrade`, `missing-region`, `duplicate-name`, `draw-order`, `constraint-order`,
   * `unknown-version`, `left-out`.
   */
  code: string;
  message: string;
  /** How often the same happened. */
  count: number;
}

/** What a loader did with a file. */
export class LoadReport {
  /** Name of the file, if the loader was told. */
  file: string | undefined;
  format: "json" | "binary";
  /** Version text in the file, or null. */
  version: string | null = null;
  /** Minor version that the file was read as, such as `3.8`. */
  readAs = "4.3";
  notes: LoadNote[] = [];
  /** Elements created, the measure of the loader's work. */
  elements = 0;

  constructor(format: "json" | "binary", file?: string) {
    this.format = format;
    this.file = file;
  }

  /** Whether the file was of an older version. */
  get upgraded(): boolean {
    return this.readAs !== "4.3";
  }

  /** Adds a note, or counts it if the same message is there already. */
  note(code: string, message: string): void {
    const same = this.notes.find((note) => note.code === code && note.message === message);
    if (same === undefined) this.notes.push({ code, message, count: 1 });
    else same.count++;
  }
}
