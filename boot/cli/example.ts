import type { Command } from 'commander';

export const COMMAND_NAME = 'npm run -s cli --';

export const addExamples = (command: Command, ...lines: string[]): Command =>
  command.addHelpText(
    'after',
    `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  ${COMMAND_NAME} ${line}`).join('\n')}`,
  );
