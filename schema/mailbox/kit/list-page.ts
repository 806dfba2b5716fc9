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

export const toPageRange = (
  offset: number | null | undefined,
  limit: number | null | undefined,
): PageRange => ({
  offset: Math.max(0, offset ?? 0),
  limit: Math.min(limits.mail.rows, Math.max(0, limit ?? 50)),
});
