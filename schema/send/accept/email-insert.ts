import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { newIds } from '../../../src/engine/ctx/new-ids.ts';
import { noteDue } from '../../../src/engine/work/due.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { boundDomain } from '../kit/bound-domain.ts';
import { ALL_SUPPRESSED, allowedRecipients, suppressedRecipients } from '../kit/recipients.ts';
import { type FIRST_STATES, STATUS_OF } from '../state/email-state.ts';
import type { Moved } from '../state/move-emails.ts';
import { MAIL } from '../state/queues.ts';
import { CALLS, noteCalls, webhookCalls } from '../state/webhook-calls.ts';
import type { Draft } from './email-draft.ts';
import { type ColumnType, FIELDS } from './email-fields.ts';

/** What a repeated request is known by. */
export interface SendRequest {
  key: string | null;
  hash: string;
}

/** The row of an accepted email; one whose recipients are all suppressed is kept, with the reason, and not sent. */
export function emailRow(draft: Draft, closed: ReadonlySet<string>) {
  const open = closed.size > 0 ? allowedRecipients(draft, closed) : draft;
  const state: (typeof FIRST_STATES)[number] = open ? 'queued' : 'suppressed';
  return {
    ...draft,
    ...open,
    suppressed: closed.size > 0 ? suppressedRecipients(draft, closed) : [],
    state,
    latest_status: open && draft.scheduled_at ? 'SCHEDULED' : STATUS_OF[state],
    reason: open ? null : ALL_SUPPRESSED,
  };
}

/** Distinct names of the senders' domains. */
export const domainsOf = (drafts: { domain: string }[]): string[] => [
  ...new Set(drafts.map((draft) => draft.domain)),
];

/** Columns of a row: what is asked to be sent, and what the suppression list makes of it. */
const COLUMNS: Record<string, { type: ColumnType; stored?(value: Sql): Sql }> = {
  ...FIELDS,
  suppressed: { type: 'text[]' },
  content_bytes: { type: 'int' },
  state: { type: 'text' },
  latest_status: { type: 'text' },
  reason: { type: 'text' },
};

const columns = (part: (name: string) => Sql): Sql => sql.join(Object.keys(COLUMNS).map(part));

const TYPES: Record<ColumnType, Sql> = {
  text: sql`text`,
  'text[]': sql`text[]`,
  jsonb: sql`jsonb`,
  timestamptz: sql`timestamptz`,
  int: sql`int`,
};

const names = columns((name) => sql.id(name));
const types = columns((name) => sql`${sql.id(name)} ${TYPES[COLUMNS[name]!.type]}`);
const stored = columns((name) => COLUMNS[name]!.stored?.(sql.id('r', name)) ?? sql.id('r', name));

/** What the statement is run with. */
interface InsertArgs {
  workspace: number;
  /** Of the idempotency record, with the ids it answers with as JSON. */
  key: string | null;
  hash: string;
  ids: string;
  apiKey: number | null;
  /** JSON. */
  rows: string;
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

/**
 * One statement, so one transaction: the conditions, the idempotency record, the emails and the webhook calls. A second
 * request with the key waits here for the first to end, and inserts nothing when that one has. Nothing is inserted
 * either unless every condition holds.
 */
const insertion = sql.prepare<InsertArgs>(
  (p) => sql`
  with open as (
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
        where workspace_id = ${p.workspace} and email = any(${p.recipients}::text[]))
  ), idem as (
    insert into svc_idempotency (workspace_id, key, body_hash, response)
    select ${p.workspace}, ${p.key}, ${p.hash}, ${p.ids}::jsonb from open where ${p.key}::text is not null
    on conflict (workspace_id, key) do update
      set body_hash = excluded.body_hash, response = excluded.response, created_at = excluded.created_at
      where svc_idempotency.created_at < excluded.created_at - make_interval(hours => ${HOURS})
    returning 1
  ), mail as (
    insert into svc_email (workspace_id, id, api_key_id, run_at, domain_id, ${names})
    select ${p.workspace}, r.id, ${p.apiKey}, greatest(r.scheduled_at at time zone 'UTC', ${NOW}),
      (select id from svc_domain d where d.workspace_id = ${p.workspace} and d.name = r.domain), ${stored}
    from json_to_recordset(${p.rows}::json) r(id int8, domain text, ${types})
    where exists (select 1 from open) and (${p.key}::text is null or exists (select 1 from idem))
    returning id, domain_id, state, reason
  ), news as (
    select ${p.workspace} as workspace_id, id as email_id, domain_id,
      case when state = 'suppressed' then 'SUPPRESSED' else 'QUEUED' end as status,
      case when state = 'suppressed' then jsonb_build_object('error', reason) end as data
    from mail
  ), called as (${webhookCalls(p.workspace, sql`news`)}), recorded as (
    insert into svc_email_event (workspace_id, email_id, status, data)
    select workspace_id, email_id, status, data from news where status = 'SUPPRESSED'
  )
  select count(*)::int as n, ${CALLS} from mail`,
);

const HOURS = sql.literal(limits.call.idempotencyHours);

/** Versions of the templates that the emails were rendered with, by id. */
const versionsOf = (rows: Pick<Draft, 'template_id' | 'template_version'>[]): Map<string, number> =>
  new Map(rows.flatMap((row) => (row.template_id ? [[row.template_id, row.template_version!]] : [])));

/** @returns the ids, or null when nothing was inserted */
export async function insertEmails(
  ctx: Ctx,
  rows: ReturnType<typeof emailRow>[],
  request: SendRequest,
  recipients: string[],
): Promise<string[] | null> {
  const ids = rows.map((row) => row.public_id);
  const numbers = await newIds(ctx, 'svc_email', rows.length);
  const templates = versionsOf(rows);
  const workspace = ctx.workspace.id;
  const note = (calls: number) => {
    noteCalls(ctx.db, workspace, calls);
    for (const at of new Set(rows.flatMap((row) => (row.state === 'queued' ? [row.scheduled_at] : []))))
      noteDue(ctx.db, workspace, MAIL, { at });
  };
  const statement = insertion({
    workspace,
    key: request.key,
    hash: request.hash,
    ids: JSON.stringify(ids),
    apiKey: ctx.principal?.keyId ?? null,
    rows: JSON.stringify(rows.map((row, index) => ({ ...row, id: numbers[index] }))),
    domains: domainsOf(rows),
    bound: boundDomain(ctx),
    recipients,
    templates: [...templates.keys()],
    versions: [...templates.values()],
    answered: [...new Set(rows.flatMap((row) => row.in_reply_to_id ?? []))],
  });
  const [done] = await ctx.db.rows<Moved>(statement).catch((error) => {
    // The answer may have been lost, and not the emails.
    note(1);
    throw error;
  });
  if (done!.n === 0) return null;
  note(done!.calls);
  return ids;
}

/**
 * The first answer to this key, null when there is none. Keys of a workspace share it.
 * @throws NOT_UNIQUE when the request was another one, FORBIDDEN when it was for a domain other than the key's
 */
export async function replay(ctx: Ctx, { key, hash }: SendRequest): Promise<string[] | null> {
  if (key === null) return null;
  const bound = sql.param(boundDomain(ctx));
  const [kept] = await ctx.db.rows<{ body_hash: string; response: string[]; elsewhere: boolean }>(
    sql`select body_hash, response, ${bound}::int is not null and exists (select 1 from svc_email e
       where e.workspace_id = ${ctx.workspace.id} and e.public_id in (select jsonb_array_elements_text(response))
         and e.domain_id is distinct from ${bound}) as elsewhere
     from svc_idempotency where workspace_id = ${ctx.workspace.id} and key = ${key}
       and created_at >= now() - make_interval(hours => ${HOURS})`,
  );
  if (!kept) return null;
  if (kept.body_hash !== hash) throw errors.notUnique('This Idempotency-Key was used with another body.');
  if (kept.elsewhere) throw errors.notAllowed('This key is bound to another domain.');
  return kept.response;
}
