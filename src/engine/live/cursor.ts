import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';

/**
 * A place in the stream of changes: the snapshot of Postgres (`pg_current_snapshot()`) with which changes were read
 * last. What a later snapshot sees and this one does not has been committed since, however early its transaction
 * began, so nothing that commits late is lost, and an old transaction delays no others.
 */
export interface StreamPosition {
  /** `xmin:xmax:xip,xip…` */
  snapshot: string;
  /** Seconds since 1970, by the clock of the database. */
  at: number;
}

const CURSOR_PATTERN = /^1 (\d{1,12}) (\d{1,18}:\d{1,18}:(?:\d{1,18}(?:,\d{1,18})*)?)$/;
const MAX_CURSOR_LENGTH = 20_000;

/** The position as clients keep it. */
export const encodeCursor = ({ snapshot, at }: StreamPosition): string =>
  Buffer.from(`1 ${Math.floor(at)} ${snapshot}`).toString('base64url');

/** @throws BAD_VALUE for what is no cursor */
export function decodeCursor(cursor: string): StreamPosition {
  const text = cursor.length > MAX_CURSOR_LENGTH ? '' : Buffer.from(cursor, 'base64url').toString('latin1');
  const [, at, snapshot] = CURSOR_PATTERN.exec(text) ?? [];
  if (!at || !snapshot || !isSnapshot(snapshot))
    throw errors.badValue("Wrong value for the argument 'after': it is no cursor");
  return { snapshot, at: Number(at) };
}

/** Whether Postgres would take it: the running transactions rise from `xmin` on, below `xmax`. */
function isSnapshot(snapshot: string): boolean {
  const { xmin, xmax } = getSnapshotBounds(snapshot);
  const running = snapshot.split(':')[2]!.split(',').filter(Boolean).map(BigInt);
  const rises = running.every((xid, i) => xid >= (i === 0 ? xmin : running[i - 1]! + 1n));
  return xmin > 0n && xmin <= xmax && rises && (running.at(-1) ?? 0n) < xmax;
}

/** Transactions before `xmin` had all ended, those from `xmax` on had not begun. */
export function getSnapshotBounds(snapshot: string): { xmin: bigint; xmax: bigint } {
  const [xmin, xmax] = snapshot.split(':');
  return { xmin: BigInt(xmin!), xmax: BigInt(xmax!) };
}

/** Whether changes since then may have been deleted. */
export const isExpired = (from: StreamPosition, now: StreamPosition): boolean =>
  now.at - from.at > limits.live.keepMinutes * 60;
