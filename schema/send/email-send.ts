import { builder } from '../../src/builder.ts';
import type { Ctx } from '../../src/engine/ctx.ts';
import { verb } from '../../src/engine/verb.ts';
import { AppError, errors, fromPostgres } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { type Draft, draftOf, type EmailInput, fingerprint } from './email-draft.ts';
import { bare, type Claim, domainsOf, insert, replay, rowOf } from './email-insert.ts';

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
  const drafts = batch ? emails.map(numberedDraft) : emails.map(draftOf);
  const claim: Claim = { key, hash: key === null ? '' : fingerprint({ batch, emails }) };
  try {
    return (await acceptPlain(ctx, drafts, claim)) ?? (await acceptAsked(ctx, drafts, claim));
  } catch (error) {
    throw fromPostgres(error) ?? error;
  }
}

/** In a batch a refusal says which of the emails it is about. */
function numberedDraft(email: EmailInput, at: number): Draft {
  try {
    return draftOf(email);
  } catch (error) {
    throw error instanceof AppError ? new AppError(error.kind, `${at}: ${error.message}`) : error;
  }
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
  const closed = await askGate(ctx, drafts);
  const rows = drafts.map((draft) => rowOf(draft, closed));
  const ids = (await insert(ctx, rows, claim, [])) ?? (await replay(ctx, claim));
  if (!ids) throw errors.busy('Something this request depends on was changed at the same time; try again.');
  return ids;
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * What the database must be asked before: who owns the senders' domains, who may not be written to.
 * @returns the suppressed ones of the recipients, bare and in lower case
 * @throws NOT_FOUND for a template, BAD_REQUEST for a domain that is not the workspace's or not verified
 */
async function askGate(ctx: Ctx, drafts: Draft[]): Promise<ReadonlySet<string>> {
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
  return new Set(row!.suppressed);
}

function checkDomain(name: string, status: string | undefined): void {
  if (!status)
    throw errors.badRequest(`from: the domain ${name} is not one of yours. Add it in the dashboard first.`);
  if (status !== 'SUCCESS') throw errors.badRequest(`from: the domain ${name} is not verified yet.`);
}

const recipientsOf = (drafts: Draft[]): string[] =>
  drafts.flatMap((draft) => [...draft.to, ...draft.cc, ...draft.bcc].map(bare));

async function checkReplies(ctx: Ctx, drafts: Draft[]): Promise<void> {
  const wanted = [...new Set(drafts.flatMap((draft) => draft.in_reply_to_id ?? []))];
  if (wanted.length === 0) return;
  const rows = await ctx.db.rows(`select 1 from svc_email where workspace_id = $1 and public_id = any($2)`, [
    ctx.workspace.id,
    wanted,
  ]);
  if (rows.length < wanted.length) throw errors.badRequest('inReplyToId: there is no such email.');
}
