import type { Page, Request } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { strings as en } from '../../web/src/i18n/en/shell.ts';
import { AREAS, PAGES } from '../../web/src/shell/pages.ts';
import { chromium } from '../doc/browser.ts';
import { post, setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { trackPages } from './browser.ts';

const app = setUpApp();

/** Occurs only in names of records that are visible only to administrators. */
const PLANTED = 'planted-7f3a';

const PASSWORD = 'a long password for each role';

const ROLES: [role: string, groups: string[], areas: string[]][] = [
  ['administrator', ['base.group_system'], ['mail', 'email', 'records', 'admin', 'website', 'profile']],
  ['mail user', ['base.group_user'], ['mail', 'records', 'profile']],
  ['sales user', ['base.group_user', 'sales_team.group_sale_salesman'], ['mail', 'records', 'profile']],
  [
    'website designer',
    ['base.group_user', 'website.group_website_designer'],
    ['mail', 'records', 'website', 'profile'],
  ],
  ['portal user', ['base.group_portal'], ['records', 'profile']],
];

/** Deep links below navigation entries. */
const BELOW: [entry: string, address: string][] = [
  ['/email/emails', '/email/emails?id=1'],
  ['/email/templates', '/email/templates/1'],
  ['/email/campaigns', '/email/campaigns/1'],
  ['/email/domains', '/email/domains/1'],
  ['/email/contacts', '/email/contacts/1'],
  ['/email/webhooks', '/email/webhooks/1'],
  ['/admin/apps', '/admin/apps/crm'],
  ['/admin/agents', '/admin/agents/1'],
  ['/admin/users', '/admin/users/1'],
  ['/admin/groups', '/admin/groups/1'],
  ['/website', '/website/pages/1'],
];

chromium.describe('navigation for each user role', () => {
  beforeAll(async () => {
    for (const [role, groups] of ROLES) await addUser(role.replace(' ', '-'), groups);
    for (const document of [
      `mutation { contactBookCreate(book: { name: "${PLANTED} book" }) { id } }`,
      `mutation { keyCreate(name: "${PLANTED} key", team: true) { id } }`,
      `mutation { domainAdd(name: "${PLANTED}.example") { id } }`,
      `mutation { suppressionAdd(email: "${PLANTED}@example.org") { email } }`,
      `mutation { websitePageCreate(name: "${PLANTED} page", addMenu: false) { id } }`,
    ])
      expect((await postGraphql(app, document, { key: app.main.admin.key })).errors, document).toEqual([]);
  });

  const openPage = trackPages(app);
  const call = async (method: string, body: object) => {
    const answer = await post(`${app.url}/json/2/${method}`, body, app.main.admin.key);
    expect(answer.status, answer.text).toBe(200);
    return answer.json();
  };

  async function addUser(login: string, groups: string[]): Promise<void> {
    const groupIds = await call('res.groups/search', { domain: [['external_id', 'in', groups]] });
    expect(groupIds).toHaveLength(groups.length);
    const vals = { login, name: login, password: PASSWORD, group_ids: [[6, 0, groupIds]] };
    await call('res.users/create', { vals_list: [vals] });
  }

  function listen(page: Page) {
    const observed = { refused: [] as string[], told: '', waiting: new Set<Request>() };
    const isAsked = (request: Request) =>
      request.url().endsWith('/graphql') && !request.headers().accept?.includes('text/event-stream');
    page.on('request', (request) => {
      if (isAsked(request)) observed.waiting.add(request);
    });
    page.on('requestfailed', (request) => observed.waiting.delete(request));
    page.on('requestfinished', async (request) => {
      if (!isAsked(request)) return;
      // After navigation, the response has no text.
      const text = await request
        .response()
        .then((response) => response!.text())
        .catch(() => '');
      if (text.includes('"errors":[')) observed.refused.push(`${page.url()}: ${text.slice(0, 300)}`);
      observed.told += text;
      observed.waiting.delete(request);
    });
    return observed;
  }

  const goWithin = (page: Page, address: string) =>
    page.evaluate((path) => {
      history.pushState(null, '', `/app${path}`);
      dispatchEvent(new PopStateEvent('popstate'));
    }, address);
  const waitUntilSettled = async (page: Page, observed: { waiting: ReadonlySet<Request> }) => {
    await page.locator('main h1').waitFor();
    await expect.poll(() => observed.waiting.size, { timeout: 20_000 }).toBe(0);
    await page.waitForTimeout(50);
    await expect.poll(() => observed.waiting.size, { timeout: 20_000 }).toBe(0);
  };

  it.each(ROLES)('opens each entry and explains denied pages as %s', async (role, _groups, areas) => {
    const { page } = await openPage('/app/profile/preferences', {
      login: role.replace(' ', '-'),
      password: PASSWORD,
    });
    const observed = listen(page);
    const rail = page.getByRole('navigation', { name: en.areasLabel });
    const links = rail.locator('a.rail-item:not(.bell)');
    expect(await links.allTextContents()).toEqual(
      AREAS.filter(({ name }) => areas.includes(name)).map(({ name }) => en.areas[name]),
    );
    const visibleEntries = new Set<string>();
    const open = async (address: string) => {
      await waitUntilSettled(page, observed);
      expect(await page.getByText(en.notAllowed).count(), address).toBe(0);
      expect(await page.getByText(en.failed).count(), address).toBe(0);
    };
    for (const area of await links.all()) {
      await area.click();
      await expect.poll(() => area.getAttribute('aria-current')).not.toBeNull();
      await open(page.url());
      const entries = page
        .getByRole('navigation', { name: en.pagesLabel })
        .locator('.page-link:not(.list-link)');
      const addresses = await entries.evaluateAll((all) => all.map((item) => item.getAttribute('href')!));
      visibleEntries.add(new URL((await area.getAttribute('href'))!, app.url).pathname.slice('/app'.length));
      for (const [index, address] of addresses.entries()) {
        await entries.nth(index).click();
        await open(address);
        visibleEntries.add(address.slice('/app'.length));
      }
    }
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: en.palette }).getByRole('option');
    await palette.first().waitFor();
    const offered = await palette.allTextContents();
    expect(offered).toEqual(
      AREAS.flatMap(({ name, pages }) =>
        pages
          .filter(({ to }) => visibleEntries.has(to))
          .map(({ label }) => `${en.areas[name]} › ${en.pages[label]}`),
      ),
    );
    await page.keyboard.press('Escape');
    expect(observed.refused).toEqual([]);
    if (role === 'administrator')
      expect([...visibleEntries].sort()).toEqual(PAGES.map(({ to }) => to).sort());
    observed.told = '';
    const closed = [
      ...PAGES.map(({ to }) => to).filter((to) => !visibleEntries.has(to)),
      ...BELOW.flatMap(([entry, address]) => (visibleEntries.has(entry) ? [] : [address])),
    ];
    for (const address of closed) {
      await goWithin(page, address);
      await page
        .getByText(en.notAllowed)
        .waitFor({ timeout: 10_000 })
        .catch(() => {
          throw new Error(`${address} does not say that it is not open`);
        });
      await waitUntilSettled(page, observed);
      expect(await page.locator('main').textContent(), address).toMatch(
        new RegExp(`^[^.]{1,40}${en.notAllowed}${en.notAllowedText}$`),
      );
    }
    expect(observed.told).not.toContain(PLANTED);
  });
});
