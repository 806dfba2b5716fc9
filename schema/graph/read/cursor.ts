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
export function encodeRowCursor(ctx: Ctx, [, ...place]: (string | null)[]): string {
  return getCursorCipher(ctx.runtime.config).encrypt(JSON.stringify([...getReaderKey(ctx), ...place]));
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
export const addCursors = (ctx: Ctx, json: string): string =>
  json.includes(POSITION_MARK)
    ? json.replace(
        ROW_POSITION_PATTERN,
        (place) => `"${encodeRowCursor(ctx, JSON.parse(place) as string[])}"`,
      )
    : json;
