import { GraphQLList, GraphQLString } from 'graphql';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { assertIdempotencyKey } from '../../../src/engine/operation/idempotency.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { AppError, convertPostgresError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { loadReadyTemplates } from '../templates/render.ts';
import { buildDraft, type EmailDraft, getBareRecipients } from './email-draft.ts';
import { isBlank } from './email-fields.ts';
import { type EmailInput, EmailInputShape } from './email-input.ts';
import { buildEmailRow, findStoredResponse, insertEmails, type SendRequest } from './email-insert.ts';
import { MAX_REQUEST_BYTES, withFetchedFiles } from './fetch-attachments.ts';
import { runPreflight } from './preflight.ts';
import { computeRequestHash } from './request-hash.ts';
import { resolveSentEmails } from './resolve-sent.ts';

const policy: Policy = { auth: ['TEAM', 'ADMIN'], scope: 'send', feature: 'email' };

const IDEMPOTENCY_KEY_DESCRIPTION = 'Key that makes retries safe.';

export const emailSend = defineOperation('emailSend', {
  kind: 'mutation',
  effects: ['writes', 'sends'],
  policy,
  description:
    'Accepts an email for sending and returns it. A retry with the same `idempotencyKey` returns the same ' +
    'email without sending it again.',
  args: (arg) => ({
    input: arg({ type: EmailInputShape.ref, required: true, description: 'Email to send.' }),
    idempotencyKey: arg.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
  }),
  type: getRecordRef('svc.email'),
  returns: GraphQLString,
  run: async (ctx, { input, idempotencyKey }) =>
    (await sendEmails(ctx, [input], false, idempotencyKey ?? null))[0]!,
  answer: async (ctx, id, _args, info) => (await resolveSentEmails(ctx, [id], info))[0],
});

export const emailsSend = defineOperation('emailsSend', {
  kind: 'mutation',
  effects: ['writes', 'sends'],
  policy,
  description:
    `Accepts up to ${limits.email.batch} emails for sending and returns them in request order. If one is ` +
    'invalid, none is accepted. A retry with the same `idempotencyKey` returns the same emails without ' +
    'sending them again.',
  args: (arg) => ({
    inputs: arg({ type: [EmailInputShape.ref], required: true, description: 'Emails to send.' }),
    idempotencyKey: arg.string({ description: IDEMPOTENCY_KEY_DESCRIPTION }),
  }),
  type: [getRecordRef('svc.email')],
  returns: new GraphQLList(GraphQLString),
  run: (ctx, { inputs, idempotencyKey }) => sendEmails(ctx, inputs, true, idempotencyKey ?? null),
  answer: (ctx, ids, _args, info) => resolveSentEmails(ctx, ids, info),
});

async function sendEmails(
  ctx: Ctx,
  emails: EmailInput[],
  batch: boolean,
  key: string | null,
): Promise<string[]> {
  if (emails.length === 0) throw errors.badRequest('At least one email is required.');
  if (emails.length > limits.email.batch)
    throw errors.badRequest(`A request may contain at most ${limits.email.batch} emails.`);
  if (key !== null) assertIdempotencyKey(key);
  const request: AcceptRequest = {
    emails,
    batch,
    claim: { key, hash: key === null ? '' : computeRequestHash({ batch, emails }) },
  };
  try {
    return await (hasFileUrls(emails) ? acceptWithFetchedFiles(ctx, request) : acceptEmails(ctx, request));
  } catch (error) {
    throw convertPostgresError(error) ?? error;
  }
}

const hasFileUrls = (emails: readonly EmailInput[]): boolean =>
  emails.some(({ attachments }) => attachments?.some(({ path }) => path));

const acceptEmails = async (ctx: Ctx, request: AcceptRequest): Promise<string[]> =>
  (await acceptOptimistically(ctx, request)) ?? (await acceptAfterChecks(ctx, request));

/** Fetches files only after all other checks have passed, and never for a repeated request. */
async function acceptWithFetchedFiles(ctx: Ctx, request: AcceptRequest): Promise<string[]> {
  const replay = await findStoredResponse(ctx, request.claim);
  if (replay) return replay;
  await runPreflight(ctx, await buildDrafts(ctx, request, true));
  return withFetchedFiles(ctx, request, (emails) => acceptEmails(ctx, { ...request, emails }));
}

interface AcceptRequest {
  emails: EmailInput[];
  batch: boolean;
  claim: SendRequest;
}

/**
 * Validates and renders the emails.
 * @param isFresh true to bypass the template cache
 * @throws BAD_REQUEST if a field is invalid, or the request is too large in total
 * @throws NOT_FOUND for a template
 */
async function buildDrafts(
  ctx: Ctx,
  { emails, batch }: AcceptRequest,
  isFresh: boolean,
): Promise<EmailDraft[]> {
  const templateIds = emails.flatMap((email) => email.templateId || []);
  const templates = templateIds.length > 0 ? await loadReadyTemplates(ctx, templateIds, isFresh) : null;
  let bytes = 0;
  return emails.map((email, index) => {
    try {
      if (isBlank(email.subject) && !email.templateId)
        throw errors.badRequest('Either subject or templateId is required.');
      const draft = buildDraft(email, templates?.get(email.templateId || '') ?? null);
      bytes += draft.content_bytes;
      if (bytes > MAX_REQUEST_BYTES)
        throw errors.badRequest('this email makes the request too large. Send fewer emails per request.');
      return draft;
    } catch (error) {
      throw batch && error instanceof AppError
        ? new AppError(error.kind, `${index}: ${error.message}`)
        : error;
    }
  });
}

/** Accepts a typical request in one round trip. Writes nothing and returns null if any condition fails. */
async function acceptOptimistically(ctx: Ctx, request: AcceptRequest): Promise<string[] | null> {
  const drafts = await buildDrafts(ctx, request, false).catch((error) => {
    // The cached template may be outdated, or the request may have a stored response.
    if (error instanceof AppError && request.emails.some((email) => email.templateId)) return null;
    throw error;
  });
  if (!drafts) return null;
  const rows = drafts.map((draft) => buildEmailRow(draft, NO_ADDRESSES));
  return insertEmails(ctx, rows, request.claim, getBareRecipients(drafts));
}

/** Handles a failed condition: replays a stored response, removes suppressed recipients, or throws the error. */
async function acceptAfterChecks(ctx: Ctx, request: AcceptRequest): Promise<string[]> {
  const replay = await findStoredResponse(ctx, request.claim);
  if (replay) return replay;
  const drafts = await buildDrafts(ctx, request, true);
  const suppressedAddresses = await runPreflight(ctx, drafts);
  const rows = drafts.map((draft) => buildEmailRow(draft, suppressedAddresses));
  const ids =
    (await insertEmails(ctx, rows, request.claim, [])) ?? (await findStoredResponse(ctx, request.claim));
  if (!ids) throw errors.busy('Another request changed the same data at the same time. Try again.');
  return ids;
}

const NO_ADDRESSES: ReadonlySet<string> = new Set();
