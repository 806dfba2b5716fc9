// In addition to a message's words, the index contains its mailbox, date and size class as terms that cannot occur in
// text. A search therefore reads only the mailboxes and period that it needs, regardless of how much else is stored.

/** Days in a short period and in a long period. */
const STRETCH_DAYS = 8;
const LONG_STRETCH_DAYS = 64;

const buildMailboxKey = (workspace: number, account: number): string => `#${workspace}.${account}`;

const buildDayKey = (workspace: number, account: number, day: number): string =>
  `#${workspace}.${account}.d${day}`;

const buildStretchKey = (workspace: number, account: number, day: number): string =>
  `#${workspace}.${account}.s${Math.floor(day / STRETCH_DAYS)}`;

const buildLongStretchKey = (workspace: number, account: number, day: number): string =>
  `#${workspace}.${account}.l${Math.floor(day / LONG_STRETCH_DAYS)}`;

export const ATTACHMENT_KEY = '#a';

/** Common sizes in searches, in bytes. */
const SIZE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .map((kilo) => kilo * 1024)
  .concat([1, 2, 5, 10, 20, 50].map((mega) => mega * 1024 * 1024));

/** Builds the key of messages between two consecutive size steps. */
const buildSizeKey = (step: number): string => `#z${step}`;

/** Builds a message's index keys, except the attachment key, which the insert adds. */
export const buildEntryKeys = (workspace: number, account: number, day: number, size: number): string[] => [
  buildMailboxKey(workspace, account),
  buildDayKey(workspace, account, day),
  buildStretchKey(workspace, account, day),
  buildLongStretchKey(workspace, account, day),
  buildSizeKey(SIZE_STEPS.filter((sizeStep) => size > sizeStep).length),
];

/**
 * Builds keys that cover all messages larger or smaller than a size. `isExact` is true if they cover no other messages.
 */
export function buildSizeKeys(
  side: 'larger' | 'smaller',
  bytes: number,
): { keys: string[]; isExact: boolean } {
  const keys = Array.from({ length: SIZE_STEPS.length + 1 }, (_, step) => step)
    .filter((step) =>
      side === 'larger'
        ? (SIZE_STEPS[step] ?? Number.POSITIVE_INFINITY) > bytes
        : (SIZE_STEPS[step - 1] ?? -1) + 1 < bytes,
    )
    .map(buildSizeKey);
  return { keys, isExact: side === 'larger' && SIZE_STEPS.includes(bytes) };
}

/**
 * Day keys and period keys per query. The index checks each key for every message that has the terms: 8 keys add a
 * fifth to the time per message, 32 double it, and 64 quadruple it.
 */
const MAX_DAY_KEYS = 8;
const MAX_STRETCH_KEYS = 16;

/** Period keys are used only if this many short periods per mailbox fit into a query. */
const MIN_STRETCHES_PER_WINDOW = 4;

/**
 * A long period that contains more short periods than this is represented by its own key. The index then checks fewer
 * keys but returns some messages outside the window, which the date condition removes.
 */
const MAX_STRETCHES_PER_LONG = 4;

/** Short periods by the long period that contains them. */
type Stretches = Map<number, Set<number>>;

function addDay(stretches: Stretches, day: number): void {
  const longStretch = Math.floor(day / LONG_STRETCH_DAYS);
  const shortStretches = stretches.get(longStretch) ?? new Set();
  stretches.set(longStretch, shortStretches.add(Math.floor(day / STRETCH_DAYS)));
}

const countKeys = (stretches: Stretches): number =>
  [...stretches.values()].reduce((sum, { size }) => sum + (size > MAX_STRETCHES_PER_LONG ? 1 : size), 0);

/**
 * Returns how many of the days, newest first, fit into the keys of one query. Returns all days if there are too many
 * mailboxes for period keys.
 */
export function countIndexedDays(accounts: number, days: readonly number[]): number {
  if (accounts * MIN_STRETCHES_PER_WINDOW > MAX_STRETCH_KEYS) return days.length;
  const stretches: Stretches = new Map();
  let indexedDays = 0;
  for (const [i, day] of days.entries()) {
    addDay(stretches, day);
    if (countKeys(stretches) * accounts <= MAX_STRETCH_KEYS) indexedDays = i + 1;
    // Each long period needs at least one key, so no later day can fit.
    else if (stretches.size * accounts > MAX_STRETCH_KEYS) break;
  }
  return indexedDays;
}

/** Builds keys for the mailboxes' messages on these days. They may match neighboring days too. */
export function buildDayKeys(
  workspace: number,
  accounts: readonly number[],
  days: readonly number[],
): string[] {
  if (accounts.length * days.length <= MAX_DAY_KEYS)
    return accounts.flatMap((account) => days.map((day) => buildDayKey(workspace, account, day)));
  const stretches: Stretches = new Map();
  for (const day of days) addDay(stretches, day);
  if (countKeys(stretches) * accounts.length > MAX_STRETCH_KEYS) return buildMailboxKeys(workspace, accounts);
  return accounts.flatMap((account) =>
    [...stretches].flatMap(([long, numbers]) =>
      numbers.size > MAX_STRETCHES_PER_LONG
        ? [buildLongStretchKey(workspace, account, long * LONG_STRETCH_DAYS)]
        : [...numbers].map((stretch) => buildStretchKey(workspace, account, stretch * STRETCH_DAYS)),
    ),
  );
}

export const buildMailboxKeys = (workspace: number, accounts: readonly number[]): string[] =>
  accounts.map((account) => buildMailboxKey(workspace, account));
