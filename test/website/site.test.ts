import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_SITEMAP_LANGUAGES } from '../../schema/website/site/search-engines.ts';
import { sql } from '../../src/db/sql.ts';
import { post, setUpApp } from '../harness/app.ts';
import { type GraphqlResponse, postGraphql, queryData, sendRequest } from '../harness/facades/graphql.ts';
import { signInWeb } from '../harness/facades/web.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let otherTenant: Tenant;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
});

const queryGraph = (document: string, variables: object = {}, key?: string) =>
  queryData(app, document, { key, variables });

const readJson = async (model: string, method: string, body: object, key = app.main.admin.key) => {
  const answer = await post(`${app.url}/json/2/${model}/${method}`, body, key);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return answer.json();
};

const HOST = 'main.atrium.test';

const visit = (path: string, headers: Record<string, string> = {}, host = HOST): Promise<GraphqlResponse> =>
  sendRequest(app, 'GET', path, { accept: 'text/html', host, ...headers });

const visitText = async (path: string, headers: Record<string, string> = {}) =>
  (await visit(path, headers)).text;

const publish = (url: string, overrides: object = {}) =>
  queryGraph(
    `mutation($url: String, $published: Boolean, $websiteId: ID) {
      websitePagePublish(url: $url, published: $published, websiteId: $websiteId) { id }
    }`,
    { url, ...overrides },
  );

const SET = `mutation($url: String, $pageId: ID, $websiteId: ID, $arch: String!, $lang: String) {
  websiteMarkupSet(url: $url, pageId: $pageId, websiteId: $websiteId, arch: $arch, lang: $lang) {
    id url website { id } view { id key }
  }
}`;

const buildPage = (inner: string) => `<t t-call="website.layout"><section>${inner}</section></t>`;

const createPage = async (name: string, arch: string, key = app.main.admin.key) => {
  const page = await queryGraph(
    'mutation($name: String!) { websitePageCreate(name: $name, addMenu: false, published: true) { id url } }',
    { name },
    key,
  );
  const { id, url } = page.websitePageCreate;
  const { websiteMarkupSet } = await queryGraph(SET, { pageId: id, arch }, key);
  return { id, url, view: websiteMarkupSet.view.id };
};

describe('website', () => {
  it("shows the server's start page until it publishes its own", async () => {
    expect(await visitText('/')).toContain('Interfaces');
    expect((await visit('/contactus')).status).toBe(404);
    await publish('/');
    expect(await visitText('/')).toContain('This is the home page of your website');
    expect(await visitText('/login')).toContain('password');
    expect((await visit('/', {}, 'other.atrium.test')).text).toContain('Interfaces');
    expect((await visit('/', {}, 'atrium.test')).text).toContain('Interfaces');
  });

  it('links to the contact page only once it is published', async () => {
    expect(await visitText('/')).not.toContain('/contactus"');
    await publish('/contactus');
    expect(await visitText('/')).toContain('Contact us</a>');
  });

  it('renders title, description, canonical URL and Open Graph tags of a page', async () => {
    const { id } = await createPage('About <us>', buildPage('<h1>Us</h1>'));
    await queryGraph(
      `mutation($id: ID!) {
        websitePageUpdate(pageId: $id, metaDescription: "Who \\"we\\" are", image: "/web/image/7") { id }
      }`,
      { id },
    );
    const body = await visitText('/about-us');
    expect(body).toMatch(/^<!doctype html><html lang="en-US">/);
    expect(body).toContain('<title>About &lt;us&gt; | ');
    expect(body).toContain('<meta name="description" content="Who &quot;we&quot; are">');
    expect(body).toContain('<link rel="canonical" href="http://main.atrium.test/about-us">');
    expect(body).toContain('<meta property="og:image" content="http://main.atrium.test/web/image/7">');
    const shared = (await visit('/site/main/about-us', {}, 'atrium.test')).text;
    expect(shared).toContain('href="http://atrium.test/site/main/about-us"');
    expect(shared).toContain('<a class="brand" href="/site/main/"');
    expect(shared).toContain('content="http://atrium.test/web/image/7?db=main"');
  });

  it("redirects URLs that differ in letter case or end with a slash to the page's URL", async () => {
    for (const path of ['/About-US', '/about-us/']) {
      const { status, headers } = await visit(path);
      expect([path, status, headers.location]).toEqual([path, 301, '/about-us']);
    }
    const { status, headers } = await visit('/site/main/About-us', {}, 'atrium.test');
    expect([status, headers.location]).toEqual([301, '/site/main/about-us']);
  });

  it('redirects a path regardless of letter case and percent-encoding', async () => {
    const add =
      'mutation($from: String!, $to: String!) { websiteRedirectAdd(urlFrom: $from, urlTo: $to) { id } }';
    await queryGraph(add, { from: '/Caf%C3%A9', to: '/contactus' });
    for (const path of ['/caf%C3%A9', '/CAF%c3%89', '/Caf%C3%A9']) {
      const { status, headers } = await visit(path);
      expect([path, status, headers.location]).toEqual([path, 301, '/contactus']);
    }
    const variables = { from: '/round', to: '/%52ound' };
    const { errors } = await postGraphql(app, add, { key: app.main.admin.key, variables });
    expect(errors[0]?.message).toMatch(/to itself/);
  });

  it('never redirects to a host named in the path', async () => {
    for (const path of ['//evil.example/', '/%2fevil.example/', '/%5cevil.example/', '/a//evil.example/'])
      for (const [at, host] of [
        [path, HOST],
        [`/site/main${path}`, 'atrium.test'],
      ]) {
        const { status, headers } = await visit(at!, {}, host);
        expect([at, status, headers.location]).toEqual([at, 404, undefined]);
      }
  });

  it('returns 404 for an unknown path, as a page or as JSON', async () => {
    const { status, text: body, headers } = await visit('/nothing');
    expect([status, body.includes('Page not found')]).toEqual([404, true]);
    expect(headers['cache-control']).toBe('private, no-store');
    expect((await visit('/nothing', { accept: 'application/json' })).text).toContain('"NOT_FOUND"');
  });

  it('serves robots.txt and a sitemap of the indexable pages', async () => {
    await createPage('Hidden from engines', buildPage('<h1>x</h1>'));
    await queryGraph('mutation { websitePagePublish(url: "/hidden-from-engines", indexed: false) { id } }');
    expect(await visitText('/robots.txt')).toContain('Sitemap: http://main.atrium.test/sitemap.xml');
    const map = await visit('/sitemap.xml');
    expect(map.headers['content-type']).toMatch(/xml/);
    expect(map.text).toContain('<loc>http://main.atrium.test/about-us</loc>');
    expect(map.text).not.toContain('hidden-from-engines');
    expect((await visit('/sitemap.xml', {}, 'other.atrium.test')).status).toBe(404);
  });

  it('returns an ETag with a page, and serves a changed page immediately', async () => {
    const { id } = await createPage('Changing', buildPage('<p>first</p>'));
    const first = await visit('/changing');
    const { etag } = first.headers;
    expect(first.headers['cache-control']).toBe('public, no-cache');
    expect((await visit('/changing', { 'if-none-match': String(etag) })).status).toBe(304);
    await queryGraph(SET, { pageId: id, arch: buildPage('<p>second</p>') });
    const second = await visit('/changing', { 'if-none-match': String(etag) });
    expect([second.status, second.text.includes('second')]).toEqual([200, true]);
    await queryGraph('mutation($id: ID!) { websitePageDelete(pageId: $id) }', { id });
    expect((await visit('/changing')).status).toBe(404);
  });

  it('runs scripts only if an administrator allows them, and never below /site', async () => {
    const readPolicy = async (path: string, host: string) =>
      String((await visit(path, {}, host)).headers['content-security-policy']);
    expect(await readPolicy('/about-us', HOST)).toMatch(/^default-src 'none'/);
    expect(await readPolicy('/about-us', HOST)).not.toContain('script-src');
    const [{ id }] = await readJson('website', 'search_read', { fields: ['id'] });
    await readJson('website', 'write', { ids: [id], vals: { allow_scripts: true } });
    await createPage('Scripted', buildPage('<script>document.title = "ran"</script>'));
    expect(await readPolicy('/scripted', HOST)).toContain('script-src');
    expect(await readPolicy('/site/main/scripted', 'atrium.test')).not.toContain('script-src');
    await readJson('website', 'write', { ids: [id], vals: { allow_scripts: false } });
    expect(await readPolicy('/scripted', HOST)).not.toContain('script-src');
    const designer = await post(
      `${app.url}/json/2/website/write`,
      { ids: [id], vals: { allow_scripts: true } },
      app.main.user.key,
    );
    expect(designer.status).toBe(403);
  });

  it('shows a restricted page only to signed-in users or to members of its group', async () => {
    const { id } = await createPage('Members', buildPage('<p>secret words</p>'));
    const limitVisibility = (variables: object) =>
      queryGraph(
        `mutation($id: ID!, $visibility: String, $groupId: ID) {
          websitePageUpdate(pageId: $id, visibility: $visibility, groupId: $groupId) { id }
        }`,
        { id, ...variables },
      );
    await limitVisibility({ visibility: 'connected' });
    const cookie = await signInWeb(app, app.main.user);
    const visitPage = async (headers: Record<string, string> = {}) => {
      const { status, text: body } = await visit('/members', headers);
      expect(body.includes('secret words')).toBe(status === 200);
      return status;
    };
    expect([await visitPage(), await visitPage({ cookie }), await visitPage()]).toEqual([403, 200, 403]);
    const stranger = await signInWeb(app, otherTenant.user, 'other');
    expect(await visitPage({ cookie: stranger })).toBe(403);
    const [{ id: group }] = await readJson('res.groups', 'search_read', {
      domain: [['full_name', 'ilike', 'Access Rights']],
      fields: ['id'],
    });
    await limitVisibility({ visibility: 'restricted_group', groupId: String(group) });
    expect([await visitPage(), await visitPage({ cookie })]).toEqual([403, 403]);
    expect(await visitPage({ cookie: await signInWeb(app) })).toBe(200);
    expect((await visit('/sitemap.xml')).text).not.toContain('/members');
  });

  it('publishes a page at its scheduled time', async () => {
    const { id } = await createPage('Later', buildPage('<p>later</p>'));
    const setAt = (publishAt: string) =>
      queryGraph(
        'mutation($id: ID!, $at: DateTime) { websitePageUpdate(pageId: $id, publishAt: $at) { id } }',
        {
          id,
          at: publishAt,
        },
      );
    await setAt('2199-01-01T00:00:00Z');
    expect((await visit('/later')).status).toBe(404);
    await setAt('2020-01-01T00:00:00Z');
    expect((await visit('/later')).status).toBe(200);
  });
});

describe('two websites in a workspace', () => {
  it('customize a shared page independently, until the customization is reset', async () => {
    const { websiteCreate } = await queryGraph(
      'mutation { websiteCreate(input: { name: "Second", domain: "second.nowhere.test" }) { id } }',
    );
    const second = websiteCreate.id as string;
    const { websites } = await queryGraph('{ websites(first: 5) { nodes { id name } } }');
    expect(websites.nodes).toHaveLength(2);
    const readAt = async (path: string) =>
      (await visit(`/site/main~${second}${path}`, {}, 'atrium.test')).text;
    expect(await readAt('/contactus')).not.toContain('Only here');
    const before = await queryGraph(
      '{ views(first: 50, where: { key: { eq: "website.contactus" } }) { nodes { id arch } } }',
    );
    const { websiteMarkupSet: copy } = await queryGraph(SET, {
      url: '/contactus',
      websiteId: second,
      arch: buildPage('<p>Only here</p>'),
    });
    expect(copy.website).toEqual({ id: second });
    await publish('/contactus', { websiteId: second });
    expect(await readAt('/contactus')).toContain('Only here');
    expect(await visitText('/contactus')).not.toContain('Only here');
    const after = await queryGraph(
      '{ views(first: 50, where: { key: { eq: "website.contactus" } }) { nodes { id arch website { id } } } }',
    );
    expect(after.views.nodes.length).toBe(before.views.nodes.length + 1);
    for (const view of before.views.nodes)
      expect(after.views.nodes.find(({ id }: { id: string }) => id === view.id)?.arch).toBe(view.arch);
    // Another change by the shared page's URL updates the same copy.
    const repeated = await queryGraph(SET, {
      url: '/contactus',
      websiteId: second,
      arch: buildPage('<p>Only here, again</p>'),
    });
    expect(repeated.websiteMarkupSet.id).toBe(copy.id);
    const { websitePageReset } = await queryGraph(
      'mutation($id: ID!, $w: ID) { websitePageReset(pageId: $id, websiteId: $w) { id website { id } } }',
      { id: copy.id, w: second },
    );
    expect(websitePageReset.website).toBeNull();
    expect(await readAt('/contactus')).not.toContain('Only here');
  });

  it('never change a shared page by customizing it', async () => {
    const loadShared = async () =>
      (await readJson('website.page', 'search_read', {
        domain: [
          ['url', '=', '/contactus'],
          ['website_id', '=', false],
        ],
        fields: ['id', 'is_published'],
      })) as { id: number; is_published: boolean }[];
    const { websiteCreate } = await queryGraph('mutation { websiteCreate(input: { name: "Third" }) { id } }');
    const w = websiteCreate.id;
    const [before] = await loadShared();
    const { websitePageCreate } = await queryGraph(
      'mutation($w: ID) { websitePageCreate(name: "P", addMenu: false, websiteId: $w) { id } }',
      { w },
    );
    const movedResponse = await postGraphql(
      app,
      'mutation($id: ID!, $w: ID) { websitePageUpdate(pageId: $id, websiteId: $w, newUrl: "/contactus") { id } }',
      { key: app.main.admin.key, variables: { id: websitePageCreate.id, w } },
    );
    expect(movedResponse.errors[0]?.message).toMatch(/has the URL/);
    // Bypasses the check that rejects duplicate URLs.
    await app.runtime.db.rows(
      sql`update website_page set url = '/contactus'
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${Number(websitePageCreate.id)}`,
    );
    const publishedResponse = await postGraphql(
      app,
      'mutation($id: ID!, $w: ID) { websitePagePublish(pageId: $id, websiteId: $w, published: false) { id } }',
      { key: app.main.admin.key, variables: { id: String(before!.id), w } },
    );
    expect(publishedResponse.errors[0]).toMatchObject({ extensions: { code: 'USER_ERROR' } });
    expect(await loadShared()).toEqual([before]);
    await queryGraph('mutation($id: ID!) { websitePageDelete(pageId: $id) }', { id: websitePageCreate.id });
  });

  it('have separate layouts', async () => {
    const { websites } = await queryGraph('{ websites(first: 5) { nodes { id name } } }');
    const second = websites.nodes.find(({ name }: { name: string }) => name === 'Second').id;
    await publish('/', { websiteId: second });
    const { views } = await queryGraph(
      '{ views(first: 5, where: { key: { eq: "website.layout" } }) { nodes { id arch } } }',
    );
    const arch = views.nodes[0].arch.replace('class="bottom"', 'class="bottom" id="own-footer"');
    await queryGraph(
      `mutation($id: ID!, $w: ID, $arch: String!) {
        websiteViewMarkupSet(viewId: $id, websiteId: $w, arch: $arch) { website { id } }
      }`,
      { id: views.nodes[0].id, w: second, arch },
    );
    expect((await visit(`/site/main~${second}/nothing`, {}, 'atrium.test')).text).toContain('own-footer');
    expect(await visitText('/nothing')).not.toContain('own-footer');
  });

  it('respond at their own domain once the workspace has verified it', async () => {
    const visitSecondRobots = () => visit('/robots.txt', {}, 'second.nowhere.test');
    const { websites } = await queryGraph('{ websites(first: 5) { nodes { id name } } }');
    const second = websites.nodes.find(({ name }: { name: string }) => name === 'Second').id;
    expect((await visitSecondRobots()).status).toBe(404);
    const { db } = app.runtime;
    const { id } = app.main.ctx.workspace;
    await db.rows(sql`insert into domain_claim (name, workspace_id) values ('shop.test', ${id})`);
    await queryGraph(
      'mutation($id: ID!) { websiteUpdate(id: $id, input: { domain: "www.shop.test" }) { id } }',
      {
        id: second,
      },
    );
    const robots = await visit('/robots.txt', {}, 'www.shop.test');
    expect([robots.status, robots.text]).toEqual([
      200,
      expect.stringContaining('http://www.shop.test/sitemap.xml'),
    ]);
    expect((await visit('/robots.txt', {}, 'blog.shop.test')).status).toBe(404);
  });

  it('cannot use a host in a domain that another workspace has verified', async () => {
    const { db } = app.runtime;
    await db.rows(
      sql`insert into domain_claim (name, workspace_id) values ('rival.test', ${otherTenant.ctx.workspace.id})`,
    );
    const create = (domain: string) =>
      postGraphql(
        app,
        'mutation($d: String!) { websiteCreate(input: { name: "Theirs", domain: $d }) { id } }',
        {
          key: app.main.admin.key,
          variables: { d: domain },
        },
      );
    for (const domain of ['rival.test', 'www.rival.test', 'https://WWW.rival.test/'])
      expect((await create(domain)).errors[0]!.message, domain).toContain('belongs to another workspace');
    const website = await create('unrivaled.test');
    expect(website.errors).toEqual([]);
    await readJson('website', 'unlink', { ids: [Number(website.data.websiteCreate.id)] });
  });

  it('use their public URL below /site, regardless of the requested host', async () => {
    for (const host of ['evil.example', 'atrium.test.evil.example', '10.1.2.3', 'evil.example:80']) {
      const response = await visit('/site/main/about-us', {}, host);
      expect(
        [response.status, response.text.includes('evil'), response.text.includes('10.1.2.3')],
        host,
      ).toEqual([...[200, false, false]]);
      expect(String(response.headers['content-security-policy'])).not.toMatch(/evil|10\.1\.2\.3/);
    }
    const { text } = await visit('/site/main/about-us', {}, 'evil.example');
    expect(text).toContain('<link rel="canonical" href="http://atrium.test/site/main/about-us"');
    expect(text).toContain('<meta property="og:url" content="http://atrium.test/site/main/about-us"');
  });
});

describe('page that calls many views', () => {
  it('is rejected if the views exceed the total size limit', async () => {
    const keys: string[] = [];
    for (let n = 0; n < 5; n++) {
      const { view } = await createPage(`Long ${n}`, `<p>${'x'.repeat(250_000)}</p>`);
      const [{ key }] = await readJson('ir.ui.view', 'read', { ids: [Number(view)], fields: ['key'] });
      keys.push(key);
    }
    await createPage('Calls all', `<t>${keys.map((key) => `<t t-call="${key}"/>`).join('')}</t>`);
    const { status, text: body } = await visit('/calls-all');
    expect([status, body]).toEqual([422, expect.stringContaining('characters in total')]);
  });
});

describe('page history', () => {
  it('keeps earlier versions, and restores them', async () => {
    const { id, view } = await createPage('Storied', buildPage('<p>one</p>'));
    await queryGraph(SET, { pageId: id, arch: buildPage('<p>two</p>') });
    const { websiteVersions } = await queryGraph(
      `query($view: ID) { websiteVersions(first: 10, where: { view: { id: { eq: $view } } }) { nodes { id number arch } } }`,
      { view },
    );
    const versions = websiteVersions.nodes as { id: string; number: number; arch: string }[];
    expect(versions.map(({ number }) => number)).toEqual([3, 2, 1]);
    const one = versions.find(({ arch }) => arch.includes('one'))!;
    await queryGraph('mutation($p: ID!, $v: ID!) { websitePageRestore(pageId: $p, versionId: $v) { id } }', {
      p: id,
      v: one.id,
    });
    expect(await visitText('/storied')).toContain('<p>one</p>');
  });

  it('previews markup without saving it', async () => {
    const { websitePagePreview } = await queryGraph(
      'query($arch: String!) { websitePagePreview(arch: $arch, name: "Draft") { status body } }',
      { arch: buildPage('<p t-out="page.name"/>') },
    );
    expect(websitePagePreview).toMatchObject({ status: 200, body: expect.stringContaining('<p>Draft</p>') });
    const { errors } = await postGraphql(app, '{ websitePagePreview(arch: "<p>") { body } }', {
      key: app.main.admin.key,
    });
    expect(errors[0]!.message).toMatch(/line 1, column/);
  });
});

describe('website in several languages', () => {
  it('serves each language of a page at a separate URL', async () => {
    await readJson('res.lang', 'write', {
      ids: await readJson('res.lang', 'search', {
        domain: [
          ['code', '=', 'fr_FR'],
          ['active', 'in', [true, false]],
        ],
      }),
      vals: { active: true },
    });
    const { id } = await createPage('Greeting', buildPage('<p>Hello</p><a href="/contactus">c</a>'));
    await queryGraph(SET, {
      pageId: id,
      lang: 'fr_FR',
      arch: buildPage('<p>Bonjour</p><a href="/contactus">c</a>'),
    });
    expect(await visitText('/greeting')).toContain('<p>Hello</p><a href="/contactus">');
    const french = await visitText('/fr/greeting');
    expect(french).toContain('<html lang="fr-FR">');
    expect(french).toContain('<p>Bonjour</p><a href="/fr/contactus">');
    expect(french).toContain('hreflang="en-US" href="http://main.atrium.test/greeting"');
    expect((await visit('/sitemap.xml')).text).toContain('<loc>http://main.atrium.test/fr/greeting</loc>');
  });
});

describe('website with another default language', () => {
  it('stores that language in the column, and the source language as a translation', async () => {
    const { websiteCreate } = await queryGraph(
      'mutation { websiteCreate(input: { name: "Français", defaultLang: "fr_FR" }) { id } }',
    );
    const w = websiteCreate.id;
    const page = await queryGraph(
      'mutation($w: ID) { websitePageCreate(name: "Salut", published: true, websiteId: $w) { id } }',
      { w },
    );
    const { id } = page.websitePageCreate;
    const set = async (arch: string, lang?: string) => {
      const { websiteMarkupSet } = await queryGraph(SET, {
        pageId: id,
        websiteId: w,
        arch: buildPage(arch),
        lang,
      });
      const [{ arch: storedArch }] = await readJson('ir.ui.view', 'read', {
        ids: [Number(websiteMarkupSet.view.id)],
        fields: ['arch'],
      });
      return storedArch;
    };
    const readAt = async (path: string) => (await visit(`/site/main~${w}${path}`, {}, 'atrium.test')).text;
    expect(await set('<p>Bonjour</p>')).toContain('Bonjour');
    expect(await set('<p>Hello</p>', 'en_US')).toContain('Bonjour');
    expect(await set('<p>Bonsoir</p>', 'fr_FR')).toContain('Bonsoir');
    expect(await readAt('/salut')).toContain('<p>Bonsoir</p>');
    expect(await readAt('/en/salut')).toContain('<p>Hello</p>');
  });
});

describe('record lists on pages', () => {
  const arch = buildPage(
    '<t t-records="res.partner.industry" t-as="row" t-fields="name,full_name" t-order="name" t-limit="5">' +
      '<i t-out="row.name"/></t>',
  );

  it('contain only records that the public may read', async () => {
    await createPage('Industries', arch);
    expect(await visitText('/industries')).not.toContain('<i>');
    const [model] = await readJson('ir.model', 'search', {
      domain: [['model', '=', 'res.partner.industry']],
    });
    const [group] = await readJson('res.groups', 'search', { domain: [['name', '=', 'Public']] });
    await readJson('ir.model.access', 'create', {
      vals_list: [{ name: 'public', model_id: model, group_id: group, perm_read: true }],
    });
    await readJson('ir.rule', 'create', {
      vals_list: [
        { name: 'p', model_id: model, groups: [[6, 0, [group]]], domain_force: "[('name', '=', 'Shown')]" },
      ],
    });
    await readJson('res.partner.industry', 'create', {
      vals_list: [{ name: 'Shown' }, { name: 'Not shown' }],
    });
    const body = await visitText('/industries');
    expect(body).toContain('<i>Shown</i>');
    expect(body).not.toContain('Not shown');
  });

  it('contain no other records, even if the visitor is signed in', async () => {
    await createPage(
      'Users',
      buildPage('<t t-records="res.users" t-as="u" t-fields="login"><b t-out="u.login"/></t><p>end</p>'),
    );
    for (const headers of [{}, { cookie: await signInWeb(app) }]) {
      const body = await visitText('/users', headers as Record<string, string>);
      expect([body.includes('<p>end</p>'), body.includes('<b>')]).toEqual([true, false]);
    }
  });
});

describe('website form', () => {
  const readFields = async () => {
    const body = await visitText('/contactus');
    const token = /name="form_token" value="([^"]+)"/.exec(body)?.[1];
    expect(token).toBeTruthy();
    return {
      form_token: token!,
      name: 'Vera Visitor',
      email: 'vera@example.org',
      subject: 'A question',
      message: 'Hi',
    };
  };
  const sendForm = (fields: Record<string, string>) =>
    sendRequest(
      app,
      'POST',
      '/website/form',
      { host: HOST, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams(fields).toString(),
    );
  const readLeads = () =>
    readJson('crm.lead', 'search_read', {
      domain: [['email_from', '=', 'vera@example.org']],
      fields: ['name', 'type', 'contact_name', 'description'],
    });

  /** Adds a form token for a page opened a minute ago. */
  const buildEarlyForm = async (fields: Record<string, string>) => {
    const { createFormToken: formToken } = await import('../../schema/website/site/visit.ts');
    return { ...fields, form_token: formToken(app.main.ctx, Date.now() - 60_000) };
  };

  it('creates a lead, and shows a thank-you page', async () => {
    const response = await sendForm(
      await buildEarlyForm({ ...(await readFields()), message: 'a <b>b</b>\r\nc' }),
    );
    expect([response.status, response.headers.location]).toEqual([303, '/website/thanks']);
    expect(await visitText('/website/thanks')).toContain('Thank you');
    expect(await visitText('/website/thanks')).toContain('<a href="/">Go to the home page</a>');
    await publish('/', { published: false });
    for (const path of ['/website/thanks', '/contactus', '/nothing'])
      expect(await visitText(path), path).not.toContain('href="/"');
    await publish('/');
    expect(await readLeads()).toMatchObject([
      {
        name: 'A question',
        type: 'lead',
        contact_name: 'Vera Visitor',
        description: expect.stringMatching(/a &lt;b&gt;b&lt;\/b&gt;<br ?\/?>c/),
      },
    ]);
  });

  it('drops submissions that are too fast, fill a hidden field or contain an invalid token', async () => {
    const fields = await readFields();
    const trapped = await buildEarlyForm({ ...fields, homepage: 'http://spam.example' });
    expect((await sendForm(trapped)).status).toBe(303);
    const { createFormToken: formToken } = await import('../../schema/website/site/visit.ts');
    expect((await sendForm({ ...fields, form_token: formToken(app.main.ctx, Date.now()) })).status).toBe(303);
    expect((await sendForm({ ...fields, form_token: '1.made-up' })).status).toBe(400);
    expect(
      (await sendForm({ ...fields, form_token: formToken(otherTenant.ctx, Date.now() - 60_000) })).status,
    ).toBe(400);
    expect((await sendForm({ ...fields, form_token: formToken(app.main.ctx, 1_000) })).status).toBe(400);
    expect(await readLeads()).toHaveLength(1);
  });

  it('is sent to a mailbox if the website specifies one', async () => {
    await app.fileMail();
    const [mailbox] = await readJson('svc.mail.account', 'search_read', { fields: ['address'], limit: 1 });
    const [{ id }] = await readJson('website', 'search_read', { fields: ['id'] });
    for (const form_mailbox of ['nonsense', `A <${mailbox.address}>`]) {
      const body = { ids: [id], vals: { form_mailbox } };
      const response = await post(`${app.url}/json/2/website/write`, body, app.main.admin.key);
      expect([form_mailbox, response.text]).toEqual([
        form_mailbox,
        expect.stringContaining('is not an email address'),
      ]);
    }
    await readJson('website', 'write', { ids: [id], vals: { form_mailbox: mailbox.address } });
    const result = await sendForm(
      await buildEarlyForm({ ...(await readFields()), subject: 'To the mailbox' }),
    );
    expect(result.status).toBe(303);
    const { rows } = {
      rows: () =>
        app.runtime.db.rows<{ subject: string }>(
          sql`select subject from svc_mail_message where workspace_id = ${app.main.ctx.workspace.id}`,
        ),
    };
    await expect.poll(async () => (await rows()).map(({ subject }) => subject)).toContain('To the mailbox');
    expect(await readLeads()).toHaveLength(1);
  });

  it('cannot be submitted over GraphQL by a user', async () => {
    const document = `mutation {
      websiteFormSubmit(host: "${HOST}", fields: [{ name: "email", value: "vera@example.org" }])
    }`;
    const { errors } = await postGraphql(app, document, { key: app.main.user.key });
    expect(errors[0]).toMatchObject({ extensions: { code: 'FORBIDDEN' } });
    const check = '{ viewer { can(operations: ["websiteFormSubmit", "websiteVisit"]) } }';
    const { data } = await postGraphql(app, check, { key: app.main.user.key });
    expect(data.viewer.can).toEqual(['websiteVisit']);
  });

  it('is accepted only a limited number of times from one address', async () => {
    const fields = await buildEarlyForm({ ...(await readFields()), homepage: 'x' });
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++) statuses.push((await sendForm(fields)).status);
    expect(statuses.at(-1)).toBe(503);
  });
});

describe('website in another workspace', () => {
  it('omits alternate links from the sitemap if it has many languages', async () => {
    const { key } = otherTenant.admin;
    await queryGraph('mutation { websitePagePublish(url: "/") { id } }', {}, key);
    const ids = await readJson('res.lang', 'search', { domain: [['active', 'in', [true, false]]] }, key);
    expect(ids.length).toBeGreaterThan(MAX_SITEMAP_LANGUAGES);
    await readJson('res.lang', 'write', { ids, vals: { active: true } }, key);
    const map = (await visit('/sitemap.xml', {}, 'other.atrium.test')).text;
    expect(map).toContain('<loc>http://other.atrium.test/fr');
    expect(map).not.toContain('xhtml:link');
  });

  it('applies record rules on pages to designers and to the page list', async () => {
    const { key } = otherTenant.admin;
    const [model] = await readJson('ir.model', 'search', { domain: [['model', '=', 'website.page']] }, key);
    const rule = { name: 'r', model_id: model, domain_force: "[('url', '!=', '/contactus')]" };
    const [id] = await readJson('ir.rule', 'create', { vals_list: [rule] }, key);
    const { errors } = await postGraphql(app, 'mutation { websitePagePublish(url: "/contactus") { id } }', {
      key,
    });
    expect(errors[0]).toMatchObject({ extensions: { code: 'ACCESS_ERROR' } });
    const { websiteOutline } = await queryGraph('{ websiteOutline { pages { url } } }', {}, key);
    const urls = websiteOutline.pages.map(({ url }: { url: string }) => url);
    expect([urls.includes('/'), urls.includes('/contactus')]).toEqual([true, false]);
    await readJson('ir.rule', 'unlink', { ids: [id] }, key);
  });

  it('shows only its own pages', async () => {
    expect((await visit('/about-us', {}, 'other.atrium.test')).status).toBe(404);
    const { websites } = await queryGraph(
      '{ websites(first: 5) { nodes { id name } } }',
      {},
      otherTenant.admin.key,
    );
    expect(websites.nodes).toHaveLength(1);
    const { websitePages } = await queryGraph(
      '{ websitePages(first: 50) { nodes { url } } }',
      {},
      otherTenant.admin.key,
    );
    expect(websitePages.nodes.map(({ url }: { url: string }) => url)).not.toContain('/about-us');
  });
});
