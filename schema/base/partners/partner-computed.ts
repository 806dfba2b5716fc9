import { type Sql, sql } from '../../../src/db/sql.ts';
import type { SqlContext } from '../../../src/engine/model/field.ts';
import type { ModelOptions } from '../../../src/engine/model/model.ts';
import { buildLetterSql } from '../../../src/media/letter-avatar.ts';
import { selectMemberships } from '../memberships.ts';

function selectLinkedColumn(row: Sql, context: SqlContext, model: string, link: string, column: string): Sql {
  const alias = context.alias();
  return sql`(select ${context.fieldOf(model, alias, column)} from ${context.table(model)} ${alias}
    where ${alias}.workspace_id = ${context.workspace} and ${alias}.id = ${row}.${sql.id(link)})`;
}

const STANDARD_ADDRESS_FORMAT = sql`E'%(street)s\\n%(street2)s\\n%(city)s %(state_code)s %(zip)s\\n%(country_name)s'`;

/** Builds SQL for the address in the country's format, without the company name (Odoo 19). */
function buildPlainAddressSql(row: Sql, context: SqlContext): Sql {
  const parts: Record<string, Sql> = {
    street: sql`${row}.street`,
    street2: sql`${row}.street2`,
    city: sql`${row}.city`,
    zip: sql`${row}.zip`,
    state_code: selectLinkedColumn(row, context, 'res.country.state', 'state_id', 'code'),
    state_name: selectLinkedColumn(row, context, 'res.country.state', 'state_id', 'name'),
    country_code: selectLinkedColumn(row, context, 'res.country', 'country_id', 'code'),
    country_name: selectLinkedColumn(row, context, 'res.country', 'country_id', 'name'),
    company_name: sql`${row}.commercial_company_name`,
  };
  const countryFormat = selectLinkedColumn(row, context, 'res.country', 'country_id', 'address_format');
  const format = sql`coalesce(nullif(${countryFormat}, ''), ${STANDARD_ADDRESS_FORMAT})`;
  return Object.entries(parts).reduce(
    (text, [name, value]) => sql`replace(${text}, ${sql.literal(`%(${name})s`)}, coalesce(${value}, ''))`,
    format,
  );
}

const buildAddressSql = (row: Sql, context: SqlContext): Sql =>
  sql`coalesce(nullif(${row}.commercial_company_name, '') || E'\\n', '') || ${buildPlainAddressSql(row, context)}`;

const buildValueSql = (row: Sql, column: 'email' | 'vat'): Sql => sql`nullif(${row}.${sql.id(column)}, '')`;

/** Functions that modify the display name, keyed by context key. */
export const partnerNameModifiers: ModelOptions['namedWith'] = {
  show_address: (name, row, context) =>
    sql`regexp_replace(btrim(${name} || E'\\n' || ${buildPlainAddressSql(row, context)},
      E' \\n'), '\\s+\\n', E'\\n', 'g')`,
  address_inline: (name) => sql`regexp_replace(${name}, '\\s*\\n\\s*', ', ', 'g')`,
  show_email: (name, row) => sql`${name} || coalesce(' <' || ${buildValueSql(row, 'email')} || '>', '')`,
  show_vat: (name, row) => sql`${name} || coalesce(' ‒ ' || ${buildValueSql(row, 'vat')}, '')`,
};

/** Builds a field for a smaller size, which returns the original image without scaling. */
const buildImageField = (size: number) => ({
  type: 'binary' as const,
  label: `Image ${size}`,
  sql: (row: Sql) => sql`${row}.image_1920`,
});

const buildAvatarField = (size: number) => ({
  type: 'binary' as const,
  label: `Avatar ${size}`,
  sql: (row: Sql) => sql`coalesce(nullif(${row}.image_1920, ''), ${buildLetterSql(sql`${row}.name`)})`,
});

/** Builds SQL for `"Ann Lee" <ann@example.com>`. Escapes quotes and backslashes in the name (RFC 5322). */
const buildMailboxSql = (row: Sql): Sql =>
  sql`case when coalesce(${row}.email, '') = '' then null when ${row}.name = '' then ${row}.email
     else '"' || regexp_replace(${row}.name, '(["\\\\])', '\\\\\\1', 'g') || '" <' || ${row}.email || '>' end`;

export const partnerComputedFields: ModelOptions['computed'] = {
  company_type: {
    type: 'selection',
    label: 'Company Type',
    selection: [
      ['person', 'Person'],
      ['company', 'Company'],
    ],
    sql: (row) => sql`case when ${row}.is_company then 'company' else 'person' end`,
  },
  contact_address: { type: 'char', label: 'Complete Address', sql: buildAddressSql },
  email_formatted: {
    type: 'char',
    label: 'Formatted Email',
    help: 'Name and address, as in an email header.',
    sql: buildMailboxSql,
  },
  email_normalized: {
    type: 'char',
    label: 'Normalized Email',
    help: 'Lower-case address without the name.',
    sql: (row) => sql`lower(substring(${row}.email from '[^[:space:]<>,;"]+@[^[:space:]<>,;"]+'))`,
  },
  ...Object.fromEntries([1024, 512, 256, 128].map((size) => [`image_${size}`, buildImageField(size)])),
  ...Object.fromEntries(
    [1920, 1024, 512, 256, 128].map((size) => [`avatar_${size}`, buildAvatarField(size)]),
  ),
  partner_share: {
    type: 'boolean',
    label: 'Share Partner',
    help: 'True if the contact does not belong to an internal user.',
    sql: (row, context) => {
      const user = context.alias();
      return sql`not exists (select 1 from ${context.table('res.users')} ${user}
        where ${user}.workspace_id = ${context.workspace}
        and ${user}.partner_id = ${row}.id and ${user}.active and not ${buildShareSql(user, context)})`;
    },
  },
};

const buildShareSql = (user: Sql, context: SqlContext): Sql =>
  sql`(not exists (select 1 from ${context.table('res.groups')} g
    where g.workspace_id = ${context.workspace} and g.external_id = 'base.group_user'
     and g.id in (${selectMemberships(context.workspace, sql`${user}.id`)})))`;
