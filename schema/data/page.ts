import type { Page } from '../../src/engine/read/query.ts';
import { errors } from '../../src/errors.ts';

/** The page that a caller asks for. @throws BAD_VALUE for what is none */
export function pageOf(
  offset: number | null | undefined,
  limit: number | null | undefined,
  order: string | null | undefined,
  after?: number | null,
): Page {
  if ((offset ?? 0) < 0 || (limit ?? 0) < 0) throw errors.badValue('offset and limit may not be negative');
  if (after && offset) throw errors.badValue("Wrong value for the argument 'after': it goes with no offset");
  return { offset: offset ?? 0, limit: limit ?? null, order: order ?? null, after: after ?? null };
}
