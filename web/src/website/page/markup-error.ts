/** Where markup is wrong, as the server ends its sentence: `(line 3, column 7)`. Pure. */
export function parseErrorPosition(message: string): { line: number; column: number } | null {
  const [, line, column] = /\(line (\d+), column (\d+)\)/.exec(message) ?? [];
  return line && column ? { line: Number(line), column: Number(column) } : null;
}

/** What is wrong, without where and without the name of the argument. Pure. */
export const getErrorText = (message: string): string =>
  message.replace(/^arch: /, '').replace(/ ?\(line \d+, column \d+\)/, '');
