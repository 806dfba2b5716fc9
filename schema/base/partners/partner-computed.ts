import { sql as tag } from '../../../src/db/sql.ts';
import type { SqlWords } from '../../../src/engine/model/field.ts';
import type { ModelOptions } from '../../../src/engine/model/model.ts';
import { memberships } from '../memberships.ts';

const { raw } = tag;

/** A column of the record of `model` that `link` of the row leads to. */
function far(row: string, sql: SqlWords, model: string, link: string, column: string): string {
  const there = sql.alias();
  return `(select ${there}.${column} from ${sql.table(model)} ${there} where ${there}.workspace_id = ${row}.workspace_id and ${there}.id = ${row}.${link})`;
}

const STANDARD = '%(street)s\n%(street2)s\n%(city)s %(state_code)s %(zip)s\n%(country_name)s';

/** The format of the country, filled in; before it the name of the company (Odoo 19). */
function addressSql(row: string, sql: SqlWords): string {
  const parts: Record<string, string> = {
    street: `${row}.street`,
    street2: `${row}.street2`,
    city: `${row}.city`,
    zip: `${row}.zip`,
    state_code: far(row, sql, 'res.country.state', 'state_id', 'code'),
    state_name: far(row, sql, 'res.country.state', 'state_id', 'name'),
    country_code: far(row, sql, 'res.country', 'country_id', 'code'),
    country_name: far(row, sql, 'res.country', 'country_id', 'name'),
    company_name: `${row}.commercial_company_name`,
  };
  const format = `coalesce(nullif(${far(row, sql, 'res.country', 'country_id', 'address_format')}, ''), E'${STANDARD.replaceAll('\n', '\\n')}')`;
  const filled = Object.entries(parts).reduce(
    (text, [name, value]) => `replace(${text}, '%(${name})s', coalesce(${value}, ''))`,
    format,
  );
  return `coalesce(nullif(${row}.commercial_company_name, '') || E'\\n', '') || ${filled}`;
}

/** A smaller picture for those who ask for one; it is the one that was given, not scaled. */
const imageField = (size: number) => ({
  type: 'binary' as const,
  label: `Image ${size}`,
  sql: (row: string) => `${row}.image_1920`,
});

/** `"Ann Lee" <ann@example.com>` (RFC 5322: a quote or backslash in the name gets a backslash). */
const mailboxSql = (row: string): string =>
  `case when coalesce(${row}.email, '') = '' then null when ${row}.name = '' then ${row}.email
     else '"' || regexp_replace(${row}.name, '(["\\\\])', '\\\\\\1', 'g') || '" <' || ${row}.email || '>' end`;

export const partnerComputed: ModelOptions['computed'] = {
  company_type: {
    type: 'selection',
    label: 'Company Type',
    selection: [
      ['person', 'Person'],
      ['company', 'Company'],
    ],
    sql: (row) => `case when ${row}.is_company then 'company' else 'person' end`,
  },
  contact_address: { type: 'char', label: 'Complete Address', sql: addressSql },
  email_formatted: {
    type: 'char',
    label: 'Formatted Email',
    help: 'Name and address as the head of an email has them.',
    sql: mailboxSql,
  },
  email_normalized: {
    type: 'char',
    label: 'Normalized Email',
    help: 'The address alone, in small letters.',
    sql: (row) => `lower(substring(${row}.email from '[^[:space:]<>,;"]+@[^[:space:]<>,;"]+'))`,
  },
  ...Object.fromEntries([1024, 512, 256, 128].map((size) => [`image_${size}`, imageField(size)])),
  partner_share: {
    type: 'boolean',
    label: 'Share Partner',
    help: 'Nobody of the own people: no internal user is this contact.',
    sql: (row, sql) => {
      const user = sql.alias();
      return `not exists (select 1 from ${sql.table('res.users')} ${user} where ${user}.workspace_id = ${row}.workspace_id
        and ${user}.partner_id = ${row}.id and ${user}.active and not ${shareSql(user, sql)})`;
    },
  },
};

/** Whether a user is from outside. */
const shareSql = (user: string, sql: SqlWords): string =>
  `(not exists (select 1 from ${sql.table('res.groups')} g where g.workspace_id = ${user}.workspace_id and g.external_id = 'base.group_user'
     and g.id in (${memberships(raw(`${user}.workspace_id`), raw(`${user}.id`)).render().text})))`;
