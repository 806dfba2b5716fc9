import { limits } from '../../limits.ts';
import type { RenderedSql } from '../sql.ts';

// Every process caches callers, rights and models. The database layer detects changes in the text of each statement and
// announces them in the same transaction. See docs/adr/0025-cache-invalidation.md.

/**
 * Notification channel for cache invalidation. The payload is a workspace id, or empty to drop the caches of all
 * workspaces.
 */
export const INVALIDATION_CHANNEL = 'atrium_identity';

type WriteKind = 'insert' | 'update' | 'delete';

/**
 * Cached tables, with the writes that make caches stale. Missing rows are never cached, so a new key, session or user
 * needs no announcement.
 */
export const INVALIDATING_WRITES: Readonly<Record<string, readonly WriteKind[]>> = {
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

/**
 * A write in a statement. `workspace` is the number of the workspace parameter (1 for `$1`), or null if the text does
 * not contain it.
 */
interface TableWrite {
  table: string;
  kinds: WriteKind[];
  workspace: number | null;
}

const WRITE =
  /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?(?:"?public"?\.)?"?([a-z_][a-z_0-9]*)"?/gi;

/**
 * Finds the writes in a statement, including writes in `with` queries. False positives are harmless, because they name
 * no table.
 */
export function parseWrites(text: string): TableWrite[] {
  return [...text.matchAll(WRITE)].map(({ 0: match, 1: operation, 2: name, index }) => {
    const table = name!.toLowerCase();
    const rest = text.slice(index + match.length);
    const isInsert = /^insert/i.test(operation!);
    return {
      table,
      kinds: parseWriteKinds(operation!, rest),
      workspace: isInsert ? findInsertedWorkspace(rest) : findWorkspaceParam(table, rest),
    };
  });
}

function parseWriteKinds(operation: string, rest: string): WriteKind[] {
  switch (operation[0]!.toLowerCase()) {
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

/**
 * Finds the parameter of the first workspace condition after the write. This condition applies to the write, because a
 * statement writes rows of only one workspace.
 */
function findWorkspaceParam(table: string, rest: string): number | null {
  const column = table === 'workspace' ? /\bwhere\s+(?:\w+\.)?"?id"?\s*=\s*\$(\d+)/i : WORKSPACE_CONDITION;
  const [, place] = column.exec(rest) ?? [];
  return place ? Number(place) : null;
}

const WORKSPACE_CONDITION = /\bworkspace_id"?\s*=\s*\$(\d+)/i;

/** Finds the workspace parameter of an insert. All values before it must be plain parameters. */
function findInsertedWorkspace(rest: string): number | null {
  if (COPYING_INSERT.test(rest)) return findWorkspaceParam('', rest);
  const [, columns, values] = INSERT_VALUES.exec(rest) ?? [];
  if (!columns || !values) return null;
  const names = columns.split(',').map((name) => name.trim().replaceAll('"', ''));
  const value = values.split(',')[names.indexOf('workspace_id')] ?? '';
  const [, place] = /^\s*\$(\d+)(?:::\w+)?\s*\)?\s*$/.exec(value) ?? [];
  return place ? Number(place) : null;
}

/** Matches an insert whose select copies the workspace of the rows that it reads. */
const COPYING_INSERT = /^\s*(?:as\s+\w+\s*)?\(workspace_id,[^()]*\)\s*select\s+\w+\.workspace_id,/i;

const INSERT_VALUES =
  /^\s*(?:as\s+\w+\s*)?\(([^()]*)\)\s*(?:values\s*\(|select\s+)((?:\s*\$\d+(?:::\w+)?\s*(?:,|\)|(?=\s)))+)/i;

export interface Invalidation {
  /** Id of the changed workspace. Null if the text does not name it. */
  workspace: number | null;
  isCached: boolean;
  /** Changed tables that have no change trigger. */
  changed: string[];
}

export interface InvalidationTracker {
  /** Returns null for most statements, which change no tracked table. */
  getInvalidation(statement: RenderedSql): Invalidation | null;
  /**
   * Starts recording changes to these tables for subscribers. Used with Citus, where the tables have no triggers.
   * @param reachedTables tables that a delete cascades to, by table
   */
  trackTables(tables: ReadonlySet<string>, reachedTables: ReadonlyMap<string, ReadonlySet<string>>): void;
  /** Returns true if the tables are distributed and therefore have no triggers. */
  isSpread(): boolean;
}

export function createInvalidationTracker(): InvalidationTracker {
  // Not an LRU cache, because tracking the order of use would take longer than parsing.
  const writesByText = new Map<string, TableWrite[]>();
  let trackedTables: ReadonlySet<string> = new Set();
  let reachedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  const listChangedCaches = ({ table, kinds }: TableWrite): string[] => {
    const cascadedTables = kinds.includes('delete') ? [...(reachedBy.get(table) ?? [])] : [];
    return [table, ...cascadedTables].filter((item) => trackedTables.has(item));
  };
  const findWrites = (text: string): TableWrite[] =>
    parseWrites(text).filter((write) => isInvalidating(write) || listChangedCaches(write).length > 0);
  const getWrites = (text: string): TableWrite[] => {
    const before = writesByText.get(text);
    if (before) return before;
    const writes = findWrites(text);
    if (text.length > limits.sql.preparedLength) return writes;
    if (writesByText.size >= limits.sql.prepared) writesByText.clear();
    writesByText.set(text, writes);
    return writes;
  };

  return {
    getInvalidation({ text, params }) {
      // A statement that writes never begins with `select`.
      if (text.startsWith('select')) return null;
      const writes = getWrites(text);
      if (writes.length === 0) return null;
      return {
        workspace: resolveWorkspace(writes, params),
        isCached: writes.some(isInvalidating),
        changed: writes.flatMap(listChangedCaches),
      };
    },
    trackTables(tables, reachedTables) {
      trackedTables = tables;
      reachedBy = reachedTables;
      writesByText.clear();
    },
    isSpread: () => trackedTables.size > 0,
  };
}

const isInvalidating = ({ table, kinds }: TableWrite): boolean =>
  Object.hasOwn(INVALIDATING_WRITES, table) &&
  kinds.some((kind) => INVALIDATING_WRITES[table]!.includes(kind));

function resolveWorkspace(writes: TableWrite[], params: unknown[]): number | null {
  const all = new Set(writes.map(({ workspace }) => workspace && Number(params[workspace - 1])));
  const [firstWrite] = all;
  return all.size === 1 && Number.isSafeInteger(firstWrite) ? firstWrite! : null;
}

/** Builds the text of one query, which announces the changes and commits. */
export function buildCommitSql(announcedInvalidations: readonly Invalidation[]): string {
  const news = new Set(
    announcedInvalidations.filter(({ isCached }) => isCached).map(({ workspace }) => workspace ?? ''),
  );
  const changed = Map.groupBy(
    announcedInvalidations.filter(({ changed }) => changed.length > 0),
    ({ workspace }) => workspace,
  );
  return [
    ...[...news].map((payload) => `notify ${INVALIDATION_CHANNEL}, '${payload}'`),
    ...[...changed].map(([workspace, workspaceWrites]) =>
      buildChangeInsert(workspace, [...new Set(workspaceWrites.flatMap((t) => t.changed))]),
    ),
    'commit',
  ].join(';');
}

/**
 * Builds SQL that records changes without ids, so that subscribers reload. The trigger function `atrium_changed` does
 * the same for many records.
 */
function buildChangeInsert(workspace: number | null, tables: string[]): string {
  const topics = `topic in (${tables.map((table) => `'${table}'`).join()})`;
  const custom = tables.includes('ir_record') ? ` or topic like 'ir\\_record:%'` : '';
  const condition = workspace === null ? '' : ` and workspace_id = ${workspace}`;
  return `insert into svc_change (workspace_id, xid, topic, kind, ids, many)
    select ${workspace ?? 'workspace_id'}, pg_current_xact_id()::text::bigint, topic, 'U', '{}', true from svc_live
    where (${topics}${custom}) and until > now()${condition}`;
}
