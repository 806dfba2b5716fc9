/** Values of something that several people may change, by their names as inputs. */
export type GuardedValues = Record<string, string | boolean | null>;

/** Who has changed something last; without a time where the server does not note it. */
export interface LastChange {
  updatedAt: string | null;
  updatedBy: { displayName: string } | null;
}

/** What was entered and is another than before. Pure. */
export const computeChanges = (before: GuardedValues, entered: GuardedValues): GuardedValues =>
  Object.fromEntries(Object.entries(entered).filter(([name, value]) => value !== (before[name] ?? null)));

/** What was changed here, and by somebody else to something else. Pure. */
export const findConflicts = (before: GuardedValues, now: GuardedValues, changes: GuardedValues): string[] =>
  Object.keys(changes).filter(
    (name) =>
      (now[name] ?? null) !== (before[name] ?? null) && (now[name] ?? null) !== (changes[name] ?? null),
  );
