import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { checkDesigner, DESIGNER_READ_POLICY } from '../designer.ts';
import { checkMarkup } from '../edit/markup.ts';
import { getWebsite } from '../website.ts';
import { getSiteLanguages } from './languages.ts';
import { findSite } from './load-site.ts';
import { renderPage, visitSite } from './visit.ts';
import type { SiteResponse } from './visit-context.ts';

const VisitType = builder.objectRef<SiteResponse>('WebsiteVisit').implement({
  description: "The response to a request for a website's URL.",
  fields: (t) => ({
    status: t.exposeInt('status', { description: 'HTTP status.' }),
    location: t.exposeString('location', { nullable: true, description: 'Target of a redirect.' }),
    contentType: t.exposeString('contentType', { description: 'Media type of the body.' }),
    body: t.exposeString('body', { description: 'Body of the response: a page, robots.txt or sitemap.xml.' }),
    scripts: t.exposeBoolean('scripts', { description: "True if the website's scripts may run." }),
    live: t.exposeBoolean('live', { description: 'True if the website has a published page.' }),
  }),
});

export const websiteVisit = defineOperation('websiteVisit', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['ANYONE', 'USER', 'TEAM'], scope: 'read' },
  description:
    "Returns the response to a request for a website's URL, as the caller would see it. Null if there is " +
    'no website. Designers also see unpublished pages.',
  args: (arg) => ({
    websiteId: arg.recordId({
      description: 'Website id. Defaults to the website of `host`, or else the first website.',
    }),
    host: arg.string({ description: 'Host name of the request.' }),
    root: arg.string({ required: true, description: 'Base URL of the website, without a trailing slash.' }),
    path: arg.string({ required: true, description: 'Path of the page, such as /about-us.' }),
  }),
  type: VisitType,
  nullable: true,
  run: (ctx, { websiteId, host, root, path }) => {
    checkRoot(root);
    return visitSite(ctx, {
      websiteId: websiteId ?? null,
      host: host ?? null,
      root,
      path: path.slice(0, 2_000),
    });
  },
});

/** @throws BAD_VALUE if paths cannot be appended to the URL */
function checkRoot(root: string): void {
  if (!/^https?:\/\/[^\s/"'<>;,]+(\/[\w~.-]+)*$/.test(root) || !URL.canParse(root))
    throw errors.wrongArgument('root');
}

export const websitePagePreview = defineOperation('websitePagePreview', {
  kind: 'query',
  effects: ['reads'],
  policy: DESIGNER_READ_POLICY,
  description:
    'Renders markup as a page on a website without saving it. Errors in the markup include the line and column.',
  args: (arg) => ({
    arch: arg.string({ required: true, description: 'Complete markup.' }),
    websiteId: arg.recordId({ description: 'Website id. Defaults to the first website of the workspace.' }),
    name: arg.string({ defaultValue: 'Preview', description: 'Name of the page.' }),
    lang: arg.string({ description: 'Language of the page. Defaults to the language of the website.' }),
  }),
  type: VisitType,
  run: (ctx, { arch, websiteId, name, lang }) =>
    renderPreview(ctx, arch, websiteId ?? null, name ?? 'Preview', lang ?? null),
});

async function renderPreview(
  ctx: Ctx,
  arch: string,
  websiteId: number | null,
  name: string,
  code: string | null,
): Promise<SiteResponse> {
  checkDesigner(ctx);
  const website = await getWebsite(ctx, websiteId);
  const now = new Date();
  const site = (await findSite(ctx, website.id, null, now))!;
  const languages = getSiteLanguages(ctx, site.default_lang);
  const lang = code === null ? languages[0] : languages.find((language) => language.code === code);
  if (!lang) throw errors.wrongArgument('lang');
  // The public host serves the website's styles and images under this URL.
  const root = `${new URL(ctx.runtime.config.publicUrl).origin}/site/${ctx.workspace.slug}~${site.id}`;
  const request = { websiteId: site.id, host: null, root, path: '/preview' };
  const template = await checkMarkup(ctx, arch, website);
  const head = { url: '/preview', name, indexed: false, title: null, description: null, image: null };
  const { body } = await renderPage(
    { ctx, site, request, lang, languages, path: '/preview', now },
    template,
    head,
  );
  const contentType = 'text/html; charset=utf-8';
  const { live, allow_scripts: scripts } = site;
  return { status: 200, location: null, contentType, body, scripts, keptUntil: null, live };
}

export const websiteHost = defineOperation('websiteHost', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['ANYONE', 'USER', 'TEAM'], scope: 'read' },
  description:
    'Returns the short name of the workspace that has a website at a host name. Null for any other host.',
  args: (arg) => ({ host: arg.string({ required: true, description: 'Host name.' }) }),
  type: 'String',
  nullable: true,
  run: async (ctx, { host }) => {
    const labels = host.toLowerCase().split('.');
    const names = labels.map((_, index) => labels.slice(index).join('.')).slice(0, -1);
    const [claim] = await ctx.db.rows<{ slug: string; workspace: number }>(
      sql`select w.slug, w.id as workspace from domain_claim c join workspace w on w.id = c.workspace_id
       where c.name = any(${names.slice(-10)}) order by length(c.name) desc limit 1`,
    );
    if (!claim) return null;
    const [site] = await ctx.db.rows(
      sql`select 1 from website where workspace_id = ${claim.workspace} and domain = ${host.toLowerCase()}`,
    );
    return site ? claim.slug : null;
  },
});
