export type GuardedValues = Record<string, string | boolean | null>;

/** Last change of a record. `updatedAt` is null if the server does not record it. */
export interface LastChange {
  updatedAt: string | null;
  updatedBy: { displayName: string } | null;
}

/** Returns the values that differ from `before`. */
export const computeChanges = (before: GuardedValues, enteredValues: GuardedValues): GuardedValues =>
  Object.fromEntries(
    Object.entries(enteredValues).filter(([name, value]) => value !== (before[name] ?? null)),
  );

/** Returns the names of fields that were changed both locally and on the server, to different values. */
export const findConflicts = (before: GuardedValues, now: GuardedValues, changes: GuardedValues): string[] =>
  Object.keys(changes).filter(
    (name) =>
      (now[name] ?? null) !== (before[name] ?? null) && (now[name] ?? null) !== (changes[name] ?? null),
  );
