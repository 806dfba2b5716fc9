/** Lines and columns start at 1. */
export class MarkupError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, { line, column }: MarkupPosition) {
    super(`${message} (line ${line}, column ${column})`);
    this.line = line;
    this.column = column;
  }
}

export interface MarkupPosition {
  line: number;
  column: number;
}
