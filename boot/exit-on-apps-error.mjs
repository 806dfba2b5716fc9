/**
 * Exits with the error message if an app in APPS_DIR prevents startup, without our stack trace. Rethrows other errors.
 */
export function exitOnAppsError(error) {
  if (error?.name !== 'AppsError') throw error;
  console.error(`Atrium could not start: ${error.message}`);
  if (error.cause) console.error(error.cause.stack);
  process.exit(1);
}
