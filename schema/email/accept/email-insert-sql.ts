import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import { COLUMN_TYPE_SQL, type ColumnType } from '../kit/input-columns.ts';
import { isSuppressed } from '../suppressions/is-suppressed.ts';
import { EMAIL_INPUT_COLUMNS } from './email-input.ts';

export const IDEMPOTENCY_HOURS = sql.literal(limits.call.idempotencyHours);

const COLUMNS: Record<string, ColumnType> = {
  public_id: 'text',
  ...Object.fromEntries(EMAIL_INPUT_COLUMNS.map(({ name, type }) => [name, type])),
  template_id: 'text',
  mailbox_id: 'int',
  suppressed: 'text[]',
  content_bytes: 'int',
  state: 'text',
  latest_status: 'text',
  reason: 'text',
};

const NAMES = Object.keys(COLUMNS);

const buildColumnList = (value: (name: string) => Sql): Sql =>
  sql.join(
    NAMES.map((name) => {
      const column = value(name);
      return COLUMNS[name] === 'timestamptz' ? sql`${column} at time zone 'UTC'` : column;
    }),
  );

const names = sql.join(NAMES.map((name) => sql.id(name)));

export interface InsertArgs {
  workspace: number;
  /** Idempotency key. Its record stores the request hash, and the response's ids as JSON. */
  key: string | null;
  hash: string;
  ids: string;
  apiKey: number | null;
  /** Sender domains, which must be verified. If the API key is bound to a domain, only that domain is allowed. */
  domains: string[];
  bound: number | null;
  recipients: string[];
  /** Templates, which must still have the versions in `versions`. */
  templates: string[];
  versions: number[];
  /** Public ids of replied-to emails, which must exist. */
  answered: string[];
  /** True to insert nothing if the workspace has webhooks. */
  isQuiet: boolean;
}

type Slots<A> = { readonly [K in keyof A]-?: unknown };

interface EmailSource {
  id: Sql;
  domainId: Sql;
  column(name: string): Sql;
  /** Relation that contains the rows, followed by a comma. Empty for a single email. */
  from: Sql;
}

type SingleInsertArgs = InsertArgs & { id: number; domain: string } & Record<`column_${string}`, unknown>;

/** Passes each column as a parameter, because PostgreSQL takes a third longer to read a single email from JSON. */
const buildSingleSource = (p: Slots<SingleInsertArgs>, domainId: Sql): EmailSource => ({
  id: sql`${p.id}::int8`,
  domainId,
  column: buildColumn(p),
  from: sql.empty,
});

const selectDomainId = (workspace: unknown, name: unknown): Sql =>
  sql`(select d.id from svc_domain d where d.workspace_id = ${workspace} and d.name = ${name})`;

const buildColumn =
  (p: Slots<Pick<SingleInsertArgs, `column_${string}`>>) =>
  (name: string): Sql =>
    sql`${p[`column_${name}`]}::${COLUMN_TYPE_SQL[COLUMNS[name]!]}`;

const types = sql.join(NAMES.map((name) => sql`${sql.id(name)} ${COLUMN_TYPE_SQL[COLUMNS[name]!]}`));

/** Text array columns default to an empty array, because JSON rows omit empty values. */
const readRowColumn = (name: string): Sql =>
  COLUMNS[name] === 'text[]' ? sql`coalesce(${sql.id('r', name)}, '{}')` : sql.id('r', name);

export function buildJsonRow(row: object, extra: Record<string, unknown>): Record<string, unknown> {
  const filled: Record<string, unknown> = extra;
  for (const name of ROW_NAMES) {
    const value = (row as Record<string, unknown>)[name];
    if (value !== null && !(Array.isArray(value) && value.length === 0)) filled[name] = value;
  }
  return filled;
}

const ROW_NAMES = ['domain', ...NAMES];

type BatchInsertArgs = InsertArgs & { rows: string };

const buildBatchSource = (p: Slots<Pick<BatchInsertArgs, 'workspace' | 'rows'>>): EmailSource => ({
  id: sql`r.id`,
  domainId: selectDomainId(p.workspace, sql`r.domain`),
  column: readRowColumn,
  from: sql`json_to_recordset(${p.rows}::json) r(id int8, domain text, ${types}), `,
});

const hasActiveWebhook = (workspace: unknown): Sql =>
  sql`exists (select 1 from svc_webhook where workspace_id = ${workspace} and status = 'ACTIVE')`;

/** Replaces an expired idempotency record. */
const REPLACE_EXPIRED_CLAIM = sql`on conflict (workspace_id, key) do update
      set body_hash = excluded.body_hash, response = excluded.response, created_at = excluded.created_at
      where svc_idempotency.created_at < excluded.created_at - make_interval(hours => ${IDEMPOTENCY_HOURS})`;

const buildRunAtSql = (column: (name: string) => Sql): Sql =>
  sql`greatest(${column('scheduled_at')} at time zone 'UTC', ${NOW})`;

const canInsert = (p: Slots<InsertArgs>): Sql => sql`
      cardinality(${p.domains}::text[]) = (select count(*) from svc_domain
        where workspace_id = ${p.workspace} and name = any(${p.domains}) and status = 'SUCCESS'
          and (${p.bound}::int is null or id = ${p.bound}))
      and (cardinality(${p.templates}::text[]) = 0 or cardinality(${p.templates}) = (select count(*) from svc_template t
        join unnest(${p.templates}::text[], ${p.versions}::int[]) g(id, version)
          on t.public_id = g.id and t.version = g.version where t.workspace_id = ${p.workspace}))
      and (cardinality(${p.answered}::text[]) = 0 or cardinality(${p.answered}) = (select count(*) from svc_email
        where workspace_id = ${p.workspace} and public_id = any(${p.answered}) and mailbox_id is null
          and (${p.bound}::int is null or domain_id = ${p.bound})))
      and not ${isSuppressed(p.workspace, sql`= any(${p.recipients}::text[])`)}
      and not (${p.isQuiet}::bool and ${hasActiveWebhook(p.workspace)})`;

/**
 * Inserts a request's idempotency record if all conditions hold. A second request with the same key waits for the
 * first, and inserts nothing if the first succeeds. Citus routes an insert to the workspace's node if the workspace id
 * comes from a row that it reads.
 */
const buildClaim = (p: Slots<InsertArgs>): Sql => sql`
  insert into svc_idempotency (workspace_id, key, body_hash, response)
  select a.workspace_id, ${p.key}, ${p.hash}, ${p.ids}::jsonb from ${buildOpenDomain(p)}
  ${REPLACE_EXPIRED_CLAIM} returning 1`;

const buildOpenDomain = (p: Slots<InsertArgs>): Sql => sql`svc_domain a
  where a.workspace_id = ${p.workspace} and a.name = (${p.domains}::text[])[1] and ${canInsert(p)}`;

/** @param anchor row `a` of the workspace, with a `where` clause that checks the conditions for the insert */
const buildMailInsert = (
  apiKey: unknown,
  { id, domainId, column, from }: EmailSource,
  anchor: Sql,
): Sql => sql`
  insert into svc_email as m (workspace_id, id, api_key_id, run_at, domain_id, ${names})
  select a.workspace_id, ${id}, ${apiKey}::int, ${buildRunAtSql(column)}, ${domainId}, ${buildColumnList(column)}
  from ${from}${anchor}
  returning m.public_id`;

const buildInsert = (p: Slots<InsertArgs>, source: EmailSource): Sql =>
  buildMailInsert(p.apiKey, source, buildOpenDomain(p));

/** Inserts the emails if the same transaction has inserted their request's idempotency record. */
const buildKeyedInsert = (p: Slots<InsertArgs>, source: EmailSource): Sql =>
  buildMailInsert(
    p.apiKey,
    source,
    sql`svc_idempotency a
      where a.workspace_id = ${p.workspace} and a.key = ${p.key} and a.response = ${p.ids}::jsonb`,
  );

export const insertStatements = {
  claim: sql.prepare<InsertArgs>(buildClaim),
  one: {
    plain: sql.prepare<SingleInsertArgs>((p) => buildInsert(p, buildSingleSource(p, sql`a.id`))),
    keyed: sql.prepare<SingleInsertArgs>((p) =>
      buildKeyedInsert(p, buildSingleSource(p, selectDomainId(p.workspace, p.domain))),
    ),
  },
  many: {
    plain: sql.prepare<BatchInsertArgs>((p) => buildInsert(p, buildBatchSource(p))),
    keyed: sql.prepare<BatchInsertArgs>((p) => buildKeyedInsert(p, buildBatchSource(p))),
  },
  hasWebhook: sql.prepare<{ workspace: number }>(
    (p) => sql`select ${hasActiveWebhook(p.workspace)} as has_webhook`,
  ),
};

export function buildEmailColumns(
  row: object & { domain: string },
): Pick<SingleInsertArgs, 'domain' | `column_${string}`> {
  const columns: Pick<SingleInsertArgs, 'domain' | `column_${string}`> = { domain: row.domain };
  for (const name of NAMES) {
    const value = (row as Record<string, unknown>)[name];
    const isJson = COLUMNS[name] === 'jsonb' && value !== null;
    columns[`column_${name}`] = isJson ? JSON.stringify(value) : value;
  }
  return columns;
}
