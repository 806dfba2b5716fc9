import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { computeKeyedHash } from '../../../src/engine/value/keys.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import type { CompiledMarkup } from '../../../src/qweb/compile.ts';
import type { MarkupValue } from '../../../src/qweb/expression.ts';
import { renderMarkup } from '../../../src/qweb/render.ts';
import { RenderError } from '../../../src/qweb/render-error.ts';
import { DESIGNERS } from '../designer.ts';
import { templateOf } from '../edit/markup.ts';
import { languageIn, languagesOf } from './languages.ts';
import { menuOf, pageAt, redirectAt, type ShownPage, siteBy, templatesBy, templatesFor } from './load.ts';
import { picturesOf } from './pictures.ts';
import { listedRecords } from './public-reader.ts';
import { robotsText, sitemapText } from './search-engines.ts';
import type { SiteVisit, Stay, VisitRequest } from './stay.ts';

const HTML = 'text/html; charset=utf-8';

/** Answers what a visitor asks of a website; null where the workspace has none. */
export async function visit(ctx: Ctx, request: VisitRequest): Promise<SiteVisit | null> {
  const now = new Date();
  const site = await siteBy(ctx, request.websiteId, request.host, now);
  if (!site) return null;
  const languages = languagesOf(ctx, site.default_lang);
  const { lang, rest } = languageIn(request.path, languages);
  const stay = { ctx, site, request, lang, languages, path: rest, now };
  return (await searchEngineFile(stay)) ?? (await atPath(stay));
}

const kept = ({ site, now, ctx }: Stay): number | null =>
  ctx.principal ? null : Math.min(now.getTime() + limits.site.age, site.next_at ?? Number.POSITIVE_INFINITY);

async function searchEngineFile(stay: Stay): Promise<SiteVisit | null> {
  const { site, path } = stay;
  if (!site.live || (path !== '/robots.txt' && path !== '/sitemap.xml')) return null;
  const isRobots = path === '/robots.txt';
  return {
    ...answer(stay, 200),
    contentType: isRobots ? 'text/plain; charset=utf-8' : 'application/xml; charset=utf-8',
    body: isRobots ? robotsText(stay.request.root) : await sitemapText(stay),
    keptUntil: kept(stay),
  };
}

const answer = ({ site }: Stay, status: number): SiteVisit => ({
  status,
  location: null,
  contentType: HTML,
  body: '',
  scripts: site.allow_scripts,
  keptUntil: null,
  live: site.live,
});

const redirected = (stay: Stay, status: number, to: string): SiteVisit => ({
  ...answer(stay, status),
  location: linkFor(stay)(to),
  keptUntil: kept(stay),
});

async function atPath(stay: Stay): Promise<SiteVisit> {
  const { ctx, site, path, lang } = stay;
  // A browser that is sent there would take what follows for a host.
  if (/\/\/|\\/.test(path)) return special(stay, 'website.404', 404);
  if (path === THANKS) return special(stay, 'website.thanks', 200);
  if (path.length > 1 && path.endsWith('/')) return redirected(stay, 301, path.replace(/\/+$/, '') || '/');
  const page = await pageAt(ctx, site.id, path === '/' ? homeOf(stay) : path, lang.code, stay.now);
  if (page && maySee(stay, page)) {
    if (path !== '/' && page.url !== path) return redirected(stay, 301, page.url);
    return show(stay, page);
  }
  if (page?.shown) return special(stay, 'website.403', 403);
  const redirect = await redirectAt(ctx, site.id, path);
  if (redirect) return redirected(stay, redirect.status, redirect.to);
  return special(stay, 'website.404', 404);
}

const homeOf = ({ site }: Stay): string => site.homepage_url ?? '/';

/** The address of the first page, where the visitor can open it. */
async function openHome(stay: Stay): Promise<'/' | null> {
  const page = await pageAt(stay.ctx, stay.site.id, homeOf(stay), stay.lang.code, stay.now);
  return page && maySee(stay, page) ? '/' : null;
}

/** Path of the page that follows a form. */
export const THANKS = '/website/thanks';

const isDesigner = ({ ctx }: Stay): boolean => ctx.principal?.groups.has(DESIGNERS) === true;

function maySee(stay: Stay, page: ShownPage): boolean {
  if (isDesigner(stay)) return true;
  if (!page.shown) return false;
  if (!page.visibility) return true;
  const { principal } = stay.ctx;
  return page.visibility === 'connected'
    ? principal?.kind === 'user'
    : page.group !== null && principal?.groups.has(page.group) === true;
}

/** A page of the site that no address is for; without the view, a few words. */
async function special(stay: Stay, key: string, status: number): Promise<SiteVisit> {
  const { ctx, site, lang } = stay;
  const template = (await templatesBy(ctx, site.id, [key], lang.code)).get(key);
  if (!template)
    return { ...answer(stay, status), contentType: 'text/plain; charset=utf-8', body: String(status) };
  const head = {
    url: stay.path,
    name: String(status),
    indexed: false,
    title: null,
    description: null,
    image: null,
  };
  return { ...answer(stay, status), body: (await rendered(stay, template, head)).body };
}

async function show(stay: Stay, page: ShownPage): Promise<SiteVisit> {
  const head = { ...page, indexed: page.website_indexed };
  const { body, isSame } = await rendered(stay, templateOf(page.arch, true), head);
  const isForAll = isSame && !page.visibility && page.shown;
  return { ...answer(stay, 200), body, keptUntil: isForAll ? kept(stay) : null };
}

/** What the head of a page says. */
interface Head {
  url: string;
  name: string;
  indexed: boolean;
  title: string | null;
  description: string | null;
  image: string | null;
}

/** The page, and whether it is the same for all until something of the site changes. */
export async function rendered(
  stay: Stay,
  template: CompiledMarkup,
  head: Head,
): Promise<{ body: string; isSame: boolean }> {
  const { ctx, site, lang } = stay;
  const templates = await templatesFor(ctx, site.id, template, lang.code);
  const queries = [template, ...templates.values()].flatMap((each) => each.queries);
  if (queries.length > limits.site.pageQueries)
    throw errors.validation(`A page and its views list records ${limits.site.pageQueries} times at most.`);
  const records = new Map<string, MarkupValue[]>();
  for (const query of queries) records.set(query.id, await listedRecords(ctx, query));
  const link = linkFor(stay);
  const pictures = picturesOf(ctx, link);
  const input = {
    values: await valuesOf(stay, head),
    templates,
    records,
    link,
    picture: pictures.attributes,
  };
  try {
    let body = renderMarkup(template, input);
    // Which pictures there are is known when the page is rendered; their sizes are part of it.
    if (await pictures.look()) {
      pictures.begin();
      body = renderMarkup(template, input);
    }
    return { body, isSame: queries.length === 0 };
  } catch (error) {
    if (error instanceof RenderError) throw errors.validation(error.message);
    throw error;
  }
}

async function valuesOf(stay: Stay, { url, name, indexed, title, description, image }: Head) {
  const { ctx, site, lang, languages, request, path, now } = stay;
  const shown = path === '/' ? '/' : url;
  const addressIn = (prefix: string) => `${request.root}${`${prefix}${shown}`.replace(/(.)\/$/, '$1')}`;
  const link = linkFor(stay);
  return {
    website: {
      id: site.id,
      name: site.name,
      description: site.description,
      year: now.getUTCFullYear(),
      home: await openHome(stay),
    },
    page: { name, url: shown },
    seo: {
      title: title ?? `${name} | ${site.name}`,
      description: description ?? site.description,
      canonical: addressIn(lang.prefix),
      image: image && (image.startsWith('/') ? `${new URL(request.root).origin}${link(image)}` : image),
      robots: indexed ? 'index, follow' : 'noindex',
    },
    lang: lang.tag,
    more_languages: languages.length > 1,
    languages: languages.map((each) => ({
      ...each,
      url: addressIn(each.prefix),
      is_current: each.code === lang.code,
    })),
    menus: await menuOf(ctx, site.id, lang.code, path, now),
    form: { token: formToken(ctx, now.getTime()), action: FORM },
  };
}

/** Path that forms are sent to. */
const FORM = '/website/form';

/** Says when a page with a form was made, in this workspace. */
export const formToken = (ctx: Ctx, time: number): string =>
  `${time}.${computeKeyedHash(ctx.runtime.config.secretKey, `form ${ctx.workspace.id} ${time}`)}`;

/**
 * Addresses of a page as they are here: below the path of the site and in the visitor's language. Files of the
 * workspace are served by the whole server, which has to know whose they are.
 */
function linkFor({ request, lang, languages, ctx }: Pick<Stay, 'request' | 'lang' | 'languages' | 'ctx'>) {
  const base = new URL(request.root).pathname.replace(/\/$/, '');
  return (address: string): string => {
    if (!/^\/(?![/\\])/.test(address)) return address;
    if (address.startsWith('/web/'))
      return base === '' ? address : `${address}${address.includes('?') ? '&' : '?'}db=${ctx.workspace.slug}`;
    const isPage =
      !address.startsWith('/website/') &&
      languages.every(({ prefix }) => !prefix || !within(address, prefix));
    const inLanguage = isPage ? `${lang.prefix}${address}` : address;
    return `${base}${inLanguage}` || '/';
  };
}

const within = (address: string, prefix: string): boolean =>
  address === prefix || address.startsWith(`${prefix}/`);
