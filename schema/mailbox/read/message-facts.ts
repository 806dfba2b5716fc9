import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoader } from '../../../src/engine/ctx/loader.ts';
import { errors } from '../../../src/errors.ts';
import type { DecodedHeader } from '../../../src/message/parse/message.ts';
import { readDecodedHeaders } from '../../../src/message/parse/raw-header.ts';
import { processText } from '../../../src/text/process-text.ts';
import type { Verdicts } from '../intake/verdicts.ts';
import { openRawMail } from '../messages/raw.ts';
import type { Person } from '../messages/store-content.ts';
import { type Feature, loadFeatures } from '../settings/features.ts';
import { toAttachments } from './attachments.ts';
import { findEncryption } from './encryption.ts';
import { buildExternalForm, countHtmlBytes, type HtmlView, renderHtml } from './message-html.ts';
import { loadFirstPartRows, type PartRow } from './parts.ts';
import { consumeBudget, getResponseBudget } from './response-budget.ts';

// GraphQL message fields that are not columns. Each kind is loaded with one statement for all messages on a page.
// Access was already checked when the messages were read.

export const MAX_DISPLAYED_HEADER_BYTES = 1024 * 1024;
export const MAX_HEADER_NAMES = 50;

/** Message data that is loaded without the body. */
export interface MessageInfo {
  entry_id: number;
  account_id: number;
  folder_id: number;
  thread_id: number;
  company_id: number | null;
  content_id: number;
  subject: string;
  snippet: string;
  from_name: string;
  email_from: string;
  recipients: Partial<Record<'to' | 'cc' | 'replyTo', Person[]>>;
  envelope: { bcc?: Person[]; autoReply?: string } | null;
  references: string[];
  verdicts: Verdicts | null;
  raw_hash: string;
  size: number;
  text_bytes: number;
  status: string | null;
}

type MessageLoader<T> = (ctx: Ctx, id: number) => Promise<T>;

export const loadMessageInfo: MessageLoader<MessageInfo | null> = (ctx, id) =>
  getLoader<MessageInfo | null>(
    ctx,
    'mail facts',
    async (ids) => {
      const rows = await ctx.db.rows<MessageInfo>(
        sql`select e.id as entry_id, e.account_id, e.folder_id, e.thread_id, a.company_id, e.content_id, e.envelope,
           c.subject, c.snippet, c.from_name, c.email_from, c.recipients, c."references", c.verdicts,
           c.raw_hash, c.size, octet_length(c.text) as text_bytes, m.latest_status as status
         from svc_mail_entry e
         join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = e.account_id
         join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
         left join svc_email m on m.workspace_id = ${ctx.workspace.id} and m.id = e.email_id
         where e.workspace_id = ${ctx.workspace.id} and e.id = any(${ids}::int8[])`,
      );
      return new Map(rows.map((row) => [row.entry_id, row]));
    },
    null,
  ).load(id);

/** Returns the messages that still exist, in input order. */
const loadExistingMessageInfo = async (ctx: Ctx, ids: readonly number[]): Promise<MessageInfo[]> =>
  (await Promise.all(ids.map((id) => loadMessageInfo(ctx, id)))).filter((facts) => facts !== null);

/** @throws USER_ERROR if the response would contain too much text */
export const loadTextReply: MessageLoader<string> = (ctx, id) =>
  getLoader(ctx, 'mail reply text', (ids) => readReplies(ctx, ids), '').load(id);

async function readReplies(ctx: Ctx, ids: readonly number[]): Promise<Map<number, string | Error>> {
  const budget = getResponseBudget(ctx, 'texts');
  const existingFacts = await loadExistingMessageInfo(ctx, ids);
  const { fits = [], beyond = [] } = Object.groupBy(existingFacts, ({ text_bytes: bytes }) =>
    consumeBudget(budget, bytes) ? 'fits' : 'beyond',
  );
  const rows = await ctx.db.rows<{ id: number; text: string }>(
    sql`select e.id, c.text from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
     where e.workspace_id = ${ctx.workspace.id} and e.id = any(${fits.map((fitFacts) => fitFacts.entry_id)}::int8[])`,
  );
  const replies = new Map<number, string | Error>(
    beyond.map((item) => [item.entry_id, errors.answerTooLarge()] as const),
  );
  for (const { id, text } of rows) replies.set(id, await processText(ctx.workspace.id, 'extractReply', text));
  return replies;
}

/** Returns null if the message was not sent from this installation, or the company hides the status. */
export async function loadDeliveryStatus(ctx: Ctx, id: number): Promise<string | null> {
  const facts = await loadMessageInfo(ctx, id);
  if (!facts?.status) return null;
  return (await hasFeature(ctx, facts.company_id, 'mail.delivery_meta')) ? facts.status : null;
}

/** Checks a company's feature, once per request. The key 0 stands for no company. */
export const hasFeature = (ctx: Ctx, companyId: number | null, feature: Feature): Promise<boolean> =>
  getLoader(
    ctx,
    `mail feature ${feature}`,
    async (ids) => {
      const hasFeature = async (id: number) => (await loadFeatures(ctx, id || null))[feature];
      return new Map(await Promise.all(ids.map(async (id) => [id, await hasFeature(id)] as const)));
    },
    false,
  ).load(companyId ?? 0);

const loadParts: MessageLoader<PartRow[]> = (ctx, contentId) =>
  getLoader<PartRow[]>(ctx, 'mail parts', (ids) => readParts(ctx, ids), []).load(contentId);

/** Reads one row more than fits, to detect an overflow. */
async function readParts(ctx: Ctx, ids: readonly number[]): Promise<Map<number, PartRow[] | Error>> {
  const budget = getResponseBudget(ctx, 'parts');
  const rows = await loadFirstPartRows(ctx, ids, Math.max(0, budget.remaining) + 1);
  const parts = new Map<number, PartRow[] | Error>(Map.groupBy(rows, (row) => row.content_id));
  if (rows.length > budget.remaining) {
    const from = ids.indexOf(rows.at(-1)!.content_id);
    for (const id of ids.slice(from)) parts.set(id, errors.answerTooLarge());
  }
  for (const partList of parts.values()) budget.remaining -= partList instanceof Error ? 0 : partList.length;
  return parts;
}

/** @throws USER_ERROR if the response would contain too many parts */
export async function loadAttachments(ctx: Ctx, id: number): Promise<object[]> {
  const facts = await loadMessageInfo(ctx, id);
  return facts ? toAttachments(ctx, id, await loadParts(ctx, facts.content_id)) : [];
}

/** @throws USER_ERROR if the response would contain too many parts */
export async function loadEncryption(ctx: Ctx, id: number): Promise<string | null> {
  const facts = await loadMessageInfo(ctx, id);
  return facts && findEncryption(await loadParts(ctx, facts.content_id));
}

/**
 * Loads header fields from the raw message.
 * @throws BAD_REQUEST for too many names
 * @throws USER_ERROR if the response would contain too many headers
 */
export async function loadHeaderFields(
  ctx: Ctx,
  id: number,
  names: readonly string[] | null,
): Promise<DecodedHeader[]> {
  if (names && names.length > MAX_HEADER_NAMES)
    throw errors.badRequest(`\`names\` may have at most ${MAX_HEADER_NAMES} entries.`);
  const all = await getLoader<DecodedHeader[]>(ctx, 'mail headers', (ids) => readHeaders(ctx, ids), []).load(
    id,
  );
  const requestedNames = names && new Set(names.map((name) => name.toLowerCase()));
  return requestedNames ? all.filter(({ name }) => requestedNames.has(name)) : all;
}

async function readHeaders(ctx: Ctx, ids: readonly number[]): Promise<Map<number, DecodedHeader[] | Error>> {
  const headers = new Map<number, DecodedHeader[] | Error>();
  const budget = getResponseBudget(ctx, 'headers');
  for (const { entry_id: id, raw_hash: hash, size } of await loadExistingMessageInfo(ctx, ids)) {
    if (budget.remaining <= 0) {
      headers.set(id, errors.answerTooLarge());
      continue;
    }
    const fields = await readDecodedHeaders(openRawMail(ctx, hash, size), MAX_DISPLAYED_HEADER_BYTES);
    budget.remaining -= fields.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
    headers.set(id, fields);
  }
  return headers;
}

/** Returns null for a message without HTML. @throws USER_ERROR if the response would contain too much HTML */
export const loadHtml = (ctx: Ctx, id: number, images: boolean): Promise<HtmlView | null> =>
  getLoader<HtmlView | null>(
    ctx,
    images ? 'mail html with images' : 'mail html',
    (ids) => readHtml(ctx, ids, images),
    null,
  ).load(id);

async function readHtml(
  ctx: Ctx,
  ids: readonly number[],
  images: boolean,
): Promise<Map<number, HtmlView | null | Error>> {
  const rendered = new Map<number, HtmlView | null | Error>();
  const budget = getResponseBudget(ctx, 'html');
  const existingFacts = await loadExistingMessageInfo(ctx, ids);
  const partsOfEach = await Promise.all(
    existingFacts.map((facts) => loadParts(ctx, facts.content_id).catch((error: Error) => error)),
  );
  for (const [index, facts] of existingFacts.entries()) {
    const id = facts.entry_id;
    const parts = partsOfEach[index]!;
    if (parts instanceof Error) rendered.set(id, parts);
    else if (!consumeBudget(budget, countHtmlBytes(parts))) rendered.set(id, errors.answerTooLarge());
    else {
      const html = await renderHtml(ctx, facts, parts, buildExternalForm(ctx, id, images));
      rendered.set(id, html?.view ?? null);
    }
  }
  return rendered;
}
