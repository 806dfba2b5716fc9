import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { SHORT_LOCK_TIMEOUT } from '../../../src/engine/ctx/batcher.ts';
import { limits } from '../../../src/limits.ts';
import type { ColumnType } from '../kit/input-columns.ts';
import { buildWebhookCalls, CALL_COUNT } from '../state/webhook-calls.ts';
import { isSuppressed } from '../suppressions/is-suppressed.ts';
import { EMAIL_INPUT_COLUMNS } from './email-input.ts';

export const IDEMPOTENCY_HOURS = sql.literal(limits.call.idempotencyHours);

/** Columns of an email row: the request and the effect of the suppression list. */
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
  /** Idempotency key. The record contains the request hash, and the ids of the response as JSON. */
  key: string | null;
  hash: string;
  ids: string;
  apiKey: number | null;
  /** Sender domains. All must be verified and match the domain that the API key is bound to. */
  domains: string[];
  bound: number | null;
  /** Recipient addresses that must not be suppressed. */
  recipients: string[];
  /** Templates, each of which must still have its version in `versions`. */
  templates: string[];
  versions: number[];
  /** Public ids of emails being replied to, which must exist. */
  answered: string[];
}

type Slots<A> = { readonly [K in keyof A]-?: unknown };

interface EmailSource {
  id: Sql;
  domainId: Sql;
  column(name: string): Sql;
  from: Sql;
}

type SingleInsertArgs = InsertArgs & { id: number; domain: string } & Record<`column_${string}`, unknown>;

/** Passes each column as a parameter, because PostgreSQL takes a third longer to read one email from JSON. */
const buildSingleSource = (p: Slots<SingleInsertArgs>): EmailSource => ({
  id: sql`${p.id}::int8`,
  domainId: sql`(select id from svc_domain d where d.workspace_id = ${p.workspace} and d.name = ${p.domain})`,
  column: buildColumn(p),
  from: sql.empty,
});

const buildColumn =
  (p: Slots<Pick<SingleInsertArgs, `column_${string}`>>) =>
  (name: string): Sql =>
    sql`${p[`column_${name}`]}::${sql.raw(COLUMNS[name]!)}`;

const types = sql.join(NAMES.map((name) => sql`${sql.id(name)} ${sql.raw(COLUMNS[name]!)}`));

/** A column of a JSON row, which omits empty values. */
const readRowColumn = (name: string): Sql =>
  COLUMNS[name] === 'text[]' ? sql`coalesce(${sql.id('r', name)}, '{}')` : sql.id('r', name);

/** Builds a JSON row without empty values. */
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

const buildBatchSource = (p: Slots<BatchInsertArgs>): EmailSource => ({
  id: sql`r.id`,
  domainId: sql`d.id`,
  column: readRowColumn,
  from: sql`from json_to_recordset(${p.rows}::json) r(id int8, domain text, ${types})
    join svc_domain d on d.workspace_id = ${p.workspace} and d.name = r.domain`,
});

const hasActiveWebhook = (workspace: unknown): Sql =>
  sql`exists (select 1 from svc_webhook where workspace_id = ${workspace} and status = 'ACTIVE')`;

/** Replaces an expired idempotency record. */
const unlessStored = sql`on conflict (workspace_id, key) do update
      set body_hash = excluded.body_hash, response = excluded.response, created_at = excluded.created_at
      where svc_idempotency.created_at < excluded.created_at - make_interval(hours => ${IDEMPOTENCY_HOURS})`;

const runAt = (column: (name: string) => Sql): Sql =>
  sql`greatest(${column('scheduled_at')} at time zone 'UTC', ${NOW})`;

/** True if the domains, templates and replied-to emails are still valid, and no recipient is suppressed. */
const canInsert = (p: Slots<Omit<InsertArgs, 'key' | 'hash' | 'ids'>>): Sql => sql`
      cardinality(${p.domains}::text[]) = (select count(*) from svc_domain
        where workspace_id = ${p.workspace} and name = any(${p.domains}) and status = 'SUCCESS'
          and (${p.bound}::int is null or id = ${p.bound}))
      and (cardinality(${p.templates}::text[]) = 0 or cardinality(${p.templates}) = (select count(*) from svc_template t
        join unnest(${p.templates}::text[], ${p.versions}::int[]) g(id, version)
          on t.public_id = g.id and t.version = g.version where t.workspace_id = ${p.workspace}))
      and (cardinality(${p.answered}::text[]) = 0 or cardinality(${p.answered}) = (select count(*) from svc_email
        where workspace_id = ${p.workspace} and public_id = any(${p.answered}) and mailbox_id is null
          and (${p.bound}::int is null or domain_id = ${p.bound})))
      and not ${isSuppressed(p.workspace, sql`= any(${p.recipients}::text[])`)}`;

/** The conditions, the idempotency record and the emails, as `open`, `idem` and `mail`. */
const buildMailParts = (
  p: Slots<InsertArgs>,
  { id, domainId, column, from }: EmailSource,
  condition: Sql,
) => sql`
  open as (
    select 1 where ${canInsert(p)}${condition}
  ), idem as (
    insert into svc_idempotency (workspace_id, key, body_hash, response)
    select ${p.workspace}, ${p.key}, ${p.hash}, ${p.ids}::jsonb from open where ${p.key}::text is not null
    ${unlessStored} returning 1
  ), mail as (
    insert into svc_email (workspace_id, id, api_key_id, run_at, domain_id, ${names})
    select ${p.workspace}, ${id}, ${p.apiKey},
      ${runAt(column)},
      ${domainId}, ${buildColumnList(column)}
    ${from}
    where exists (select 1 from open) and (${p.key}::text is null or exists (select 1 from idem))
    returning id, domain_id, state, reason, mailbox_id
  )`;

/**
 * Checks the conditions and inserts the idempotency record, emails and webhook calls in one statement, so in one
 * transaction. A second request with the same key waits for the first, and inserts nothing if that succeeded. Nothing
 * is inserted unless every condition holds.
 */
const buildInsert = (p: Slots<InsertArgs>, source: EmailSource): Sql => sql`
  with ${buildMailParts(p, source, sql.empty)}, news as (
    select ${p.workspace} as workspace_id, id as email_id, domain_id, mailbox_id,
      case when state = 'suppressed' then 'SUPPRESSED' else 'QUEUED' end as status,
      case when state = 'suppressed' then jsonb_build_object('error', reason) end as data
    from mail
  ), called as (${buildWebhookCalls(p.workspace, sql`(select * from news where mailbox_id is null)`)}), recorded as (
    insert into svc_email_event (workspace_id, email_id, status, data)
    select workspace_id, email_id, status, data from news where status = 'SUPPRESSED'
  )
  select count(*)::int as n, ${CALL_COUNT}, ${hasActiveWebhook(p.workspace)} as hooked from mail`;

/**
 * Like `buildInsert`, for queued emails of a workspace without webhooks. Takes two thirds of the time. The absence of
 * webhooks is an additional condition.
 */
const buildQuietInsert = (p: Slots<InsertArgs>, source: EmailSource): Sql => sql`
  with ${buildMailParts(p, source, sql` and not ${hasActiveWebhook(p.workspace)}`)}
  select count(*)::int as n, 0 as calls, ${hasActiveWebhook(p.workspace)} as hooked from mail`;

type PlainArgs = Omit<SingleInsertArgs, 'key' | 'hash' | 'ids'>;

/**
 * An email without an idempotency record, in a workspace without webhooks. Inserts nothing and returns no row if a
 * condition fails. Citus routes this statement to the workspace's node, because the workspace id comes from the domain
 * row; an insert inside `with` would be a two-phase commit on all nodes.
 */
const buildPlainInsert = (p: Slots<PlainArgs>): Sql => sql`
  insert into svc_email as m (workspace_id, id, api_key_id, run_at, domain_id, ${names})
  select d.workspace_id, ${p.id}::int8, ${p.apiKey}::int, ${runAt(buildColumn(p))}, d.id,
    ${buildColumnList(buildColumn(p))}
  from svc_domain d where d.workspace_id = ${p.workspace} and d.name = ${p.domain} and ${canInsert(p)}
    and not ${hasActiveWebhook(p.workspace)}
  returning 1 as n, 0 as calls, false as hooked`;

type GroupArgs = Pick<InsertArgs, 'workspace' | 'apiKey' | 'bound'> & { rows: string };

/**
 * Inserts the emails of several requests, each with its own key, hash and recipients. Emails whose conditions fail are
 * left out. Keys are sorted in every process, because statements that share keys would otherwise deadlock.
 */
const buildGroupInsert = (p: Slots<GroupArgs>): Sql => sql`
  with open as (
    select r.*, d.id as domain_id
    from json_to_recordset(${p.rows}::json)
      r(id int8, domain text, key text, hash text, recipients text[], ${types})
    cross join ${SHORT_LOCK_TIMEOUT}
    join svc_domain d on d.workspace_id = ${p.workspace} and d.name = r.domain and d.status = 'SUCCESS'
      and (${p.bound}::int is null or d.id = ${p.bound})
    where not ${hasActiveWebhook(p.workspace)} and not ${isSuppressed(p.workspace, sql`= any(r.recipients)`)}
  ), idem as (
    insert into svc_idempotency (workspace_id, key, body_hash, response)
    select ${p.workspace}, key, hash, jsonb_build_array(public_id) from open where key is not null order by key
    ${unlessStored} returning key
  ), mail as (
    insert into svc_email (workspace_id, id, api_key_id, run_at, domain_id, ${names})
    select ${p.workspace}, r.id, ${p.apiKey}, ${runAt(readRowColumn)}, r.domain_id,
      ${buildColumnList(readRowColumn)}
    from open r where r.key is null or r.key in (select key from idem)
    returning public_id
  )
  select coalesce(array_agg(public_id), '{}') as sent, ${hasActiveWebhook(p.workspace)} as hooked from mail`;

/** Like `buildGroupInsert`, for requests without a key, as in `buildPlainInsert`. */
const buildPlainGroupInsert = (p: Slots<GroupArgs>): Sql => sql`
  insert into svc_email as m (workspace_id, id, api_key_id, run_at, domain_id, ${names})
  select d.workspace_id, r.id, ${p.apiKey}::int, ${runAt(readRowColumn)}, d.id, ${buildColumnList(readRowColumn)}
  from json_to_recordset(${p.rows}::json) r(id int8, domain text, recipients text[], ${types})
  join svc_domain d on d.workspace_id = ${p.workspace} and d.name = r.domain and d.status = 'SUCCESS'
    and (${p.bound}::int is null or d.id = ${p.bound})
  where not ${hasActiveWebhook(p.workspace)} and not ${isSuppressed(p.workspace, sql`= any(r.recipients)`)}
  returning m.public_id`;

export const insertStatements = {
  group: sql.prepare<GroupArgs>(buildGroupInsert),
  plainGroup: sql.prepare<GroupArgs>(buildPlainGroupInsert),
  one: {
    full: sql.prepare<SingleInsertArgs>((p) => buildInsert(p, buildSingleSource(p))),
    quiet: sql.prepare<SingleInsertArgs>((p) => buildQuietInsert(p, buildSingleSource(p))),
    plain: sql.prepare<PlainArgs>(buildPlainInsert),
  },
  many: {
    full: sql.prepare<BatchInsertArgs>((p) => buildInsert(p, buildBatchSource(p))),
    quiet: sql.prepare<BatchInsertArgs>((p) => buildQuietInsert(p, buildBatchSource(p))),
  },
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
