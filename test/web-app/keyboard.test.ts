import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { PAGES } from '../../web/src/shell/pages.ts';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { loadMailbox, type Mailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';
import { trackPages } from './browser.ts';

const team = setUpTeam();
let mailbox: Mailbox;

chromium.describe('without a mouse', () => {
  beforeAll(async () => {
    const { ctx, admin } = team.main;
    await team.runtime.db.rows(
      sql`update svc_mail_account set address = replace(address, 'main.localhost', 'main.test')
       where workspace_id = ${ctx.workspace.id}`,
    );
    mailbox = await loadMailbox(ctx, admin.id);
    await fileRaw(
      team.main,
      mailbox,
      'From: Ann Lee <ann@example.org>\nTo: me@main.test\nSubject: Question\nMessage-ID: <q@x>\n\nShall we meet?\n',
      { folderId: mailbox.folders.inbox },
    );
    const sentResponse = await team.send({
      from: 'Shop <shop@main.test>',
      to: 'bob@example.org',
      subject: 'Invoice 10231',
      text: 'Please pay.',
    });
    expect(sentResponse.status).toBe(200);
  });

  const openPage = trackPages(team);
  const press = async (page: Page, ...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  async function tabTo(page: Page, target: Locator): Promise<void> {
    await target.waitFor();
    for (let stops = 0; stops < 60; stops++) {
      if (await target.evaluate((item) => item === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`the tab key does not lead to ${target}`);
  }
  async function goTo(page: Page, text: string): Promise<void> {
    await press(page, 'Control+k');
    await page.getByRole('combobox', { name: 'Go to a page' }).waitFor();
    await page.keyboard.type(text);
    await press(page, 'Enter');
    await page.getByRole('combobox', { name: 'Go to a page' }).waitFor({ state: 'detached' });
  }

  it('reads, archives, restores and replies to a message, and undoes the reply', async () => {
    const { page } = await openPage('/app/profile/preferences');
    await goTo(page, 'mail');
    await page.getByRole('option').getByText('Question').waitFor();
    await press(page, 'o');
    await page.getByRole('heading', { name: 'Question', exact: true }).waitFor();
    await press(page, 'e');
    await page.getByText('Archived.').first().waitFor();
    await page.getByText('No messages').waitFor();
    await press(page, 'z');
    await page.getByRole('option').getByText('Question').waitFor();
    await press(page, 'o');
    await page.getByRole('heading', { name: 'Question', exact: true }).waitFor();
    await press(page, 'r');
    const text = page.locator('.composer').frameLocator('iframe').getByRole('textbox');
    await text.waitFor();
    await page.waitForFunction('document.activeElement.tagName === "IFRAME"');
    await page.keyboard.type('Yes, at noon.');
    await press(page, 'Control+Enter');
    await page.getByText('Message sent.').first().waitFor();
    await page.locator('.composer').waitFor({ state: 'detached' });
    await press(page, 'z');
    await text.getByText('Yes, at noon.').waitFor();
  });

  it('finds and reads an email, and creates and finds a record', async () => {
    const { page } = await openPage('/app/profile/preferences');
    await goTo(page, 'email emails');
    await page.getByRole('option').getByText('Invoice 10231').waitFor();
    await press(page, '/');
    await page.keyboard.type('invoice');
    await press(page, 'Enter');
    await page.getByText('1 email').waitFor();
    await tabTo(page, page.getByRole('listbox'));
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Invoice 10231' }).waitFor();
    await tabTo(page, page.getByRole('tab', { selected: true }));
    await press(page, 'End');
    await page.getByRole('tabpanel').getByText('"latestStatus"').waitFor();
    await press(page, 'u');
    await page.getByRole('tabpanel').waitFor({ state: 'detached' });
    await goTo(page, 'records');
    await page.getByRole('heading', { name: 'Records' }).waitFor();
    await tabTo(page, page.locator('main a[href$="/records/crm.lead"]').first());
    await press(page, 'Enter');
    await page.getByText(/^\d+ records$/).waitFor();
    await press(page, 'c');
    await tabTo(page, page.getByLabel('Opportunity'));
    await page.keyboard.type('By keys alone');
    await press(page, 'Control+s');
    await page.getByRole('heading', { name: 'By keys alone' }).waitFor();
    await goTo(page, 'records');
    await page.getByRole('heading', { name: 'Records', exact: true }).waitFor();
    await tabTo(page, page.locator('main a[href$="/records/crm.lead"]').first());
    await press(page, 'Enter');
    await page.getByText('1 record', { exact: true }).waitFor();
    await tabTo(page, page.getByRole('listbox'));
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'By keys alone' }).waitFor();
  });

  it('finds a message and an email by subject in the palette, and opens them', async () => {
    const { page } = await openPage('/app/profile/preferences');
    const find = async (text: string, section: string, detail: RegExp) => {
      await press(page, 'Control+k');
      await page.getByRole('combobox', { name: 'Go to a page' }).fill(text);
      const entry = page.getByRole('group', { name: section, exact: true }).getByRole('option').first();
      await entry.waitFor();
      expect(await entry.textContent()).toMatch(detail);
      await entry.click();
    };
    await find('invoice 10231', 'Sent emails', /^Invoice 10231 bob@example\.org · .*\d:\d\d/);
    await page.getByRole('heading', { name: 'Invoice 10231' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/email/emails');
    await find('question', 'Messages', /^Question Ann Lee · .*\d:\d\d/);
    await page.getByRole('heading', { name: 'Question', exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/app\/mail\/\d+\/inbox$/);
  });

  it('fits every right-to-left screen into a desktop and a phone window', async () => {
    const { page } = await openPage('/app/profile/preferences');
    await page.evaluate('document.documentElement.dir = "rtl"');
    const wide: string[] = [];
    for (const to of [
      ...PAGES.map((page) => page.to),
      '/mail/settings/rules',
      '/records/crm.lead',
      '/mail/compose',
    ]) {
      await page.evaluate((path) => {
        history.pushState(null, '', `/app${path}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, to);
      await page.locator('h1').first().waitFor();
      await page.waitForTimeout(400);
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const { scrollWidth, scrollLeft } = await page.evaluate(() => {
          window.scrollTo(-500, 0);
          const { scrollWidth, scrollLeft } = document.scrollingElement!;
          return { scrollWidth, scrollLeft };
        });
        if (scrollWidth > width || scrollLeft !== 0) wide.push(`${to} at ${width}: ${scrollWidth}`);
      }
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    expect(wide).toEqual([]);
  });
});
