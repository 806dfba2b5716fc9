import nodeModule from 'node:module';

// Written in JavaScript, like boot/main.mjs, because commands then load in half the time.
nodeModule.enableCompileCache();
// The program that reads the pipe, such as `head`, has closed it.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});
const { runCommand } = await import('./cli/run-command.ts').catch(exitOnAppsError);
process.exitCode = await runCommand(process.argv.slice(2));

/**
 * Exits with the error message, without a stack trace, if an app in APPS_DIR cannot be loaded. Rethrows other errors.
 */
function exitOnAppsError(error) {
  if (error?.name !== 'AppsError') throw error;
  console.error(`Atrium could not start: ${error.message}`);
  if (error.cause) console.error(error.cause.stack);
  process.exit(1);
}
