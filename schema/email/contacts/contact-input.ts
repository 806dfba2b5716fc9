import {
  allowField,
  defineInputShape,
  type InputOf,
  requireField,
} from '../../../src/engine/operation/input.ts';
import { errors } from '../../../src/errors.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { parseAddress } from '../../../src/message/address.ts';
import { hasControlCharacter } from '../../../src/message/header.ts';
import { type ColumnValues, listColumns, parseColumns } from '../kit/input-columns.ts';

const MAX_PROPERTY_CHARS = 10_000;
export const MAX_PROPERTY_NAME_CHARS = 100;
export const MAX_CONTACT_PROPERTIES = 200;

const CONTACT_INPUT_DESCRIPTION =
  'A contact to create or update. Omitted fields of an existing contact keep their values.';

export const ContactInputShape = defineInputShape('ContactInput', CONTACT_INPUT_DESCRIPTION, {
  email: requireField('String', 'Email address. Identifies an existing contact, ignoring case.', {
    parse: parseContactAddress,
  }),
  firstName: allowField('String', 'First name.', { parse: validatePersonName }),
  lastName: allowField('String', 'Last name.', { parse: validatePersonName }),
  properties: allowField('JSON', 'Your own key/value pairs of strings. Merged into the existing ones.', {
    parse: parseProperties,
  }),
  subscribed: allowField(
    'Boolean',
    'True to send campaigns to the contact. Only an update by id can subscribe a contact again.',
    { parse: (subscribed) => subscribed ?? null },
  ),
});

export type ContactInput = InputOf<typeof ContactInputShape>;

const { email: _, ...changeableParts } = ContactInputShape.parts;

export const ContactChangeShape = defineInputShape(
  'ContactChange',
  'Changes to a contact. Omitted fields keep their values.',
  changeableParts,
);

export type ContactUpdate = InputOf<typeof ContactChangeShape>;

export type ContactRow = ColumnValues<typeof ContactInputShape.parts>;

const COLUMNS = listColumns(ContactInputShape.parts);

export const parseContact = (input: ContactInput): ContactRow => parseColumns(COLUMNS, input);

/** Rejects an address with a display name. @throws BAD_REQUEST */
export function parseContactAddress(text: string): string {
  const trimmed = text.trim();
  if (trimmed.includes('<') || !parseAddress(trimmed))
    throw errors.badRequest(`email: ${JSON.stringify(text.slice(0, 100))} is not a valid address.`);
  return trimmed;
}

export function validatePersonName(text: string | null | undefined, field: string): string | null {
  if (text === null || text === undefined) return null;
  if (text.length > limits.contact.name || hasControlCharacter(text))
    throw errors.badRequest(
      `${field}: must have at most ${limits.contact.name} characters and contain no control characters.`,
    );
  return text;
}

/** @throws BAD_REQUEST unless the value is an object with string values within the limits */
export function parseProperties(value: unknown): Record<string, string> {
  if (value === null || value === undefined) return {};
  if (!isObject(value)) throw errors.badRequest('properties: must be an object with string values.');
  const entries = Object.entries(value);
  if (entries.length > MAX_CONTACT_PROPERTIES)
    throw errors.badRequest(`properties: must contain at most ${MAX_CONTACT_PROPERTIES} properties.`);
  for (const [name, text] of entries) {
    if (typeof text !== 'string')
      throw errors.badRequest(`properties: ${name.slice(0, 100)} must be a string.`);
    if (name === '' || name.length > MAX_PROPERTY_NAME_CHARS || name.includes('\0'))
      throw errors.badRequest(`properties: a name must have 1 to ${MAX_PROPERTY_NAME_CHARS} characters.`);
    if (text.length > MAX_PROPERTY_CHARS || text.includes('\0'))
      throw errors.badRequest(`properties: ${name} must have at most ${MAX_PROPERTY_CHARS} characters.`);
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Merges contacts with the same address. Later values win; properties are combined. */
export function mergeContacts(rows: ContactRow[]): ContactRow[] {
  const byAddress = new Map<string, ContactRow>();
  for (const row of rows) {
    const key = row.email.toLowerCase();
    const before = byAddress.get(key);
    byAddress.set(key, before ? mergeTwoContacts(before, row) : row);
  }
  return [...byAddress.values()];
}

const mergeTwoContacts = (before: ContactRow, row: ContactRow): ContactRow => ({
  email: before.email,
  first_name: row.first_name ?? before.first_name,
  last_name: row.last_name ?? before.last_name,
  properties: { ...before.properties, ...row.properties },
  subscribed: row.subscribed ?? before.subscribed,
});
