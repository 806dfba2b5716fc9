/** What is wrong with markup, and where. Lines and columns begin with 1. */
export class MarkupError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, { line, column }: MarkupPosition) {
    super(`${message} (line ${line}, column ${column})`);
    this.line = line;
    this.column = column;
  }
}

/** A place in the text of markup. */
export interface MarkupPosition {
  line: number;
  column: number;
}
