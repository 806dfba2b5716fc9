export const COMMAND_NAME = 'npm run -s cli --';

export const formatExamples = (...lines: string[]): string =>
  `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  ${COMMAND_NAME} ${line}`).join('\n')}`;

/** Records the result of a command. `isFailed` sets a failure exit code. */
export type CommandFinisher = (result: unknown, isFailed?: boolean) => void;

/** Collects the values of an option that can be repeated. */
export const appendValue = (value: string, before: string[] = []): string[] => [...before, value];
