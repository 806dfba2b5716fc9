import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { getAddressDomain, parseAddress } from '../../../src/message/address.ts';
import { hasControl } from '../../../src/message/header.ts';
import { parseBlocks, renderBlocks } from '../editor/block-html.ts';
import { MAX_CONTACT_PROPERTIES, MAX_PROPERTY_NAME_CHARS, parseProperties } from './contact-input.ts';

/** Input of a contact book. Omitted fields stay unchanged. */
export interface BookInput {
  name?: string | null;
  emoji?: string | null;
  properties?: unknown;
  variables?: string[] | null;
  doubleOptInEnabled?: boolean | null;
  doubleOptInFrom?: string | null;
  doubleOptInSubject?: string | null;
  doubleOptInContent?: string | null;
}

export const CONFIRM_SUBJECT = 'Please confirm your subscription';

const buildParagraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] });

/** Default confirmation email for double opt-in, in the block editor's format. */
export const CONFIRM_CONTENT = JSON.stringify({
  type: 'doc',
  content: [
    buildParagraph('Hello! Somebody, we hope it was you, asked for mail from us at this address.'),
    { type: 'button', attrs: { text: 'Yes, send me mail', url: '{{doubleOptInUrl}}' } },
    buildParagraph('If it was not you, there is nothing to do: without your yes nothing more will come.'),
  ],
});

/** Returns the columns of `svc_contact_book` that the input sets. @throws BAD_REQUEST that names the field */
export function buildBookColumns(input: BookInput): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  if (isSet(input.name)) columns.name = validateLabel('name', input.name);
  if (isSet(input.emoji)) columns.emoji = validateLabel('emoji', input.emoji);
  if (isSet(input.properties)) columns.properties = JSON.stringify(parseProperties(input.properties));
  if (isSet(input.variables)) columns.variables = parseVariableNames(input.variables);
  if (isSet(input.doubleOptInEnabled)) columns.double_opt_in = input.doubleOptInEnabled;
  if (input.doubleOptInFrom !== undefined) columns.double_opt_in_from = parseSender(input.doubleOptInFrom);
  if (input.doubleOptInSubject !== undefined)
    columns.double_opt_in_subject = parseSubject(input.doubleOptInSubject);
  if (input.doubleOptInContent !== undefined)
    columns.double_opt_in_content = parseContent(input.doubleOptInContent);
  return columns;
}

const isSet = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

function validateLabel(field: string, text: string): string {
  const trimmed = text.trim();
  if (!trimmed || trimmed.length > limits.contact.name || hasControl(trimmed))
    throw errors.badRequest(
      `${field}: must have 1 to ${limits.contact.name} characters, without control characters.`,
    );
  return trimmed;
}

const VARIABLE = /^[A-Za-z0-9_]+$/;
const RESERVED_NAMES = new Set(['email', 'firstname', 'lastname']);

/** Deduplicates names regardless of case, in the given order. @throws BAD_REQUEST */
function parseVariableNames(names: string[]): string[] {
  const namesByKey = new Map<string, string>();
  for (const name of names.map((name) => name.trim())) {
    const key = name.toLowerCase();
    if (!VARIABLE.test(name) || name.length > MAX_PROPERTY_NAME_CHARS)
      throw errors.badRequest(
        `variables: ${JSON.stringify(name.slice(0, 100))} may only contain letters A-Z, digits and _.`,
      );
    if (RESERVED_NAMES.has(key))
      throw errors.badRequest(`variables: ${name} is a standard field of contacts.`);
    if (!namesByKey.has(key)) namesByKey.set(key, name);
  }
  if (namesByKey.size > MAX_CONTACT_PROPERTIES)
    throw errors.badRequest(`variables: must contain at most ${MAX_CONTACT_PROPERTIES} variables.`);
  return [...namesByKey.values()];
}

function parseSender(text: string | null): string | null {
  if (!text?.trim()) return null;
  if (!parseAddress(text))
    throw errors.badRequest(
      'doubleOptInFrom: not a valid address; write it as "Display Name <name@domain>".',
    );
  return text.trim();
}

/** A blank text restores the default subject. */
function parseSubject(text: string | null): string {
  const subject = text?.trim() || CONFIRM_SUBJECT;
  if (hasControl(subject) || subject.length > limits.email.subject)
    throw errors.badRequest(
      `doubleOptInSubject: must have at most ${limits.email.subject} characters, without control characters.`,
    );
  return subject;
}

function parseContent(text: string | null): string {
  if (!text?.trim()) return CONFIRM_CONTENT;
  const html = renderBlocks(parseBlocks('doubleOptInContent', text));
  if (!/\{\{\s*doubleOptInUrl\s*(?:,[^{}]*)?\}\}/.test(html))
    throw errors.badRequest('doubleOptInContent: {{doubleOptInUrl}} is missing.');
  return text;
}

/**
 * Returns the sender of confirmations: the book's sender, or else the first one that a verified domain allows.
 * @param domainId id of the required domain, regardless of the book's sender; null for any
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
