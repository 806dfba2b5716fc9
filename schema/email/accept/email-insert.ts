import { createCache } from '../../../src/cache.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import { canBatch, getSharedDb } from '../../../src/engine/ctx/batcher.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { scheduleDue } from '../../../src/engine/work/due.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { ALL_SUPPRESSED_REASON, getSuppressedRecipients, removeSuppressed } from '../kit/recipients.ts';
import { type INITIAL_STATES, STATUS_BY_STATE } from '../state/email-state.ts';
import { MAIL_QUEUE } from '../state/queues.ts';
import { type InsertResult, scheduleCallsDue } from '../state/webhook-calls.ts';
import type { EmailDraft } from './email-draft.ts';
import {
  buildEmailColumns,
  buildJsonRow,
  IDEMPOTENCY_HOURS,
  type InsertArgs,
  insertStatements,
} from './email-insert-sql.ts';

/** Maximum number of workspaces for which a process remembers that they have active webhooks. */
const MAX_CACHED_WORKSPACES = 10_000;

export interface SendRequest {
  key: string | null;
  hash: string;
}

const NO_CHANGE = {};

/**
 * Builds the row of an accepted email. If all recipients are suppressed, the email is stored with the reason but not
 * sent.
 */
export function buildEmailRow(draft: EmailDraft, suppressedAddresses: ReadonlySet<string>) {
  const change = suppressedAddresses.size > 0 ? removeSuppressed(draft, suppressedAddresses) : NO_CHANGE;
  const state: (typeof INITIAL_STATES)[number] = change ? 'queued' : 'suppressed';
  return {
    ...draft,
    ...change,
    suppressed: suppressedAddresses.size > 0 ? getSuppressedRecipients(draft, suppressedAddresses) : [],
    state,
    latest_status: change && draft.scheduled_at ? 'SCHEDULED' : STATUS_BY_STATE[state],
    reason: change ? null : ALL_SUPPRESSED_REASON,
  };
}

export const getSenderDomains = (drafts: { domain: string }[]): string[] => [
  ...new Set(drafts.map((draft) => draft.domain)),
];

const getTemplateVersions = (
  rows: Pick<EmailDraft, 'template_id' | 'template_version'>[],
): Map<string, number> =>
  new Map(rows.flatMap((row) => (row.template_id ? [[row.template_id, row.template_version!]] : [])));

type EmailRow = ReturnType<typeof buildEmailRow>;
type EmailRows = EmailRow[];

function buildStatement(
  ctx: Ctx,
  rows: EmailRows,
  numbers: number[],
  request: SendRequest,
  recipients: string[],
) {
  const templates = getTemplateVersions(rows);
  const commonArgs: InsertArgs = {
    workspace: ctx.workspace.id,
    key: request.key,
    hash: request.hash,
    ids: JSON.stringify(rows.map((row) => row.public_id)),
    apiKey: ctx.principal?.keyId ?? null,
    domains: getSenderDomains(rows),
    bound: getBoundDomain(ctx),
    recipients,
    templates: [...templates.keys()],
    versions: [...templates.values()],
    answered: [...new Set(rows.flatMap((row) => row.in_reply_to_id ?? []))],
  };
  if (rows.length === 1) {
    const args = { ...commonArgs, id: numbers[0]!, ...buildEmailColumns(rows[0]!) };
    return (form: InsertForm) => insertStatements.one[form](args);
  }
  const json = JSON.stringify(rows.map((row, index) => buildJsonRow(row, { id: numbers[index] })));
  return (form: InsertForm) =>
    insertStatements.many[form === 'full' ? 'full' : 'quiet']({ ...commonArgs, rows: json });
}

/** Parts of the statement in addition to inserting the rows. */
type InsertForm = 'full' | 'quiet' | 'plain';

function scheduleRowsDue(ctx: Ctx, rows: EmailRows): void {
  for (const at of new Set(rows.flatMap((row) => (row.state === 'queued' ? [row.scheduled_at] : []))))
    scheduleDue(ctx.db, ctx.workspace.id, MAIL_QUEUE, { at });
}

/** Workspaces that had active webhooks at their last insert. An outdated entry costs one round trip. */
const hearingCache = createCache<number, true>({ entries: MAX_CACHED_WORKSPACES });

/** @returns the ids, or null if nothing was inserted */
export async function insertEmails(
  ctx: Ctx,
  rows: EmailRows,
  request: SendRequest,
  recipients: string[],
): Promise<string[] | null> {
  const numbers = await allocateIds(ctx, 'svc_email', rows.length);
  const workspace = ctx.workspace.id;
  const notifyQueues = (calls: number) => {
    scheduleCallsDue(ctx.db, workspace, calls);
    scheduleRowsDue(ctx, rows);
  };
  const statement = buildStatement(ctx, rows, numbers, request, recipients);
  const run = async (form: InsertForm) => {
    const [result] = await ctx.db.rows<InsertResult & { hooked: boolean }>(statement(form)).catch((error) => {
      // The response may have been lost after the insert succeeded.
      notifyQueues(1);
      throw error;
    });
    return result;
  };
  const isQuiet = !hearingCache.get(workspace) && rows.every((row) => row.state === 'queued');
  const shortForm: InsertForm = rows.length === 1 && request.key === null ? 'plain' : 'quiet';
  let outcome = await run(isQuiet ? shortForm : 'full');
  if (!outcome || (isQuiet && outcome.hooked)) outcome = (await run('full'))!;
  if (outcome.hooked) hearingCache.set(workspace, true);
  else hearingCache.delete(workspace);
  if (outcome.n === 0) return null;
  notifyQueues(outcome.calls);
  return rows.map((row) => row.public_id);
}

export interface SingleSend {
  ctx: Ctx;
  row: EmailRow;
  claim: SendRequest;
  /** Addresses that must not be suppressed. */
  recipients: string[];
}

/** True if the email can be inserted together with other requests of the same caller. */
export const isOrdinary = ({ ctx, row }: SingleSend): boolean =>
  canBatch(ctx) &&
  !hearingCache.get(ctx.workspace.id) &&
  row.state === 'queued' &&
  !row.template_id &&
  !row.in_reply_to_id &&
  row.content_bytes < limits.call.sharedBytes;

/**
 * Inserts ordinary emails of one caller with distinct keys. Emails that are left out must be sent individually.
 * @returns the public ids; null, with nothing inserted, if the workspace has active webhooks
 */
export async function insertBatch(sendings: SingleSend[]): Promise<Set<string> | null> {
  const { ctx } = sendings[0]!;
  const workspace = ctx.workspace.id;
  const numbers = await allocateIds(ctx, 'svc_email', sendings.length);
  const rows = JSON.stringify(
    sendings.map(({ row, claim, recipients }, index) =>
      buildJsonRow(row, { ...claim, recipients, id: numbers[index] }),
    ),
  );
  const args = { workspace, apiKey: ctx.principal?.keyId ?? null, bound: getBoundDomain(ctx), rows };
  try {
    if (sendings.every(({ claim }) => claim.key === null)) {
      const insertedRows = await getSharedDb(ctx).rows<{ public_id: string }>(
        insertStatements.plainGroup(args),
      );
      return insertedRows.length > 0 ? new Set(insertedRows.map((item) => item.public_id)) : null;
    }
    const [result] = await getSharedDb(ctx).rows<{ sent: string[]; hooked: boolean }>(
      insertStatements.group(args),
    );
    if (!result!.hooked) return new Set(result!.sent);
    hearingCache.set(workspace, true);
    return null;
  } finally {
    scheduleRowsDue(
      ctx,
      sendings.map(({ row }) => row),
    );
  }
}

/**
 * Returns the stored response for this key; null if there isn't one. Keys are unique per workspace.
 * @throws NOT_UNIQUE if the key was used for another request
 * @throws FORBIDDEN if it was used for a domain other than the API key's
 */
export async function findReplay(ctx: Ctx, { key, hash }: SendRequest): Promise<string[] | null> {
  if (key === null) return null;
  const boundDomain = sql.param(getBoundDomain(ctx));
  const [storedRequest] = await ctx.db.rows<{ body_hash: string; response: string[]; elsewhere: boolean }>(
    sql`select body_hash, response, ${boundDomain}::int is not null and exists (select 1 from svc_email e
       where e.workspace_id = ${ctx.workspace.id} and e.public_id in (select jsonb_array_elements_text(response))
         and e.domain_id is distinct from ${boundDomain}) as elsewhere
     from svc_idempotency where workspace_id = ${ctx.workspace.id} and key = ${key}
       and created_at >= now() - make_interval(hours => ${IDEMPOTENCY_HOURS})`,
  );
  if (!storedRequest) return null;
  if (storedRequest.body_hash !== hash)
    throw errors.notUnique('This Idempotency-Key was already used with a different body.');
  if (storedRequest.elsewhere) throw errors.notAllowed('This key is bound to another domain.');
  return storedRequest.response;
}
