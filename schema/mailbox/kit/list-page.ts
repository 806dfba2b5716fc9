import { limits } from '../../../src/limits.ts';

export interface PageRange {
  offset: number;
  limit: number;
}

export interface ListPage {
  json: string;
  n: number;
  count: number;
}

/** Limits the requested range to the maximum page size. */
export const toPageRange = (
  offset: number | null | undefined,
  limit: number | null | undefined,
): PageRange => ({
  offset: Math.max(0, offset ?? 0),
  limit: Math.min(limits.mail.rows, Math.max(0, limit ?? 50)),
});
