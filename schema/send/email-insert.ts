import type { Ctx } from '../../src/engine/ctx.ts';
import { errors } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { parseAddress } from '../../src/mail/address.ts';
import type { Draft } from './email-draft.ts';

/** What a repeated request is known by. */
export interface Claim {
  key: string | null;
  hash: string;
}

/** The row of an accepted email; one whose recipients are all suppressed is kept, with the reason, and not sent. */
export function rowOf(draft: Draft, closed: ReadonlySet<string>) {
  const open = (list: string[]) => (closed.size ? list.filter((text) => !closed.has(bare(text))) : list);
  const to = open(draft.to);
  const suppressed = to.length === 0;
  return {
    ...draft,
    ...(!suppressed && { to, cc: open(draft.cc), bcc: open(draft.bcc) }),
    state: suppressed ? 'suppressed' : 'queued',
    latest_status: suppressed ? 'SUPPRESSED' : draft.scheduled_at ? 'SCHEDULED' : 'QUEUED',
    reason: suppressed ? 'Every recipient is on the suppression list.' : null,
  };
}

/** Distinct names of the senders' domains. */
export const domainsOf = (drafts: { domain: string }[]): string[] => [
  ...new Set(drafts.map((draft) => draft.domain)),
];

/** An address as the suppression list holds it. */
export const bare = (text: string): string => parseAddress(text)!.address.toLowerCase();

const COLUMNS = `public_id text, "from" text, "to" text[], cc text[], bcc text[], reply_to text[], subject text, html text, text text,
  headers jsonb, attachments jsonb, scheduled_at timestamptz, in_reply_to_id text, state text, latest_status text, reason text`;
const NAMES = COLUMNS.split(',').map((column) => column.trim().split(' ')[0]!);

/**
 * One statement, so one transaction: the gate, the idempotency record and the emails. A second request with the key
 * waits here for the first to end, and inserts nothing when that one has. Nothing is inserted either unless every
 * domain in $7 is verified and no recipient in $8 is suppressed.
 */
const INSERT = `
  with open as (
    select 1
    where cardinality($7::text[]) = (select count(*) from svc_domain where workspace_id = $1 and name = any($7) and status = 'SUCCESS')
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
    returning id, state, reason
  ), told as (
    insert into svc_email_event (workspace_id, email_id, status, data)
    select $1, id, 'SUPPRESSED', jsonb_build_object('error', reason) from mail where state = 'suppressed'
  )
  select count(*)::int as n from mail`;

/** @returns the ids, or null when nothing was inserted */
export async function insert(
  ctx: Ctx,
  rows: ReturnType<typeof rowOf>[],
  claim: Claim,
  recipients: string[],
): Promise<string[] | null> {
  const ids = rows.map((row) => row.public_id);
  const [done] = await ctx.db.rows<{ n: number }>(INSERT, [
    ctx.workspace.id,
    claim.key,
    claim.hash,
    JSON.stringify(ids),
    ctx.principal?.keyId ?? null,
    JSON.stringify(rows),
    domainsOf(rows),
    recipients,
  ]);
  if (done!.n === 0) return null;
  ctx.afterCommit(() => ctx.runtime.wakeDelivery());
  return ids;
}

/** The first answer to this key, null when there is none. @throws NOT_UNIQUE when the request was another one */
export async function replay(ctx: Ctx, { key, hash }: Claim): Promise<string[] | null> {
  if (key === null) return null;
  const [kept] = await ctx.db.rows<{ body_hash: string; response: string[] }>(
    `select body_hash, response from svc_idempotency
     where workspace_id = $1 and key = $2 and created_at >= now() - make_interval(hours => ${limits.idempotencyHours})`,
    [ctx.workspace.id, key],
  );
  if (!kept) return null;
  if (kept.body_hash !== hash) throw errors.notUnique('This Idempotency-Key was used with another body.');
  return kept.response;
}
