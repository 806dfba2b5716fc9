import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { ERAS, switchMcp } from '../harness/facades/mcp.ts';

const app = setUpApp();

beforeAll(() => switchMcp(app, app.main, true));

const ARCH = '<t t-call="website.layout"><section class="inner"><h1>Our story</h1></section></t>';

const visit = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${app.url}/site/main${path}`, { redirect: 'manual', headers: { accept: 'text/html', ...headers } });

describe.each(Object.entries(ERAS))('tools of the %s protocol era', (era, callTool) => {
  const call = (name: string, args: object = {}, key = app.main.admin.key) => callTool(app, key, name, args);
  const callOk = async (name: string, args: object = {}) => {
    const result = await call(name, args);
    expect(result).toMatchObject({ isError: false });
    expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
    return result.structuredContent;
  };
  const name = `Story ${era}`;
  const url = `/story-${era}`;

  it('website_pages lists the pages of a website', async () => {
    const { website, pages, _count } = await callOk('website_pages');
    expect(website).toEqual({
      id: expect.any(Number),
      name: expect.any(String),
      domain: null,
      address: expect.stringMatching(/^http.*\/site\/main~\d+$/),
    });
    expect(_count).toBe(pages.length);
    expect(pages).toContainEqual({
      id: expect.any(Number),
      url: '/contactus',
      name: 'Contact Us',
      view_id: expect.any(Number),
      published: false,
      indexed: true,
      in_menu: true,
      website_specific: false,
    });
  });

  it('website_new_page creates an unpublished page with a menu entry', async () => {
    const { created, _count } = await callOk('website_new_page', { name });
    expect(_count).toBe(1);
    expect(created).toMatchObject({ url, name, published: false, website_specific: true });
    expect(created.menu_id).toEqual(expect.any(Number));
    expect((await visit(url)).status).toBe(404);
    const bare = await callOk('website_new_page', { name, add_menu: false, published: true });
    expect(bare.created).toMatchObject({ url: `${url}-1`, menu_id: null, published: true });
    expect((await visit(`${url}-1`)).status).toBe(200);
    const { pathname } = new URL(bare.created.address);
    expect((await fetch(app.url + pathname)).status).toBe(200);
    expect(pathname).toMatch(new RegExp(`^/site/main~\\d+${url}-1$`));
    expect(await call('website_new_page', { name, template: 'website.none' })).toMatchObject({
      isError: true,
    });
  });

  it('website_edit_page replaces the markup of a page, and reports the position of invalid markup', async () => {
    const edited = await callOk('website_edit_page', { arch: ARCH, url });
    expect(edited).toEqual({
      page_id: expect.any(Number),
      url,
      view_id: expect.any(Number),
      website_specific: true,
      _count: 1,
    });
    await callOk('website_publish', { page_id: edited.page_id });
    expect(await (await visit(url)).text()).toContain('<h1>Our story</h1>');
    const result = await call('website_edit_page', { arch: '<div>\n  <p>\n</div>', url });
    expect(result.content[0]!.text).toMatch(/line 3, column \d+/);
    for (const arch of ['<p onclick="x()"/>', '<script>x</script>', '<a href="javascript:x">x</a>'])
      expect((await call('website_edit_page', { arch, url })).content[0]!.text).toMatch(/only where scripts/);
    expect(await (await visit(url)).text()).toContain('<h1>Our story</h1>');
  });

  it('website_publish publishes and unpublishes a page, and hides it from search engines', async () => {
    const result = await callOk('website_publish', { url, indexed: false });
    expect(result).toMatchObject({
      page_id: expect.any(Number),
      url,
      address: expect.stringMatching(new RegExp(`/site/main~\\d+${url}$`)),
      published: true,
      indexed: false,
      _count: 1,
    });
    const both = await call('website_publish', { url, page_id: result.page_id });
    expect(both.content[0]!.text).toContain('url and page_id cannot be combined.');
    expect(await (await visit(url)).text()).toContain('noindex');
    expect(await callOk('website_publish', { url, published: false })).toMatchObject({ indexed: false });
    expect((await visit(url)).status).toBe(404);
    expect(await callOk('website_publish', { url, indexed: true })).toMatchObject({ published: true });
    expect(await (await visit(url)).text()).not.toContain('noindex');
  });

  it('website_menu lists the menu and adds entries', async () => {
    const added = await callOk('website_menu', { name: `Menu ${era}`, url, sequence: 5, new_window: true });
    expect(added).toEqual({ menu_id: expect.any(Number), name: `Menu ${era}`, url, _count: 1 });
    const below = await callOk('website_menu', {
      name: 'Below',
      url: 'https://example.org',
      parent_id: added.menu_id,
    });
    const { menus, _count } = await callOk('website_menu', { list: true });
    expect(_count).toBe(menus.length);
    expect(menus.find(({ id }: { id: number }) => id === added.menu_id)).toMatchObject({
      url,
      sequence: 5,
      new_window: true,
      page_id: expect.any(Number),
    });
    expect(await (await visit(url)).text()).toContain(`target="_blank">Menu ${era}</a>`);
    const expectError = async (args: object) => (await call('website_menu', args)).content[0]!.text;
    expect(await expectError({ name: 'x' })).toMatch(/a name and a url/);
    expect(await expectError({ name: 'x', url: 'javascript:alert(1)' })).toMatch(/not a valid URL/);
    expect(await expectError({ name: 'x', url: '/', parent_id: below.menu_id })).toMatch(/two levels/);
  });

  it('website_redirect redirects a URL without a page to another URL', async () => {
    const from = `/old-${era}`;
    const redirect = await callOk('website_redirect', { url_from: from, url_to: url });
    expect(redirect).toEqual({
      rewrite_id: expect.any(Number),
      url_from: from,
      url_to: url,
      type: '301',
      _count: 1,
    });
    const movedResponse = await visit(from);
    expect([movedResponse.status, movedResponse.headers.get('location')]).toEqual([301, `/site/main${url}`]);
    await callOk('website_redirect', {
      url_from: `${from}-2`,
      url_to: 'https://example.org/x',
      redirect_type: 302,
    });
    const response = await visit(`${from}-2`);
    expect([response.status, response.headers.get('location')]).toEqual([302, 'https://example.org/x']);
    expect(await call('website_redirect', { url_from: url, url_to: url })).toMatchObject({ isError: true });
  });

  it('are available only to website designers', async () => {
    for (const tool of [
      'website_pages',
      'website_new_page',
      'website_edit_page',
      'website_publish',
      'website_menu',
    ])
      expect((await call(tool, { name: 'x', arch: '<t/>' }, app.main.user.key)).isError).toBe(true);
  });

  it('website_menu lists the menu for a key with only read access', async () => {
    const key = app.main.readOnlyKey;
    expect(await call('website_menu', { list: true }, key)).toMatchObject({ isError: false });
    const added = await call('website_menu', { name: 'x', url: '/x' }, key);
    expect([added.isError, added.content[0]!.text]).toEqual([true, expect.stringMatching(/write/)]);
  });

  it('can read page markup as data, but not write it', async () => {
    const [view] = (await callOk('search', { model: 'ir.ui.view', fields: ['key', 'arch'], limit: 1 }))
      .records;
    expect(view.arch).toContain('<');
    const expectError = async (tool: string, args: object) =>
      expect(await call(tool, args)).toMatchObject({ isError: true });
    await expectError('update', { model: 'ir.ui.view', ids: [view.id], values: { arch: '<p/>' } });
    await expectError('create', { model: 'ir.ui.view', values: { name: 'x', arch: '<p/>' } });
    await expectError('delete', { model: 'ir.ui.view', ids: [view.id], confirm: true });
    const [page] = (await callOk('search', { model: 'website.page', fields: ['arch'], limit: 1 })).records;
    await expectError('update', { model: 'website.page', ids: [page.id], values: { arch: '<p/>' } });
    const after = (await callOk('get', { model: 'ir.ui.view', ids: [view.id], fields: ['arch'] })).records[0];
    expect(after.arch).toBe(view.arch);
  });
});

it('GraphQL mutations return typed results to designers, and reject other users', async () => {
  const document = `mutation($arch: String!) {
    websiteMarkupSet(url: "/contactus", arch: $arch) { id url isPublished website { id } view { arch } }
  }`;
  const data = await queryData(app, document, { variables: { arch: ARCH } });
  expect(data.websiteMarkupSet).toMatchObject({
    url: '/contactus',
    isPublished: false,
    view: { arch: ARCH },
  });
  expect(data.websiteMarkupSet.website.id).toBeTruthy();
  const response = await postGraphql(app, document, { key: app.main.user.key, variables: { arch: ARCH } });
  expect(response.errors[0]).toMatchObject({ extensions: { code: 'ACCESS_ERROR' } });
});
