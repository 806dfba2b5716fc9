import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { createSharedMailbox, fileMany, loadMailbox, type Mailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp();
let mailbox: Mailbox;
let sharedMailbox: Mailbox;

const MANY = 12_431;
const formatCount = (extraCount = 0) => (MANY + extraCount).toLocaleString('en');

chromium.describe('many messages in the browser', () => {
  beforeAll(async () => {
    const { ctx, user } = app.main;
    mailbox = await loadMailbox(ctx, user.id);
    sharedMailbox = await createSharedMailbox(ctx, [user.id], 'team');
    const dates = Array.from({ length: MANY }, (_, index) => new Date(Date.UTC(2025, 0, 1, 0, index)));
    await fileMany(ctx, mailbox.id, mailbox.folders.inbox, dates);
    for (const [index, name] of ['Carl', 'Bert', 'Anna'].entries())
      await fileRaw(app.main, mailbox, buildLetter(name), {
        date: new Date(Date.UTC(2026, 10, 1, 8, index)),
      });
    await fileRaw(app.main, sharedMailbox, buildLetter('Team'), { folderId: sharedMailbox.folders.inbox });
  });

  const buildLetter = (name: string) =>
    `From: ${name} Lee <${name.toLowerCase()}@example.org>\nTo: me@example.org\nSubject: ${name} writes\n` +
    `Message-ID: <${name}@example.org>\n\nText of ${name}\n`;
  const openPage = trackPages(app, 'user');
  const buildInbox = () => `/app/mail/${mailbox.id}/inbox`;
  const list = (page: Page) => page.getByRole('listbox', { name: 'Messages' });
  const findRow = (page: Page, text: string) => list(page).getByRole('option').filter({ hasText: text });
  const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const readMarks = () =>
    app.main.ctx.db.rows<object>(
      sql`select id, folder_id, is_read, is_starred from svc_mail_entry
       where workspace_id = ${app.main.ctx.workspace.id} and account_id = ${mailbox.id} order by id`,
    );

  it(`archives ${formatCount()} found messages after confirming their number, and undoes the change`, async () => {
    const before = await readMarks();
    const { page } = await openPage(`${buildInbox()}?q=before:2026/01/01`);
    // The list counts only up to a limit, but the confirmation shows the exact number.
    await page.getByText('Inbox: 1,000+ messages').waitFor();
    await findButton(page, 'Select all').click();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Update all messages in this list?' });
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await dialog.getByText(`Archive: ${formatCount()} messages.`).waitFor();
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('No messages match your search').waitFor();
    expect(await readMarks()).not.toEqual(before);
    await page.keyboard.press('z');
    await page.getByText(`${formatCount()} messages restored.`).first().waitFor();
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
    await page.getByText('Inbox: 1,000+ messages').waitFor();
    expect(await readMarks()).toEqual(before);
  });

  it('selects rows with x, Space, Shift, arrow keys and clicks, and applies actions to them', async () => {
    const { page } = await openPage(buildInbox());
    await findRow(page, 'Anna writes').waitFor();
    await list(page).focus();
    const place = await findRow(page, 'Anna writes').boundingBox();
    await page.keyboard.press('x');
    await page.getByText('1 selected').waitFor();
    expect(await findRow(page, 'Anna writes').boundingBox()).toEqual(place);
    expect(await findRow(page, 'Anna writes').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('s');
    await findRow(page, 'Bert writes').getByText('Starred.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    await findRow(page, 'Carl writes').locator('[data-pick]').click();
    await findRow(page, 'Anna writes').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    await page
      .getByRole('toolbar', { name: 'Selected messages' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await findRow(page, 'Anna writes').waitFor({ state: 'detached' });
    await page.keyboard.press('z');
    await findRow(page, 'Anna writes').waitFor();
    await page.goto(`/app/mail/${mailbox.id}/starred`);
    await page.getByText('Starred: 2 messages').waitFor();
  });

  it('moves a dragged message, or the selection that contains it, to a folder, and undoes the move', async () => {
    const before = await readMarks();
    const { page } = await openPage(buildInbox());
    const folders = page.getByRole('navigation', { name: 'Folders' });
    await findRow(page, 'Carl writes').locator('[data-pick]').click();
    await findRow(page, 'Anna writes').dragTo(folders.getByRole('link', { name: 'Archive' }));
    await findRow(page, 'Anna writes').waitFor({ state: 'detached' });
    await findRow(page, 'Carl writes').waitFor();
    await page.keyboard.press('z');
    await findRow(page, 'Anna writes').waitFor();
    await findRow(page, 'Carl writes').locator('[data-pick]').click();
    await findRow(page, 'Bert writes').locator('[data-pick]').click();
    await page.getByText('2 selected').waitFor();
    // Messages cannot be moved to the sent messages, nor to the folder that contains them.
    for (const name of ['Sent', 'Inbox'])
      await findRow(page, 'Bert writes').dragTo(folders.getByRole('link', { name }));
    await findRow(page, 'Bert writes').dragTo(folders.getByRole('link', { name: 'Trash' }));
    await page.getByText('Moved to Trash').first().waitFor();
    await findRow(page, 'Bert writes').waitFor({ state: 'detached' });
    expect(await findRow(page, 'Carl writes').count()).toBe(0);
    await page.keyboard.press('z');
    await findRow(page, 'Bert writes').waitFor();
    expect(await readMarks()).toEqual(before);
  });

  it('suggests operators and values while the user types a search, and remembers the search', async () => {
    const { page } = await openPage(buildInbox());
    await findRow(page, 'Anna writes').waitFor();
    const field = page.getByRole('combobox', { name: 'Search mail' });
    await page.keyboard.press('/');
    await page.keyboard.type('fr');
    await page.getByRole('option', { name: 'from: From' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('from:');
    await page.keyboard.type('anna is:un');
    await page.getByRole('option', { name: 'is:unread' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByText('Inbox: 1 message', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('from:anna is:unread');
    await findButton(page, 'Remove From: anna').click();
    await page.getByText('Inbox: 1,000+ messages').waitFor();
    expect(await field.inputValue()).toBe('is:unread');
    await field.fill('');
    await field.click();
    await page
      .getByRole('listbox', { name: 'Recent searches' })
      .getByRole('option', { name: 'from:anna is:unread' })
      .click();
    await page.getByText('Inbox: 1 message', { exact: true }).waitFor();
  });

  it('lists all mailboxes or a label by URL, and offers no moves across mailboxes', async () => {
    const { page } = await openPage('/app/mail/all');
    await page.getByText(`Inbox in all mailboxes: ${formatCount(4)} messages`).waitFor();
    await findRow(page, 'Team writes').getByText(sharedMailbox.address).waitFor();
    expect(await findButton(page, 'Select all').count()).toBe(0);
    await findRow(page, 'Team writes').locator('[data-pick]').click();
    await findRow(page, 'Anna writes').locator('[data-pick]').click();
    await page.keyboard.press('v');
    await page.getByText('The selected messages are in several mailboxes.').first().waitFor();
    await page.goto('/app/mail/settings/labels');
    await findButton(page, 'Create label').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Team');
    await findButton(page, 'Create label').click();
    await findButton(page, 'Edit Team').waitFor();
    await page.goto(`${buildInbox()}?q=writes`);
    await findRow(page, 'Anna writes').locator('[data-pick]').click();
    await findRow(page, 'Bert writes').locator('[data-pick]').click();
    await page.keyboard.press('l');
    await page.getByRole('dialog', { name: 'Labels' }).getByLabel('Team').click();
    await expect
      .poll(() => page.getByRole('dialog', { name: 'Labels' }).getByLabel('Team').isChecked())
      .toBe(true);
    await page.keyboard.press('Escape');
    await page.getByRole('navigation', { name: 'Folders' }).getByRole('link', { name: 'Team' }).click();
    await page.getByText('Team: 2 messages').waitFor();
    await page.waitForURL('**/label/*');
  });

  it('is accessible in every theme with selected rows and a search', async () => {
    const visitor = await openPage(`${buildInbox()}?q=in:inbox`);
    const { page } = visitor;
    await findRow(page, 'Anna writes').locator('[data-pick]').click();
    await page.getByText('1 selected').waitFor();
    await expectFaultless(visitor, 'selected messages');
  });
});
