import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';

/**
 * Position in the change stream: the PostgreSQL snapshot (`pg_current_snapshot()`) of the last read. A change that only
 * a later snapshot sees was committed after this read, no matter when its transaction began. So late commits are not
 * lost, and a long-running transaction does not delay others.
 */
export interface StreamPosition {
  /** Format: `xmin:xmax:xip,xip…`. */
  snapshot: string;
  /** Database time in Unix seconds. */
  at: number;
}

const CURSOR_PATTERN = /^1 (\d{1,12}) (\d{1,18}:\d{1,18}:(?:\d{1,18}(?:,\d{1,18})*)?)$/;
const MAX_CURSOR_LENGTH = 20_000;

export const encodeCursor = ({ snapshot, at }: StreamPosition): string =>
  Buffer.from(`1 ${Math.floor(at)} ${snapshot}`).toString('base64url');

/** @throws BAD_VALUE for an invalid cursor */
export function decodeCursor(cursor: string): StreamPosition {
  const text = cursor.length > MAX_CURSOR_LENGTH ? '' : Buffer.from(cursor, 'base64url').toString('latin1');
  const [, time, snapshot] = CURSOR_PATTERN.exec(text) ?? [];
  if (!time || !snapshot || !isSnapshot(snapshot))
    throw errors.badValue("Invalid value for the argument 'after': must be a cursor");
  return { snapshot, at: Number(time) };
}

/**
 * Returns true if PostgreSQL would accept the snapshot: the ids of running transactions are ascending, at least `xmin`,
 * and below `xmax`.
 */
function isSnapshot(snapshot: string): boolean {
  const { xmin, xmax } = getSnapshotBounds(snapshot);
  const runningTransactions = snapshot.split(':')[2]!.split(',').filter(Boolean).map(BigInt);
  const isAscending = runningTransactions.every(
    (xid, i) => xid >= (i === 0 ? xmin : runningTransactions[i - 1]! + 1n),
  );
  return xmin > 0n && xmin <= xmax && isAscending && (runningTransactions.at(-1) ?? 0n) < xmax;
}

/** Transactions before `xmin` had ended, and transactions from `xmax` on had not begun. */
export function getSnapshotBounds(snapshot: string): { xmin: bigint; xmax: bigint } {
  const [xmin, xmax] = snapshot.split(':');
  return { xmin: BigInt(xmin!), xmax: BigInt(xmax!) };
}

/** Returns true if changes since `from` may have been deleted from the log. */
export const isExpired = (from: StreamPosition, now: StreamPosition): boolean =>
  now.at - from.at > limits.live.keepMinutes * 60;
