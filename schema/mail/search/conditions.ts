import { type Sql, sql } from '../../../src/db/sql.ts';
import { type SearchClock, subtractAge } from '../../../src/mail/search/match.ts';
import { matchesFoldedName } from '../../../src/mail/search/operators.ts';
import type { FolderRole, SearchNode } from '../../../src/mail/search/tree.ts';
import { messageKey } from '../messages/file-entries.ts';
import { wordQuery } from './word-query.ts';

/** What names and dates of a search mean in the mailboxes where it looks. */
export interface Meaning {
  workspace: unknown;
  clock: SearchClock;
  folders: readonly { id: number; role: FolderRole | null; name: string }[];
  labels: readonly { id: number; name: string }[];
}

/** A condition on the entry `e`, its content `c` and its words `s`. */
export interface EntryCondition {
  where: Sql;
  /** Whether it names the content. */
  ofContent: boolean;
  /** Whether it names the words. */
  ofWords: boolean;
}

const YES = sql`true`;
const NO = sql`false`;

/** What a statement can say of a message, and what it names for that. */
export function conditionOf(nodes: readonly SearchNode[], meaning: Meaning): EntryCondition {
  const uses = { ofContent: false, ofWords: false };
  const where = nodes.map((node) => sqlOf(node, { meaning, uses, isWide: true }));
  return { where: where.length > 0 ? sql.join(where, ' and ') : YES, ...uses };
}

interface Writing {
  meaning: Meaning;
  uses: { ofContent: boolean; ofWords: boolean };
  /** Whether what cannot be said exactly is said too widely; otherwise too narrowly. */
  isWide: boolean;
}

function sqlOf(node: SearchNode, writing: Writing): Sql {
  switch (node.kind) {
    case 'and':
    case 'or':
      return sql`(${sql.join(
        node.nodes.map((each) => sqlOf(each, writing)),
        node.kind === 'and' ? ' and ' : ' or ',
      )})`;
    case 'not':
      return sql`not (${sqlOf(node.node, { ...writing, isWide: !writing.isWide })})`;
    case 'words':
      return hasWords(node, writing);
    case 'phrase':
      return writing.isWide ? hasWords(node, writing) : NO;
    default:
      return factSql(node, writing);
  }
}

function hasWords(node: SearchNode, { uses }: Writing): Sql {
  const { query } = wordQuery(node);
  if (query === null) return YES;
  uses.ofWords = true;
  return sql`s.words @@ ${sql.literal(query)}::tsquery`;
}

type Fact = Exclude<SearchNode, { kind: 'and' | 'or' | 'not' | 'words' | 'phrase' }>;

const STATES = {
  read: sql`e.is_read`,
  unread: sql`not e.is_read`,
  starred: sql`e.is_starred`,
  answered: sql`e.is_answered`,
};

function factSql(node: Fact, { meaning, uses }: Writing): Sql {
  const { workspace, clock } = meaning;
  switch (node.kind) {
    case 'is':
      return STATES[node.state];
    case 'attachment':
      uses.ofContent = true;
      return sql`c.attachment_count > 0`;
    case 'size':
      uses.ofContent = true;
      return node.side === 'larger' ? sql`c.size > ${bytes(node.bytes)}` : sql`c.size < ${bytes(node.bytes)}`;
    case 'day':
      return since(clock.startOfDay(node.day), node.side === 'from');
    case 'age':
      return since(subtractAge(clock.now, node.count, node.unit), node.side === 'newer');
    case 'in':
      return node.role === 'anywhere'
        ? YES
        : inFolders(meaning.folders.filter(({ role }) => role === node.role));
    case 'folder':
      return inFolders(meaning.folders.filter(({ name }) => matchesFoldedName(name, node.name)));
    case 'label': {
      const ids = meaning.labels.filter(({ name }) => matchesFoldedName(name, node.name)).map(({ id }) => id);
      return hasLabel(workspace, ids);
    }
    case 'exact':
      return exactSql(node);
  }
}

/** That a message has one of these labels. */
export const hasLabel = (workspace: unknown, ids: readonly number[]): Sql => sql`exists (
  select 1 from svc_mail_entry_label l
  where l.workspace_id = ${workspace} and l.entry_id = e.id and l.label_id = any(${ids}::int[]))`;

/** No message is larger. */
const bytes = (number: number): number => Math.min(number, 2 ** 31 - 1);

/** Years have four digits. */
const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');

function since(moment: Date, isSince: boolean): Sql {
  const time = Math.min(LAST, Math.max(FIRST, moment.getTime()));
  const at = sql.literal(new Date(time).toISOString());
  return isSince ? sql`e.date >= ${at}::timestamp` : sql`e.date < ${at}::timestamp`;
}

const inFolders = (folders: readonly { id: number }[]): Sql =>
  sql`e.folder_id = any(${folders.map(({ id }) => id)}::int[])`;

function exactSql({ of, value }: Extract<SearchNode, { kind: 'exact' }>): Sql {
  if (of === 'messageId') return sql`e.message_key = ${messageKey(value, '')}`;
  if (of === 'thread') return /^\d{1,15}$/.test(value) ? sql`e.thread_id = ${Number(value)}` : NO;
  const recipients = sql`case when jsonb_typeof(e.envelope->'to') = 'array' then e.envelope->'to' else '[]' end`;
  return sql`exists (select 1 from jsonb_array_elements_text(${recipients}) r where lower(r) = ${value})`;
}
