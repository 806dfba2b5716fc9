import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { hasControl } from '../../../src/message/header.ts';
import { parseBlocks, renderBlocks } from '../editor/block-html.ts';
import { hasUnsubscribeVariable } from '../editor/variables.ts';

export interface CampaignInput {
  name: string;
  from: string;
  subject: string;
  contactBookId: string;
  previewText?: string | null;
  html?: string | null;
  content?: string | null;
  replyTo?: string[] | null;
  cc?: string[] | null;
  bcc?: string[] | null;
  sendNow?: boolean | null;
  scheduledAt?: string | null;
  batchSize?: number | null;
  batchWindowMinutes?: number | null;
}

export const ABOUT_BATCH_SIZE =
  `Contacts processed in one step, 1 to ${limits.campaign.batch}. ` +
  'It limits the sending rate only together with `batchWindowMinutes`.';

export const ABOUT_BATCH_WINDOW =
  `Minutes between two steps, 0 to ${limits.campaign.window}. ` +
  'With 0, the steps follow each other immediately.';

/** Returns the columns of a new campaign and the domain of its sender. @throws BAD_REQUEST that names the field */
export function buildCampaignColumns(input: CampaignInput): {
  columns: Record<string, unknown>;
  domain: string;
} {
  const sender = parseAddress(input.from);
  if (!sender)
    throw errors.badField('from', 'not a valid address; write it as "Display Name <name@domain>".');
  const domain = getAddressDomain(sender.address);
  const columns = {
    name: parseCampaignName(input.name),
    from: withDomain(input.from.trim(), domain),
    subject: validateLine('subject', input.subject, limits.email.subject),
    preview_text: input.previewText
      ? validateLine('previewText', input.previewText, limits.email.subject)
      : null,
    ...buildBody(input),
    ...parseAddressLists(input),
    batch_size: parseBatchSize(input.batchSize) ?? 500,
    batch_window_minutes: parseBatchWindow(input.batchWindowMinutes) ?? 0,
  };
  return { columns, domain };
}

/** @throws BAD_REQUEST */
export const parseCampaignName = (name: string): string => validateLine('name', name, limits.contact.name);

/** Normalizes the sender's domain, which links the campaign to one of the workspace's domains. */
const withDomain = (from: string, domain: string): string =>
  `${from.slice(0, from.lastIndexOf('@') + 1)}${domain}${from.endsWith('>') ? '>' : ''}`;

function validateLine(field: string, text: string, maxLength: number): string {
  if (!text.trim() || text.length > maxLength || hasControl(text))
    throw errors.badField(
      field,
      `must have 1 to ${maxLength} characters, without line breaks or control characters.`,
    );
  return assertWellFormed(field, text);
}

function assertWellFormed(field: string, text: string): string {
  if (!text.isWellFormed()) throw errors.badField(field, 'contains a lone surrogate (half of a character).');
  return text;
}

/** Requires an unsubscribe link, because laws and mailbox providers require one. */
function buildBody({ html, content }: CampaignInput): { html: string; content: string | null } {
  if (!html && !content) throw errors.badRequest('Either content or html is required.');
  const body = content
    ? assertWellFormed('content', renderBlocks(parseBlocks('content', content)))
    : assertWellFormed('html', html!);
  if (Buffer.byteLength(body) > limits.http.jsonBody) throw errors.badField('html', 'is too large.');
  if (!hasUnsubscribeVariable(body))
    throw errors.badField(
      content ? 'content' : 'html',
      'the unsubscribe link, {{usesend_unsubscribe_url}}, is missing.',
    );
  return { html: body, content: content || null };
}

function parseAddressLists(input: CampaignInput) {
  const lists = {
    reply_to: validateAddressList('replyTo', input.replyTo),
    cc: validateAddressList('cc', input.cc),
    bcc: validateAddressList('bcc', input.bcc),
  };
  if (lists.cc.length + lists.bcc.length >= limits.email.recipients)
    throw errors.badRequest(
      `cc and bcc may have at most ${limits.email.recipients - 1} recipients in total.`,
    );
  return lists;
}

function validateAddressList(field: string, list: string[] | null | undefined): string[] {
  for (const text of list ?? []) {
    if (!parseAddress(text))
      throw errors.badField(field, `not a valid address: ${JSON.stringify(text.slice(0, 100))}.`);
  }
  return list ?? [];
}

/** @throws BAD_REQUEST */
export function parseBatchSize(size: number | null | undefined): number | null {
  if (size === null || size === undefined) return null;
  if (!Number.isInteger(size) || size < 1 || size > limits.campaign.batch)
    throw errors.badField('batchSize', `must be a whole number from 1 to ${limits.campaign.batch}.`);
  return size;
}

/** @throws BAD_REQUEST */
export function parseBatchWindow(minutes: number | null | undefined): number | null {
  if (minutes === null || minutes === undefined) return null;
  if (!Number.isInteger(minutes) || minutes < 0 || minutes > limits.campaign.window)
    throw errors.badField(
      'batchWindowMinutes',
      `must be a whole number from 0 to ${limits.campaign.window}.`,
    );
  return minutes;
}
