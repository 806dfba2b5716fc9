/**
 * Finds the values that the user entered during a save.
 * @param sent the values that were saved
 * @param now the current values of the form
 */
export const findLaterEdits = <Values extends object>(sent: Values, now: Values): Partial<Values> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => value !== sent[name as keyof Values]),
  ) as Partial<Values>;
