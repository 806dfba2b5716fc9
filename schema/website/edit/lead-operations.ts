import { sql } from '../../../src/db/sql.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { create } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { checkDesigner, DESIGNER_WRITE_POLICY } from '../designer.ts';
import { parseLabel, parseLink, parsePagePath } from '../url.ts';
import { getWebsite } from '../website.ts';

const WEBSITE_ID_DESCRIPTION = 'Website id. Defaults to the first website of the workspace.';

export const websiteMenuAdd = defineOperation('websiteMenuAdd', {
  effects: ['writes'],
  policy: DESIGNER_WRITE_POLICY,
  description:
    "Adds an entry to a website's menu and returns it. An entry with the URL of a page belongs to " +
    'that page.',
  args: (arg) => ({
    name: arg.string({ required: true, description: 'Text of the entry.' }),
    url: arg.string({ required: true, description: 'Target URL, such as /about-us.' }),
    parentId: arg.recordId({ description: 'Parent entry. A menu has two levels.' }),
    sequence: arg.int({ description: 'Position among sibling entries. Last by default.' }),
    newWindow: arg.boolean({ defaultValue: false, description: 'True to open the link in a new window.' }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
  }),
  ...returnRecord(
    'website.menu',
    facadeResult.json,
    ({ id }: { id: number; name: string; url: string }) => id,
  ),
  run: (ctx, args) =>
    ctx.tx(async (tx) => {
      checkDesigner(tx);
      const website = await getWebsite(tx, args.websiteId);
      const name = parseLabel(args.name);
      const url = parseLink(args.url, 'url');
      const [menu] = await tx.db.rows<{ page: number | null; last: number }>(
        sql`select (select p.id from website_page p
             where p.workspace_id = ${tx.workspace.id} and p.url = ${url}
               and (p.website_id is null or p.website_id = ${website.id})
             order by p.website_id nulls last limit 1) as page,
           (select coalesce(max(m.sequence), 0) from website_menu m
             where m.workspace_id = ${tx.workspace.id} and m.website_id = ${website.id}) as last`,
      );
      const [id] = await create(tx, 'website.menu', [
        {
          name,
          url,
          page_id: menu!.page ?? false,
          parent_id: args.parentId ?? false,
          sequence: args.sequence ?? menu!.last + 10,
          new_window: args.newWindow ?? false,
          website_id: website.id,
        },
      ]);
      return { id: id!, name, url };
    }),
});

const REDIRECT_TYPES = ['301', '302'];

export const websiteRedirectAdd = defineOperation('websiteRedirectAdd', {
  effects: ['writes'],
  policy: DESIGNER_WRITE_POLICY,
  description: 'Creates a redirect for a path that has no page, and returns the redirect.',
  args: (arg) => ({
    urlFrom: arg.string({ required: true, description: 'Path to redirect, such as /old.' }),
    urlTo: arg.string({ required: true, description: 'Path or URL to redirect to.' }),
    redirectType: arg.string({
      defaultValue: '301',
      description: '`301` for a permanent redirect, `302` for a temporary one.',
    }),
    name: arg.string({ description: 'Name of the redirect. Derived from the paths by default.' }),
    websiteId: arg.recordId({ description: WEBSITE_ID_DESCRIPTION }),
  }),
  ...returnRecord('website.rewrite', facadeResult.json, ({ id }: { id: number }) => id),
  run: (ctx, args) =>
    ctx.tx(async (tx) => {
      checkDesigner(tx);
      const website = await getWebsite(tx, args.websiteId);
      const type = args.redirectType ?? '301';
      if (!REDIRECT_TYPES.includes(type)) throw errors.wrongArgument('redirect_type', '301 or 302');
      const from = parsePagePath(args.urlFrom, 'url_from');
      const to = parseLink(args.urlTo, 'url_to');
      const name = parseLabel(args.name ?? `${from} → ${to}`.slice(0, 200));
      const values = { name, url_from: from, url_to: to, redirect_type: type, website_id: website.id };
      const [id] = await create(tx, 'website.rewrite', [values]);
      return { id: id!, urlFrom: from, urlTo: to, type };
    }),
});
