import nodeModule from 'node:module';
import { exitOnAppsError } from './exit-on-apps-error.mjs';

// Written in JavaScript, like boot/main.mjs, because a command then loads in half the time.
nodeModule.enableCompileCache();
// The reader of the pipe, such as `head`, has closed it.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
const { runCommand } = await import('./cli/run-command.ts').catch(exitOnAppsError);
process.exitCode = await runCommand(process.argv.slice(2));
