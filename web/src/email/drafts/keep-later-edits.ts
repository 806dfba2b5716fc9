/**
 * Adds what the user entered during a save to the saved values.
 * @param sent the values that were saved
 * @param now the current values of the form
 */
export const keepLaterEdits = <Values extends object>(saved: Values, sent: Values, now: Values): Values => ({
  ...saved,
  ...Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Values])),
});
