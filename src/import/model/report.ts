/** What an importer changed, dropped or could not represent, in reading order. */
export interface ImportReport {
  /** Faults of the file that were put right: renormalised weights, renamed bones, clamped counts. */
  readonly repaired: readonly string[];
  /** Parts of the file that osteon has no use for or cannot represent. */
  readonly ignored: readonly string[];
}

/** Lines kept of each list; a file that repeats one fault ten thousand times says so once. */
const MAXIMUM_LINES = 200;

/** Collects the lines of an {@link ImportReport} while a file is read. */
export class ReportBuilder {
  readonly repairedLines: string[] = [];
  readonly ignoredLines: string[] = [];

  repaired(line: string): void {
    push(this.repairedLines, line);
  }

  ignored(line: string): void {
    push(this.ignoredLines, line);
  }

  finish(): ImportReport {
    return { repaired: [...this.repairedLines], ignored: [...this.ignoredLines] };
  }
}

function push(lines: string[], line: string): void {
  if (lines.length < MAXIMUM_LINES) lines.push(line);
  else if (lines.length === MAXIMUM_LINES) lines.push("… further lines were dropped");
}
