import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { signLink } from '../../src/engine/identity/signed-link.ts';
import { chromium, openTab, type Tab } from '../doc/browser.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const PHONE = 390;
const DESK = 1280;

const team = setUpTeam({ WEB: 'off' });
let tab: Tab;
let emailId: string;
let leaving: string;
let joining: string;

const HTML = `<html><head><title>x</title></head><body><h1>Hello</h1>
<script>parent.document.title = 'taken'; fetch('/api/health')</script>
<img src="http://127.0.0.1:9/pixel.png" alt=""><form action="/logout" method="post"><button>x</button></form></body></html>`;

async function createReaderLinks(): Promise<void> {
  const book = await team.book();
  const at = `/api/v1/contactBooks/${book}/contacts`;
  const { contactId } = (await team.ask('POST', at, { body: { email: 'reader@example.net' } })).json;
  const html = '<a href="{{usesend_unsubscribe_url}}">leave</a>';
  const body = { name: 'n', from: 'news@main.test', subject: 's', contactBookId: book, html, sendNow: true };
  await team.ask('POST', '/api/v1/campaigns', { body });
  await runDueCampaigns(team.runtime);
  const headers = await team.runtime.db.value<Record<string, string>>(
    sql`select headers from svc_email where workspace_id = ${team.main.ctx.workspace.id} and campaign_id is not null`,
  );
  leaving = new URL(headers['List-Unsubscribe']!.slice(1, -1)).href;
  const expires = Date.now() + 600_000;
  const { secretKey } = team.runtime.config;
  const { id, hash } = signLink(secretKey, 'subscribe', team.main.ctx.workspace.id, contactId, expires);
  joining = `${team.url}/subscribe?contactId=${id}&expiresAt=${expires}&hash=${hash}`;
}

chromium.describe('in a browser', () => {
  beforeAll(async () => {
    await team.deliver();
    await createReaderLinks();
    const email = {
      from: `Me <me@main.test>`,
      to: 'you@example.org',
      subject: 'A long subject '.repeat(8),
      html: HTML,
    };
    emailId = (await team.ask('POST', '/api/v1/emails', { body: email })).json.emailId;
    await until(async () => {
      const { json } = await team.ask('GET', `/api/v1/emails/${emailId}`);
      return json.latestStatus === 'DELIVERED';
    }, 'it is delivered');
    tab = await openTab();
  });
  afterAll(() => tab?.close());

  /** Pages for visitors who are not signed in. */
  const strangers: [string, () => string][] = [
    ['the first page', () => '/'],
    ['sign-in', () => '/login'],
    ['an address that is not there', () => '/nowhere/to/be/found'],
    ['unsubscribing, at the address of the header', () => leaving],
    ['subscribing', () => joining],
    ['the models, before sign-in', () => '/doc'],
    ['the email API', () => '/api/v1/ui'],
  ];
  const members: [string, () => string][] = [
    ['the first page', () => '/'],
    ['the outbox', () => '/dev/outbox'],
    ['an email as HTML', () => `/dev/outbox/${emailId}`],
    ['an email as text', () => `/dev/outbox/${emailId}?view=text`],
    ['the source of an email', () => `/dev/outbox/${emailId}?view=source`],
    ['the events of an email', () => `/dev/outbox/${emailId}?view=events`],
    ['GraphiQL', () => '/graphql'],
    ['the models', () => '/doc'],
    ['a model', () => '/doc/res.partner'],
  ];

  const READY: Record<string, string> = {
    '/api/v1/ui': '.opblock',
    // A highlighted word in the editor.
    '/graphql': '.view-line [class^="mtk"]:not(.mtk1)',
    '/doc': 'h1',
    '/doc/res.partner': '#method-search',
  };

  async function show(address: string): Promise<void> {
    const url = new URL(address, team.url);
    await tab.open(url.href);
    const ready = READY[url.pathname];
    if (ready) await tab.until(`!!document.querySelector(${JSON.stringify(ready)})`);
  }

  /** Content of third-party pages, which must have no serious violations. */
  const FOREIGN = '#ui, #root';

  const findViolations = () =>
    tab.run<
      string[]
    >(`${AXE}; axe.run({ exclude: [['iframe']].filter(([each]) => document.querySelector(each)) },
      { resultTypes: ['violations'], iframes: false }).then(({ violations }) =>
      violations.flatMap(({ id, impact, nodes }) => {
        const isMinor = impact === 'minor' || impact === 'moderate';
        const found = nodes.filter(({ target }) =>
          !(isMinor && document.querySelector(target[0])?.closest('${FOREIGN}')));
        return found.length === 0 ? [] : [id + ' (' + impact + '): ' + found.map(({ html, target }) => target + ' ' + html.slice(0, 120)).join(' | ')];
      }))`);

  async function check(address: string): Promise<void> {
    for (const width of [DESK, PHONE]) {
      for (const scheme of ['light', 'dark'] as const) {
        await tab.look(width, scheme);
        await show(address);
        const where = `${address} at ${width}, ${scheme}`;
        // Contrast depends on the color scheme and structure on the width, so two of the four combinations are
        // sufficient.
        if ((width === DESK) === (scheme === 'light')) expect(await findViolations(), where).toEqual([]);
        expect(await tab.run('document.documentElement.scrollWidth'), `${where} scrolls`).toBeLessThanOrEqual(
          width,
        );
        const [r, g, b] = await tab.run<number[]>(
          `getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number)`,
        );
        expect(r! + g! + b! < 384, `${where} is dark`).toBe(scheme === 'dark');
      }
    }
  }

  describe('page for visitors', () => {
    it.each(strangers)(
      'passes accessibility checks, fits a phone and supports dark mode: %s',
      (_name, address) => check(address()),
    );
  });

  describe('page for signed-in users', () => {
    beforeAll(async () => {
      await tab.look(DESK, 'light');
      await tab.open(`${team.url}/login`);
      const { password } = team.main.admin;
      await tab.run(
        `document.querySelector('#login').value = 'admin'; document.querySelector('#password').value = ${JSON.stringify(password)}; document.querySelector('form button').click()`,
      );
      await tab.until(`location.pathname === '/' && document.body?.textContent.includes('Signed in as')`);
    });

    it.each(members)(
      'passes accessibility checks, fits a phone and supports dark mode: %s',
      (_name, address) => check(address()),
    );

    it('fits GraphiQL into the window, and the fields of a model into a desktop window', async () => {
      await tab.look(DESK, 'light');
      await show('/graphql');
      expect(await tab.run('document.documentElement.scrollHeight <= innerHeight')).toBe(true);
      await show('/doc/res.partner');
      const overflowScript = `[...document.querySelectorAll('.wide')].filter((each) => each.scrollWidth > each.clientWidth).length`;
      expect(await tab.run(overflowScript)).toBe(0);
    });

    it('leaves a gap between the text and the border of cards', async () => {
      for (const address of ['/', '/dev/outbox', `/dev/outbox/${emailId}`]) {
        await show(address);
        const gaps = await tab.run<number[]>(`[...document.querySelectorAll('.card')].flatMap((card) =>
          [...card.querySelectorAll('a, th, strong')].map((each) =>
            each.getBoundingClientRect().left - card.getBoundingClientRect().left))`);
        expect(Math.min(...gaps), address).toBeGreaterThan(8);
      }
    });

    it('isolates the HTML of an email in a frame, without scripts or requests', async () => {
      const before = tab.requests.length;
      await show(`/dev/outbox/${emailId}`);
      await tab.until(
        `document.querySelector('iframe').contentWindow.length === 0 && document.title.includes('Atrium')`,
      );
      const requestedPaths = tab.requests.slice(before).map((url) => new URL(url).pathname);
      expect(requestedPaths.filter((path) => !path.startsWith('/dev/outbox'))).toEqual([]);
      expect(await tab.run(`document.title`)).toMatch(/^A long subject/);
      const opaque = `(() => { try { return document.querySelector('iframe').contentDocument } catch { return null } })()`;
      expect(await tab.run(opaque)).toBeNull();
    });
  });

  const LINKS = ['/', '/doc', '/graphql', '/api/v1/ui', '/dev/outbox', '/profile/agents'];

  it('shows a navigation bar that marks the current page', async () => {
    await tab.look(DESK, 'light');
    for (const path of LINKS) {
      await show(path);
      const links = await tab.run<string[]>(
        `[...document.querySelectorAll('.bar a')].map((a) => a.getAttribute('href'))`,
      );
      expect(links).toEqual(LINKS);
      const currentPage = await tab.run(
        `document.querySelector('.bar [aria-current]')?.getAttribute('href')`,
      );
      expect(currentPage).toBe(path);
    }
  });
});
