import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, sendRequest } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { chromium, openTab, type Tab } from './browser.ts';

const run = promisify(execFile);

const app = setUpApp();
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-doc-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the documentation page', () => {
  it.each(['/doc', '/doc/', '/doc/index.html', '/doc/res.partner', '/doc/no.such'])(
    'serves %s to anonymous visitors, without external resources or private data',
    async (path) => {
      const { status, headers, text } = await sendRequest(app, 'GET', path, {
        authorization: 'Bearer wrong',
      });
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      });
      const nonce = /script-src 'nonce-([^']+)'/.exec(String(headers['content-security-policy']))![1];
      expect(headers['content-security-policy']).toMatch(/^default-src 'none';.*frame-ancestors 'none'$/);
      expect(headers['content-security-policy']).not.toMatch(/unsafe|https?:|\*/);
      for (const [tag] of text.matchAll(/<(script|link rel="stylesheet")[^>]*>/g))
        expect(tag).toContain(`nonce="${nonce}"`);
      expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
      expect(text).not.toContain('no.such');
    },
  );

  it('serves its assets with a long cache lifetime only for the referenced version', async () => {
    const { text } = await sendRequest(app, 'GET', '/doc');
    const [, version] = /src="\/doc\/assets\/(\w+)\/main.js"/.exec(text)!;
    const asset = await sendRequest(app, 'GET', `/doc/assets/${version}/main.js`);
    expect([asset.status, asset.headers['content-type'], asset.headers['cache-control']]).toEqual([
      200,
      'text/javascript; charset=utf-8',
      'public, max-age=31536000, immutable',
    ]);
    expect((await sendRequest(app, 'GET', '/doc/assets/old/main.js')).headers['cache-control']).toBe(
      'no-cache',
    );
    for (const name of ['nothing.js', '..%2Fdoor.ts', 'constructor'])
      expect((await sendRequest(app, 'GET', `/doc/assets/${version}/${name}`)).status).toBe(404);
  });
});

chromium.describe('in a browser', () => {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openTab();
  });
  afterAll(() => tab?.close());

  const buildText = (selector: string) => `document.querySelector(${JSON.stringify(selector)})?.textContent`;
  const click = (selector: string) => tab.run(`document.querySelector(${JSON.stringify(selector)}).click()`);

  async function setKey(key: string, path = '/doc'): Promise<void> {
    await tab.open(`${app.url}${path}`);
    await tab.until(`document.activeElement && document.querySelector('#key')`);
    await tab.run(`document.querySelector('#key').focus()`);
    await tab.type(key);
    await tab.press('Enter');
  }

  const openMethod = async (method: string) => {
    await tab.run(`document.querySelector('#method-${method}').open = true`);
    await tab.until(`document.querySelector('#method-${method} textarea')`);
  };

  const setArguments = (method: string, namedArgs: object) =>
    tab.run(`document.querySelector('#try-${method}').value = ${JSON.stringify(JSON.stringify(namedArgs))}`);

  async function readSnippet(method: string, label: string): Promise<string> {
    await tab.run(
      `[...document.querySelectorAll('#method-${method} button')].find((b) => b.textContent === '${label}').click()`,
    );
    await tab.until(`/opied|elected/.test(${buildText(`#method-${method} [role=status]`)})`);
    return tab.run(buildText(`#method-${method} pre[aria-label='The call as code']`));
  }

  it('asks a visitor for a key, and explains why a wrong one fails', async () => {
    await setKey('us_wrong');
    expect(await tab.until(buildText('main [role=alert]'))).toBe('Invalid apikey');
    expect(await tab.run(`document.querySelector('main a').getAttribute('href')`)).toBe('/login?next=%2Fdoc');
    expect(await tab.run(`document.querySelector('#models').hidden`)).toBe(true);
  });

  it('lists the models after a key is entered, and never persists the key', async () => {
    await setKey(app.main.user.key);
    await tab.until(`document.querySelectorAll('#found a').length > 3`);
    expect(await tab.run(buildText('#who'))).toContain('user in');
    const storage = await tab.run<string>(
      `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, document.documentElement.outerHTML])`,
    );
    expect(storage).not.toContain(app.main.user.key);
    expect(await tab.run(`document.querySelector('#key')`)).toBeNull();
  });

  it('supports search and navigation using only the keyboard', async () => {
    await tab.run(`document.querySelector('main').focus()`);
    await tab.press('/');
    await tab.until(`document.activeElement.id === 'search'`);
    await tab.type('partner has_access');
    await tab.until(`/has_access/.test(${buildText('#found')})`);
    await tab.press('ArrowDown');
    await tab.press('ArrowDown');
    await tab.until(`document.activeElement.getAttribute('href') === '/doc/res.partner#method-has_access'`);
    await tab.press('Enter');
    await tab.until(`document.querySelector('#method-has_access[open] textarea')`);
    expect(await tab.run('location.pathname + location.hash')).toBe('/doc/res.partner#method-has_access');
    await tab.until(`document.activeElement.tagName === 'SUMMARY'`);
    await tab.until(`document.title.startsWith('res.partner')`);
    await tab.run(`document.querySelector('#search').focus()`);
    await tab.press('Escape');
    await tab.until(`document.querySelectorAll('#found a').length > 3`);
  });

  it('shows the fields of a model as returned by fields_get', async () => {
    const fieldInfos = (await json2(app, 'res.partner/fields_get', {}, app.main.user.key)).json();
    const rowLabels = await tab.run<string[]>(
      `[...document.querySelectorAll('tr[id^=field-] td:first-child')].map((cell) => cell.textContent)`,
    );
    expect(rowLabels).toEqual(Object.keys(fieldInfos));
    const row = await tab.run(buildText('#field-parent_id'));
    expect(row).toContain('many2one');
    expect(await tab.run(`document.querySelector('#field-parent_id a').getAttribute('href')`)).toBe(
      '/doc/res.partner',
    );
  });

  it('runs a call through the JSON API and shows its status and response', async () => {
    await openMethod('search_count');
    await setArguments('search_count', { domain: [['name', '=', "It's"]] });
    await tab.run(`document.querySelector('#try-search_count').focus()`);
    await tab.press('Enter', { ctrl: true });
    expect(
      await tab.until(
        `/^Status/.test(${buildText('#method-search_count [role=status]')}) && ${buildText('#method-search_count [role=status]')}`,
      ),
    ).toMatch(/^Status 200 in \d+ ms$/);
    expect(await tab.run(buildText("#method-search_count pre[aria-label='Answer']"))).toBe('0');
    expect(tab.requests).toContain(`${app.url}/json/2/res.partner/search_count`);
  });

  it('shows an error with its status, and rejects arguments that are not an object', async () => {
    await setArguments('search_count', { domain: [['nonsense', '=', 1]] });
    await click('#method-search_count form button');
    await tab.until(`/^Status 422/.test(${buildText('#method-search_count [role=status]')})`);
    expect(await tab.run(buildText("#method-search_count pre[aria-label='Answer']"))).toContain('nonsense');
    await tab.run(`document.querySelector('#try-search_count').value = '[1'`);
    await click('#method-search_count form button');
    expect(await tab.until(buildText('#method-search_count [role=alert]'))).toMatch(/JSON|array/);
  });

  describe('copied code samples', () => {
    const namedArgs = {
      domain: [['name', 'not in', ['It\'s "so" $HOME \\ `x`\n', 'é', '😀']]],
      fields: ['id', 'name'],
      limit: 2,
      order: 'id',
    };
    let expectedValue: unknown;
    beforeAll(async () => {
      expectedValue = (await json2(app, 'res.partner/search_read', namedArgs, app.main.user.key)).json();
      expect(expectedValue).toHaveLength(2);
      await openMethod('search_read');
      await setArguments('search_read', namedArgs);
    });
    const buildEnv = () => ({ ...process.env, API_KEY: app.main.user.key });

    it('run in a shell with curl', async () => {
      const command = await readSnippet('search_read', 'curl');
      expect(command).not.toContain(app.main.user.key);
      expect(JSON.parse((await run('sh', ['-c', command], { env: buildEnv() })).stdout)).toEqual(
        expectedValue,
      );
    });

    it('run in Python', async () => {
      const code = await readSnippet('search_read', 'Python');
      const program = `${code}import json\nprint(json.dumps(answer))\n`;
      const { stdout } = await run('python3', ['-c', program], { env: buildEnv() });
      expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual(expectedValue);
    });

    it('run in TypeScript', async () => {
      const file = join(folder, 'call.mts');
      writeFileSync(
        file,
        `${await readSnippet('search_read', 'TypeScript')}console.log(JSON.stringify(answer));\n`,
      );
      const { stdout } = await run(process.execPath, [file], { env: buildEnv() });
      expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toEqual(expectedValue);
    });

    it('run in GraphQL', async () => {
      const document = await readSnippet('search_read', 'GraphQL');
      expect(document).toContain('recordSearchRead');
      const { data } = await postGraphql(app, document, { key: app.main.user.key });
      expect(Object.values(data)).toEqual([expectedValue]);
    });

    it('run in Python for a method on records', async () => {
      await openMethod('read');
      await setArguments('read', { ids: [(expectedValue as { id: number }[])[0]!.id], fields: ['name'] });
      const { stdout } = await run('python3', ['-c', await readSnippet('read', 'Python')], {
        env: buildEnv(),
      });
      expect(stdout).toContain("'name': ");
    });
  });

  it('reports a nonexistent model', async () => {
    await setKey(app.main.user.key, '/doc/no.such');
    expect(await tab.until(buildText('main [role=alert]'))).toContain("'no.such' does not exist");
    expect(await tab.run(`document.querySelector('#models').hidden`)).toBe(false);
  });

  it('needs no key if the visitor has a session at the same URL', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const fields = new URLSearchParams({
      workspace: 'main',
      login: 'admin',
      password: app.main.admin.password,
    });
    await tab.run(
      `fetch('/login', { method: 'POST', headers: ${JSON.stringify(form)}, body: ${JSON.stringify(fields.toString())}, redirect: 'manual' }).then(() => true)`,
    );
    await tab.open(`${app.url}/doc/res.partner#method-search_count`);
    await tab.until(`document.querySelector('#method-search_count[open] textarea')`);
    expect(await tab.run(buildText('#who'))).toContain('admin in');
    await click('#method-search_count form button');
    await tab.until(`/^Status 200/.test(${buildText('#method-search_count [role=status]')})`);
    expect(tab.requests).toContain(`${app.url}/doc/call/res.partner/search_count`);
  });

  it('sends only the key, and not a session that may belong to another user', async () => {
    await tab.run(
      `import(document.querySelector('script').src.replace('main.js', 'api.js')).then((api) => api.setKey(${JSON.stringify(app.main.user.key)}))`,
    );
    await click('#method-search_count form button');
    await tab.until(`/^Status 200/.test(${buildText('#method-search_count [role=status]')})`);
    expect(tab.requests.at(-1)).toBe(`${app.url}/json/2/res.partner/search_count`);
    expect(
      await tab.run(
        `import(document.querySelector('script').src.replace('main.js', 'api.js')).then((api) => api.loadCaller()).then((who) => who.viewer.login)`,
      ),
    ).toBe('user');
  });

  it('makes no external request and does not violate the content security policy', () => {
    const externalUrls = tab.requests.filter(
      (url) => !url.startsWith(app.url) && !/^(data|about):/.test(url),
    );
    expect(externalUrls).toEqual([]);
    expect(tab.complaints).toEqual([]);
  });

  it('blocks injected scripts', async () => {
    await tab.run(
      `(() => { const script = document.createElement('script'); script.textContent = 'window.foreign = true'; document.body.append(script); })()`,
    );
    expect(await tab.run('window.foreign')).toBeUndefined();
    await expect.poll(() => tab.complaints.join()).toContain('Content Security Policy');
  });
});
