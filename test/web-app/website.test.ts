import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp();

chromium.describe('a website in the browser', () => {
  const openPage = trackPages(app);

  const runGraphql = async (document: string, variables: object = {}) =>
    Object.values(await queryData(app, document, { variables }))[0];
  const wrapInLayout = (inner: string) => `<t t-call="website.layout">\n<section>${inner}</section>\n</t>`;
  const createPage = async (name: string, inner = '<p>First</p>'): Promise<string> => {
    const { id } = await runGraphql(
      'mutation ($name: String!) { websitePageCreate(name: $name, addMenu: false) { id } }',
      { name },
    );
    await set(id, wrapInLayout(inner));
    return id;
  };
  const set = (id: string, arch: string) =>
    runGraphql('mutation ($id: ID!, $arch: String!) { websiteMarkupSet(pageId: $id, arch: $arch) { id } }', {
      id,
      arch,
    });
  const readArch = async (id: string): Promise<string> =>
    (await runGraphql('query ($id: ID!) { websitePage(id: $id) { arch } }', { id })).arch;

  /**
   * Clears the editor first, because Chromium adds an inline style when it replaces colored text, which the CSP blocks.
   */
  const overwrite = async (page: Page, text: string) => {
    await page.getByRole('textbox', { name: 'Markup' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.press('Delete');
    await page.keyboard.insertText(text);
  };

  it('opens the form for a new page from the palette', async () => {
    const { page } = await openPage('/app/profile/preferences');
    const palette = page.getByRole('dialog', { name: 'Go to a page or record' });
    await page.keyboard.press('Control+k');
    await palette.getByRole('combobox').fill('create page');
    await palette
      .getByRole('group', { name: 'Actions', exact: true })
      .getByRole('option', { name: 'Create page', exact: true })
      .click();
    await palette.waitFor({ state: 'detached' });
    await page.waitForURL('**/app/website');
    await page.getByRole('dialog').getByLabel('Title').fill('From the palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'From the palette' }).waitFor();
    const [, id] = /\/app\/website\/pages\/(\d+)$/.exec(new URL(page.url()).pathname)!;
    await runGraphql('mutation ($id: ID!) { websitePageDelete(pageId: $id) }', { id });
  });

  it('creates, finds, publishes and deletes a page', async () => {
    const visitor = await openPage('/app/website');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Contact Us', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Create page' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Title').waitFor();
    await page.keyboard.type('Our team');
    await dialog.getByLabel('URL').fill('/no where');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('is not a valid path').waitFor();
    await dialog.getByLabel('URL').fill('/team');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Our team' }).waitFor();
    await page.getByRole('link', { name: '‹ Pages' }).click();
    await page.getByRole('searchbox').fill('/team');
    await page.keyboard.press('Enter');
    await page.getByText('1 page', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('/team');
    await page.getByRole('button', { name: 'Publish Our team' }).click();
    await page.getByRole('button', { name: 'Unpublish Our team' }).waitFor();
    const opened = page.context().waitForEvent('page');
    await page.getByRole('link', { name: 'Open Our team' }).click();
    const visit = await opened;
    await visit.getByRole('heading', { name: 'Our team' }).waitFor();
    await visit.close();
    await expectFaultless(visitor, 'the pages');
    await page.getByRole('button', { name: 'Delete Our team' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No pages match your search' }).waitFor();
  });

  it('edits markup next to its preview, and marks the position of an error', async () => {
    const id = await createPage('Written');
    const visitor = await openPage(`/app/website/pages/${id}`);
    const { page } = visitor;
    const editor = page.getByRole('textbox', { name: 'Markup' });
    const frame = page.frameLocator('iframe');
    await frame.getByText('First').waitFor();
    const write = (text: string) => overwrite(page, text);
    await write('<t t-call="website.layout">\n<p>Wrong</b>\n</t>');
    await page.getByRole('alert').waitFor();
    expect(await page.locator('.wrong-line').textContent()).toBe('<p>Wrong</b>');
    await frame.getByText('First').waitFor();
    await page.getByRole('button', { name: 'Go to line 2' }).click();
    await expectFaultless(visitor, 'a page with a mistake');
    await write(wrapInLayout('<h2>Second</h2>'));
    await frame.getByRole('heading', { name: 'Second' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByLabel('Width').selectOption('phone');
    await expect.poll(() => frame.locator('html').evaluate((root) => root.clientWidth)).toBe(390);
    await page.getByRole('link', { name: '‹ Pages' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    await editor.focus();
    await page.keyboard.press('ControlOrMeta+S');
    await page.getByText(/^Saved as version \d\.$/).waitFor();
    expect(await readArch(id)).toBe(wrapInLayout('<h2>Second</h2>'));
  });

  it('lets the user resolve a save conflict, and shows and restores versions', async () => {
    const id = await createPage('Contended');
    const { page } = await openPage(`/app/website/pages/${id}`);
    await overwrite(page, wrapInLayout('<p>Mine</p>'));
    await set(id, wrapInLayout('<p>Theirs</p>'));
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/was saved after you started editing/).waitFor();
    expect(await readArch(id)).toContain('Theirs');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText(/^Saved as version 4\.$/).waitFor();
    expect(await readArch(id)).toContain('Mine');
    await page.getByRole('tab', { name: 'Versions' }).click();
    await page.getByRole('button', { name: 'View version 3' }).click();
    await page.frameLocator('iframe').getByText('Theirs').waitFor();
    await page.getByRole('button', { name: 'Restore version 3' }).click();
    await page.getByText('Restored as a new version.').waitFor();
    expect(await readArch(id)).toContain('Theirs');
  });

  it("changes a page's URL with a redirect, and resets a shared page", async () => {
    const id = await createPage('Moves');
    const visitor = await openPage(`/app/website/pages/${id}?tab=properties`);
    const { page } = visitor;
    await page.getByLabel('URL', { exact: true }).fill('/contactus');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Another page has the URL').waitFor();
    await page.getByLabel('URL', { exact: true }).fill('/moved');
    await page.getByLabel('Redirect the old URL').check();
    await page.getByRole('checkbox', { name: 'Visible to visitors' }).check();
    await page.getByLabel('In the menu').check();
    await page.getByLabel('Title for search engines').fill('It moved');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const query = `query ($id: ID!) {
      websitePage(id: $id) { url isPublished isInMenu view { websiteMetaTitle } }
    }`;
    await expect
      .poll(() => runGraphql(query, { id }))
      .toEqual({ url: '/moved', isPublished: true, isInMenu: true, view: { websiteMetaTitle: 'It moved' } });
    await expectFaultless(visitor, 'the properties of a page');
    await page.goto('/app/website/redirects');
    await page.getByText('/moves → /moved').waitFor();
    await page.goto('/app/website');
    await page.getByRole('link', { name: 'Contact Us', exact: true }).click();
    await page.getByText('All websites share this page.').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Reset to shared page' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset to shared page' }).click();
    await page.getByText('Page reset to the shared page.').waitFor();
    await page.getByText('All websites share this page.').waitFor();
  });

  it('arranges the menu by keyboard and buttons', async () => {
    const visitor = await openPage('/app/website/menus');
    const { page } = visitor;
    const readNames = () => page.locator('.menu-name').allTextContents();
    await page.getByRole('button', { name: 'Add item' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Label').fill('News');
    await dialog.getByLabel('Link').fill('news');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('is not a valid URL').waitFor();
    await dialog.getByLabel('Link').fill('https://news.example.org/');
    await page.keyboard.press('Enter');
    const news = page.getByRole('button', { name: 'News', exact: true });
    await news.waitFor();
    await dialog.waitFor({ state: 'detached' });
    await news.focus();
    await page.keyboard.press('Alt+ArrowUp');
    await expect
      .poll(async () => (await readNames()).indexOf('News'))
      .toBeLessThan((await readNames()).length - 1);
    expect(await news.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Alt+ArrowRight');
    await page.locator('.menu-below', { hasText: 'News' }).waitFor();
    await expectFaultless(visitor, 'the menu');
    await page.getByRole('button', { name: 'Move News to the top level' }).click();
    await page.locator('.menu-below').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete News' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await news.waitFor({ state: 'detached' });
  });

  it('adds, tests, edits and deletes redirects', async () => {
    const visitor = await openPage('/app/website/redirects');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create redirect' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From').fill('/old');
    await dialog.getByLabel('To', { exact: true }).fill('/old');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('to itself').waitFor();
    await dialog.getByLabel('To', { exact: true }).fill('/new');
    await dialog.getByLabel('Type').selectOption('302 (temporary)');
    await dialog.getByRole('button', { name: 'Create redirect' }).click();
    await page.getByText('/old → /new').waitFor();
    await page.getByLabel('URL to test').fill('old');
    await page.keyboard.press('Enter');
    await page.getByText('/old redirects to /new (302).').waitFor();
    await expectFaultless(visitor, 'the redirects');
    await page.getByRole('button', { name: 'Edit the redirect from /old' }).click();
    await dialog.getByLabel('Active').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/Off$/).waitFor();
    await page.getByRole('button', { name: 'Delete /old' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('/old → /new').waitFor({ state: 'detached' });
  });

  it("shows the selected website's settings", async () => {
    const { id } = await runGraphql('mutation { websiteCreate(input: { name: "Second" }) { id } }');
    const visitor = await openPage('/app/website/settings');
    const { page } = visitor;
    await page.getByLabel('Website', { exact: true }).selectOption(id);
    await page.locator('input[name=name][value=Second]').waitFor();
    await page.getByLabel('Domain').fill('no host');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('is not a valid host name').waitFor();
    await page.getByLabel('Domain').fill('www.second.example');
    await page.getByLabel('Allow scripts and frames in markup').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(await runGraphql('query ($id: ID!) { website(id: $id) { domain allowScripts } }', { id })).toEqual(
      {
        domain: 'www.second.example',
        allowScripts: true,
      },
    );
    await expectFaultless(visitor, 'the settings');
  });

  it('hides the website area from a user who is not a designer', async () => {
    const { login, password } = app.main.user;
    const { page } = await openPage('/app/website', { login, password });
    await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
    expect(await page.getByRole('link', { name: 'Website' }).count()).toBe(0);
  });
});
