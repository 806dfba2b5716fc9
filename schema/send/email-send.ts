import { builder } from '../../src/builder.ts';
import type { Ctx } from '../../src/engine/ctx.ts';
import { verb } from '../../src/engine/verb.ts';
import { errors, fromPostgres } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { parseAddress } from '../../src/mail/address.ts';
import { type Draft, draftOf, type EmailInput, fingerprint } from './email-draft.ts';

const Attachment = builder.inputType('EmailAttachmentInput', {
  fields: (t) => ({
    filename: t.string({ required: true }),
    content: t.string({ required: true, description: 'base64' }),
  }),
});

const Email = builder.inputType('EmailInput', {
  description: 'An email to send. Needs a subject or a templateId.',
  fields: (t) => ({
    to: t.stringList({ required: true }),
    from: t.string({
      required: true,
      description: 'Display Name <address> of a verified domain of the workspace',
    }),
    subject: t.string(),
    replyTo: t.stringList(),
    cc: t.stringList(),
    bcc: t.stringList(),
    html: t.string(),
    text: t.string(),
    templateId: t.string(),
    variables: t.field({ type: 'JSON' }),
    headers: t.field({ type: 'JSON' }),
    attachments: t.field({ type: [Attachment] }),
    scheduledAt: t.field({ type: 'DateTime' }),
    inReplyToId: t.string(),
  }),
});

verb('emailsSend', {
  kind: 'mutation',
  policy: { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email' },
  description:
    'Accepts emails for sending, all or none, and answers with their ids in the order given. The same idempotencyKey gives the same answer and sends nothing twice.',
  args: (arg) => ({
    emails: arg({ type: [Email], required: true }),
    batch: arg.boolean({
      defaultValue: false,
      description: 'Part of what a repeated request is compared by.',
    }),
    idempotencyKey: arg.string(),
  }),
  type: ['String'],
  run: (ctx, { emails, batch, idempotencyKey }) =>
    sendEmails(ctx, emails as EmailInput[], batch ?? false, idempotencyKey ?? null),
});

async function sendEmails(
  ctx: Ctx,
  emails: EmailInput[],
  batch: boolean,
  key: string | null,
): Promise<string[]> {
  if (emails.length === 0) throw errors.badRequest('At least one email is needed.');
  if (emails.length > limits.emailBatch)
    throw errors.badRequest(`At most ${limits.emailBatch} emails in one request.`);
  if (key !== null && (key.length < 1 || key.length > limits.idempotencyKey)) {
    throw errors.badRequest(`Idempotency-Key: 1 to ${limits.idempotencyKey} characters.`);
  }
  const drafts = emails.map(draftOf);
  const claim: Claim = { key, hash: key === null ? '' : fingerprint({ batch, emails }) };
  try {
    return (await acceptPlain(ctx, drafts, claim)) ?? (await acceptAsked(ctx, drafts, claim));
  } catch (error) {
    throw fromPostgres(error) ?? error;
  }
}

/** What a repeated request is known by. */
interface Claim {
  key: string | null;
  hash: string;
}

/** The ordinary request in one round trip; null, with nothing written, when there is anything to look at more closely. */
function acceptPlain(ctx: Ctx, drafts: Draft[], claim: Claim): Promise<string[] | null> | null {
  if (drafts.some((draft) => draft.template_id || draft.in_reply_to_id)) return null;
  return insert(
    ctx,
    drafts.map((draft) => rowOf(draft, NOBODY)),
    claim,
    recipientsOf(drafts),
  );
}

/** Tells why a request was not accepted, leaves out suppressed recipients, or gives the answer a repeated one had. */
async function acceptAsked(ctx: Ctx, drafts: Draft[], claim: Claim): Promise<string[]> {
  const kept = await replay(ctx, claim);
  if (kept) return kept;
  const gate = await askGate(ctx, drafts);
  const rows = drafts.map((draft) => rowOf(draft, gate.suppressed));
  const ids = (await insert(ctx, rows, claim, [])) ?? (await replay(ctx, claim));
  if (!ids) throw errors.busy('Something this request depends on was changed at the same time; try again.');
  return ids;
}

interface Gate {
  suppressed: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * What the database must be asked before: who owns the senders' domains, who may not be written to.
 * @throws NOT_FOUND for a template, BAD_REQUEST for a domain that is not the workspace's or not verified
 */
async function askGate(ctx: Ctx, drafts: Draft[]): Promise<Gate> {
  if (drafts.some((draft) => draft.template_id)) throw errors.notFound('Template');
  const [row] = await ctx.db.rows<{
    domains: { name: string; status: string }[] | null;
    suppressed: string[];
  }>(
    `select (select json_agg(json_build_object('name', name, 'status', status)) from svc_domain where workspace_id = $1 and name = any($2)) as domains,
            array(select email from svc_suppression where workspace_id = $1 and email = any($3)) as suppressed`,
    [ctx.workspace.id, domainsOf(drafts), recipientsOf(drafts)],
  );
  const known = new Map(row!.domains?.map((domain) => [domain.name, domain.status]));
  for (const name of domainsOf(drafts)) checkDomain(name, known.get(name));
  await checkReplies(ctx, drafts);
  return { suppressed: new Set(row!.suppressed) };
}

function checkDomain(name: string, status: string | undefined): void {
  if (!status)
    throw errors.badRequest(`from: the domain ${name} is not one of yours. Add it in the dashboard first.`);
  if (status !== 'SUCCESS') throw errors.badRequest(`from: the domain ${name} is not verified yet.`);
}

const domainsOf = (drafts: { domain: string }[]): string[] => [
  ...new Set(drafts.map((draft) => draft.domain)),
];

const recipientsOf = (drafts: Draft[]): string[] =>
  drafts.flatMap((draft) => [...draft.to, ...draft.cc, ...draft.bcc].map(bare));

const bare = (text: string): string => parseAddress(text)!.address.toLowerCase();

async function checkReplies(ctx: Ctx, drafts: Draft[]): Promise<void> {
  const wanted = [...new Set(drafts.flatMap((draft) => draft.in_reply_to_id ?? []))];
  if (wanted.length === 0) return;
  const rows = await ctx.db.rows(`select 1 from svc_email where workspace_id = $1 and public_id = any($2)`, [
    ctx.workspace.id,
    wanted,
  ]);
  if (rows.length < wanted.length) throw errors.badRequest('inReplyToId: there is no such email.');
}

/** The row of an accepted email; one whose recipients are all suppressed is kept, with the reason, and not sent. */
function rowOf(draft: Draft, closed: ReadonlySet<string>) {
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
async function insert(
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
async function replay(ctx: Ctx, { key, hash }: Claim): Promise<string[] | null> {
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
