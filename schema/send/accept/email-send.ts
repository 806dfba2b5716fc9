import { GraphQLList, GraphQLString } from 'graphql';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { checkKey } from '../../../src/engine/verb/idempotency.ts';
import { recordRef } from '../../../src/engine/verb/record-ref.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { AppError, errors, fromPostgres } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { bareAddress } from '../../../src/mail/address.ts';
import { boundDomain, inBoundDomain } from '../kit/bound-domain.ts';
import { readyTemplates } from '../templates/render.ts';
import { type Draft, draftOf } from './email-draft.ts';
import { type EmailInput, EmailInputType } from './email-input.ts';
import { domainsOf, emailRow, insertEmails, replay, type SendRequest } from './email-insert.ts';
import { requestHash } from './request-hash.ts';
import { checkSender, type SenderDomain } from './sender-domain.ts';
import { answerSent } from './sent-answer.ts';

const policy: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'send', feature: 'email' };

const KEY = 'Key that makes retries safe.';

export const emailSendVerb = verb('emailSend', {
  kind: 'mutation',
  policy,
  description:
    'Accepts an email for sending and returns it. A retry with the same idempotencyKey returns the same email ' +
    'without sending again.',
  args: (arg) => ({
    input: arg({ type: EmailInputType, required: true, description: 'Email to send.' }),
    idempotencyKey: arg.string({ description: KEY }),
  }),
  type: recordRef('svc.email'),
  returns: GraphQLString,
  run: async (ctx, { input, idempotencyKey }) =>
    (await sendEmails(ctx, [input], false, idempotencyKey ?? null))[0]!,
  answer: async (ctx, id, _args, info) => (await answerSent(ctx, [id], info))[0],
});

export const emailsSendVerb = verb('emailsSend', {
  kind: 'mutation',
  policy,
  description:
    `Accepts up to ${limits.email.batch} emails for sending and returns them in request order. If one is invalid, ` +
    'none is accepted. A retry with the same idempotencyKey returns the same emails without sending again.',
  args: (arg) => ({
    inputs: arg({ type: [EmailInputType], required: true, description: 'Emails to send.' }),
    idempotencyKey: arg.string({ description: KEY }),
  }),
  type: [recordRef('svc.email')],
  returns: new GraphQLList(GraphQLString),
  run: (ctx, { inputs, idempotencyKey }) => sendEmails(ctx, inputs, true, idempotencyKey ?? null),
  answer: (ctx, ids, _args, info) => answerSent(ctx, ids, info),
});

async function sendEmails(
  ctx: Ctx,
  emails: EmailInput[],
  batch: boolean,
  key: string | null,
): Promise<string[]> {
  if (emails.length === 0) throw errors.badRequest('At least one email is required.');
  if (emails.length > limits.email.batch)
    throw errors.badRequest(`At most ${limits.email.batch} emails in one request.`);
  if (key !== null) checkKey(key);
  const request: Request = {
    emails,
    batch,
    claim: { key, hash: key === null ? '' : requestHash({ batch, emails }) },
  };
  try {
    return (await acceptOptimistic(ctx, request)) ?? (await acceptExplained(ctx, request));
  } catch (error) {
    throw fromPostgres(error) ?? error;
  }
}

interface Request {
  emails: EmailInput[];
  batch: boolean;
  claim: SendRequest;
}

/**
 * The emails, checked and rendered.
 * @param fresh read templates again instead of using the cache
 * @throws BAD_REQUEST that names the field, and in a batch the email, or for more bytes than a request may make;
 *   NOT_FOUND for a template
 */
async function draftsOf(ctx: Ctx, { emails, batch }: Request, fresh: boolean): Promise<Draft[]> {
  const wanted = emails.flatMap((email) => email.templateId || []);
  const templates = wanted.length > 0 ? await readyTemplates(ctx, wanted, fresh) : null;
  let bytes = 0;
  return emails.map((email, at) => {
    try {
      const draft = draftOf(email, templates?.get(email.templateId || '') ?? null);
      bytes += draft.content_bytes;
      if (bytes > limits.email.requestBytes)
        throw errors.badRequest('the emails up to this one are too large in total.');
      return draft;
    } catch (error) {
      throw batch && error instanceof AppError ? new AppError(error.kind, `${at}: ${error.message}`) : error;
    }
  });
}

/** The ordinary request in one round trip; null, with nothing written, when any condition does not hold. */
async function acceptOptimistic(ctx: Ctx, request: Request): Promise<string[] | null> {
  const drafts = await draftsOf(ctx, request, false).catch((error) => {
    // What is known of a template may be old, and a request that was answered before is answered again.
    if (error instanceof AppError && request.emails.some((email) => email.templateId)) return null;
    throw error;
  });
  if (!drafts) return null;
  const rows = drafts.map((draft) => emailRow(draft, NO_ADDRESS));
  return insertEmails(ctx, rows, request.claim, recipientsOf(drafts));
}

/** Asks what did not hold: it replays an answer, leaves out suppressed recipients, or explains the refusal. */
async function acceptExplained(ctx: Ctx, request: Request): Promise<string[]> {
  const kept = await replay(ctx, request.claim);
  if (kept) return kept;
  const drafts = await draftsOf(ctx, request, true);
  const closed = await askGate(ctx, drafts);
  const rows = drafts.map((draft) => emailRow(draft, closed));
  const ids = (await insertEmails(ctx, rows, request.claim, [])) ?? (await replay(ctx, request.claim));
  if (!ids) throw errors.busy('Another request changed the same data at the same time; try again.');
  return ids;
}

const NO_ADDRESS: ReadonlySet<string> = new Set();

/**
 * What the database must be asked before: who owns the senders' domains, who may not be written to.
 * @returns the suppressed ones of the recipients, bare and in lower case
 * @throws BAD_REQUEST for a domain that is not the workspace's or not verified, and for an email to answer that is not
 *   there; FORBIDDEN for a domain other than the key's
 */
async function askGate(ctx: Ctx, drafts: Draft[]): Promise<ReadonlySet<string>> {
  const [row] = await ctx.db.rows<{
    domains: SenderDomain[] | null;
    suppressed: string[];
  }>(
    sql`select
       (select json_agg(json_build_object('id', id, 'name', name, 'status', status)) from svc_domain
        where workspace_id = ${ctx.workspace.id} and name = any(${domainsOf(drafts)})) as domains,
       array(select email from svc_suppression
        where workspace_id = ${ctx.workspace.id} and email = any(${recipientsOf(drafts)})) as suppressed`,
  );
  const known = new Map(row!.domains?.map((domain) => [domain.name, domain]));
  for (const name of domainsOf(drafts)) checkSender(name, known.get(name), boundDomain(ctx));
  await checkReplies(ctx, drafts);
  return new Set(row!.suppressed);
}

const recipientsOf = (drafts: Draft[]): string[] =>
  drafts.flatMap((draft) => [...draft.to, ...draft.cc, ...draft.bcc].map(bareAddress));

async function checkReplies(ctx: Ctx, drafts: Draft[]): Promise<void> {
  const wanted = [...new Set(drafts.flatMap((draft) => draft.in_reply_to_id ?? []))];
  if (wanted.length === 0) return;
  const rows = await ctx.db.rows(
    sql`select 1 from svc_email m where m.workspace_id = ${ctx.workspace.id} and m.public_id = any(${wanted})
       and ${inBoundDomain(ctx, sql`m.domain_id`)}`,
  );
  if (rows.length < wanted.length) throw errors.badRequest('inReplyToId: there is no such email.');
}
