import { type Sql, sql } from '../../../src/db/sql.ts';
import { type SearchClock, subtractAge } from '../../../src/message/search/match.ts';
import { matchesFoldedName } from '../../../src/message/search/operators.ts';
import type { FolderRole, SearchNode } from '../../../src/message/search/tree.ts';
import { computeMessageKey } from '../messages/file-entries.ts';
import { buildWordQuery } from './word-query.ts';

export interface SearchContext {
  workspace: unknown;
  clock: SearchClock;
  folders: readonly { id: number; role: FolderRole | null; name: string }[];
  labels: readonly { id: number; name: string }[];
}

/** Condition on the entry `e`, its content `c` and its search row `s`. */
export interface EntryCondition {
  where: Sql;
  ofContent: boolean;
  ofWords: boolean;
}

const TRUE_SQL = sql`true`;
const FALSE_SQL = sql`false`;

export function buildCondition(nodes: readonly SearchNode[], context: SearchContext): EntryCondition {
  const uses = { ofContent: false, ofWords: false };
  const where = nodes.map((node) => buildNodeSql(node, { meaning: context, uses, isWide: true }));
  return { where: where.length > 0 ? sql.join(where, ' and ') : TRUE_SQL, ...uses };
}

interface ConditionContext {
  meaning: SearchContext;
  uses: { ofContent: boolean; ofWords: boolean };
  /** True to match too many messages, false to match too few, if a condition cannot be expressed exactly. */
  isWide: boolean;
}

function buildNodeSql(node: SearchNode, writingContext: ConditionContext): Sql {
  switch (node.kind) {
    case 'and':
    case 'or':
      return sql`(${sql.join(
        node.nodes.map((node) => buildNodeSql(node, writingContext)),
        node.kind === 'and' ? ' and ' : ' or ',
      )})`;
    case 'not':
      return sql`not (${buildNodeSql(node.node, { ...writingContext, isWide: !writingContext.isWide })})`;
    case 'words':
      return buildWordsSql(node, writingContext);
    case 'phrase':
      return writingContext.isWide ? buildWordsSql(node, writingContext) : FALSE_SQL;
    default:
      return buildFilterSql(node, writingContext);
  }
}

function buildWordsSql(node: SearchNode, { uses }: ConditionContext): Sql {
  const { query } = buildWordQuery(node);
  if (query === null) return TRUE_SQL;
  uses.ofWords = true;
  return sql`s.words @@ ${sql.literal(query)}::tsquery`;
}

type FilterNode = Exclude<SearchNode, { kind: 'and' | 'or' | 'not' | 'words' | 'phrase' }>;

const STATE_SQL = {
  read: sql`e.is_read`,
  unread: sql`not e.is_read`,
  starred: sql`e.is_starred`,
  answered: sql`e.is_answered`,
};

function buildFilterSql(node: FilterNode, { meaning, uses }: ConditionContext): Sql {
  const { workspace, clock } = meaning;
  switch (node.kind) {
    case 'is':
      return STATE_SQL[node.state];
    case 'attachment':
      uses.ofContent = true;
      return sql`c.attachment_count > 0`;
    case 'size':
      uses.ofContent = true;
      return node.side === 'larger'
        ? sql`c.size > ${clampBytes(node.bytes)}`
        : sql`c.size < ${clampBytes(node.bytes)}`;
    case 'day':
      return buildDateSql(clock.startOfDay(node.day), node.side === 'from');
    case 'age':
      return buildDateSql(subtractAge(clock.now, node.count, node.unit), node.side === 'newer');
    case 'in':
      return node.role === 'anywhere'
        ? TRUE_SQL
        : buildFoldersSql(meaning.folders.filter(({ role }) => role === node.role));
    case 'folder':
      return buildFoldersSql(meaning.folders.filter(({ name }) => matchesFoldedName(name, node.name)));
    case 'label': {
      const ids = meaning.labels.filter(({ name }) => matchesFoldedName(name, node.name)).map(({ id }) => id);
      return buildHasLabelSql(workspace, ids);
    }
    case 'exact':
      return buildExactSql(node);
  }
}

export const buildHasLabelSql = (workspace: unknown, ids: readonly number[]): Sql => sql`exists (
  select 1 from svc_mail_entry_label l
  where l.workspace_id = ${workspace} and l.entry_id = e.id and l.label_id = any(${ids}::int[]))`;

/** Sizes are stored as int4. */
const clampBytes = (number: number): number => Math.min(number, 2 ** 31 - 1);

/** First and last time with a four-digit year. */
const MIN_TIME_MS = Date.parse('0001-01-01T00:00:00Z');
const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59Z');

function buildDateSql(moment: Date, isSince: boolean): Sql {
  const time = Math.min(MAX_TIME_MS, Math.max(MIN_TIME_MS, moment.getTime()));
  const sentAt = sql.literal(new Date(time).toISOString());
  return isSince ? sql`e.date >= ${sentAt}::timestamp` : sql`e.date < ${sentAt}::timestamp`;
}

const buildFoldersSql = (folders: readonly { id: number }[]): Sql =>
  sql`e.folder_id = any(${folders.map(({ id }) => id)}::int[])`;

function buildExactSql({ of, value }: Extract<SearchNode, { kind: 'exact' }>): Sql {
  if (of === 'messageId') return sql`e.message_key = ${computeMessageKey(value, '')}`;
  if (of === 'thread') return /^\d{1,15}$/.test(value) ? sql`e.thread_id = ${Number(value)}` : FALSE_SQL;
  const recipients = sql`case when jsonb_typeof(e.envelope->'to') = 'array' then e.envelope->'to' else '[]' end`;
  return sql`exists (select 1 from jsonb_array_elements_text(${recipients}) r where lower(r) = ${value})`;
}
