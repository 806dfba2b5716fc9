/** Ends a start that an app of APPS_DIR stops, without a stack of our own. Anything else is thrown. */
export function refused(error) {
  if (error?.name !== 'AppsError') throw error;
  console.error(`Atrium could not start: ${error.message}`);
  if (error.cause) console.error(error.cause.stack);
  process.exit(1);
}
