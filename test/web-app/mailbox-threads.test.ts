import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { fileMany, loadMailbox, type Mailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp();
let mailbox: Mailbox;

const OLD_COUNT = 230;

chromium.describe('conversations in the browser', () => {
  beforeAll(async () => {
    const { ctx, user } = app.main;
    mailbox = await loadMailbox(ctx, user.id);
    const dates = Array.from({ length: OLD_COUNT }, (_, index) => new Date(Date.UTC(2025, 0, 1, 0, index)));
    await fileMany(ctx, mailbox.id, mailbox.folders.inbox, dates);
    await fileMail('Anna', 'Offer', '', 'inbox', 1);
    await fileMail('Me', 'Re: Offer', 'Anna', 'sent', 2);
    await fileMail('Bert', 'Re: Offer', 'Anna', 'inbox', 3);
    await fileMail('Carl', 'Lunch', '', 'inbox', 4);
  });

  const fileMail = (
    name: string,
    subject: string,
    responses: string,
    folder: 'inbox' | 'sent',
    minute: number,
  ) =>
    fileRaw(
      app.main,
      mailbox,
      `From: ${name} Lee <${name.toLowerCase()}@example.org>\nTo: me@example.org\nSubject: ${subject}\n` +
        `Message-ID: <${name}@example.org>\n${responses && `References: <${responses}@example.org>\n`}\nBy ${name}\n`,
      { date: new Date(Date.UTC(2026, 10, 1, 8, minute)), folderId: mailbox.folders[folder] },
    );
  const openUserPage = trackPages(app, 'user');
  const openPage = (overrides = {}) => openUserPage(`/app/mail/${mailbox.id}/inbox`, overrides);
  const list = (page: Page) => page.getByRole('listbox', { name: 'Conversations' });
  const findRow = (page: Page, text: string) => list(page).getByRole('option').filter({ hasText: text });
  const toggle = (page: Page) => page.getByRole('button', { name: 'Conversations', exact: true });
  const isOpen = (page: Page, subject: string) =>
    page.getByRole('heading', { name: subject, exact: true }).waitFor();
  const readMarks = () =>
    app.main.ctx.db.rows<{ folder_id: number; is_read: boolean; subject: string }>(
      sql`select e.id, e.folder_id, e.is_read, e.is_starred, m.subject from svc_mail_entry e
       join svc_mail_message m on m.workspace_id = ${app.main.ctx.workspace.id} and m.id = e.content_id
       where e.workspace_id = ${app.main.ctx.workspace.id} and e.account_id = ${mailbox.id} order by e.id`,
    );
  const readOffers = async () => (await readMarks()).filter(({ subject }) => subject.endsWith('Offer'));

  it('shows a conversation as one row with its senders, and remembers this setting', async () => {
    const { page } = await openPage();
    await page.getByRole('listbox', { name: 'Messages' }).waitFor();
    await toggle(page).click();
    await findRow(page, 'Re: Offer').getByText('Anna Lee, Me Lee, Bert Lee').waitFor();
    await findRow(page, 'Re: Offer').getByText('3 messages').waitFor();
    expect(await list(page).getByRole('option').first().textContent()).toContain('Lunch');
    await page.reload();
    await findRow(page, 'Re: Offer').click();
    await isOpen(page, 'Re: Offer');
    await page.getByRole('list', { name: 'Conversation' }).getByRole('button', { name: /Anna/ }).waitFor();
  });

  it('loads more conversations while scrolling', async () => {
    const { page } = await openPage();
    await page.getByText('Inbox: 100+ conversations').waitFor();
    await list(page).focus();
    await page.keyboard.press('End');
    await expect.poll(() => page.locator('.mail-count').textContent()).not.toContain('100');
    for (
      let tries = 0;
      tries < 10 && !(await page.getByText(`${OLD_COUNT + 2} conversations`).count());
      tries += 1
    ) {
      await page.keyboard.press('End');
      await page.waitForTimeout(300);
    }
    await page.getByText(`Inbox: ${OLD_COUNT + 2} conversations`, { exact: true }).waitFor();
  });

  it('archives and flags all messages of a conversation in the folder by keyboard, and undoes the change', async () => {
    const { page } = await openPage();
    await findRow(page, 'Re: Offer').waitFor();
    const before = await readMarks();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByText('Archived.').first().waitFor();
    await findRow(page, 'Re: Offer').waitFor({ state: 'detached' });
    const { inbox, archive, sent } = mailbox.folders;
    expect((await readOffers()).map(({ folder_id }) => folder_id)).toEqual([archive, sent, archive]);
    await page.keyboard.press('z');
    await findRow(page, 'Re: Offer').waitFor();
    expect(await readMarks()).toEqual(before);
    await page.keyboard.press('x');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Shift+I');
    await expect
      .poll(async () => (await readMarks()).filter((mark) => mark.folder_id === inbox && mark.is_read).length)
      .toBe(3);
  });

  it('changes all conversations of a folder after confirming the message count, and undoes the change', async () => {
    const { page } = await openPage();
    await findRow(page, 'Re: Offer').waitFor();
    const before = await readMarks();
    const { inbox, archive } = mailbox.folders;
    const count = before.filter(({ folder_id }) => folder_id === inbox).length;
    expect(count).toBe(OLD_COUNT + 3);
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.getByText(`All ${count} messages selected`).waitFor();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Update all messages in this list?' });
    await dialog.getByText(`Archive: ${count} messages.`).waitFor();
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('No messages').waitFor();
    expect((await readMarks()).filter(({ folder_id }) => folder_id === archive)).toHaveLength(count);
    await page.keyboard.press('z');
    await findRow(page, 'Re: Offer').waitFor();
    expect(await readMarks()).toEqual(before);
  });

  it('moves a conversation with a new message to the top, and lists messages for a search', async () => {
    const { page } = await openPage();
    await findRow(page, 'Re: Offer').waitFor();
    await fileMail('Dora', 'Re: Offer', 'Anna', 'inbox', 9);
    await findRow(page, 'Re: Offer').getByText('4 messages').waitFor();
    await expect
      .poll(() => list(page).getByRole('option').first().textContent())
      .toContain('Anna Lee, Me Lee, Bert Lee, Dora Lee');
    await page.goto(`/app/mail/${mailbox.id}/inbox?q=offer`);
    await page.getByRole('listbox', { name: 'Messages' }).getByRole('option').nth(2).waitFor();
    expect(await toggle(page).count()).toBe(0);
  });

  it('is accessible in every theme, and switches back to messages', async () => {
    const visitor = await openPage();
    await findRow(visitor.page, 'Re: Offer').waitFor();
    await expectFaultless(visitor, 'conversations');
    await toggle(visitor.page).click();
    await visitor.page.getByRole('listbox', { name: 'Messages' }).waitFor();
  });
});
