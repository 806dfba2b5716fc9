import { isObject } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import type { ToolResult } from './tool.ts';
import { FENCE_CHARS } from './untrusted.ts';

// Clients truncate long results at any point, and the model does not notice. Therefore, a result over the budget ends
// after a whole row and says how to continue.

type Members = Record<string, unknown>;

export interface ResultPaging {
  offset: number;
  /** Computes the offset after the given first rows. Null if the call cannot be continued after them. */
  getNextOffset(rows: readonly unknown[]): number | null;
  /** Number of rows of a call that returned all of them. */
  total: number | null;
  /** True if the list reports a change instead of returning a page. */
  isReport: boolean;
}

export const createOffsetPaging = (offset: number): ResultPaging => ({
  offset,
  getNextOffset: (rows) => offset + rows.length,
  total: null,
  isReport: false,
});

/** The notice and the markers are added to a result after it has been shortened. */
const getMaxChars = (): number => limits.mcp.answerChars - FENCE_CHARS;

const HINT = 'The result is too long. Request less, for example with a filter or fewer fields.';

/**
 * Shortens a result that is over the budget. Its longest list ends early, with the next row's position, or with a hint
 * if the call accepts no offset. If a single row is over the budget, its long strings and lists are truncated.
 */
export function fitResult(result: ToolResult, paging: ResultPaging): ToolResult {
  if (result.text.length <= getMaxChars() || result.content) return result;
  const { displayText: _, ...rest } = result;
  const members = fitMembers(JSON.parse(result.text) as Members, paging);
  return { ...rest, text: JSON.stringify(members) };
}

function fitMembers(members: Members, paging: ResultPaging): Members {
  const path = findLongestList(members);
  const rows = path ? (getMember(members, path) as unknown[]) : [];
  const { _count, total, ...others } = members;
  const spentCount = JSON.stringify(others).length - JSON.stringify(rows).length + PAGING_CHARS;
  const count = countFittingRows(rows, getMaxChars() - spentCount);
  if (path && count > 0 && rows.length > 1) {
    const shortened = setMember(others, path, rows.slice(0, count));
    if (paging.isReport) return { ...shortened, total, _count, truncated: true };
    return {
      ...shortened,
      ...describePage(members, rows, count, paging),
      ...(_count !== undefined && { _count: count }),
    };
  }
  const isPage = path !== null && rows.length > 1;
  const single = isPage ? setMember(members, path, rows.slice(0, 1)) : members;
  const page = isPage && !paging.isReport && { ...describePage(members, rows, 1, paging), _count: 1 };
  const hint = paging.getNextOffset([]) === null && { hint: HINT };
  return { ...truncateMembers(single), ...page, truncated: true, ...hint };
}

/** Says how to continue after the first `count` rows. */
function describePage(members: Members, rows: unknown[], count: number, paging: ResultPaging): Members {
  const nextOffset = paging.getNextOffset(rows.slice(0, count));
  const isWhole = members.has_more === undefined && members.total === undefined;
  const total = isWhole ? (paging.total ?? paging.offset + rows.length) : members.total;
  return {
    has_more: true,
    ...(nextOffset === null ? { hint: HINT } : { next_offset: nextOffset }),
    ...(total !== undefined && { total }),
  };
}

/** Characters reserved for paging members such as `has_more`, `next_offset`, `total` and `hint`. */
const PAGING_CHARS = 200;

function findLongestList(members: Members): string[] | null {
  const places = Object.entries(members).flatMap(([name, item]): [string[], unknown][] =>
    isObject(item) ? Object.entries(item).map(([inner, value]) => [[name, inner], value]) : [[[name], item]],
  );
  let longest: { path: string[]; size: number } | null = null;
  for (const [path, value] of places) {
    if (!Array.isArray(value)) continue;
    const size = JSON.stringify(value).length;
    if (!longest || size > longest.size) longest = { path, size };
  }
  return longest?.path ?? null;
}

const getMember = (members: Members, path: string[]): unknown =>
  path.reduce((value: unknown, name) => (value as Members)[name], members);

function setMember(members: Members, [name, ...rest]: string[], value: unknown): Members {
  return { ...members, [name!]: rest.length > 0 ? setMember(members[name!] as Members, rest, value) : value };
}

/** Counts the leading rows whose text has at most `remaining` characters in total. */
function countFittingRows(rows: unknown[], remaining: number): number {
  let size = 2;
  for (const [index, row] of rows.entries()) {
    size += JSON.stringify(row ?? null).length + 1;
    if (size > remaining) return index;
  }
  return rows.length;
}

function truncateMembers(members: Members): Members {
  for (let most = 16_000; ; most /= 2) {
    const cutMembers = truncateValue(members, Math.floor(most)) as Members;
    if (most <= 1 || JSON.stringify(cutMembers).length <= getMaxChars() - PAGING_CHARS) return cutMembers;
  }
}

function truncateValue(value: unknown, maxChars: number): unknown {
  if (typeof value === 'string')
    return value.length > maxChars ? `${value.slice(0, maxChars)}…`.toWellFormed() : value;
  if (Array.isArray(value)) return value.slice(0, maxChars).map((item) => truncateValue(item, maxChars));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, value]) => [name, truncateValue(value, maxChars)]),
  );
}
