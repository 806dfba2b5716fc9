// Beside its words, the index holds of each message which mailbox it lies in and when it came, as words that no text
// has. So a search reads what one mailbox got in some days, however many mailboxes and years there are.

/** Days of a longer stretch, and of the longest, which is so many of those. */
const STRETCH_DAYS = 8;
const LONG_STRETCH_DAYS = 64;

/** All messages of the mailbox. */
const mailboxKey = (workspace: number, account: number): string => `#${workspace}.${account}`;

/** Those of one day, in days since 1970. */
const dayKey = (workspace: number, account: number, day: number): string =>
  `#${workspace}.${account}.d${day}`;

/** Those of the eight days around it. */
const stretchKey = (workspace: number, account: number, day: number): string =>
  `#${workspace}.${account}.s${Math.floor(day / STRETCH_DAYS)}`;

/** Those of the 64 days around it. */
const longKey = (workspace: number, account: number, day: number): string =>
  `#${workspace}.${account}.l${Math.floor(day / LONG_STRETCH_DAYS)}`;

/** Those with attachments. */
export const ATTACHMENT_KEY = '#a';

/** Sizes that people search by, in bytes. */
const SIZE_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .map((kilo) => kilo * 1024)
  .concat([1, 2, 5, 10, 20, 50].map((mega) => mega * 1024 * 1024));

/** Those larger than so many of the sizes, but not than the next one. */
const sizeKey = (step: number): string => `#z${step}`;

/** What the index holds of a message beside its words; its attachments are added by the statement. */
export const buildEntryKeys = (workspace: number, account: number, day: number, size: number): string[] => [
  mailboxKey(workspace, account),
  dayKey(workspace, account, day),
  stretchKey(workspace, account, day),
  longKey(workspace, account, day),
  sizeKey(SIZE_STEPS.filter((each) => size > each).length),
];

/** Keys, one of which each message of such a size has, and whether no other message has one of them. */
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
    .map(sizeKey);
  return { keys, isExact: side === 'larger' && SIZE_STEPS.includes(bytes) };
}

/**
 * Keys of days, and of stretches, in one query. Each is looked at for each message that has the words: 8 of them take a
 * fifth of the time of all else that the index does for the message, 32 as long as that, and 64 three times as long.
 */
const MAX_DAY_KEYS = 8;
const MAX_STRETCH_KEYS = 16;

/** Stretches that a window should have room for. */
const MIN_STRETCHES_PER_WINDOW = 4;

/**
 * Of a longest stretch with more of the shorter ones than these, its own key stands for all: fewer keys are looked at
 * for each message, and some messages that the window's bounds leave out.
 */
const MAX_STRETCHES_PER_LONG = 4;

/** Stretches of days, by the longest stretches that they lie in. */
type Stretches = Map<number, Set<number>>;

function addDay(stretches: Stretches, day: number): void {
  const long = Math.floor(day / LONG_STRETCH_DAYS);
  const its = stretches.get(long) ?? new Set();
  stretches.set(long, its.add(Math.floor(day / STRETCH_DAYS)));
}

/** Keys of one mailbox that the stretches take. */
const countKeys = (stretches: Stretches): number =>
  [...stretches.values()].reduce((sum, { size }) => sum + (size > MAX_STRETCHES_PER_LONG ? 1 : size), 0);

/** How many of some days, newest first, have keys of their own in one query; all where the mailboxes are too many. */
export function countIndexedDays(accounts: number, days: readonly number[]): number {
  if (accounts * MIN_STRETCHES_PER_WINDOW > MAX_STRETCH_KEYS) return days.length;
  const stretches: Stretches = new Map();
  let indexedDays = 0;
  for (const [i, day] of days.entries()) {
    addDay(stretches, day);
    if (countKeys(stretches) * accounts <= MAX_STRETCH_KEYS) indexedDays = i + 1;
    // Each has a key at least, whatever days follow.
    else if (stretches.size * accounts > MAX_STRETCH_KEYS) break;
  }
  return indexedDays;
}

/** Keys by which messages of mailboxes are found that came on these days, and perhaps on some days around. */
export function buildDayKeys(
  workspace: number,
  accounts: readonly number[],
  days: readonly number[],
): string[] {
  if (accounts.length * days.length <= MAX_DAY_KEYS)
    return accounts.flatMap((account) => days.map((day) => dayKey(workspace, account, day)));
  const stretches: Stretches = new Map();
  for (const day of days) addDay(stretches, day);
  if (countKeys(stretches) * accounts.length > MAX_STRETCH_KEYS) return buildMailboxKeys(workspace, accounts);
  return accounts.flatMap((account) =>
    [...stretches].flatMap(([long, its]) =>
      its.size > MAX_STRETCHES_PER_LONG
        ? [longKey(workspace, account, long * LONG_STRETCH_DAYS)]
        : [...its].map((stretch) => stretchKey(workspace, account, stretch * STRETCH_DAYS)),
    ),
  );
}

/** Keys by which all messages of mailboxes are found. */
export const buildMailboxKeys = (workspace: number, accounts: readonly number[]): string[] =>
  accounts.map((account) => mailboxKey(workspace, account));
