export const COMMAND_NAME = 'npm run -s cli --';

export const formatExamples = (...lines: string[]): string =>
  `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  ${COMMAND_NAME} ${line}`).join('\n')}`;
