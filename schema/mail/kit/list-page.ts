import { limits } from '../../../src/limits.ts';

/** Which rows of a list are asked for. */
export interface PageRange {
  offset: number;
  limit: number;
}

/** A page of a list, its rows as JSON text. */
export interface ListPage {
  json: string;
  /** Rows of the page. */
  n: number;
  /** Rows of the whole list. */
  count: number;
}

/** What callers ask for, within what one page may have. */
export const toPageRange = (
  offset: number | null | undefined,
  limit: number | null | undefined,
): PageRange => ({
  offset: Math.max(0, offset ?? 0),
  limit: Math.min(limits.mail.rows, Math.max(0, limit ?? 50)),
});
