import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromium, openTab, type Tab } from '../doc/browser.ts';
import { post, setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const app = setUpApp();
let tab: Tab;

chromium.describe('in a browser', () => {
  beforeAll(async () => {
    await queryData(
      app,
      `mutation {
        home: websitePagePublish(url: "/") { id }
        contact: websitePagePublish(url: "/contactus") { id }
        redirect: websiteRedirectAdd(urlFrom: "/write-to-us", urlTo: "/contactus") { id }
      }`,
    );
    tab = await openTab();
  });
  afterAll(() => tab?.close());

  const getSiteUrl = () => `${app.url}/site/main`;

  it('lets a visitor use the menu and a redirect, and submit a form that creates a lead', async () => {
    await tab.open(`${getSiteUrl()}/`);
    expect(await tab.run('document.querySelector("h1").textContent')).toContain('Welcome to');
    await tab.run(
      '[...document.querySelectorAll("nav a")].find((a) => a.textContent === "Contact us").click()',
    );
    await tab.until('location.pathname === "/site/main/contactus" && document.readyState === "complete"');
    expect(await tab.run('document.querySelector("nav [aria-current]").textContent')).toBe('Contact us');
    // Marks the current page, because the link leads to the same URL.
    await tab.run(`window.isOld = true; location.href = ${JSON.stringify(`${getSiteUrl()}/write-to-us`)}`);
    await tab.until(
      '!window.isOld && location.pathname === "/site/main/contactus" && document.readyState === "complete"',
    );
    const opened = Number(await tab.run('document.querySelector("[name=form_token]").value.split(".")[0]'));
    for (const [name, value] of Object.entries({
      name: 'Vera Visitor',
      email: 'vera@example.org',
      subject: 'From the browser',
      message: 'Hello',
    }))
      await tab.run(`document.getElementById(${JSON.stringify(name)}).value = ${JSON.stringify(value)}`);
    // Forms that are submitted immediately are classified as spam.
    await tab.until(`Date.now() > ${opened + 2_100}`);
    await tab.run('document.querySelector("form button").click()');
    await tab.until('location.pathname === "/site/main/website/thanks"');
    const body = {
      domain: [['email_from', '=', 'vera@example.org']],
      fields: ['name', 'contact_name', 'description'],
    };
    const leads = (await post(`${app.url}/json/2/crm.lead/search_read`, body, app.main.admin.key)).json();
    expect(leads).toMatchObject([{ name: 'From the browser', contact_name: 'Vera Visitor' }]);
    expect(leads[0].description).toContain('Hello');
    expect(tab.complaints).toEqual([]);
  });

  it.each(['/', '/contactus', '/nothing', '/website/thanks'])(
    'passes accessibility checks, fits a phone and supports dark mode: %s',
    async (path) => {
      await tab.open(`${getSiteUrl()}${path}`);
      for (const [width, scheme] of [
        [1280, 'light'],
        [1280, 'dark'],
        [390, 'light'],
        [390, 'dark'],
      ] as const) {
        await tab.look(width, scheme);
        const where = `${path} at ${width}, ${scheme}`;
        const faults = await tab.run<string[]>(
          `${AXE}; axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
            violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`,
        );
        expect(faults, where).toEqual([]);
        expect(await tab.run('document.documentElement.scrollWidth'), where).toBeLessThanOrEqual(width);
        const [r, g, b] = await tab.run<number[]>(
          'getComputedStyle(document.body).backgroundColor.match(/[\\d.]+/g).map(Number)',
        );
        expect(r! + g! + b! < 384, where).toBe(scheme === 'dark');
      }
    },
  );
});
