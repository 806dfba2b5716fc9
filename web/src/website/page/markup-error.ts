/** Parses the position in an error message such as `… (line 3, column 7)`. */
export function parseErrorPosition(message: string): { line: number; column: number } | null {
  const [, line, column] = /\(line (\d+), column (\d+)\)/.exec(message) ?? [];
  return line && column ? { line: Number(line), column: Number(column) } : null;
}

/** Returns an error message without its position and argument name. */
export const getErrorText = (message: string): string =>
  message.replace(/^arch: /, '').replace(/ ?\(line \d+, column \d+\)/, '');
