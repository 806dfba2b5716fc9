import nodeModule from 'node:module';
import { refused } from './refused.mjs';

// JavaScript, as boot/main.mjs is, for the same reason. A command is loaded in half the time.
nodeModule.enableCompileCache();
// The reader of a pipe, such as `head`, has enough.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
const { runCommand } = await import('./cli/run-command.ts').catch(refused);
process.exitCode = await runCommand(process.argv.slice(2));
