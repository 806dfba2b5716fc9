import nodeModule from 'node:module';
import { refused } from './refused.mjs';

// JavaScript, as boot/main.mjs is, for the same reason. A command is loaded in half the time.
nodeModule.enableCompileCache();
const { runCommand } = await import('./cli/run-command.ts').catch(refused);
process.exitCode = await runCommand(process.argv.slice(2));
