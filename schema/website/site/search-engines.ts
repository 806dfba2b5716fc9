import { sql } from '../../../src/db/sql.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { buildBelongsToWebsiteSql } from '../website.ts';
import { buildIsPublishedSql } from './load-site.ts';
import type { VisitContext } from './visit-context.ts';

/** The sitemap protocol allows at most 50,000 URLs per file. */
export const MAX_SITEMAP_LINKS = 50_000;
export const MAX_SITEMAP_CHARS = 4 * 1024 * 1024;
/** If there are more languages, a page's translations are not linked to each other. */
export const MAX_SITEMAP_LANGUAGES = 20;

/** Allows all pages. Pages that must not be indexed declare this in their markup. */
export const buildRobotsText = (root: string): string =>
  `User-agent: *\nAllow: /\n\nSitemap: ${root}/sitemap.xml\n`;

/** Builds a sitemap of the indexable pages in all languages, up to the limits of a sitemap file. */
export async function buildSitemap({ ctx, site, request, languages, now }: VisitContext): Promise<string> {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<{ url: string; changed: string }>(
    sql`select p.url, to_char(greatest(p.write_date, v.write_date), 'YYYY-MM-DD') as changed from website_page p
     join ir_ui_view v on v.workspace_id = ${workspace} and v.id = p.view_id and v.active and v.visibility is null
     where p.workspace_id = ${workspace} and ${buildIsPublishedSql(now)} and p.website_indexed
       and ${buildBelongsToWebsiteSql(workspace, site.id)}
     order by p.url limit ${limits.site.pages}`,
  );
  const home = site.homepage_url ?? '/';
  const buildAddress = (prefix: string, url: string) =>
    escapeHtml(`${request.root}${`${prefix}${url === home ? '/' : url}`.replace(/(.)\/$/, '$1')}`);
  const buildAlternates = (url: string) =>
    languages.length < 2 || languages.length > MAX_SITEMAP_LANGUAGES
      ? ''
      : languages
          .map(
            ({ tag, prefix }) =>
              `<xhtml:link rel="alternate" hreflang="${tag}" href="${buildAddress(prefix, url)}"/>`,
          )
          .join('');
  function* entries(): Generator<string> {
    for (const { prefix } of languages)
      for (const { url, changed } of rows)
        yield `<url><loc>${buildAddress(prefix, url)}</loc><lastmod>${changed}</lastmod>` +
          `${buildAlternates(url)}</url>\n`;
  }
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" ' +
    `xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${joinWithinLimits(entries())}</urlset>\n`
  );
}

function joinWithinLimits(entries: Iterable<string>): string {
  let text = '';
  let count = 0;
  for (const entry of entries) {
    if (++count > MAX_SITEMAP_LINKS || text.length + entry.length > MAX_SITEMAP_CHARS) break;
    text += entry;
  }
  return text;
}
