import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { decodeRowCursor, encodeRowCursor } from '../../graph/read/cursor.ts';

/** Position of a message in a list that is sorted by date and id. */
export interface EntryPosition {
  /** Timestamp in PostgreSQL's format. */
  date: string;
  id: number;
}

/** @param list identifies the list */
export const encodeEntryCursor = (ctx: Ctx, { date, id }: EntryPosition, list: string): string =>
  encodeRowCursor(ctx, [null, list, date, String(id)]);

/** @throws BAD_REQUEST if the cursor is invalid, or belongs to another list or caller */
export function decodeEntryCursor(ctx: Ctx, cursor: string, list: string): EntryPosition {
  const { order, values } = decodeRowCursor(ctx, cursor, 'after');
  if (order !== list) throw errors.foreignCursor('after');
  const [date, id] = values;
  return { date: date!, id: Number(id) };
}
