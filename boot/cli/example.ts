import type { Command } from 'commander';

/** How the commands are called from the folder of the project. */
export const COMMAND_NAME = 'npm run -s cli --';

/** Adds examples to the help of a command: its words after the name of the program. */
export const addExamples = (command: Command, ...lines: string[]): Command =>
  command.addHelpText(
    'after',
    `\n${lines.length > 1 ? 'Examples' : 'Example'}:\n${lines.map((line) => `  ${COMMAND_NAME} ${line}`).join('\n')}`,
  );
