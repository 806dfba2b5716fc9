import { describe, expect, it } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData, sendRequest } from '../harness/facades/graphql.ts';
import { signInWeb } from '../harness/facades/web.ts';

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });

const queryGraph = (document: string, variables: object = {}, key = app.main.admin.key) =>
  postGraphql(app, document, { key, variables });

const runDone = async (document: string, variables: object = {}) =>
  Object.values(await queryData(app, document, { variables }))[0];

const CREATE = `mutation ($name: String!, $url: String) {
  websitePageCreate(name: $name, url: $url, published: true) { id url menus { nodes { url } } }
}`;
const MARKUP = `query ($id: ID!, $lang: String) {
  websitePageMarkup(pageId: $id, lang: $lang) {
    pageId arch lang hasOwn version isCopy title languages { code name }
  }
}`;
const SET = `mutation ($id: ID!, $arch: String!, $lang: String, $version: Int) {
  websiteMarkupSet(pageId: $id, arch: $arch, lang: $lang, expectedVersion: $version) { id }
}`;

const buildPage = (inner: string) => `<t t-call="website.layout"><section>${inner}</section></t>`;
const createPage = async (name: string): Promise<string> => (await runDone(CREATE, { name })).id;

describe('website page', () => {
  it('is created at the requested path, with a menu entry', async () => {
    const created = await runDone(CREATE, { name: 'About us', url: 'company/about/' });
    expect(created).toMatchObject({ url: '/company/about', menus: { nodes: [{ url: '/company/about' }] } });
    const repeatedResponse = await queryGraph(CREATE, { name: 'About us', url: '/company/about' });
    expect(repeatedResponse.errors[0]).toMatchObject({ extensions: { code: 'NOT_UNIQUE', argument: 'url' } });
    const response = await queryGraph(CREATE, { name: 'About us', url: '/a b' });
    expect(response.errors[0]).toMatchObject({ extensions: { code: 'VALIDATION', argument: 'url' } });
  });

  it('is edited per language, and rejects a change based on an outdated version', async () => {
    const id = await createPage('Edited');
    const readMarkup = (lang?: string) => runDone(MARKUP, { id, lang });
    expect(await readMarkup()).toMatchObject({
      pageId: id,
      version: 0,
      hasOwn: true,
      isCopy: false,
      lang: 'en_US',
    });
    await runDone(SET, { id, arch: buildPage('<p>one</p>'), version: 0 });
    expect(await readMarkup()).toMatchObject({ version: 2, arch: buildPage('<p>one</p>') });
    const lateUpdate = await queryGraph(SET, { id, arch: buildPage('<p>late</p>'), version: 0 });
    expect(lateUpdate.errors[0]).toMatchObject({
      extensions: { code: 'STALE', argument: 'expectedVersion' },
    });
    expect(await readMarkup()).toMatchObject({ version: 2 });
    await runDone('mutation ($id: ID!) { websitePageUpdate(pageId: $id, title: "Of us") { id } }', { id });
    expect(await readMarkup()).toMatchObject({ title: 'Of us' });
  });

  it('is marked as a copy of a shared page until it is reset', async () => {
    const { websiteOutline } = (
      await queryGraph('{ websiteOutline { pages { id url changedAt visibility } } }')
    ).data as {
      websiteOutline: { pages: { id: string; url: string; changedAt: string; visibility: null }[] };
    };
    const contact = websiteOutline.pages.find(({ url }) => url === '/contactus')!;
    expect(Date.parse(contact.changedAt)).toBeGreaterThan(0);
    expect(await runDone(MARKUP, { id: contact.id })).toMatchObject({ isCopy: false, version: 0 });
    await runDone(SET, { id: contact.id, arch: buildPage('<p>mine</p>'), version: 0 });
    const copy = await runDone(MARKUP, { id: contact.id });
    expect(copy).toMatchObject({ isCopy: true });
    expect(copy.pageId).not.toBe(contact.id);
    // An editor who still shows the shared page has not seen the copy.
    const lateUpdate = await queryGraph(SET, { id: contact.id, arch: buildPage('<p>late</p>'), version: 0 });
    expect(lateUpdate.errors[0]).toMatchObject({
      extensions: { code: 'STALE', argument: 'expectedVersion' },
    });
    await runDone('mutation ($id: ID!) { websitePageReset(pageId: $id) { id } }', { id: copy.pageId });
    expect(await runDone(MARKUP, { id: contact.id })).toMatchObject({ isCopy: false, pageId: contact.id });
  });

  it('hides its markup from users who are not designers', async () => {
    const id = await createPage('Closed');
    const { errors } = await queryGraph(MARKUP, { id }, app.main.user.key);
    expect(errors[0]).toMatchObject({ extensions: { code: 'ACCESS_ERROR' } });
  });
});

describe('page preview', () => {
  const post = (body: string, headers: Record<string, string>, path = '/site/main/website/preview') =>
    sendRequest(app, 'POST', path, { 'content-type': 'text/plain', ...headers }, body);

  it("includes the website's styles if the website has no host of its own", async () => {
    const { body } = await runDone('query ($arch: String!) { websitePagePreview(arch: $arch) { body } }', {
      arch: buildPage('<p>Draft</p>'),
    });
    expect(body).toMatch(/href="\/site\/main~\d+\/website\/theme\.css"/);
  });

  it('returns the posted HTML in a sandbox without scripts', async () => {
    const cookie = await signInWeb(app);
    const response = await post('html=<html><head><title>T</title></head><p>é</p></html>', { cookie });
    expect([response.status, response.text]).toEqual([
      200,
      expect.stringMatching(/^<html><head><base .*<p>é<\/p>/),
    ]);
    expect(response.headers['content-security-policy']).toMatch(
      /^sandbox (?!.*allow-scripts).*default-src 'none'/,
    );
    expect(response.headers['content-security-policy']).not.toContain('script-src');
  });

  it('accepts only requests by workspace users from pages of this server', async () => {
    const cookie = await signInWeb(app);
    expect((await post('html=x', {})).status).toBe(401);
    expect((await post('html=x', { cookie, origin: 'http://evil.example' })).status).toBe(403);
    expect((await post('html=x', { cookie }, '/site/other/website/preview')).status).toBe(401);
    expect((await post('x', { cookie })).status).toBe(400);
  });
});
