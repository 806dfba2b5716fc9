import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { computeKeyedHash } from '../../../src/engine/value/keys.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import type { CompiledMarkup } from '../../../src/qweb/compile.ts';
import type { MarkupValue } from '../../../src/qweb/expression.ts';
import { renderMarkup } from '../../../src/qweb/render.ts';
import { RenderError } from '../../../src/qweb/render-error.ts';
import { DESIGNER_GROUP } from '../designer.ts';
import { compileViewMarkup } from '../edit/markup.ts';
import { getSiteLanguages, splitLanguage } from './languages.ts';
import {
  findPageAt,
  findRedirect,
  findSite,
  loadCalledTemplates,
  loadMenu,
  loadViewTemplates,
  type SitePage,
} from './load-site.ts';
import { createPagePictures } from './pictures.ts';
import { loadListedRecords } from './public-reader.ts';
import { buildRobotsText, buildSitemap } from './search-engines.ts';
import type { SiteResponse, VisitContext, VisitRequest } from './visit-context.ts';

/** Maximum number of record lists in a page and the views that it calls. */
export const MAX_PAGE_QUERIES = 20;

const HTML_TYPE = 'text/html; charset=utf-8';

/** Returns null if the workspace has no website. */
export async function visitSite(ctx: Ctx, request: VisitRequest): Promise<SiteResponse | null> {
  const now = new Date();
  const site = await findSite(ctx, request.websiteId, request.host, now);
  if (!site) return null;
  const languages = getSiteLanguages(ctx, site.default_lang);
  const { lang, rest } = splitLanguage(request.path, languages);
  const stay = { ctx, site, request, lang, languages, path: rest, now };
  return (await buildSearchEngineFile(stay)) ?? (await buildPathResponse(stay));
}

const getCacheExpiry = ({ site, now, ctx }: VisitContext): number | null =>
  ctx.principal ? null : Math.min(now.getTime() + limits.site.age, site.next_at ?? Number.POSITIVE_INFINITY);

async function buildSearchEngineFile(context: VisitContext): Promise<SiteResponse | null> {
  const { site, path } = context;
  if (!site.live || (path !== '/robots.txt' && path !== '/sitemap.xml')) return null;
  const isRobots = path === '/robots.txt';
  return {
    ...buildResponse(context, 200),
    contentType: isRobots ? 'text/plain; charset=utf-8' : 'application/xml; charset=utf-8',
    body: isRobots ? buildRobotsText(context.request.root) : await buildSitemap(context),
    keptUntil: getCacheExpiry(context),
  };
}

const buildResponse = ({ site }: VisitContext, status: number): SiteResponse => ({
  status,
  location: null,
  contentType: HTML_TYPE,
  body: '',
  scripts: site.allow_scripts,
  keptUntil: null,
  live: site.live,
});

const buildRedirect = (context: VisitContext, status: number, to: string): SiteResponse => ({
  ...buildResponse(context, status),
  location: createLinker(context)(to),
  keptUntil: getCacheExpiry(context),
});

async function buildPathResponse(context: VisitContext): Promise<SiteResponse> {
  const { ctx, site, path, lang } = context;
  // In a redirect, a browser could interpret this path as a host name.
  if (/\/\/|\\/.test(path)) return renderSpecialPage(context, 'website.404', 404);
  if (path === THANKS_PATH) return renderSpecialPage(context, 'website.thanks', 200);
  if (path.length > 1 && path.endsWith('/')) return buildRedirect(context, 301, path.slice(0, -1));
  const page = await findPageAt(
    ctx,
    site.id,
    path === '/' ? getHomePath(context) : path,
    lang.code,
    context.now,
  );
  if (page && canSeePage(context, page)) {
    if (path !== '/' && page.url !== path) return buildRedirect(context, 301, page.url);
    return renderFoundPage(context, page);
  }
  if (page?.shown) return renderSpecialPage(context, 'website.403', 403);
  const redirect = await findRedirect(ctx, site.id, path);
  if (redirect) return buildRedirect(context, redirect.status, redirect.to);
  return renderSpecialPage(context, 'website.404', 404);
}

const getHomePath = ({ site }: VisitContext): string => site.homepage_url ?? '/';

/** Returns the home page's URL, or null if the visitor may not see the page. */
async function findVisibleHomePath(context: VisitContext): Promise<'/' | null> {
  const page = await findPageAt(
    context.ctx,
    context.site.id,
    getHomePath(context),
    context.lang.code,
    context.now,
  );
  return page && canSeePage(context, page) ? '/' : null;
}

const THANKS_PATH = '/website/thanks';

const isDesigner = ({ ctx }: VisitContext): boolean => ctx.principal?.groups.has(DESIGNER_GROUP) === true;

function canSeePage(context: VisitContext, page: SitePage): boolean {
  if (isDesigner(context)) return true;
  if (!page.shown) return false;
  if (!page.visibility) return true;
  const { principal } = context.ctx;
  return page.visibility === 'connected'
    ? principal?.kind === 'user'
    : page.group !== null && principal?.groups.has(page.group) === true;
}

/** Renders a page without a URL, such as the 404 page. Returns plain text if the view is missing. */
async function renderSpecialPage(context: VisitContext, key: string, status: number): Promise<SiteResponse> {
  const { ctx, site, lang } = context;
  const template = (await loadViewTemplates(ctx, site.id, [key], lang.code)).get(key);
  if (!template)
    return {
      ...buildResponse(context, status),
      contentType: 'text/plain; charset=utf-8',
      body: String(status),
    };
  const head = {
    url: context.path,
    name: String(status),
    indexed: false,
    title: null,
    description: null,
    image: null,
  };
  return { ...buildResponse(context, status), body: (await renderPage(context, template, head)).body };
}

async function renderFoundPage(context: VisitContext, page: SitePage): Promise<SiteResponse> {
  const head = { ...page, indexed: page.website_indexed };
  const { body, isSame } = await renderPage(context, compileViewMarkup(page.arch, true), head);
  const isForAll = isSame && !page.visibility && page.shown;
  return { ...buildResponse(context, 200), body, keptUntil: isForAll ? getCacheExpiry(context) : null };
}

interface PageHead {
  url: string;
  name: string;
  indexed: boolean;
  title: string | null;
  description: string | null;
  image: string | null;
}

/** `isSame` is true if all visitors get the same page until the site changes. */
export async function renderPage(
  context: VisitContext,
  template: CompiledMarkup,
  head: PageHead,
): Promise<{ body: string; isSame: boolean }> {
  const { ctx, site, lang } = context;
  const templates = await loadCalledTemplates(ctx, site.id, template, lang.code);
  const queries = [template, ...templates.values()].flatMap((template) => template.queries);
  if (queries.length > MAX_PAGE_QUERIES)
    throw errors.validation(`A page and its views can contain at most ${MAX_PAGE_QUERIES} record lists.`);
  const records = new Map<string, MarkupValue[]>();
  for (const query of queries) records.set(query.id, await loadListedRecords(ctx, query));
  const link = createLinker(context);
  const pictures = createPagePictures(ctx, link);
  const input = {
    values: await buildPageValues(context, head),
    templates,
    records,
    link,
    picture: pictures.attributes,
  };
  try {
    let body = renderMarkup(template, input);
    // The first rendering determines which images the page contains. The second one adds their sizes.
    if (await pictures.loadMissingSizes()) {
      pictures.begin();
      body = renderMarkup(template, input);
    }
    return { body, isSame: queries.length === 0 };
  } catch (error) {
    if (error instanceof RenderError) throw errors.validation(error.message);
    throw error;
  }
}

async function buildPageValues(
  context: VisitContext,
  { url, name, indexed, title, description, image }: PageHead,
) {
  const { ctx, site, lang, languages, request, path, now } = context;
  const pagePath = path === '/' ? '/' : url;
  const buildAddress = (prefix: string) => `${request.root}${`${prefix}${pagePath}`.replace(/(.)\/$/, '$1')}`;
  const link = createLinker(context);
  return {
    website: {
      id: site.id,
      name: site.name,
      description: site.description,
      year: now.getUTCFullYear(),
      home: await findVisibleHomePath(context),
    },
    page: { name, url: pagePath },
    seo: {
      title: title ?? `${name} | ${site.name}`,
      description: description ?? site.description,
      canonical: buildAddress(lang.prefix),
      image: image && (image.startsWith('/') ? `${new URL(request.root).origin}${link(image)}` : image),
      robots: indexed ? 'index, follow' : 'noindex',
    },
    lang: lang.tag,
    more_languages: languages.length > 1,
    languages: languages.map((language) => ({
      ...language,
      url: buildAddress(language.prefix),
      is_current: language.code === lang.code,
    })),
    menus: await loadMenu(ctx, site.id, lang.code, path, now),
    form: { token: createFormToken(ctx, now.getTime()), action: FORM_PATH },
  };
}

const FORM_PATH = '/website/form';

/** Signs the rendering time of a page with a form. The token is valid only in this workspace. */
export const createFormToken = (ctx: Ctx, time: number): string =>
  `${time}.${computeKeyedHash(ctx.runtime.config.secretKey, `form ${ctx.workspace.id} ${time}`)}`;

/**
 * Creates a function that adds the site's path and the visitor's language to the URLs in a page. Files are served
 * outside the site's path, so their URLs name the workspace if the site has a path.
 */
function createLinker({
  request,
  lang,
  languages,
  ctx,
}: Pick<VisitContext, 'request' | 'lang' | 'languages' | 'ctx'>) {
  const base = new URL(request.root).pathname.replace(/\/$/, '');
  return (address: string): string => {
    if (!/^\/(?![/\\])/.test(address)) return address;
    if (address.startsWith('/web/'))
      return base === '' ? address : `${address}${address.includes('?') ? '&' : '?'}db=${ctx.workspace.slug}`;
    const isPage =
      !address.startsWith('/website/') &&
      languages.every(({ prefix }) => !prefix || !hasPathPrefix(address, prefix));
    const inLanguage = isPage ? `${lang.prefix}${address}` : address;
    return `${base}${inLanguage}` || '/';
  };
}

const hasPathPrefix = (address: string, prefix: string): boolean =>
  address === prefix || address.startsWith(`${prefix}/`);
