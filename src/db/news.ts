import { limits } from '../limits.ts';
import type { Rendered } from './sql.ts';

// Every process keeps callers, rights and models in memory. What changes them is announced in the transaction of the
// change, by the place that all statements pass. See docs/adr/0025-news.md.

/** Who listens here forgets what it knows of a workspace; without one, of all. */
export const NEWS = 'atrium_identity';

type Kind = 'insert' | 'update' | 'delete';

/**
 * The tables that are kept in memory, and the kinds of writes that make what is kept wrong. What is not there is never
 * kept, so a new key, session or user needs no announcement.
 */
export const ANNOUNCED: Readonly<Record<string, readonly Kind[]>> = {
  workspace: ['update', 'delete'],
  svc_api_key: ['update', 'delete'],
  svc_session: ['update', 'delete'],
  svc_connected_agent: ['update', 'delete'],
  res_users: ['update', 'delete'],
  res_groups: ['update', 'delete'],
  res_groups_privilege: ['update', 'delete'],
  res_company: ['insert', 'delete'],
  res_groups_users_rel: ['insert', 'update', 'delete'],
  res_groups_implied_rel: ['insert', 'update', 'delete'],
  res_company_users_rel: ['insert', 'update', 'delete'],
  ir_module_module: ['insert', 'update'],
  ir_model: ['insert', 'update', 'delete'],
  ir_model_fields: ['insert', 'update', 'delete'],
  ir_model_fields_selection: ['insert', 'update', 'delete'],
  ir_model_access: ['insert', 'update', 'delete'],
  ir_rule: ['insert', 'update', 'delete'],
  rule_group_rel: ['insert', 'update', 'delete'],
  res_lang: ['insert', 'update', 'delete'],
};

/** A write of a statement: its table, and which parameter is the workspace; null where the text does not say. */
export interface Write {
  table: string;
  kinds: Kind[];
  workspace: number | null;
}

const WRITE =
  /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_][a-z_0-9]*)"?/gi;

/** The writes in the text of a statement, also within `with`. What only looks like one names no table. Pure. */
export function writesOf(text: string): Write[] {
  return [...text.matchAll(WRITE)].map(({ 0: whole, 1: verb, 2: name, index }) => {
    const table = name!.toLowerCase();
    const rest = text.slice(index + whole.length);
    const isInsert = /^insert/i.test(verb!);
    return {
      table,
      kinds: kindsOf(verb!, rest),
      workspace: isInsert ? insertedInto(rest) : workspaceIn(table, rest),
    };
  });
}

function kindsOf(verb: string, rest: string): Kind[] {
  switch (verb[0]!.toLowerCase()) {
    case 'i':
      return /\bon\s+conflict\b[^;]*?\bdo\s+update\b/i.test(rest) ? ['insert', 'update'] : ['insert'];
    case 'u':
      return ['update'];
    case 'd':
      return ['delete'];
    default:
      return ['insert', 'update', 'delete'];
  }
}

/** A statement writes rows of one workspace, so the first condition on it is that of the write. */
function workspaceIn(table: string, rest: string): number | null {
  const column = table === 'workspace' ? /\bwhere\s+(?:\w+\.)?"?id"?\s*=\s*\$(\d+)/i : OWN;
  const [, place] = column.exec(rest) ?? [];
  return place ? Number(place) : null;
}

const OWN = /\bworkspace_id"?\s*=\s*\$(\d+)/i;

/** Columns come in the order of their values; those before the workspace are plain parameters. */
function insertedInto(rest: string): number | null {
  if (COPIED.test(rest)) return workspaceIn('', rest);
  const [, columns, values] = INSERTED.exec(rest) ?? [];
  if (!columns || !values) return null;
  const names = columns.split(',').map((name) => name.trim().replaceAll('"', ''));
  const value = values.split(',')[names.indexOf('workspace_id')] ?? '';
  const [, place] = /^\s*\$(\d+)(?:::\w+)?\s*\)?\s*$/.exec(value) ?? [];
  return place ? Number(place) : null;
}

/** The workspace is that of the row that is read. */
const COPIED = /^\s*(?:as\s+\w+\s*)?\(workspace_id,[^()]*\)\s*select\s+\w+\.workspace_id,/i;

const INSERTED =
  /^\s*(?:as\s+\w+\s*)?\(([^()]*)\)\s*(?:values\s*\(|select\s+)((?:\s*\$\d+(?:::\w+)?\s*(?:,|\)|(?=\s)))+)/i;

/** What others have to hear of a statement. */
export interface Announcement {
  /** The workspace that has changed, by its id; null for one that the text does not name. */
  workspace: number | null;
  /** Whether something of it is kept in memory. */
  isKept: boolean;
  /** Tables whose changes no trigger notes. */
  changed: string[];
}

export interface News {
  /** null for a statement that others need not hear of, as almost all. */
  of(statement: Rendered): Announcement | null;
  /**
   * From now on changes of these tables are noted here for subscribers: they have no triggers.
   * @param reached the tables from which a delete takes rows along, by the table of the delete
   */
  note(tables: ReadonlySet<string>, reached: ReadonlyMap<string, ReadonlySet<string>>): void;
  /** Whether there are tables without triggers: Citus has spread them. */
  isSpread(): boolean;
}

/** Texts are read once each. */
export function createNews(): News {
  // No cache: to keep the order of use would take longer than to read a text.
  const known = new Map<string, Write[]>();
  let noted: ReadonlySet<string> = new Set();
  let reachedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  const changedBy = ({ table, kinds }: Write): string[] => {
    const along = kinds.includes('delete') ? [...(reachedBy.get(table) ?? [])] : [];
    return [table, ...along].filter((each) => noted.has(each));
  };
  const read = (text: string): Write[] =>
    writesOf(text).filter((write) => isKept(write) || changedBy(write).length > 0);
  const writesIn = (text: string): Write[] => {
    const before = known.get(text);
    if (before) return before;
    const writes = read(text);
    if (text.length > limits.sql.preparedLength) return writes;
    if (known.size >= limits.sql.prepared) known.clear();
    known.set(text, writes);
    return writes;
  };

  return {
    of({ text, params }) {
      // A statement that writes begins with its verb or with `with`.
      if (text.startsWith('select')) return null;
      const writes = writesIn(text);
      if (writes.length === 0) return null;
      return {
        workspace: workspaceOf(writes, params),
        isKept: writes.some(isKept),
        changed: writes.flatMap(changedBy),
      };
    },
    note(tables, reached) {
      noted = tables;
      reachedBy = reached;
      known.clear();
    },
    isSpread: () => noted.size > 0,
  };
}

const isKept = ({ table, kinds }: Write): boolean =>
  Object.hasOwn(ANNOUNCED, table) && kinds.some((kind) => ANNOUNCED[table]!.includes(kind));

function workspaceOf(writes: Write[], params: unknown[]): number | null {
  const all = new Set(writes.map(({ workspace }) => workspace && Number(params[workspace - 1])));
  const [one] = all;
  return all.size === 1 && Number.isSafeInteger(one) ? one! : null;
}

/** The end of a transaction that has announced this, as the text of one message to the database. Pure. */
export function commitOf(announced: readonly Announcement[]): string {
  const news = new Set(announced.filter(({ isKept }) => isKept).map(({ workspace }) => workspace ?? ''));
  const changed = Map.groupBy(
    announced.filter(({ changed }) => changed.length > 0),
    ({ workspace }) => workspace,
  );
  return [
    ...[...news].map((payload) => `notify ${NEWS}, '${payload}'`),
    ...[...changed].map(([workspace, all]) => noteOf(workspace, [...new Set(all.flatMap((t) => t.changed))])),
    'commit',
  ].join(';');
}

/** As the trigger function `atrium_changed` does for many records: subscribers are asked to read again. */
function noteOf(workspace: number | null, tables: string[]): string {
  const topics = `topic in (${tables.map((table) => `'${table}'`).join()})`;
  const custom = tables.includes('ir_record') ? ` or topic like 'ir\\_record:%'` : '';
  const own = workspace === null ? '' : ` and workspace_id = ${workspace}`;
  return `insert into svc_change (workspace_id, xid, topic, kind, ids, many)
    select ${workspace ?? 'workspace_id'}, pg_current_xact_id()::text::bigint, topic, 'U', '{}', true from svc_live
    where (${topics}${custom}) and until > now()${own}`;
}
