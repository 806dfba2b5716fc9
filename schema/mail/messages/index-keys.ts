// Beside its words, the index holds of each message which mailbox it lies in and when it came, as words that no text
// has. So a search reads what one mailbox got in some days, however many mailboxes and years there are.

/** Days of a longer stretch. */
const STRETCH = 8;

/** All messages of the mailbox. */
const mailboxKey = (workspace: number, account: number): string => `#${workspace}.${account}`;

/** Those of one day, in days since 1970. */
const dayKey = (workspace: number, account: number, day: number): string =>
  `#${workspace}.${account}.d${day}`;

/** Those of the eight days around it. */
const stretchKey = (workspace: number, account: number, day: number): string =>
  `#${workspace}.${account}.s${Math.floor(day / STRETCH)}`;

/** Those with attachments. */
export const attachmentKey = '#a';

/** Sizes that people search by, in bytes. */
const SIZES = [1, 2, 5, 10, 20, 50, 100, 200, 500]
  .map((kilo) => kilo * 1024)
  .concat([1, 2, 5, 10, 20, 50].map((mega) => mega * 1024 * 1024));

/** Those larger than so many of the sizes, but not than the next one. */
const sizeKey = (step: number): string => `#z${step}`;

/** What the index holds of a message beside its words; its attachments are added by the statement. */
export const keysOfEntry = (workspace: number, account: number, day: number, size: number): string[] => [
  mailboxKey(workspace, account),
  dayKey(workspace, account, day),
  stretchKey(workspace, account, day),
  sizeKey(SIZES.filter((each) => size > each).length),
];

/** Keys, one of which each message of such a size has, and whether no other message has one of them. */
export function keysOfSize(side: 'larger' | 'smaller', bytes: number): { keys: string[]; isExact: boolean } {
  const keys = Array.from({ length: SIZES.length + 1 }, (_, step) => step)
    .filter((step) =>
      side === 'larger'
        ? (SIZES[step] ?? Number.POSITIVE_INFINITY) > bytes
        : (SIZES[step - 1] ?? -1) + 1 < bytes,
    )
    .map(sizeKey);
  return { keys, isExact: side === 'larger' && SIZES.includes(bytes) };
}

/**
 * Keys of days, and of stretches, in one query. Each is looked at for each message that has the words: 32 of them take
 * as long as all else that the index does for the message, 64 three times as long.
 */
const MOST_DAYS = 8;
const MOST_STRETCHES = 32;

/** How many of some days, newest first, have keys of their own in one query; all where the mailboxes are too many. */
export function daysWithKeys(accounts: number, days: readonly number[]): number {
  if (accounts * DIVISIBLE > MOST_STRETCHES) return days.length;
  const stretches = new Set<number>();
  const over = days.findIndex(
    (day) => stretches.add(Math.floor(day / STRETCH)).size * accounts > MOST_STRETCHES,
  );
  return over === -1 ? days.length : over;
}

/** Stretches that a window should have room for. */
const DIVISIBLE = 8;

/** Keys by which messages of mailboxes are found that came on these days, and perhaps on some days around. */
export function keysOfDays(
  workspace: number,
  accounts: readonly number[],
  days: readonly number[],
): string[] {
  if (accounts.length * days.length <= MOST_DAYS)
    return accounts.flatMap((account) => days.map((day) => dayKey(workspace, account, day)));
  const stretches = new Set(
    accounts.flatMap((account) => days.map((day) => stretchKey(workspace, account, day))),
  );
  return stretches.size <= MOST_STRETCHES ? [...stretches] : keysOfAll(workspace, accounts);
}

/** Keys by which all messages of mailboxes are found. */
export const keysOfAll = (workspace: number, accounts: readonly number[]): string[] =>
  accounts.map((account) => mailboxKey(workspace, account));
