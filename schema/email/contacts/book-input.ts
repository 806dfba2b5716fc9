import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { allowField, defineInputShape, type InputOf } from '../../../src/engine/operation/input.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { hasControlCharacter } from '../../../src/message/header.ts';
import { parseBlocks, renderBlocks } from '../editor/block-html.ts';
import { listColumns, parseColumns } from '../kit/input-columns.ts';
import { MAX_CONTACT_PROPERTIES, MAX_PROPERTY_NAME_CHARS, parseProperties } from './contact-input.ts';

export const CONFIRM_SUBJECT = 'Please confirm your subscription';

const buildParagraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });

/** Default confirmation email for double opt-in, as a block editor document. */
export const CONFIRM_CONTENT = JSON.stringify({
  type: 'doc',
  content: [
    buildParagraph('Hello! Someone, hopefully you, signed up to receive our emails at this address.'),
    { type: 'button', attrs: { text: 'Confirm subscription', url: '{{doubleOptInUrl}}' } },
    buildParagraph(
      "If this wasn't you, ignore this email. You won't receive any more emails unless you confirm.",
    ),
  ],
});

const BOOK_INPUT_DESCRIPTION = 'A contact book. In an update, omitted fields keep their values.';

export const BookInputShape = defineInputShape('ContactBookInput', BOOK_INPUT_DESCRIPTION, {
  name: allowField('String', 'Name of the book.', { min: 1, parse: validateLabel }),
  emoji: allowField('String', 'Emoji shown with the name.', { parse: validateLabel }),
  properties: allowField('StringMap', 'Your own key/value pairs. Replaces the existing ones.', {
    parse: (properties) => JSON.stringify(parseProperties(properties)),
  }),
  variables: allowField(
    'StringList',
    'Contact properties that campaigns may use as variables. Names consist of A-Z, 0-9 and _.',
    { parse: parseVariableNames },
  ),
  doubleOptInEnabled: allowField(
    'Boolean',
    'True if new contacts must confirm before they are subscribed. Off by default.',
    { column: 'double_opt_in', parse: (isEnabled) => isEnabled },
  ),
  doubleOptInFrom: allowField(
    'String',
    'Sender of the confirmation email, on a verified domain. Null uses `hello@` on your first verified domain.',
    { parse: parseSender },
  ),
  doubleOptInSubject: allowField('String', 'Subject of the confirmation email. Null restores the default.', {
    parse: parseSubject,
  }),
  doubleOptInContent: allowField(
    'String',
    'Block editor document (JSON); must contain {{doubleOptInUrl}}. Null restores the default.',
    { parse: parseContent },
  ),
});

export type BookInput = InputOf<typeof BookInputShape>;

const COLUMNS = listColumns(BookInputShape.parts);

/** Other fields treat null as omitted. */
const NULLABLE_FIELDS = new Set(['doubleOptInFrom', 'doubleOptInSubject', 'doubleOptInContent']);

/** @throws BAD_REQUEST that names the field */
export function buildBookColumns(input: BookInput): Record<string, unknown> {
  const isSet = ({ field }: { field: string }) => {
    const value = input[field as keyof BookInput];
    return value !== undefined && (value !== null || NULLABLE_FIELDS.has(field));
  };
  return parseColumns(COLUMNS.filter(isSet), input);
}

function validateLabel(text: string | null | undefined, field: string): string {
  const trimmed = text?.trim();
  if (!trimmed || trimmed.length > limits.contact.name || hasControlCharacter(trimmed))
    throw errors.badRequest(
      `${field}: must have 1 to ${limits.contact.name} characters and contain no control characters.`,
    );
  return trimmed;
}

const VARIABLE_NAME_PATTERN = /^[A-Za-z0-9_]+$/;
const RESERVED_NAMES = new Set(['email', 'firstname', 'lastname']);

/** Removes duplicate names, ignoring case, and preserves the order. @throws BAD_REQUEST */
function parseVariableNames(names: string[] | null | undefined): string[] {
  const namesByKey = new Map<string, string>();
  for (const name of names?.map((name) => name.trim()) ?? []) {
    const key = name.toLowerCase();
    if (!VARIABLE_NAME_PATTERN.test(name) || name.length > MAX_PROPERTY_NAME_CHARS)
      throw errors.badRequest(
        `variables: the name ${JSON.stringify(name.slice(0, 100))} may only contain letters A-Z, digits and _.`,
      );
    if (RESERVED_NAMES.has(key))
      throw errors.badRequest(`variables: ${name} is a standard contact field. Use another name.`);
    if (!namesByKey.has(key)) namesByKey.set(key, name);
  }
  if (namesByKey.size > MAX_CONTACT_PROPERTIES)
    throw errors.badRequest(`variables: must contain at most ${MAX_CONTACT_PROPERTIES} variables.`);
  return [...namesByKey.values()];
}

function parseSender(text: string | null | undefined): string | null {
  if (!text?.trim()) return null;
  if (!parseAddress(text))
    throw errors.badRequest(
      'doubleOptInFrom: must be a valid address, such as "Display Name <name@domain>".',
    );
  return text.trim();
}

/** Blank text restores the default. */
function parseSubject(text: string | null | undefined): string {
  const subject = text?.trim() || CONFIRM_SUBJECT;
  if (hasControlCharacter(subject) || subject.length > limits.email.subject)
    throw errors.badRequest(
      `doubleOptInSubject: must have at most ${limits.email.subject} characters and contain no control characters.`,
    );
  return subject;
}

function parseContent(text: string | null | undefined): string {
  if (!text?.trim()) return CONFIRM_CONTENT;
  const html = renderBlocks(parseBlocks('doubleOptInContent', text));
  if (!/\{\{\s*doubleOptInUrl\s*(?:,[^{}]*)?\}\}/.test(html))
    throw errors.badRequest('doubleOptInContent: the link {{doubleOptInUrl}} is missing.');
  return text;
}

/**
 * Returns the sender of confirmations: the book's sender, or else an address on the first verified domain.
 * @param domainId domain that the sender must belong to, regardless of the book's sender; null for any domain
 * @throws BAD_REQUEST if the sender's domain is not verified, or the workspace has no verified domain
 */
export async function findConfirmationSender(
  ctx: Ctx,
  from: string | null,
  domainId: number | null = null,
): Promise<string> {
  const senderDomain = from && getAddressDomain(parseAddress(from)!.address);
  const [domain] = await ctx.db.rows<{ name: string }>(
    sql`select name from svc_domain where workspace_id = ${ctx.workspace.id} and status = 'SUCCESS'
       and coalesce(id = ${domainId}::int, name = ${senderDomain}::text, true)
     order by id limit 1`,
  );
  if (!domain)
    throw errors.badRequest(
      senderDomain && domainId === null
        ? `doubleOptInFrom: ${senderDomain} is not one of your verified domains.`
        : 'doubleOptInEnabled: the confirmation email requires a verified sending domain.',
    );
  return from && domain.name === senderDomain ? from : `hello@${domain.name}`;
}
