import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import { CALLS, webhookCalls } from '../state/webhook-calls.ts';
import { type ColumnType, FIELDS } from './email-fields.ts';

/** How long an idempotency record counts. */
export const HOURS = sql.literal(limits.call.idempotencyHours);

/** Columns of a row: what is asked to be sent, and what the suppression list makes of it. */
const COLUMNS: Record<string, { type: ColumnType; stored?(value: Sql): Sql }> = {
  ...FIELDS,
  suppressed: { type: 'text[]' },
  content_bytes: { type: 'int' },
  state: { type: 'text' },
  latest_status: { type: 'text' },
  reason: { type: 'text' },
};

const NAMES = Object.keys(COLUMNS);

const TYPES: Record<ColumnType, Sql> = {
  text: sql`text`,
  'text[]': sql`text[]`,
  jsonb: sql`jsonb`,
  timestamptz: sql`timestamptz`,
  int: sql`int`,
};

const columns = (value: (name: string) => Sql): Sql =>
  sql.join(NAMES.map((name) => COLUMNS[name]!.stored?.(value(name)) ?? value(name)));

const names = sql.join(NAMES.map((name) => sql.id(name)));

/** What the statement is run with. */
export interface InsertArgs {
  workspace: number;
  /** Of the idempotency record, with the ids it answers with as JSON. */
  key: string | null;
  hash: string;
  ids: string;
  apiKey: number | null;
  /** Each must be verified, and the one that the caller's key is bound to. */
  domains: string[];
  bound: number | null;
  /** None may be suppressed. */
  recipients: string[];
  /** Each must have this version still. */
  templates: string[];
  versions: number[];
  /** Public ids of emails that must be there to be answered. */
  answered: string[];
}

type Slots<A> = { readonly [K in keyof A]-?: unknown };

/** Where the emails come from: their id, sender's domain and columns. */
interface EmailSource {
  id: Sql;
  domain: Sql;
  column(name: string): Sql;
  from: Sql;
}

type OneArgs = InsertArgs & { id: number; domain: string } & Record<`column_${string}`, unknown>;

/** Each column is a parameter: Postgres takes a third longer to read one email out of JSON. */
const oneEmail = (p: Slots<OneArgs>): EmailSource => ({
  id: sql`${p.id}::int8`,
  domain: sql`${p.domain}`,
  column: (name) => sql`${p[`column_${name}`]}::${TYPES[COLUMNS[name]!.type]}`,
  from: sql.empty,
});

const types = sql.join(NAMES.map((name) => sql`${sql.id(name)} ${TYPES[COLUMNS[name]!.type]}`));

type ManyArgs = InsertArgs & { rows: string };

const manyEmails = (p: Slots<ManyArgs>): EmailSource => ({
  id: sql`r.id`,
  domain: sql`r.domain`,
  column: (name) => sql.id('r', name),
  from: sql`from json_to_recordset(${p.rows}::json) r(id int8, domain text, ${types})`,
});

/** Webhooks of the workspace may have to hear of the emails. */
const hooked = (workspace: unknown): Sql =>
  sql`exists (select 1 from svc_webhook where workspace_id = ${workspace} and status = 'ACTIVE')`;

/** The conditions, the idempotency record and the emails, as `open`, `idem` and `mail`. */
const mailSql = (p: Slots<InsertArgs>, { id, domain, column, from }: EmailSource, condition: Sql) => sql`
  open as (
    select 1
    where cardinality(${p.domains}::text[]) = (select count(*) from svc_domain
        where workspace_id = ${p.workspace} and name = any(${p.domains}) and status = 'SUCCESS'
          and (${p.bound}::int is null or id = ${p.bound}))
      and (cardinality(${p.templates}::text[]) = 0 or cardinality(${p.templates}) = (select count(*) from svc_template t
        join unnest(${p.templates}::text[], ${p.versions}::int[]) g(id, version)
          on t.public_id = g.id and t.version = g.version where t.workspace_id = ${p.workspace}))
      and (cardinality(${p.answered}::text[]) = 0 or cardinality(${p.answered}) = (select count(*) from svc_email
        where workspace_id = ${p.workspace} and public_id = any(${p.answered})
          and (${p.bound}::int is null or domain_id = ${p.bound})))
      and not exists (select 1 from svc_suppression
        where workspace_id = ${p.workspace} and email = any(${p.recipients}::text[]))${condition}
  ), idem as (
    insert into svc_idempotency (workspace_id, key, body_hash, response)
    select ${p.workspace}, ${p.key}, ${p.hash}, ${p.ids}::jsonb from open where ${p.key}::text is not null
    on conflict (workspace_id, key) do update
      set body_hash = excluded.body_hash, response = excluded.response, created_at = excluded.created_at
      where svc_idempotency.created_at < excluded.created_at - make_interval(hours => ${HOURS})
    returning 1
  ), mail as (
    insert into svc_email (workspace_id, id, api_key_id, run_at, domain_id, ${names})
    select ${p.workspace}, ${id}, ${p.apiKey},
      greatest(${column('scheduled_at')} at time zone 'UTC', ${NOW}),
      (select id from svc_domain d where d.workspace_id = ${p.workspace} and d.name = ${domain}), ${columns(column)}
    ${from}
    where exists (select 1 from open) and (${p.key}::text is null or exists (select 1 from idem))
    returning id, domain_id, state, reason
  )`;

/**
 * One statement, so one transaction: the conditions, the idempotency record, the emails and the webhook calls. A second
 * request with the key waits here for the first to end, and inserts nothing when that one has. Nothing is inserted
 * either unless every condition holds.
 */
const insertion = (p: Slots<InsertArgs>, source: EmailSource): Sql => sql`
  with ${mailSql(p, source, sql.empty)}, news as (
    select ${p.workspace} as workspace_id, id as email_id, domain_id,
      case when state = 'suppressed' then 'SUPPRESSED' else 'QUEUED' end as status,
      case when state = 'suppressed' then jsonb_build_object('error', reason) end as data
    from mail
  ), called as (${webhookCalls(p.workspace, sql`news`)}), recorded as (
    insert into svc_email_event (workspace_id, email_id, status, data)
    select workspace_id, email_id, status, data from news where status = 'SUPPRESSED'
  )
  select count(*)::int as n, ${CALLS}, ${hooked(p.workspace)} as hooked from mail`;

/** The same for emails that go out, of a workspace without webhooks, in two thirds of the time; one more condition. */
const quietInsertion = (p: Slots<InsertArgs>, source: EmailSource): Sql => sql`
  with ${mailSql(p, source, sql` and not ${hooked(p.workspace)}`)}
  select count(*)::int as n, 0 as calls, ${hooked(p.workspace)} as hooked from mail`;

export const insertions = {
  one: {
    full: sql.prepare<OneArgs>((p) => insertion(p, oneEmail(p))),
    quiet: sql.prepare<OneArgs>((p) => quietInsertion(p, oneEmail(p))),
  },
  many: {
    full: sql.prepare<ManyArgs>((p) => insertion(p, manyEmails(p))),
    quiet: sql.prepare<ManyArgs>((p) => quietInsertion(p, manyEmails(p))),
  },
};

/** The columns of one row as parameters. */
export function emailColumns(row: object & { domain: string }): Pick<OneArgs, 'domain' | `column_${string}`> {
  const columns: Pick<OneArgs, 'domain' | `column_${string}`> = { domain: row.domain };
  for (const name of NAMES) {
    const value = (row as Record<string, unknown>)[name];
    const isJson = COLUMNS[name]!.type === 'jsonb' && value !== null;
    columns[`column_${name}`] = isJson ? JSON.stringify(value) : value;
  }
  return columns;
}
