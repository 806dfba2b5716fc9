import type { Command } from 'commander';

/** The command line used in the project folder. */
export const COMMAND_NAME = 'npm run -s cli --';

/** Adds examples to the help of a command. `lines` are the words after the program name. */
export const addExamples = (command: Command, ...lines: string[]): Command =>
  command.addHelpText(
    'after',
    `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  ${COMMAND_NAME} ${line}`).join('\n')}`,
  );
