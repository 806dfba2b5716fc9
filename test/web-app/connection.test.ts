import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { strings } from '../../web/src/i18n/en/shell.ts';
import { AREAS, PAGES } from '../../web/src/shell/pages.ts';
import { chromium } from '../doc/browser.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { trackPages, type Visitor } from './browser.ts';

const app = setUpApp();
let line: Line;
/** The application behind the line. */
const behindLine = {} as App;
let lead: number;

/** A proxy to the application. While it is stopped, it refuses connections like a killed server. */
interface Line {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

async function startLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const start = async () => {
    if (server?.listening) return;
    server = createServer((client) => {
      const upstream = connect(target, '127.0.0.1');
      for (const [socket, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => sockets.delete(socket) && other.destroy());
        socket.pipe(other);
      }
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(port, '127.0.0.1', resolve);
    await promise;
    port = (server.address() as { port: number }).port;
  };
  const stop = async () => {
    const closed = new Promise((resolve) => server?.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await start();
  return { url: `http://127.0.0.1:${port}`, start, stop };
}

/** All screens in the navigation, and some others. */
const SCREENS = [
  ...PAGES.map(({ to }) => to),
  '/mail/settings/rules',
  '/mail/scheduled',
  '/records/crm.lead',
  '/records/crm.lead?view=kanban',
  '/records/crm.lead/import',
  '/records/crm.lead/new',
  '/records/crm.lead/1',
];

/** Areas that work without the server, because other areas load their files. */
const LOADED_AREAS: readonly string[] = ['mail', 'records'];

/** Returns the label of an area that the page has not loaded. */
function getOtherArea(path: string) {
  const area = AREAS.find(({ name }) => !path.startsWith(`/${name}`) && !LOADED_AREAS.includes(name))!;
  return strings.areas[area.name];
}

/** Disables the HTTP cache, because areas that earlier tests opened would load from it without the server. */
async function disableHttpCache(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
}

/** Matches browser messages about requests that fail while the server is down. */
const isExpected = (complaint: string) =>
  /ERR_(?:CONNECTION|EMPTY|INCOMPLETE|INTERNET|NETWORK|SOCKET)/.test(complaint);

chromium.describe('the application while the server is unreachable', () => {
  beforeAll(async () => {
    line = await startLine(app.port);
    Object.assign(behindLine, app, { url: line.url });
    lead = Number(await createJsonClient(app).create('crm.lead', { name: 'Kept' }));
  });
  afterAll(() => line?.stop());

  afterEach(() => line.start());

  const openUrl = trackPages(behindLine);
  const openPage = async (path: string): Promise<Visitor> => {
    const visitor = await openUrl(`/app${path}`);
    await disableHttpCache(visitor.page);
    return visitor;
  };

  const expectNoOtherComplaint = ({ complaints }: Visitor) =>
    expect(complaints.splice(0).filter((item) => !isExpected(item))).toEqual([]);

  const CUTS: [string, (page: Page) => { cut(): Promise<void>; mend(): Promise<void> }][] = [
    ['server is killed', () => ({ cut: line.stop, mend: line.start })],
    [
      'network is cut',
      (page) => ({
        cut: () => page.context().setOffline(true),
        mend: () => page.context().setOffline(false),
      }),
    ],
  ];

  for (const [label, prepare] of CUTS)
    it.each(SCREENS)(`keeps %s open when the ${label}, and can navigate afterwards`, async (path) => {
      const visitor = await openPage(path.replace('/1', `/${lead}`));
      const { page } = visitor;
      const { cut, mend } = prepare(page);
      await page.evaluate('window.isSame = true');
      await page.locator('.loading, [aria-busy=true]').first().waitFor({ state: 'detached' });
      const input = page.locator('main input:not([type]):visible, main input[type=text]:visible').first();
      const hasInput = (await input.count()) > 0 && (await input.isEditable());
      const title = await page.textContent('.screen h1');
      await cut();
      if (hasInput) await input.fill('kept');
      const area = getOtherArea(path);
      await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area }).click();
      const question = page.getByRole('button', { name: strings.stay });
      const banner = page.locator('.connection-banner').getByText(/No connection|You.re offline/);
      await banner.or(question).first().waitFor();
      if (await question.isVisible()) {
        await question.click();
        expect(await input.inputValue()).toBe('kept');
        await page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area }).click();
        await page.getByRole('button', { name: strings.leave }).click();
      }
      await banner.waitFor();
      const link = page.getByRole('navigation', { name: 'Areas' }).getByRole('link', { name: area });
      expect(await link.getAttribute('aria-current')).toBeNull();
      if (hasInput) expect(await input.inputValue()).toBe('kept');
      await mend();
      await banner.waitFor({ state: 'detached' });
      await expect.poll(() => page.textContent('h1')).not.toBe(title);
      expect(await page.evaluate('window.isSame')).toBe(true);
      expectNoOtherComplaint(visitor);
    });

  it.each([
    ['its files', /^$/, 'Atrium could not be loaded. Trying again…'],
    ['its data', /\/assets\//, strings.connectionLost],
  ])(
    'shows a message if a page cannot load %s, and opens the page once the server responds',
    async (_, servedExp, text) => {
      const visitor = await openPage('/profile/preferences');
      const { page } = visitor;
      await page.route('**', (route, request) =>
        request.isNavigationRequest() || servedExp.test(request.url()) ? route.continue() : route.abort(),
      );
      await page.reload();
      await page.getByText(text).waitFor();
      await page.unroute('**');
      await page.getByRole('heading', { name: 'Preferences' }).waitFor();
      expect(await page.getByText(text).count()).toBe(0);
      expect(visitor.complaints.splice(0).filter((item) => !/ERR_FAILED/.test(item))).toEqual([]);
    },
  );

  const isFile = (url: URL) => url.pathname.startsWith('/app/assets/');
  const isGraphql = (url: URL) => url.pathname === '/graphql';
  const badGateway = { status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' };

  it.each<[string, (url: URL) => boolean, (route: Route) => Promise<void>]>([
    ['files are missing', isFile, (route) => route.fulfill({ status: 404, body: 'not found' })],
    ['files cannot be read', isFile, (route) => route.fulfill({ status: 500, body: 'failed' })],
    [
      'files are replaced by a page',
      isFile,
      (route) => route.fulfill({ contentType: 'text/html', body: '<p>' }),
    ],
    ['file requests are cut', isFile, (route) => route.abort('connectionreset')],
    ['queries are cut', isGraphql, (route) => route.abort('connectionreset')],
    ['queries get no upstream', isGraphql, (route) => route.fulfill(badGateway)],
  ])('shows a banner and retries without a reload if %s', async (_, isFailing, fail) => {
    const visitor = await openPage('/email/templates');
    const { page } = visitor;
    await page.evaluate('window.isSame = true');
    await page.route(isFailing, fail);
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.locator('.connection-banner').getByText(strings.retrying).waitFor();
    expect(await page.textContent('h1')).toMatch(/^(?:Templates|Users)$/);
    await page.unroute(isFailing);
    await page.getByText(/seats? used/).waitFor();
    await page.locator('.connection-banner:empty').waitFor({ state: 'attached' });
    expect(await page.evaluate('window.isSame')).toBe(true);
    visitor.complaints.splice(0);
  });

  it.each([true, false])(
    'reloads for a missing file of a new build, but not with unsaved input (%s)',
    async (isDirty) => {
      const visitor = await openPage('/profile/me');
      const { page } = visitor;
      if (isDirty) await page.getByLabel('Phone').fill('+49 30 1');
      await page.route(isFile, (route) => route.fulfill({ status: 404, body: 'not found' }));
      await page.route('**/app/', (route) =>
        route.fulfill({ contentType: 'text/html', body: 'another build' }),
      );
      const reloaded = isDirty ? undefined : page.waitForEvent('domcontentloaded');
      await page.getByRole('link', { name: 'Admin', exact: true }).hover();
      if (isDirty) {
        await page.locator('.connection-banner').getByText(strings.newBuild).waitFor();
        expect(await page.getByLabel('Phone').inputValue()).toBe('+49 30 1');
      }
      await reloaded;
      await page.unrouteAll();
      await page.goto('/app/profile/preferences');
      await page.getByRole('heading', { name: 'Preferences' }).waitFor();
      visitor.complaints.splice(0);
    },
  );

  it('keeps the input of a form while the server is unreachable, and then saves it', async () => {
    const visitor = await openPage(`/records/crm.lead/${lead}`);
    const { page } = visitor;
    await page.getByLabel('Opportunity').fill('Kept and changed');
    await line.stop();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('.connection-banner button').waitFor();
    expect(await page.getByLabel('Opportunity').inputValue()).toBe('Kept and changed');
    await line.start();
    await page.getByRole('heading', { name: 'Kept and changed' }).waitFor();
    expectNoOtherComplaint(visitor);
  });

  it('keeps the input of a dialog while the user signs in again', async () => {
    const visitor = await openPage('/admin/users');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create user' }).click();
    const form = page.getByRole('dialog', { name: 'Create user' });
    await form.getByLabel('Login').fill('kept-user');
    await form.getByLabel('Name', { exact: true }).fill('Kept User');
    await page.context().clearCookies();
    await form.getByRole('button', { name: 'Create' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Your password').fill(app.main.admin.password);
    await page.keyboard.press('Escape');
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('**/app/admin/users/*');
    await page.getByRole('heading', { name: 'Kept User' }).waitFor();
    expectNoOtherComplaint(visitor);
  });

  it('continues after the user signs in on another tab', async () => {
    const visitor = await openPage('/profile/me');
    const { page } = visitor;
    await page.getByLabel('Phone').fill('+49 30 5678');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await page.request.post('/login', {
      form: { workspace: 'main', login: 'admin', password: app.main.admin.password, next: '/app' },
      headers: { origin: line.url },
      maxRedirects: 0,
    });
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await page.getByText('Profile saved.').waitFor();
    expect(await dialog.count()).toBe(0);
    expectNoOtherComplaint(visitor);
  });

  it('changes the language once the server responds', async () => {
    const visitor = await openPage('/profile/preferences');
    const { page } = visitor;
    await line.stop();
    await page.getByLabel('Language', { exact: true }).selectOption('de');
    await page.locator('.connection-banner button').waitFor();
    expect(await page.textContent('h1')).toBe('Preferences');
    await line.start();
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    expectNoOtherComplaint(visitor);
  });
});
