import { createCache } from '../../../src/cache.ts';
import { runTogether } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { errors } from '../../../src/errors.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { ALL_SUPPRESSED_REASON, getSuppressedRecipients, removeSuppressed } from '../kit/recipients.ts';
import { type INITIAL_STATES, STATUS_BY_STATE } from '../state/email-state.ts';
import { buildInitialCalls, buildSuppressedEvents } from '../state/initial-events.ts';
import { MAIL_QUEUE } from '../state/queues.ts';
import { scheduleCallsDue } from '../state/webhook-calls.ts';
import type { EmailDraft } from './email-draft.ts';
import {
  buildEmailColumns,
  buildJsonRow,
  IDEMPOTENCY_HOURS,
  type InsertArgs,
  insertStatements,
} from './email-insert-sql.ts';

const MAX_CACHED_WORKSPACES = 10_000;

export interface SendRequest {
  key: string | null;
  hash: string;
}

const NO_CHANGE = {};

/**
 * Builds the row of an accepted email. If all recipients are suppressed, the email is stored as suppressed and never
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

interface InsertStatements {
  statements: Sql[];
  /** Index of the statement that returns the inserted emails. */
  mail: number;
}

/**
 * Builds the statements that insert the idempotency record, emails, events and webhook calls. The last statement
 * returns `has_webhook`, except in the quiet form without a key. The quiet form inserts nothing if the workspace has
 * webhooks, and skips events and webhook calls.
 */
function createStatementBuilder(
  ctx: Ctx,
  rows: EmailRows,
  numbers: number[],
  request: SendRequest,
  recipients: string[],
): (isQuiet: boolean) => InsertStatements {
  const workspace = ctx.workspace.id;
  const templates = getTemplateVersions(rows);
  const sharedArgs = {
    workspace,
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
  const events = { workspace, emails: numbers };
  const isKeyed = request.key !== null;
  const isSuppressed = rows.some((row) => row.state === 'suppressed');
  const buildMailInsert = createMailInsert(rows, numbers, isKeyed);
  return (isQuiet) => {
    const args: InsertArgs = { ...sharedArgs, isQuiet };
    const before = isKeyed ? [insertStatements.claim(args)] : [];
    const after = [
      ...(isQuiet ? [] : [buildInitialCalls(events)]),
      ...(isSuppressed ? [buildSuppressedEvents(events)] : []),
      ...(isQuiet && !isKeyed ? [] : [insertStatements.hasWebhook({ workspace })]),
    ];
    return { statements: [...before, buildMailInsert(args), ...after], mail: before.length };
  };
}

function createMailInsert(rows: EmailRows, numbers: number[], isKeyed: boolean): (args: InsertArgs) => Sql {
  const form = isKeyed ? 'keyed' : 'plain';
  if (rows.length === 1) {
    const columns = { id: numbers[0]!, ...buildEmailColumns(rows[0]!) };
    return (args) => insertStatements.one[form]({ ...args, ...columns });
  }
  const json = JSON.stringify(rows.map((row, index) => buildJsonRow(row, { id: numbers[index] })));
  return (args) => insertStatements.many[form]({ ...args, rows: json });
}

function scheduleRowsDue(ctx: Ctx, rows: EmailRows): void {
  for (const at of new Set(rows.flatMap((row) => (row.state === 'queued' ? [row.scheduled_at] : []))))
    scheduleDueWork(ctx.db, ctx.workspace.id, MAIL_QUEUE, { at });
}

/** Workspaces that had active webhooks at their last insert. An outdated entry costs one round trip. */
const webhookCache = createCache<number, true>({ entries: MAX_CACHED_WORKSPACES });

/** @returns the ids; null if nothing was inserted */
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
  const buildStatements = createStatementBuilder(ctx, rows, numbers, request, recipients);
  const run = async (isQuiet: boolean) => {
    const { statements, mail } = buildStatements(isQuiet);
    const results = await runTogether(ctx.db, statements).catch((error) => {
      // The insert may have succeeded although its response was lost.
      notifyQueues(1);
      throw error;
    });
    const calls = isQuiet ? 0 : results[mail + 1]!.length;
    const hasWebhook = (results.at(-1)![0]?.has_webhook ?? null) as boolean | null;
    return { count: results[mail]!.length, calls, hasWebhook };
  };
  const isQuiet = !webhookCache.get(workspace) && rows.every((row) => row.state === 'queued');
  let outcome = await run(isQuiet);
  if (isQuiet && outcome.count === 0 && outcome.hasWebhook !== false) outcome = await run(false);
  if (outcome.hasWebhook) webhookCache.set(workspace, true);
  else webhookCache.delete(workspace);
  if (outcome.count === 0) return null;
  notifyQueues(outcome.calls);
  if (ctx.callUsage) ctx.callUsage.sentMessages += rows.length;
  return rows.map((row) => row.public_id);
}

/**
 * Returns the stored response for this key, or null. Keys are unique per workspace.
 * @throws NOT_UNIQUE if the key was used for a different request
 * @throws FORBIDDEN if the key was used for a domain other than the API key's
 */
export async function findStoredResponse(ctx: Ctx, { key, hash }: SendRequest): Promise<string[] | null> {
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
  if (storedRequest.elsewhere) throw errors.notAllowed('This API key is restricted to another domain.');
  return storedRequest.response;
}
