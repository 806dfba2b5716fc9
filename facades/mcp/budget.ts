import { isObject } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import type { ToolResult } from './tool.ts';

// Clients truncate long results at any point, and the model does not notice. Therefore, a result over the budget ends
// after a whole row and says how to continue.

type Members = Record<string, unknown>;

interface PageOptions {
  offset: number;
  hasOffset: boolean;
}

const HINT = 'The result is too long. Request less, for example with a filter or fewer fields.';

/**
 * Shortens a result that is over the budget. Its longest list ends early, with the next row's position, or with a hint
 * if the call accepts no offset. If a single row is over the budget, its long strings and lists are truncated.
 */
export function fitResult(result: ToolResult, paging: PageOptions): ToolResult {
  if (result.text.length <= limits.mcp.answerChars || result.content) return result;
  const { displayText: _, ...rest } = result;
  const members = fitMembers(JSON.parse(result.text) as Members, paging);
  return { ...rest, text: JSON.stringify(members) };
}

function fitMembers(members: Members, { offset, hasOffset }: PageOptions): Members {
  const path = findLongestList(members);
  const rows = path ? (getMember(members, path) as unknown[]) : [];
  const { _count, total, ...others } = members;
  const spentCount = JSON.stringify(others).length - JSON.stringify(rows).length + PAGING_CHARS;
  const count = countFittingRows(rows, limits.mcp.answerChars - spentCount);
  if (path && count > 0 && rows.length > 1) {
    const isWhole = members.has_more === undefined && total === undefined;
    return {
      ...setMember(others, path, rows.slice(0, count)),
      has_more: true,
      ...(hasOffset ? { next_offset: offset + count } : { hint: HINT }),
      ...(isWhole ? { total: offset + rows.length } : total !== undefined && { total }),
      ...(_count !== undefined && { _count: count }),
    };
  }
  const [first] = rows;
  const single = path && rows.length > 1 ? setMember(members, path, [first]) : members;
  const paging =
    rows.length > 1
      ? {
          has_more: true,
          ...(hasOffset && { next_offset: offset + 1 }),
          total: total ?? offset + rows.length,
          _count: 1,
        }
      : {};
  return { ...truncateMembers(single), ...paging, truncated: true, ...(!hasOffset && { hint: HINT }) };
}

/** Characters reserved for paging members such as `has_more`, `next_offset`, `total` and `hint`. */
const PAGING_CHARS = 200;

/** Finds the path of the longest list among the members of the result and their members. */
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
    if (most <= 1 || JSON.stringify(cutMembers).length <= limits.mcp.answerChars - PAGING_CHARS)
      return cutMembers;
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
