import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromium, openTab, type Tab } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';

/** Text of the results pane, as an expression in the page. */
const RESPONSE =
  "(document.querySelector('.graphiql-response .view-lines')?.innerText ?? '').replaceAll('\\u00a0', ' ')";

const app = setUpApp();
let tab: Tab;

chromium.describe('GraphiQL in a browser', () => {
  beforeAll(async () => {
    tab = await openTab();
    await tab.open(`${app.url}/doc`);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const { password } = app.main.admin;
    const fields = new URLSearchParams({ workspace: 'main', login: 'admin', password }).toString();
    const init = { method: 'POST', headers: form, body: fields, redirect: 'manual' };
    await tab.run(`fetch('/login', ${JSON.stringify(init)}).then(() => true)`);
    await tab.open(`${app.url}/graphql`);
    await tab.until(`document.querySelectorAll('.graphiql-tab').length > 2`);
  });
  afterAll(() => tab?.close());

  const readTabNames = () =>
    tab.run<string[]>(
      `[...document.querySelectorAll('.graphiql-tab-button')].map((each) => each.textContent)`,
    );
  const readResponse = () => tab.run<string>(RESPONSE);
  const open = async (name: string) => {
    await tab.run(
      `[...document.querySelectorAll('.graphiql-tab-button')].find((each) => each.textContent === '${name}').click()`,
    );
    await tab.until(
      `document.querySelector('.graphiql-query-editor .view-lines')?.innerText.includes('${name}')`,
    );
  };
  const execute = () => tab.run(`document.querySelector('.graphiql-execute-button').click()`);
  /** A tab learns its operation name shortly after it opens, before a person could click. */
  const executeUntil = async (condition: string) => {
    do {
      await execute();
      await tab.until(`${condition} || ${RESPONSE}.includes('Cannot infer operation')`);
    } while ((await readResponse()).includes('Cannot infer operation'));
  };

  it('opens with operations for the workspace', async () => {
    expect(await readTabNames()).toEqual([
      'Contacts',
      'SendEmail',
      'CreateContact',
      'LeadsByStage',
      'ContactChanges',
    ]);
  });

  it('keeps the same operations after a reload', async () => {
    const before = await readTabNames();
    await tab.open(`${app.url}/graphql`);
    await tab.until(`document.querySelectorAll('.graphiql-tab').length > 2`);
    expect(await readTabNames()).toEqual(before);
  });

  it('shows the whole first operation', async () => {
    await open('Contacts');
    const fits = await tab.run(`(() => {
      const editor = document.querySelector('.graphiql-query-editor .monaco-scrollable-element');
      const lines = [...editor.querySelectorAll('.view-line')];
      const box = editor.getBoundingClientRect();
      const last = lines.at(-1).getBoundingClientRect();
      const widest = Math.max(...lines.map((line) => line.firstElementChild.getBoundingClientRect().right));
      return { lines: lines.length, isHigh: last.bottom <= box.bottom, isWide: widest <= box.right };
    })()`);
    expect(fits).toEqual({ lines: expect.any(Number), isHigh: true, isWide: true });
  });

  it.each(['Contacts', 'SendEmail', 'CreateContact', 'LeadsByStage'])(
    '%s runs without an error',
    async (name) => {
      await open(name);
      await executeUntil(`/"data"|"errors"/.test(${RESPONSE})`);
      expect(await readResponse()).not.toContain('"errors"');
    },
  );

  it('shows a new record in a running subscription', async () => {
    await open('ContactChanges');
    await executeUntil(`document.querySelector('.graphiql-execute-button[aria-label*="Stop"]') !== null`);
    // The button appears before the server has received the subscription, so the change is repeated.
    await tab.until(`fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'mutation { partnerCreate(input: { name: "Heard of" }) { id } }' }),
    })
      .then(() => new Promise((resolve) => setTimeout(resolve, 300)))
      .then(() => document.querySelector('.graphiql-response .view-lines')?.innerText.includes('Heard'))`);
    expect(await readResponse()).toContain('CREATED');
    await execute();
  });

  it('links to the other API references without violating the content security policy', async () => {
    const links = await tab.run<string[]>(
      `[...document.querySelectorAll('nav a, .sdl a')].map((a) => a.getAttribute('href'))`,
    );
    expect(links).toEqual([
      '/doc',
      '/graphql',
      '/api/v1/ui',
      '/dev/outbox',
      '/profile/agents',
      '/graphql/schema.graphql',
    ]);
    expect(tab.complaints).toEqual([]);
    const externalUrls = tab.requests.filter(
      (url) => !url.startsWith(app.url) && !/^(data|about|blob):/.test(url),
    );
    expect(externalUrls).toEqual([]);
  });
});
