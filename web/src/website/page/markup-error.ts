/** Parses the error position in a server message: `(line 3, column 7)`. */
export function parseErrorPosition(message: string): { line: number; column: number } | null {
  const [, line, column] = /\(line (\d+), column (\d+)\)/.exec(message) ?? [];
  return line && column ? { line: Number(line), column: Number(column) } : null;
}

/** Returns a server message without its position and argument name. */
export const getErrorText = (message: string): string =>
  message.replace(/^arch: /, '').replace(/ ?\(line \d+, column \d+\)/, '');
