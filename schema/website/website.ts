import { domainToASCII } from 'node:url';
import { type Sql, sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { SqlContext } from '../../src/engine/model/field.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { errors } from '../../src/errors.ts';
import { parseAddress } from '../../src/message/address.ts';
import { DESIGNER_GROUP } from './designer.ts';
import { siteInvalidationHooks } from './invalidate-site.ts';
import { parsePagePath } from './url.ts';

defineModel('website', {
  group: 'website',
  order: 'sequence, id',
  access: { 'base.group_user': 'r', [DESIGNER_GROUP]: 'crwu' },
  graph: {
    ...{ type: 'Website', one: 'website', many: 'websites' },
    relations: { default_lang_id: 'defaultLanguage' },
  },
  computed: {
    company_id: {
      type: 'many2one',
      relation: 'res.company',
      label: 'Company',
      help: 'The first company of the workspace.',
      sql: (_row, context) =>
        sql`(select min(c.id) from ${context.table('res.company')} c where c.workspace_id = ${context.workspace})`,
    },
    default_lang_id: {
      type: 'many2one',
      relation: 'res.lang',
      label: 'Default Language',
      sql: (row, context) => sql`(${buildLanguageSql(row, context)})`,
    },
    language_ids: {
      type: 'many2many',
      relation: 'res.lang',
      label: 'Languages',
      help: 'The default language.',
      sql: buildLanguageSql,
    },
    menu_id: {
      type: 'many2one',
      relation: 'website.menu',
      label: 'Main Menu',
      help: 'The first menu without a parent.',
      sql: (row, context) => sql`(select m.id from ${context.table('website.menu')} m
        where m.workspace_id = ${context.workspace} and m.website_id = ${row}.id and m.parent_id is null
        order by m.sequence, m.id limit 1)`,
    },
  },
  prepare: async (ctx, list) => {
    for (const values of list) prepareWebsite(values);
    await rejectTakenHosts(ctx, list);
  },
  ...siteInvalidationHooks,
});

function buildLanguageSql(row: Sql, context: SqlContext): Sql {
  return sql`select l.id from ${context.table('res.lang')} l
    where l.workspace_id = ${context.workspace} and l.code = ${row}.default_lang`;
}

function prepareWebsite(values: Values): void {
  if (values.domain) values.domain = parseHost(String(values.domain));
  if (values.homepage_url) values.homepage_url = parsePagePath(String(values.homepage_url), 'homepage_url');
  if (values.form_mailbox && parseAddress(String(values.form_mailbox))?.address !== values.form_mailbox)
    throw errors
      .validation(`${String(values.form_mailbox).slice(0, 100)} is not an email address (form_mailbox).`)
      .withDetails({ argument: 'form_mailbox' });
}

const HOST_PATTERN =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/;

/** Extracts the host name from a name or URL. @throws VALIDATION if it is invalid */
function parseHost(input: string): string {
  const name = input
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/:].*$/s, '');
  const host = domainToASCII(name);
  if (!HOST_PATTERN.test(host))
    throw errors
      .validation(
        `${input.slice(0, 100)} is not a valid host name. Use a name such as www.example.org (domain).`,
      )
      .withDetails({ argument: 'domain' });
  return host;
}

/**
 * Rejects hosts in a domain that another workspace has verified, because they would never be served.
 * @throws VALIDATION
 */
async function rejectTakenHosts(ctx: Ctx, list: Values[]): Promise<void> {
  const hosts = [...new Set(list.flatMap(({ domain }) => (domain ? [String(domain)] : [])))];
  if (hosts.length === 0) return;
  const [existingHost] = await ctx.db.rows<{ host: string }>(
    sql`select host from unnest(${hosts}::text[]) host
     where (select c.workspace_id from domain_claim c
       where c.name = host or right(host, length(c.name) + 1) = '.' || c.name
       order by length(c.name) desc limit 1) <> ${ctx.workspace.id} limit 1`,
  );
  if (existingHost)
    throw errors
      .validation(`${existingHost.host} belongs to another workspace, which has verified its domain.`)
      .withDetails({ argument: 'domain' });
}

export interface WebsiteRow {
  id: number;
  name: string;
  domain: string | null;
  homepage_url: string | null;
  default_lang: string;
  allow_scripts: boolean;
}

/** Returns the first website if `id` is null. @throws MISSING, or USER_ERROR if the workspace has no website */
export async function getWebsite(ctx: Ctx, id: number | null | undefined): Promise<WebsiteRow> {
  const [row] = await ctx.db.rows<WebsiteRow>(
    sql`select id, name, domain, homepage_url, default_lang, allow_scripts from website
     where workspace_id = ${ctx.workspace.id} and (${id ?? null}::int is null or id = ${id ?? null}::int)
     order by sequence, id limit 1`,
  );
  if (!row) throw id ? errors.missing('website', [id]) : errors.user('This workspace has no website.');
  return row;
}

/**
 * Matches the page `p` with the view `v` if it belongs to the website, or is shared and the website has no copy of it.
 */
export const buildBelongsToWebsiteSql = (workspace: ReturnType<typeof sql.param>, websiteId: number) =>
  sql`(p.website_id = ${websiteId} or p.website_id is null and not exists (
     select 1 from website_page o join ir_ui_view w on w.workspace_id = ${workspace} and w.id = o.view_id
     where o.workspace_id = ${workspace} and o.website_id = ${websiteId} and (o.url = p.url or w.key = v.key)))`;
