import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import {
  expectFaultless,
  findViolations,
  openAnonymous,
  startBrowser,
  trackPages,
  trackVisitors,
} from './browser.ts';

const app = setUpApp();
const visitors = trackVisitors();

chromium.describe('the application shell in the browser', () => {
  const openPage = trackPages(app);

  it('redirects a visitor to the requested URL after sign-in', async () => {
    const visitor = await openAnonymous(await startBrowser(), app);
    visitors.push(visitor);
    await visitor.page.goto('/app/profile/preferences');
    expect(new URL(visitor.page.url()).pathname).toBe('/login');
    await visitor.page.fill('#login', 'admin');
    await visitor.page.fill('#password', app.main.admin.password);
    await visitor.page.click('form button');
    await visitor.page.waitForURL('**/app/profile/preferences');
    await visitor.page.getByRole('heading', { name: 'Preferences' }).waitFor();
    await visitor.page.goBack();
    await visitor.page.getByRole('heading', { name: 'Preferences' }).waitFor();
  });

  it('goes back to no form after a wrong and a right password', async () => {
    const visitor = await openAnonymous(await startBrowser(), app);
    const { page } = visitor;
    await page.goto('/app/profile/preferences');
    await page.fill('#login', 'admin');
    await page.fill('#password', 'wrong');
    await page.click('form button');
    await page.getByRole('alert').getByText('Wrong login or password.').waitFor();
    expect(await page.inputValue('#login')).toBe('admin');
    await page.fill('#password', app.main.admin.password);
    await page.click('form button');
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    expect(visitor.complaints.filter((text) => !text.includes('401'))).toEqual([]);
    await visitor.close();
  });

  it('has a link back to the application on the pages for developers', async () => {
    const { page } = await openPage('/app/profile/preferences');
    await page.goto('/doc');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }).click();
    await page.waitForURL('**/app/mail/*/inbox');
  });

  it('redirects `/` to the first page that the user can access', async () => {
    const { page } = await openPage('/');
    await page.waitForURL('**/app/mail/*/inbox');
  });

  it('is accessible in every theme', { tags: 'slow' }, async () => {
    const visitor = await openPage('/app/profile/preferences');
    await expectFaultless(visitor, 'the preferences');
  });

  it('opens the first page of an area by the URL of the area', async () => {
    const { page } = await openPage('/app/admin');
    await page.waitForURL('**/app/admin/users');
    await page.goto('/app/profile');
    await page.waitForURL('**/app/profile/*');
    await page.goto('/app/mail/settings');
    await page.waitForURL('**/app/mail/settings/rules');
  });

  it('shows the heading and the main button at the same position on every page', async () => {
    const { page } = await openPage('/app/email/domains');
    const places = [];
    for (const path of ['email/domains', 'email/campaigns', 'admin/users', 'records/crm.lead']) {
      await page.goto(`/app/${path}`);
      await page.locator('.screen-head .button.primary').waitFor();
      const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!;
      const button = (await page.locator('.screen-head .button.primary').last().boundingBox())!;
      places.push([heading.x, heading.y, button.x + button.width].map(Math.round));
    }
    expect(new Set(places.map(String)).size, JSON.stringify(places)).toBe(1);
  });

  it('shows an explanation for an unknown URL', async () => {
    const { page } = await openPage('/app/nowhere');
    expect(await page.textContent('h1')).toBe('Page not found');
  });

  it('explains that there is nothing with a malformed or unknown id', { timeout: 240_000 }, async () => {
    const { page } = await openPage('/app/nowhere');
    const paths = [
      ...['admin/agents/@', 'admin/apps/@', 'admin/users/@', 'admin/groups/@', 'website/pages/@'],
      ...['records/@', 'records/@/1', 'records/@/import', 'records/crm.lead/@', 'records/models/@'],
      ...[
        'email/templates/@',
        'email/campaigns/@',
        'email/domains/@',
        'email/webhooks/@',
        'email/webhooks/1/calls/@',
      ],
      ...['email/contacts/@', 'email/contacts/@/import', 'email/contacts/@/opt-in'],
      ...['mail/@/inbox', 'mail/1/@', 'mail/1/label/@', 'mail/settings/@', 'mail/settings/rules?mailbox=@7'],
      ...['email/emails?id=@', 'admin/audit?id=@', 'admin/agents/held?id=@'],
    ];
    for (const path of paths)
      for (const id of ['zz', '2147483648']) {
        if (id !== '2147483648' && path.includes('=@7')) continue;
        await page.goto(`/app/${path.replace('@7', '@').replace('@', id)}`);
        await page
          .locator('.shell')
          .getByText(/not found/i)
          .first()
          .waitFor();
        expect(await page.getByText('Something went wrong').count(), `${path} ${id}`).toBe(0);
      }
  });

  it('stores theme and density, and applies them in another browser', async () => {
    const { page } = await openPage('/app/profile/preferences');
    await page.getByLabel('Theme').selectOption('DARK');
    await page.getByLabel('List density').selectOption('COMPACT');
    await page.reload();
    await page.waitForSelector('h1');
    expect(await page.evaluate('({ ...document.documentElement.dataset })')).toEqual({
      theme: 'dark',
      density: 'compact',
    });
    const otherVisitor = await openPage('/app/profile/preferences');
    await expect.poll(() => otherVisitor.page.getByLabel('Theme').inputValue()).toBe('DARK');
    await otherVisitor.page.getByLabel('Theme').selectOption('SYSTEM');
    await otherVisitor.page.getByLabel('List density').selectOption('COZY');
    await otherVisitor.page.reload();
    await expect.poll(() => otherVisitor.page.getByLabel('List density').inputValue()).toBe('COZY');
  });

  it('shows German on request, and truncates no navigation labels in either language', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage('/app/profile/preferences');
    const findTruncated = () =>
      page.locator('.rail-label').evaluateAll((labels) =>
        labels
          .filter((label) => {
            const item = label.parentElement!;
            return label.scrollWidth > label.clientWidth || item.scrollWidth > item.clientWidth;
          })
          .map(({ textContent }) => textContent),
      );
    await page.locator('.bell').waitFor();
    expect(await findTruncated()).toEqual([]);
    await page.getByLabel('Language', { exact: true }).selectOption('de');
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    await page.locator('.bell').waitFor();
    expect(await findTruncated()).toEqual([]);
  });

  it('shows the current entry on a phone, and wraps no footer entry', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage('/app/email/smtp', { viewport: { width: 390, height: 844 } });
    const entry = page.getByRole('navigation').getByRole('link', { name: 'SMTP' });
    const { x, width } = (await entry.boundingBox())!;
    expect([x >= 0, x + width <= 390]).toEqual([true, true]);
    const heights = await page
      .locator('.rail-label:visible')
      .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height));
    expect(new Set(heights).size).toBe(1);
  });

  it('opens a page from the palette using only the keyboard, and focuses its heading', async () => {
    const { page } = await openPage('/app/nowhere');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('pref');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/app/profile/preferences');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Preferences');
    expect(await page.title()).toContain('Preferences');
  });

  it('groups records in the palette by model, queries each word once, and lists recent pages', {
    tags: 'slow',
  }, async () => {
    const calls = createJsonClient(app);
    const partner = await calls.create('res.partner', { name: 'Quince Works' });
    const lead = await calls.create('crm.lead', { name: 'Quince deal', partner_id: partner });
    const visitor = await openPage('/app/profile/preferences');
    const { page } = visitor;
    const requestedPaths: string[] = [];
    page.on('request', (request) => {
      const { operationName, variables } = request.postDataJSON() ?? {};
      if (operationName === 'PaletteRecords') requestedPaths.push(variables.text);
    });
    const palette = page.getByRole('dialog', { name: 'Go to a page or record' });
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').waitFor();
    expect(await palette.getByRole('group', { name: 'Recent' }).count()).toBe(0);
    await page.keyboard.type('quince');
    const contacts = palette.getByRole('group', { name: 'Contact', exact: true });
    await contacts.getByRole('option', { name: 'Quince Works' }).waitFor();
    await palette.getByRole('option', { name: 'Quince deal Quince Works', exact: true }).waitFor();
    expect(requestedPaths.at(-1)).toBe('quince');
    expect(requestedPaths.length).toBeLessThan(6);
    await expectFaultless(visitor, 'records that were found');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/app/records/res.partner/${partner}`);
    await page.getByRole('heading', { name: 'Quince Works' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('quince d');
    await palette.getByRole('option', { name: 'Quince deal' }).click();
    await page.waitForURL(`**/app/records/crm.lead/${lead}`);
    await page.getByRole('heading', { name: 'Quince deal' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Quince deal' }).waitFor();
    await page.keyboard.press('Control+k');
    const recent = palette.getByRole('group', { name: 'Recent' }).getByRole('option');
    await recent.first().waitFor();
    expect(await recent.allTextContents()).toEqual([
      expect.stringMatching(/ › Quince deal Quince Works$/),
      'Contact › Quince Works',
    ]);
    await page.keyboard.type('no such thing');
    await palette.getByText('No results').waitFor();
  });

  it('finds lists, page actions and app actions in the palette by label and synonym', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage('/app/records/crm.lead');
    const palette = page.getByRole('dialog', { name: 'Go to a page or record' });
    const findOption = (section: string, name: string) =>
      palette.getByRole('group', { name: section, exact: true }).getByRole('option', { name, exact: true });
    await page.getByRole('button', { name: 'New', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    const input = palette.getByRole('combobox');
    for (const [text, section, name] of [
      ['lead', 'Lists', 'Leads'],
      ['pipeline', 'Lists', 'Leads'],
      ['task', 'Lists', 'Tasks'],
      ['sales order', 'Lists', 'Sales Orders'],
      ['contact', 'Lists', 'Contacts'],
      ['new lead', 'Actions', 'New Lead'],
      ['compose', 'Actions', 'Compose a message'],
      ['write mail', 'Actions', 'Compose a message'],
      ['dark', 'Actions', 'Theme: Dark'],
      ['logout', 'Actions', 'Sign out'],
      ['edit in', 'On this page', 'Edit inline'],
      ['import', 'On this page', 'Import'],
      ['tokens', 'Pages', 'Email › API keys'],
    ] as const) {
      await input.fill(text);
      await findOption(section, name).waitFor();
    }
    await input.fill('columns');
    await findOption('On this page', 'Columns').click();
    await page.getByRole('dialog', { name: 'Columns' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await input.fill('theme dark');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    await page.keyboard.press('Control+k');
    await input.fill('theme: sys');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('system');
    await page.keyboard.press('Control+k');
    await input.fill('new lead');
    await findOption('Actions', 'New Lead').click();
    await page.waitForURL('**/app/records/crm.lead/new');
  });

  it('has accessible overlays', { tags: 'slow' }, async () => {
    const visitor = await openPage('/app/profile/preferences');
    await visitor.page.keyboard.press('Control+k');
    await visitor.page.getByRole('dialog', { name: 'Go to a page' }).waitFor();
    await expectFaultless(visitor, 'the palette');
    await visitor.page.keyboard.press('Escape');
    await visitor.page.getByRole('dialog').waitFor({ state: 'detached' });
    await visitor.page.keyboard.press('?');
    await visitor.page.getByRole('dialog', { name: 'Shortcuts on this page' }).waitFor();
    await expectFaultless(visitor, 'the shortcuts');
    await visitor.page.keyboard.press('Escape');
    await visitor.page.getByRole('button', { name: 'Account' }).click();
    await expectFaultless(visitor, 'the account menu');
  });

  it('shows the shortcuts of a screen with ?, unless single-key shortcuts are disabled', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage('/app/profile/preferences');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts on this page' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Single-key shortcuts').uncheck();
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Go to a page' }).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(1);
  });

  it('reloads if a screen is missing after a server update, but at most once a minute', async () => {
    const visitor = await openPage('/app/profile/me');
    const { page } = visitor;
    await page.evaluate('window.isOld = true');
    await page.route('**/assets/security-*', (route) => route.fulfill({ status: 404 }));
    const changeBuild = (body: string) => body.replace(/(assets\/index)-[\w-]+\.js/, '$1-newer.js');
    await page.route('**/app/', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: changeBuild(await response.text()) });
    });
    await page.getByRole('link', { name: 'Security' }).click();
    await expect.poll(() => page.evaluate('window.isOld').catch(() => true)).toBeUndefined();
    expect(new URL(page.url()).pathname).toBe('/app/profile/security');
    // The page reloads itself at most once a minute, and then asks.
    await page.getByRole('button', { name: 'Reload page' }).waitFor();
    await page.unroute('**/app/');
    await page.unroute('**/assets/security-*');
    await page.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('heading', { name: 'Active sessions' }).waitFor();
    visitor.complaints.splice(0);
  });

  it('keeps the current screen while the server is unreachable, and then opens the requested screen', async () => {
    const visitor = await openPage('/app/profile/preferences');
    const { page } = visitor;
    await page.evaluate('window.isOld = true');
    await page.route('**/*', (route) => route.abort('connectionrefused'));
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByText('No connection to the server').waitFor();
    expect(await page.textContent('h1')).toBe('Preferences');
    await page.unroute('**/*');
    await page.getByRole('heading', { name: 'Active sessions' }).waitFor();
    await page.getByText('No connection to the server').waitFor({ state: 'detached' });
    expect(await page.evaluate('window.isOld')).toBe(true);
    expect(visitor.complaints.splice(0).filter((item) => !item.includes('ERR_CONNECTION_REFUSED'))).toEqual(
      [],
    );
  });

  it('shows an error if the first screen fails to load', async () => {
    const visitor = await openPage('/app/profile/preferences');
    const { page } = visitor;
    await page.route('**/assets/security-*', (route) => route.fulfill({ status: 500 }));
    await page.goto('/app/profile/security');
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor();
    await expectFaultless(visitor, 'a screen that did not load');
    await page.unroute('**/assets/security-*');
    await page.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('heading', { name: 'Active sessions' }).waitFor();
    expect(
      visitor.complaints.splice(0).filter((item) => !/500|security-|preload|could not be loaded/.test(item)),
    ).toEqual([]);
  });

  it('keeps the input while the user signs in again after the session has ended', async () => {
    const visitor = await openPage('/app/profile/me?from=here');
    const { page } = visitor;
    await page.evaluate('window.isOld = true');
    await page.getByLabel('Phone').fill('+49 30 1234');
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Your password').fill('wrong');
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.getByText('Incorrect password.').waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByLabel('Your password').fill(app.main.admin.password);
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Profile saved.').waitFor();
    expect(await page.getByLabel('Phone').inputValue()).toBe('+49 30 1234');
    expect(await page.evaluate('[window.isOld, location.search]')).toEqual([true, '?from=here']);
    expect(visitor.complaints.splice(0).filter((item) => !/status of 401/.test(item))).toEqual([]);
  });

  it('ends the session through the sign-out entry of the account menu', async () => {
    const { page } = await openPage('/app/profile/preferences');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.pathname === '/');
    await page.goto('/app');
    expect(new URL(page.url()).pathname).toBe('/login');
  });

  it('shows that the browser is offline', { tags: 'slow' }, async () => {
    const { page, complaints } = await openPage('/app/profile/preferences');
    await page.context().setOffline(true);
    await page.getByText("You're offline").waitFor();
    await page.context().setOffline(false);
    await page.getByText("You're offline").waitFor({ state: 'detached' });
    // Ignores requests that failed while offline.
    const isOther = (complaint: string) => !complaint.includes('ERR_INTERNET_DISCONNECTED');
    complaints.splice(0, complaints.length, ...complaints.filter(isOther));
  });

  it('supports right-to-left layout', { tags: 'slow' }, async () => {
    const { page } = await openPage('/app/profile/preferences');
    await page.evaluate('document.documentElement.dir = "rtl"');
    const rail = (await page.getByRole('navigation', { name: 'Areas' }).boundingBox())!;
    expect(rail.x + rail.width).toBe(1280);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1280);
    // Phone numbers keep their digit order, but are right-aligned like the page.
    const [bidi, align] = await page
      .locator('main input')
      .first()
      .evaluate((input) => [getComputedStyle(input).unicodeBidi, getComputedStyle(input).textAlign]);
    expect([bidi, align]).toEqual(['plaintext', 'right']);
  });

  it('hides the email entry from a user without access to email', async () => {
    const { page } = await openPage('/app', { login: app.main.user.login, password: app.main.user.password });
    await page.waitForURL('**/app/mail/*/inbox');
    const areas = page.getByRole('navigation', { name: 'Areas' });
    const bell = areas.getByRole('link', { name: 'Notifications' });
    await bell.waitFor();
    const entries = areas.getByRole('link').and(page.locator(':not(.bell)'));
    expect(await entries.allTextContents()).toEqual(['Mail', 'Records', 'Profile']);
  });
});
