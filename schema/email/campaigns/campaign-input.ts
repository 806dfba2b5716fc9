import {
  allowField,
  defineInputShape,
  type InputOf,
  makeOptional,
  requireField,
} from '../../../src/engine/operation/input.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { hasControlCharacter } from '../../../src/message/header.ts';
import { validateAddresses } from '../accept/email-fields.ts';
import { parseBlocks, renderBlocks } from '../editor/block-html.ts';
import { hasUnsubscribeVariable } from '../editor/variables.ts';
import { assertWellFormed, type ColumnValues, listColumns, parseColumns } from '../kit/input-columns.ts';

const MAX_BATCH_SIZE = 100_000;
const MAX_WINDOW_MINUTES = 7 * 24 * 60;

const CAMPAIGN_INPUT_DESCRIPTION =
  "A campaign to a book's contacts. Requires `content` or `html`, which must contain " +
  '{{usesend_unsubscribe_url}}. Supported variables are {{email}}, {{firstName}}, {{lastName}} and those of the ' +
  'contact book, each optionally with a fallback: {{name, fallback=value}}. A campaign that uses any other variable ' +
  'is not sent.';

const BATCH_SIZE_DESCRIPTION =
  `Number of contacts processed in one step, 1 to ${MAX_BATCH_SIZE}. ` +
  'It limits the sending rate only together with `batchWindowMinutes`.';

const BATCH_WINDOW_DESCRIPTION =
  `Minutes between two steps, 0 to ${MAX_WINDOW_MINUTES}. ` +
  'With 0, each step starts immediately after the previous one.';

export const CampaignInputShape = defineInputShape('CampaignInput', CAMPAIGN_INPUT_DESCRIPTION, {
  name: requireField('String', 'Name shown in lists. Recipients never see it.', {
    min: 1,
    parse: parseCampaignName,
  }),
  from: requireField('String', 'Sender, as `Name <address>` or a bare address on a verified domain.', {
    min: 1,
    parse: parseSender,
  }),
  subject: requireField('String', 'Subject line. May contain variables.', {
    min: 1,
    parse: parseSubjectLine,
  }),
  contactBookId: requireField('ID', 'Contact book to send to.', { min: 1 }),
  previewText: allowField('String', 'Text shown after the subject in an inbox.', {
    parse: (text, field) => (text ? parseSubjectLine(text, field) : null),
  }),
  content: allowField('String', 'Block editor document (JSON). Takes precedence over `html`.', {
    parse: (content) => content || null,
  }),
  html: allowField('String', 'HTML body. Ignored if `content` is given.', { parse: (html) => html }),
  replyTo: allowField('StringOrList', 'Addresses that replies go to.', { min: 1, parse: validateAddresses }),
  cc: allowField('StringOrList', 'Addresses that receive a copy of every email.', {
    min: 1,
    parse: validateAddresses,
  }),
  bcc: allowField('StringOrList', 'Addresses that receive a blind copy of every email.', {
    min: 1,
    parse: validateAddresses,
  }),
  sendNow: allowField('Boolean', 'Send immediately. Do not combine with `scheduledAt`.'),
  scheduledAt: allowField(
    'String',
    'When to send: ISO 8601 (UTC if no offset), or a phrase in UTC such as "tomorrow 9am", "in 2 hours" or ' +
      '"next monday at 09:00". A time more than a few minutes in the past is rejected.',
  ),
  batchSize: allowField('Int', BATCH_SIZE_DESCRIPTION, {
    min: 1,
    max: MAX_BATCH_SIZE,
    parse: (size) => parseBatchSize(size) ?? 500,
  }),
  batchWindowMinutes: allowField('Int', BATCH_WINDOW_DESCRIPTION, {
    min: 0,
    max: MAX_WINDOW_MINUTES,
    parse: (minutes) => parseBatchWindow(minutes) ?? 0,
  }),
});

export type CampaignInput = InputOf<typeof CampaignInputShape>;

const { sendNow: _, scheduledAt: __, ...changeableParts } = CampaignInputShape.parts;

export const CampaignChangesShape = defineInputShape(
  'CampaignChanges',
  'Fields of a campaign to change. Omitted fields keep their values. Null removes `previewText`, `replyTo`, `cc` or ' +
    '`bcc`. `html` and `content` replace each other.',
  makeOptional(changeableParts),
);

export type CampaignChanges = InputOf<typeof CampaignChangesShape>;

export type CampaignColumns = ColumnValues<typeof CampaignInputShape.parts> & { html: string };

export const CAMPAIGN_COLUMNS = listColumns(CampaignInputShape.parts);

/** @throws BAD_REQUEST that names the field */
export function buildCampaignColumns(input: CampaignInput): { columns: CampaignColumns; domain: string } {
  const columns = parseColumns<CampaignColumns>(CAMPAIGN_COLUMNS, input);
  if (columns.cc.length + columns.bcc.length >= limits.email.recipients)
    throw errors.badRequest(
      `cc and bcc may have at most ${limits.email.recipients - 1} recipients in total.`,
    );
  const domain = getAddressDomain(parseAddress(columns.from)!.address);
  return { columns: { ...columns, html: parseBody(columns) }, domain };
}

export function parseCampaignName(name: string): string {
  return assertWellFormed(validateLine(name, 'name', limits.contact.name), 'name');
}

function parseSubjectLine(text: string, field: string): string {
  return validateLine(text, field, limits.email.subject);
}

function validateLine(text: string, field: string, maxLength: number): string {
  if (!text.trim() || text.length > maxLength || hasControlCharacter(text))
    throw errors.badField(
      field,
      `must have 1 to ${maxLength} characters and contain no line breaks or control characters.`,
    );
  return text;
}

/** Normalizes the domain of the sender's address, which links the campaign to a domain of the workspace. */
function parseSender(text: string): string {
  const sender = parseAddress(text);
  if (!sender)
    throw errors.badField('from', 'must be a valid address, such as "Display Name <name@domain>".');
  const from = text.trim();
  const domain = getAddressDomain(sender.address);
  return `${from.slice(0, from.lastIndexOf('@') + 1)}${domain}${from.endsWith('>') ? '>' : ''}`;
}

/** Requires an unsubscribe link, as laws and mailbox providers do. @returns the HTML */
function parseBody({ html, content }: { html?: string | null; content: string | null }): string {
  if (!html && !content) throw errors.badRequest('Either content or html is required.');
  const body = content ? assertWellFormed(renderBlocks(parseBlocks('content', content)), 'content') : html!;
  if (Buffer.byteLength(body) > limits.http.jsonBody) throw errors.badField('html', 'is too large.');
  if (!hasUnsubscribeVariable(body))
    throw errors.badField(
      content ? 'content' : 'html',
      'the unsubscribe link, {{usesend_unsubscribe_url}}, is missing.',
    );
  return body;
}

export function parseBatchSize(size: number | null | undefined): number | null {
  return parseWholeNumber('batchSize', size, 1, MAX_BATCH_SIZE);
}

export function parseBatchWindow(minutes: number | null | undefined): number | null {
  return parseWholeNumber('batchWindowMinutes', minutes, 0, MAX_WINDOW_MINUTES);
}

function parseWholeNumber(field: string, value: number | null | undefined, min: number, max: number) {
  if (value === null || value === undefined) return null;
  if (!Number.isInteger(value) || value < min || value > max)
    throw errors.badField(field, `must be a whole number from ${min} to ${max}.`);
  return value;
}
