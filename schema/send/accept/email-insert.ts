import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { boundDomain } from '../kit/bound-domain.ts';
import { ALL_CLOSED, closedOf, openOf } from '../kit/recipients.ts';
import { callsOf } from '../state/emit.ts';
import type { Draft } from './email-draft.ts';

/** What a repeated request is known by. */
export interface Claim {
  key: string | null;
  hash: string;
}

/** The row of an accepted email; one whose recipients are all suppressed is kept, with the reason, and not sent. */
export function rowOf(draft: Draft, closed: ReadonlySet<string>) {
  const open = openOf(draft, closed);
  return {
    ...draft,
    ...open,
    suppressed: closedOf(draft, closed),
    state: open ? 'queued' : 'suppressed',
    latest_status: !open ? 'SUPPRESSED' : draft.scheduled_at ? 'SCHEDULED' : 'QUEUED',
    reason: open ? null : ALL_CLOSED,
  };
}

/** Distinct names of the senders' domains. */
export const domainsOf = (drafts: { domain: string }[]): string[] => [
  ...new Set(drafts.map((draft) => draft.domain)),
];

const COLUMNS = `public_id text, "from" text, "to" text[], cc text[], bcc text[], suppressed text[], reply_to text[], subject text, html text, text text,
  headers jsonb, attachments jsonb, scheduled_at timestamptz, in_reply_to_id text, state text, latest_status text, reason text, template_id text, tags jsonb, metadata jsonb`;
const NAMES = COLUMNS.split(',').map((column) => column.trim().split(' ')[0]!);

/**
 * One statement, so one transaction: the gate, the idempotency record, the emails and the calls of webhooks. A second
 * request with the key waits here for the first to end, and inserts nothing when that one has. Nothing is inserted
 * either unless every domain in $7 is verified, and the one the key is bound to ($9), no recipient in $8 is suppressed,
 * every template in $10 has its version in $11, and every email in $12 is there to be answered.
 */
const INSERT = `
  with open as (
    select 1
    where cardinality($7::text[]) = (select count(*) from svc_domain where workspace_id = $1 and name = any($7) and status = 'SUCCESS'
        and ($9::int is null or id = $9))
      and (cardinality($10::text[]) = 0 or cardinality($10) = (select count(*) from svc_template t join unnest($10::text[], $11::int[]) g(id, version)
        on t.public_id = g.id and t.version = g.version where t.workspace_id = $1))
      and (cardinality($12::text[]) = 0 or cardinality($12) = (select count(*) from svc_email where workspace_id = $1 and public_id = any($12)
        and ($9::int is null or domain_id = $9)))
      and not exists (select 1 from svc_suppression where workspace_id = $1 and email = any($8::text[]))
  ), idem as (
    insert into svc_idempotency (workspace_id, key, body_hash, response)
    select $1, $2, $3, $4::jsonb from open where $2::text is not null
    on conflict (workspace_id, key) do update set body_hash = excluded.body_hash, response = excluded.response, created_at = now()
      where svc_idempotency.created_at < now() - make_interval(hours => ${limits.idempotencyHours})
    returning 1
  ), mail as (
    insert into svc_email (workspace_id, api_key_id, run_at, domain_id, ${NAMES.join(', ')})
    select $1, $5, coalesce(r.scheduled_at at time zone 'UTC', now()),
      (select id from svc_domain d where d.workspace_id = $1 and d.name = r.domain),
      ${NAMES.map((name) => (name === 'scheduled_at' ? `r.scheduled_at at time zone 'UTC'` : `r.${name}`)).join(', ')}
    from json_to_recordset($6::json) r(domain text, ${COLUMNS})
    where exists (select 1 from open) and ($2::text is null or exists (select 1 from idem))
    returning id, domain_id, state, reason
  ), news as (
    select $1 as workspace_id, id as email_id, domain_id, case when state = 'suppressed' then 'SUPPRESSED' else 'QUEUED' end as status,
      case when state = 'suppressed' then jsonb_build_object('error', reason) end as data
    from mail
  ), called as (${callsOf('news')}), told as (
    insert into svc_email_event (workspace_id, email_id, status, data)
    select workspace_id, email_id, status, data from news where status = 'SUPPRESSED'
  )
  select count(*)::int as n from mail`;

/** Versions of the templates that the emails were rendered with, by id. */
const versionsOf = (rows: Pick<Draft, 'template_id' | 'template_version'>[]): Map<string, number> =>
  new Map(rows.flatMap((row) => (row.template_id ? [[row.template_id, row.template_version!]] : [])));

/** @returns the ids, or null when nothing was inserted */
export async function insert(
  ctx: Ctx,
  rows: ReturnType<typeof rowOf>[],
  claim: Claim,
  recipients: string[],
): Promise<string[] | null> {
  const ids = rows.map((row) => row.public_id);
  const templates = versionsOf(rows);
  const [done] = await ctx.db.rows<{ n: number }>(INSERT, [
    ctx.workspace.id,
    claim.key,
    claim.hash,
    JSON.stringify(ids),
    ctx.principal?.keyId ?? null,
    JSON.stringify(rows),
    domainsOf(rows),
    recipients,
    boundDomain(ctx),
    [...templates.keys()],
    [...templates.values()],
    [...new Set(rows.flatMap((row) => row.in_reply_to_id ?? []))],
  ]);
  if (done!.n === 0) return null;
  ctx.afterCommit(() => ctx.runtime.wakeDelivery());
  return ids;
}

/**
 * The first answer to this key, null when there is none. Keys of a workspace share it.
 * @throws NOT_UNIQUE when the request was another one, FORBIDDEN when it was for a domain the caller's key is not bound to
 */
export async function replay(ctx: Ctx, { key, hash }: Claim): Promise<string[] | null> {
  if (key === null) return null;
  const [kept] = await ctx.db.rows<{ body_hash: string; response: string[]; elsewhere: boolean }>(
    `select body_hash, response, $3::int is not null and exists (select 1 from svc_email e
       where e.workspace_id = $1 and e.public_id in (select jsonb_array_elements_text(response)) and e.domain_id is distinct from $3) as elsewhere
     from svc_idempotency
     where workspace_id = $1 and key = $2 and created_at >= now() - make_interval(hours => ${limits.idempotencyHours})`,
    [ctx.workspace.id, key, boundDomain(ctx)],
  );
  if (!kept) return null;
  if (kept.body_hash !== hash) throw errors.notUnique('This Idempotency-Key was used with another body.');
  if (kept.elsewhere) throw errors.notAllowed('This key is bound to another domain.');
  return kept.response;
}
