import { sql } from '../../src/db/sql.ts';
import { filterReadableIds } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { isSet, linkIds } from '../kit/values.ts';

const ADDRESS_PATTERN = /[^\s<>,;"'()]+@[^\s<>,;"'()]+\.[^\s<>,;"'()]+/g;

/** Longer strings are not searched for an address or a number. */
const MAX_SCANNED_CHARS = 1_000;

const isShort = (text: unknown): text is string =>
  typeof text === 'string' && text.length <= MAX_SCANNED_CHARS;

/** Returns the address in a string, in lowercase. False if the string contains none or several. */
export function normalizeEmail(text: unknown): string | false {
  const addresses = isShort(text) ? (text.match(ADDRESS_PATTERN) ?? []) : [];
  return addresses.length === 1 ? addresses[0]!.toLowerCase() : false;
}

export function sanitizePhone(text: unknown): string | false {
  const compact = isShort(text) ? text.replace(/[\s().\-/]/g, '').replace(/^00/, '+') : '';
  return /^\+[1-9]\d{6,14}$/.test(compact) ? compact : false;
}

export function normalizeContact(values: Values): void {
  if ('email_from' in values) setHookValues(values, { email_normalized: normalizeEmail(values.email_from) });
  if ('phone' in values) setHookValues(values, { phone_sanitized: sanitizePhone(values.phone) });
}

interface Partner extends Record<string, unknown> {
  id: number;
  name: string;
  is_company: boolean;
  company: string | null;
}

const COPIED_FIELDS = [
  'function',
  'email',
  'phone',
  'website',
  'street',
  'street2',
  'zip',
  'city',
  'state_id',
  'country_id',
] as const;

export const CUSTOMER_FIELDS = [
  ...['partner_name', 'contact_name', 'email_from'],
  ...COPIED_FIELDS.filter((name) => name !== 'email'),
];

/**
 * Copies the customers' details to their leads. Skips customers that the caller may not read, and values that the
 * caller set. Runs one query for the whole list.
 */
export async function fillFromPartners(ctx: Ctx, list: Values[]): Promise<void> {
  const ids = await filterReadableIds(ctx, 'res.partner', linkIds(list, 'partner_id'));
  if (ids.length === 0) return;
  const rows = await ctx.db.rows<Partner>(
    sql`select p.id, p.name, p.is_company, coalesce(c.name, p.company_name) as company,
       ${sql.join(COPIED_FIELDS.map((name) => sql.id('p', name)))}
     from res_partner p
     left join res_partner c on c.workspace_id = ${ctx.workspace.id} and c.id = p.parent_id and c.is_company
     where p.workspace_id = ${ctx.workspace.id} and p.id = any(${ids})`,
  );
  const partners = new Map(rows.map((row) => [row.id, row]));
  for (const values of list) {
    const partner = partners.get(values.partner_id as number);
    if (partner) fillUnset(values, toLeadValues(partner));
  }
}

function toLeadValues({ name, is_company: isCompany, company, email, ...rest }: Partner): Values {
  const details: Values = {
    name: `${name}'s opportunity`,
    partner_name: isCompany ? name : company,
    contact_name: isCompany ? null : name,
    email_from: email,
  };
  for (const field of COPIED_FIELDS) if (field !== 'email') details[field] = rest[field];
  return details;
}

function fillUnset(values: Values, details: Values): void {
  for (const [name, value] of Object.entries(details))
    if (values[name] === undefined && isSet(value)) values[name] = value;
}
