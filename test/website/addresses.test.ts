import { beforeAll, expect, test } from 'vitest';
import {
  MAX_SITEMAP_CHARS,
  MAX_SITEMAP_LANGUAGES,
  MAX_SITEMAP_LINKS,
} from '../../schema/website/site/search-engines.ts';
import { MAX_PAGE_QUERIES } from '../../schema/website/site/visit.ts';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { MAX_VIEW_QUERIES } from '../../src/qweb/compile.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData, sendRequest } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let calls: JsonClient;

beforeAll(async () => {
  calls = createJsonClient(app);
});

const queryGraph = (document: string, variables: object = {}) => queryData(app, document, { variables });

const visit = (path: string, host = 'main.atrium.test') =>
  sendRequest(app, 'GET', path, { accept: 'text/html', host });

const createPage = async (name: string, addMenu = false): Promise<{ id: string; url: string }> => {
  const document = `mutation($name: String!, $addMenu: Boolean) {
    websitePageCreate(name: $name, addMenu: $addMenu, published: true) { id url }
  }`;
  return (await queryGraph(document, { name, addMenu })).websitePageCreate;
};

async function setLanguages(...codes: string[]): Promise<void> {
  const domain = [
    ['code', 'in', codes],
    ['active', 'in', [true, false]],
  ];
  const ids = await calls.value('res.lang/search', { domain });
  await calls.value('res.lang/write', { ids, vals: { active: true } });
}

test("keeps a language's URL code when another variant of the language is activated", async () => {
  const { url } = await createPage('Waffles');
  // Uses a second page, because rendered pages are cached for a minute.
  const { url: later } = await createPage('Fries');
  const tagAt = async (path: string) => /<html lang="([^"]*)"/.exec((await visit(path)).text)![1];
  await setLanguages('fr_BE');
  const before = [await tagAt(`/fr_BE${url}`), await tagAt(`/fr${url}`)];
  expect(before).toEqual(['fr-BE', 'fr-BE']);
  await setLanguages('fr_CA');
  expect([await tagAt(`/fr_BE${url}`), await tagAt(`/fr${url}`)]).toEqual(before);
  expect(await tagAt(`/fr_CA${url}`)).toBe('fr-CA');
  await setLanguages('fr_FR');
  expect(await tagAt(`/fr_BE${url}`)).toBe('fr-BE');
  expect(await tagAt(`/fr${later}`)).toBe('fr-FR');
  const { text } = await visit(`/fr_BE${url}`);
  expect(text).toContain(`<link rel="canonical" href="http://main.atrium.test/fr_BE${url}"`);
  const [id] = await calls.value('res.lang/search', { domain: [['code', '=', 'fr_BE']] });
  const { message } = await calls.expectError(422, 'res.lang/write', {
    ids: [id],
    vals: { url_code: 'a/b' },
  });
  expect(message).toMatch(/url_code/);
});

test("translates a page's SEO title and description", async () => {
  await setLanguages('nl_NL');
  const { id, url } = await createPage('Pancakes');
  const set = `mutation($id: ID!, $title: String, $text: String, $lang: String) {
    websitePageUpdate(pageId: $id, title: $title, metaDescription: $text, lang: $lang) { id }
  }`;
  await queryGraph(set, { id, title: 'All about pancakes', text: 'Flour and eggs' });
  await queryGraph(set, { id, title: 'Alles over pannenkoeken', text: 'Bloem en eieren', lang: 'nl_NL' });
  const english = (await visit(url)).text;
  expect(english).toContain('<title>All about pancakes</title>');
  expect(english).toContain('content="Flour and eggs"');
  const dutch = (await visit(`/nl${url}`)).text;
  expect(dutch).toContain('<title>Alles over pannenkoeken</title>');
  expect(dutch).toContain('content="Bloem en eieren"');
  await queryGraph(set, { id, title: '', lang: 'nl_NL' });
  expect((await visit(`/nl${url}`)).text).toContain('<title>All about pancakes</title>');
  const { errors } = await postGraphql(app, set, {
    key: app.main.admin.key,
    variables: { id, title: 'x', lang: 'xx_XX' },
  });
  expect(errors[0]!.message).toMatch(/Invalid language/);
});

test('restores the menu entry of a shared page when its copy is deleted', async () => {
  const list = '{ websitePages { nodes { id url website { id } } } }';
  const { nodes } = (await queryGraph(list)).websitePages;
  const shared = nodes.find((node: { url: string }) => node.url === '/contactus');
  const readEntry = async () => {
    const domain = [['name', '=', 'Contact us']];
    const rows = await calls.value('website.menu/search_read', { domain, fields: ['url', 'page_id'] });
    return rows[0];
  };
  const before = await readEntry();
  expect(before.url).toBe('/contactus');
  const moved = await queryGraph(
    'mutation($id: ID!) { websitePageUpdate(pageId: $id, newUrl: "/write-to-us") { id url } }',
    { id: shared.id },
  );
  expect((await readEntry()).url).toBe('/write-to-us');
  await queryGraph('mutation($id: ID!) { websitePageReset(pageId: $id) { id } }', {
    id: moved.websitePageUpdate.id,
  });
  expect(await readEntry()).toEqual(before);
});

test('limits the number of record lists on a page and in the views that it calls', async () => {
  const buildLists = (count: number) =>
    Array.from(
      { length: count },
      () => '<t t-records="res.country" t-as="row" t-fields="name" t-limit="1"><i t-out="row.name"/></t>',
    ).join('');
  const set = `mutation($id: ID!, $arch: String!) {
    websiteMarkupSet(pageId: $id, arch: $arch) { view { id key } }
  }`;
  const pages: { url: string; key: string }[] = [];
  for (let count = 0; count <= MAX_PAGE_QUERIES / MAX_VIEW_QUERIES; count++) {
    const { id, url } = await createPage(`Lists ${count}`);
    const calls = pages.map(({ key }) => `<t t-call="${key}"/>`).join('');
    const arch = `<div>${buildLists(MAX_VIEW_QUERIES)}${calls}</div>`;
    const { view } = (await queryGraph(set, { id, arch })).websiteMarkupSet;
    pages.push({ url, key: view.key });
  }
  expect((await visit(pages.at(-2)!.url)).status).toBe(200);
  const { status, text } = await visit(pages.at(-1)!.url);
  expect(status).toBe(422);
  expect(text).toMatch(/at most 20 record lists/);
});

test('lists products on a page once they are published', async () => {
  const [model] = await calls.value('ir.model/search', { domain: [['model', '=', 'product.template']] });
  const [group] = await calls.value('res.groups/search', { domain: [['name', '=', 'Public']] });
  await calls.create('ir.model.access', { name: 'p', model_id: model, group_id: group, perm_read: true });
  const product = await calls.create('product.template', { name: 'Oak table', is_published: true });
  await calls.create('product.template', { name: 'Secret table' });
  const { id, url } = await createPage('Tables');
  const arch =
    '<ul><li t-records="product.template" t-as="row" t-fields="name,list_price"><t t-out="row.name"/></li></ul>';
  await queryGraph(
    'mutation($id: ID!, $arch: String!) { websiteMarkupSet(pageId: $id, arch: $arch) { id } }',
    {
      id,
      arch,
    },
  );
  const { text } = await visit(url);
  expect(text).toContain('Oak table');
  expect(text).not.toContain('Secret table');
  await calls.value('product.template/write', { ids: [product], vals: { is_published: false } });
  expect((await visit(url)).text).not.toContain('Oak table');
  const [copy] = await calls.value('product.template/copy', { ids: [product] });
  expect(await calls.read('product.template', copy, ['is_published'])).toMatchObject({ is_published: false });
});

test('limits the number of URLs in the sitemap, and lists only complete entries', async () => {
  const workspaceId = app.main.ctx.workspace.id;
  const { id } = await createPage('Many');
  const [page] = await calls.value('website.page/read', {
    ids: [Number(id)],
    fields: ['view_id', 'website_id'],
  });
  const [view, website] = [page.view_id[0], page.website_id[0]];
  await app.runtime.db.rows(
    sql`insert into website_page (workspace_id, id, url, view_id, website_id, is_published, website_indexed)
     select ${workspaceId}, 100000 + n, '/many/' || n, ${view}::int, ${website}::int, true, true
     from generate_series(1, ${limits.site.pages + 50}) n`,
  );
  const countIn = async (path: string, host?: string) => {
    const { status, text } = await visit(path, host);
    expect(status).toBe(200);
    expect(text.trimEnd().endsWith('</url>\n</urlset>')).toBe(true);
    expect(text.length).toBeLessThan(MAX_SITEMAP_CHARS + 1_000);
    return text.match(/<url>/g)!.length;
  };
  const active = (await calls.value('res.lang/search_count', { domain: [['active', '=', true]] })) as number;
  expect(active).toBeLessThan(MAX_SITEMAP_LANGUAGES);
  // With alternate links for all languages, the file reaches its size limit before it contains all URLs.
  const selectedCount = await countIn('/sitemap.xml');
  expect(selectedCount).toBeGreaterThan(limits.site.pages);
  expect(selectedCount).toBeLessThan(limits.site.pages * active);
  const domain = [['active', 'in', [true, false]]];
  const codes = await calls.value('res.lang/search_read', { domain, fields: ['code'], limit: 25 });
  await setLanguages(...codes.map(({ code }: { code: string }) => code));
  const urlCount = await countIn('/site/main/sitemap.xml', 'atrium.test');
  expect(urlCount).toBeGreaterThan(8 * limits.site.pages);
  expect(urlCount).toBeLessThanOrEqual(MAX_SITEMAP_LINKS);
});
