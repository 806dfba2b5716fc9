import { memoizePerObject } from '../../../src/cache.ts';
import type { Config } from '../../../src/config.ts';
import { createStableCipher } from '../../../src/encryption.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { type OrderPosition, POSITION_MARK, toOrderPosition } from '../../../src/engine/sql/keyset.ts';
import { errors } from '../../../src/errors.ts';

// A cursor contains a row's sort values, encrypted for the caller. A shared cursor could otherwise reveal values that
// another user may not read.

const getCursorCipher = memoizePerObject(({ secretKey }: Config) => createStableCipher(secretKey, 'cursor'));

/** @param place position of a row as written by PostgreSQL */
export const encodeRowCursor = (ctx: Ctx, [, ...place]: (string | null)[]): string =>
  encodeCursors(ctx, [`${place.map((value) => `, ${JSON.stringify(value)}`).join('')}]`])[0]!;

/** @param ends the positions' JSON from the comma after the mark */
function encodeCursors(ctx: Ctx, ends: string[]): string[] {
  const start = `[${getReaderKey(ctx).join(', ')}`;
  return getCursorCipher(ctx.runtime.config).encrypt(ends.map((end) => start + end));
}

/** @throws BAD_REQUEST if the text is not a cursor, or was created for another caller */
export function decodeRowCursor(ctx: Ctx, cursor: string, argument: string): OrderPosition {
  const text = getCursorCipher(ctx.runtime.config).decrypt(cursor);
  if (text === null) throw errors.notCursor(argument);
  const [workspace, user, ...place] = JSON.parse(text) as [number, number, ...(string | null)[]];
  const [ownWorkspace, ownUser] = getReaderKey(ctx);
  if (workspace !== ownWorkspace || user !== ownUser) throw errors.foreignCursor(argument);
  return toOrderPosition([null, ...place]);
}

/** Returns the workspace and the user or, for a key without a user, the key's domain. */
const getReaderKey = ({ workspace, principal }: Ctx): [number, number] => [
  workspace.id,
  principal?.userId ?? -(principal?.domainId ?? 0),
];

const JSON_STRING_PATTERN = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"`;
const ROW_POSITION_PATTERN = new RegExp(
  String.raw`\["\\u0000@"(?:, (?:null|${JSON_STRING_PATTERN}))*\]`,
  'g',
);

/** Replaces row positions in PostgreSQL's response with cursors. */
export function addCursors(ctx: Ctx, json: string): string {
  if (!json.includes(POSITION_MARK)) return json;
  const places = json.match(ROW_POSITION_PATTERN)!;
  const cursors = encodeCursors(
    ctx,
    places.map((place) => place.slice(`[${POSITION_MARK}`.length)),
  );
  let index = 0;
  return json.replace(ROW_POSITION_PATTERN, () => `"${cursors[index++]}"`);
}
