import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { setUpMailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
let message: number;

chromium.describe('mail settings in the browser', () => {
  beforeAll(async () => {
    for (const [index, name] of ['ann', 'bert', 'ann'].entries())
      message = await fileRaw(
        app.main,
        mailbox,
        `From: ${name} <${name}@example.org>\nTo: me@example.org\nSubject: Report ${index}\n` +
          `Message-ID: <${index}@example.org>\n\nText\n`,
        {},
      );
  });

  const openPage = trackPages(app, 'user');
  const buildSettings = (section: string) => `/app/mail/settings/${section}`;
  const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('creates, changes and deletes labels and folders, and shows errors next to the fields', async () => {
    const { page } = await openPage(buildSettings('labels'));
    await page.getByText('No labels yet.').waitFor();
    for (const [create, name, renamed, deleted] of [
      ['Create label', 'Customers', 'Clients', 'No labels yet.'],
      ['Create folder', 'Old', 'Older', 'No custom folders yet.'],
    ] as const) {
      await findButton(page, create).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill(name);
      if (create === 'Create label') await dialog.getByText('Blue').click();
      await findButton(page, create).click();
      await findButton(page, `Edit ${name}`).click();
      if (create === 'Create label') expect(await dialog.getByLabel('Blue').isChecked()).toBe(true);
      else {
        await dialog.getByLabel('Name').fill('Inbox');
        await findButton(page, 'Save').click();
        await dialog.getByRole('alert').waitFor();
      }
      await dialog.getByLabel('Name').fill(renamed);
      await findButton(page, 'Save').click();
      await dialog.waitFor({ state: 'detached' });
      await findButton(page, `Delete ${renamed}`).click();
      await findButton(page, 'Delete').click();
      await page.getByText(deleted).waitFor();
    }
  });

  it('labels a message by keyboard, shows its labels in the list and the reader, and undoes the change', async () => {
    const { page } = await openPage(buildSettings('labels'));
    await findButton(page, 'Create label').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Urgent');
    await findButton(page, 'Create label').click();
    await findButton(page, 'Edit Urgent').waitFor();
    await page.goto(`/app/mail/${mailbox.id}/inbox?m=${message}`);
    await page.getByRole('heading', { name: 'Report 2' }).waitFor();
    await page.keyboard.press('l');
    await page.getByRole('dialog', { name: 'Labels' }).getByLabel('Urgent').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByLabel('Urgent').isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    const first = page.getByRole('listbox', { name: 'Messages' }).getByRole('option').first();
    await first.getByText('Urgent').waitFor();
    await page.getByRole('region', { name: 'Message' }).getByText('Urgent').waitFor();
    await page.keyboard.press('z');
    await first.getByText('Urgent').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Message' }).getByText('Urgent').waitFor({ state: 'detached' });
    await findButton(page, 'Labels…').click();
    await page.getByRole('link', { name: 'Manage labels' }).click();
    await findButton(page, 'Delete Urgent').click();
    await findButton(page, 'Delete').click();
    await page.getByText('No labels yet.').waitFor();
  });

  it('shows the tools of a message in one row on a phone, and the rarer ones in a menu', async () => {
    const visitor = await openPage(`/app/mail/${mailbox.id}/inbox?m=${message}`);
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 800 });
    const tools = page.locator('.reader-tools');
    await tools.getByRole('button', { name: 'More' }).click();
    const items = tools.locator('[popover]').locator('button, a');
    expect(await items.count()).toBe(8);
    await expectFaultless(visitor, 'the menu of a message');
    await page.setViewportSize({ width: 390, height: 800 });
    const reply = tools.getByRole('button', { name: 'Reply', exact: true });
    expect((await tools.boundingBox())!.height).toBe((await reply.boundingBox())!.height);
    await tools.getByRole('button', { name: 'More' }).click();
    await tools.getByRole('button', { name: 'Labels…' }).click();
    await page.getByRole('dialog', { name: 'Labels' }).waitFor();
  });

  it('creates a rule for similar messages with the sender filled in, and previews its matches', async () => {
    const { page } = await openPage(`/app/mail/${mailbox.id}/inbox?m=${message}`);
    await page.getByRole('link', { name: 'Filter messages like these' }).click();
    await page.getByRole('heading', { name: 'New rule' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Value' }).inputValue()).toBe('ann@example.org');
    await findButton(page, 'Preview matches').click();
    await page.getByText('Matches 2 of the newest 3 messages in the Inbox.').waitFor();
    await page.getByLabel('Action').selectOption('move_to_folder');
    await page.getByLabel('Folder').selectOption({ label: 'Archive' });
    await findButton(page, 'Save').click();
    await page.getByRole('listitem').getByText('ann', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe(`?mailbox=${mailbox.id}`);
  });

  it('creates, reorders, disables, opens and deletes a rule using only the keyboard', async () => {
    const { page } = await openPage(buildSettings('rules'));
    await page.getByRole('link', { name: 'New rule' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Name').focus();
    await page.keyboard.type('Reports');
    await page.getByLabel('Field').focus();
    await page.keyboard.type('Subj');
    await page.getByRole('textbox', { name: 'Value' }).focus();
    await page.keyboard.type('Report');
    await page.keyboard.press('Enter');
    const readNames = () => page.locator('main ol strong').allTextContents();
    await expect.poll(readNames).toEqual(['ann', 'Reports']);
    await findButton(page, 'Move Reports up').focus();
    await page.keyboard.press('Enter');
    await expect.poll(readNames).toEqual(['Reports', 'ann']);
    await page.getByLabel('Turn on Reports').focus();
    await page.keyboard.press('Space');
    await expect.poll(() => page.getByLabel('Turn on Reports').isChecked()).toBe(false);
    await page.getByRole('link', { name: 'Edit Reports' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Edit Reports' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Edit Reports' }).waitFor();
    expect(await page.getByLabel('Field').inputValue()).toBe('subject');
    await findButton(page, 'Add condition').click();
    await page.getByRole('textbox', { name: 'Value' }).last().fill('x'.repeat(2_000));
    await findButton(page, 'Save').click();
    await page.getByRole('alert').waitFor();
    await findButton(page, 'Cancel').click();
    expect(await page.getByLabel('Turn on Reports').isChecked()).toBe(false);
    await findButton(page, 'Delete Reports').click();
    await findButton(page, 'Delete').click();
    await expect.poll(readNames).toEqual(['ann']);
  });

  it('saves an auto-reply with its dates, shows whether it is active, and requires text', async () => {
    const { page } = await openPage(buildSettings('auto-reply'));
    await page.getByText('Auto-reply is not active.').waitFor();
    await page.getByLabel('Turn on auto-reply').check();
    await findButton(page, 'Save').click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Text').fill('I am away.');
    await page.getByLabel('First day').fill('2020-01-01');
    await findButton(page, 'Save').click();
    await page.getByText('Auto-reply is active.').waitFor();
    await page.reload();
    expect(await page.getByLabel('Text').inputValue()).toBe('I am away.');
    expect(await page.getByLabel('First day').inputValue()).toBe('2020-01-01');
  });

  it('keeps the input while the user signs in again after the session has ended', async () => {
    const { page } = await openPage(buildSettings('blocked'));
    await page.getByText('No blocked senders').waitFor();
    await page.getByLabel('Address to block').fill('spam@example.org');
    await page.keyboard.press('Enter');
    await findButton(page, 'Unblock spam@example.org').waitFor();
    await page.getByLabel('Address to block').fill(mailbox.address);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await findButton(page, 'Unblock spam@example.org').click();
    await page.getByText('No blocked senders').waitFor();
  });

  it("shows that an unknown page and another user's mailbox do not exist", async () => {
    const { page } = await openPage(buildSettings('weather'));
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.goto(`${buildSettings('rules')}?mailbox=999`);
    await page.getByRole('heading', { name: 'Mailbox not found' }).waitFor();
  });

  it('is accessible on every page in every theme', async () => {
    const visitor = await openPage(`${buildSettings('rules')}?rule=new`);
    await findButton(visitor.page, 'Add condition').click();
    await expectFaultless(visitor, 'the editor of a rule');
    for (const section of ['rules', 'auto-reply', 'blocked', 'labels']) {
      await visitor.page.goto(buildSettings(section));
      await visitor.page.locator('main form, main section, main ol').first().waitFor();
      await expectFaultless(visitor, section);
    }
    await findButton(visitor.page, 'Create label').click();
    await visitor.page.getByRole('dialog').waitFor();
    await expectFaultless(visitor, 'a new label');
  });
});
