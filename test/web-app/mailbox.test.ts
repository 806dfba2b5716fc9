import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { fileMany, loadMailbox, type Mailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp({ MAIL_IMAGE_ALLOW_PRIVATE: '1' });
let mailbox: Mailbox;
let images: Server;
const ids: Record<string, number> = {};

const OLD_COUNT = 250;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const buildMail = (name: string, body: string, extra = '') =>
  `From: ${name} Lee <${name.toLowerCase()}@example.org>\nTo: me@example.org\nSubject: ${name} writes\n` +
  `Message-ID: <${name}@example.org>\n${extra}Content-Type: text/html; charset=utf-8\n\n${body}\n`;

const WITH_FILE = `From: Dora Lee <dora@example.org>
To: me@example.org
Subject: Dora writes
Message-ID: <Dora@example.org>
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8

See the report.
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename="report.pdf"

%PDF-1.4
--b--
`;

chromium.describe('mail in the browser', () => {
  beforeAll(async () => {
    images = createServer((_request, response) => response.end(PNG));
    await new Promise<void>((resolve) => images.listen(0, '127.0.0.1', resolve));
    const picture = `<img alt="logo" src="http://127.0.0.1:${(images.address() as AddressInfo).port}/logo.png">`;
    const { ctx, user } = app.main;
    mailbox = await loadMailbox(ctx, user.id);
    const dates = Array.from({ length: OLD_COUNT }, (_, index) => new Date(Date.UTC(2025, 0, 1, 0, index)));
    await fileMany(ctx, mailbox.id, mailbox.folders.inbox, dates);
    const long = Array.from({ length: 90 }, (_, index) => `<p>Paragraph ${index}</p>`).join('');
    let minute = 0;
    const fileMail = async (name: string, raw: string) => {
      ids[name] = await fileRaw(app.main, mailbox, raw, {
        date: new Date(Date.UTC(2026, 10, 1, 8, minute++)),
      });
    };
    await fileMail('Edda', buildMail('Edda', '<p>Old question</p>'));
    await fileMail(
      'Re',
      buildMail('Re', '<p>The answer</p>', 'References: <Edda@example.org>\n').replace(
        'Re writes',
        'Re: Edda writes',
      ),
    );
    await fileMail('Dora', WITH_FILE);
    await fileMail('Carl', buildMail('Carl', `<p>A picture</p>${picture}`));
    await fileMail('Bert', buildMail('Bert', `<div style="height:100%">${long}</div>`));
    await fileMail(
      'Anna',
      buildMail(
        'Anna',
        '<h1>Good morning</h1><script>top.ran = 1</script><a href="https://example.org/">a link</a>',
      ),
    );
  });
  afterAll(() => images?.close());

  const openPage = trackPages(app, 'user');

  const buildInbox = () => `/app/mail/${mailbox.id}/inbox`;
  const list = (page: Page) => page.getByRole('listbox', { name: 'Messages' });
  const waitUntilOpened = (page: Page, subject: string) =>
    page.getByRole('heading', { name: subject, exact: true }).waitFor();
  const findFrame = (page: Page) => page.frameLocator('iframe[title="Message body"]');

  it("opens the first mailbox's Inbox with the newest message first, and shows the unread count", async () => {
    const { page } = await openPage('/app/mail');
    await page.waitForURL(`**${buildInbox()}`);
    await page.getByText(`Inbox: ${OLD_COUNT + 6} messages`).waitFor();
    const first = list(page).getByRole('option').first();
    await first.getByText('Anna writes').waitFor();
    expect(await first.getAttribute('aria-setsize')).toBe(String(OLD_COUNT + 6));
    expect(await first.textContent()).toMatch(/^Unread\./);
    expect(await list(page).getByRole('option').count()).toBeLessThan(60);
    await page
      .getByRole('navigation', { name: 'Folders' })
      .getByText(`${OLD_COUNT + 6} unread`)
      .waitFor();
    expect(await page.title()).toBe(`(${OLD_COUNT + 6}) Inbox · ${mailbox.address} · Atrium`);
    await list(page).focus();
    await page.keyboard.press('End');
    await list(page)
      .locator(`[aria-posinset="${OLD_COUNT + 6}"]`)
      .getByText('A subject')
      .waitFor();
  });

  it('finds, reads, archives, restores and closes a message using only the keyboard', async () => {
    const { page } = await openPage(buildInbox());
    await page.getByText(/Inbox: \d+ messages/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('from:anna');
    await page.keyboard.press('Enter');
    await page.getByText('Inbox: 1 message', { exact: true }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('from:anna');
    await list(page).focus();
    await page.keyboard.press('o');
    await waitUntilOpened(page, 'Anna writes');
    await findFrame(page).getByRole('heading', { name: 'Good morning' }).waitFor();
    expect(await page.evaluate('window.ran')).toBeUndefined();
    await page.keyboard.press('e');
    await page.getByText('Archived.').first().waitFor();
    await page.getByText('No messages match your search').waitFor();
    await page.keyboard.press('z');
    await page.getByText('1 message restored.').first().waitFor();
    await list(page).getByText('Anna writes').waitFor();
    await list(page).focus();
    await page.keyboard.press('Enter');
    await waitUntilOpened(page, 'Anna writes');
    await page.keyboard.press('s');
    await list(page).getByText('Starred.').waitFor();
    await page.keyboard.press('u');
    await page.getByRole('region', { name: 'Message' }).waitFor({ state: 'detached' });
    expect(await list(page).getByRole('option').first().textContent()).not.toContain('Unread.');
    await page.keyboard.press('Shift+U');
    await list(page).getByText('Unread.').waitFor();
  });

  it('reports unrecognized search syntax, and does not offer to select all results', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage(`${buildInbox()}?q=before:yesterday`);
    await page.getByText('is not a date. Use YYYY/MM/DD.').waitFor();
    await list(page).getByText('Anna writes').waitFor();
    expect(await page.getByRole('button', { name: 'Select all' }).count()).toBe(0);
    await page.getByLabel('Search mail').fill('from:anna');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Select all' }).waitFor();
    expect(await page.getByText('is not a date').count()).toBe(0);
  });

  it('shows a loading state in the list and the reader while the server is slow', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage('/app/profile/preferences');
    for (const operation of ['MailList', 'MailMessage']) {
      let answer = () => {};
      const heldResponse = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/graphql', async (route) => {
        if (route.request().postData()?.includes(`query ${operation}(`)) await heldResponse;
        await route.continue();
      });
      await page.goto(`${buildInbox()}?m=${ids.Anna}`);
      await page.getByText('Loading…').first().waitFor();
      expect(await page.getByText('No messages').count()).toBe(0);
      answer();
      await waitUntilOpened(page, 'Anna writes');
      await list(page).getByText('Anna writes').waitFor();
      await expect.poll(() => page.getByText('Loading…').count()).toBe(0);
      await page.unroute('**/graphql');
    }
  });

  it('aligns each line of right-to-left and left-to-right text in its own direction', {
    tags: 'slow',
  }, async () => {
    const raw =
      'From: Gad <gad@example.org>\nTo: me@example.org\nSubject: =?utf-8?B?16nXnNeV150=?=\n' +
      'Message-ID: <gad@example.org>\nContent-Type: text/plain; charset=utf-8\n\nשלום לך\nHello\n';
    const id = await fileRaw(app.main, mailbox, raw, { folderId: mailbox.folders.spam });
    const { page } = await openPage(`/app/mail/${mailbox.id}/spam?m=${id}`);
    await waitUntilOpened(page, 'שלום');
    await findFrame(page).getByText('Hello').waitFor();
    const starts = await findFrame(page)
      .locator('pre')
      .evaluate((pre) => {
        const box = pre.getBoundingClientRect();
        const text = document.createTreeWalker(pre, NodeFilter.SHOW_TEXT).nextNode() as Text;
        const buildLine = (from: number, to: number) => {
          const range = document.createRange();
          range.setStart(text, from);
          range.setEnd(text, to);
          return range.getBoundingClientRect();
        };
        return [box.right - buildLine(0, 7).right, buildLine(8, 13).left - box.left];
      });
    expect(Math.max(...starts)).toBeLessThan(2);
  });

  it('moves through the list with j and k, even if the focus is inside the message', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage(`${buildInbox()}?q=writes`);
    await list(page).getByText('Carl writes').waitFor();
    for (const [key, subject] of [
      ['o', 'Anna writes'],
      ['j', 'Bert writes'],
      ['j', 'Carl writes'],
      ['k', 'Bert writes'],
    ] as const) {
      await page.keyboard.press(key);
      await waitUntilOpened(page, subject);
    }
    await findFrame(page).getByText('Paragraph 1', { exact: true }).click();
    await page.keyboard.press('j');
    await waitUntilOpened(page, 'Carl writes');
  });

  it('opens a message by URL in a frame sized to the message', { tags: 'slow' }, async () => {
    const { page } = await openPage(`${buildInbox()}?m=${ids.Bert}`);
    await waitUntilOpened(page, 'Bert writes');
    const element = page.locator('iframe[title="Message body"]');
    const readHeight = async () => (await element.boundingBox())!.height;
    await expect.poll(readHeight).toBeGreaterThan(1_500);
    const readInner = () =>
      element.evaluate((item: HTMLIFrameElement) => {
        const root = item.contentDocument!.documentElement;
        return root.scrollHeight - root.clientHeight;
      });
    expect(await readInner()).toBeLessThanOrEqual(0);
    await page.goto(`${buildInbox()}?m=${ids.Anna}`);
    await findFrame(page).getByText('a link').waitFor();
    await expect.poll(readHeight).toBeLessThan(200);
  });

  it('loads remote images on request, through the image proxy', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage(`${buildInbox()}?m=${ids.Carl}`);
    await page.getByText('Remote images are hidden.').waitFor();
    const isLogoLoaded = () =>
      findFrame(page)
        .getByAltText('logo')
        .evaluate((image: HTMLImageElement) => image.naturalWidth);
    expect(await isLogoLoaded()).toBe(0);
    await page.getByRole('button', { name: 'Show images' }).click();
    await expect.poll(isLogoLoaded).toBe(1);
    await page.getByRole('button', { name: 'Show images' }).waitFor({ state: 'detached' });
  });

  it('shows the attachments, plain text and conversation of a message', async () => {
    const { page } = await openPage(`${buildInbox()}?m=${ids.Dora}`);
    await findFrame(page).getByText('See the report.').waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'report.pdf' }).click();
    expect((await coming).suggestedFilename()).toBe('report.pdf');
    await page.goto(`${buildInbox()}?m=${ids.Re}`);
    await waitUntilOpened(page, 'Re: Edda writes');
    await page
      .getByRole('list', { name: 'Conversation' })
      .getByRole('button', { name: /Old question/ })
      .click();
    await waitUntilOpened(page, 'Edda writes');
    await findFrame(page).getByText('Old question').waitFor();
    expect(new URL(page.url()).searchParams.get('m')).toBe(String(ids.Edda));
  });

  it('moves a message to a folder, and back with the undo button', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage(`${buildInbox()}?q=from:dora&m=${ids.Dora}`);
    await waitUntilOpened(page, 'Dora writes');
    await page.keyboard.press('v');
    await page.getByRole('dialog', { name: 'Move to' }).getByRole('button', { name: 'Trash' }).click();
    await page.getByText('Moved to Trash.').first().waitFor();
    await page.getByText('No messages match your search').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await list(page).getByText('Dora writes').waitFor();
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByText('No messages').waitFor();
  });

  it('archives all results of a search after confirming their number, and undoes the change', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage(`${buildInbox()}?q=writes`);
    await page.getByText('Inbox: 6 messages').waitFor();
    await page.getByRole('button', { name: 'Select all' }).click();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Update all messages in this list?' });
    await dialog.getByText('Archive: 6 messages.').waitFor();
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('No messages match your search').waitFor();
    await page.keyboard.press('z');
    await page.getByText('Inbox: 6 messages').waitFor();
  });

  it('shows a new message without reloading', async () => {
    const { page } = await openPage(`${buildInbox()}?q=from:fred`);
    await page.getByText('No messages match your search').waitFor();
    await fileRaw(app.main, mailbox, buildMail('Fred', '<p>Hi</p>'), { folderId: mailbox.folders.inbox });
    await list(page).getByText('Fred writes').waitFor();
  });

  it('shows either the list or the message on a phone, and lists folders in a select', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage(buildInbox(), { viewport: { width: 390, height: 800 } });
    const settings = page.getByRole('link', { name: 'Mail settings' });
    expect((await list(page).boundingBox())!.y).toBeLessThan(800 / 3);
    expect(await settings.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Mailbox and settings' }).click();
    await settings.waitFor();
    await list(page).getByText('Bert writes').click();
    await waitUntilOpened(page, 'Bert writes');
    expect(await list(page).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Back to list' }).click();
    await list(page).getByText('Bert writes').waitFor();
    await page.getByLabel('Folder', { exact: true }).selectOption('archive');
    await page.waitForURL('**/archive');
    await page.getByText('No messages').waitFor();
  });

  it("shows information about the sender by keyboard, creates a contact, and lists the sender's mail", {
    tags: 'slow',
  }, async () => {
    const { login, password } = app.main.admin;
    const otherMailbox = await loadMailbox(app.main.ctx, app.main.admin.id);
    const id = await fileRaw(app.main, otherMailbox, buildMail('Fay', '<p>x</p>'), {
      folderId: otherMailbox.folders.inbox,
    });
    const visitor = await openPage(`/app/mail/${otherMailbox.id}/inbox?m=${id}`, { login, password });
    const { page } = visitor;
    await page.getByRole('button', { name: 'About the sender' }).press('Enter');
    const card = page.getByRole('region', { name: 'Sender', exact: true });
    await card.getByText('Not in your contacts.').waitFor();
    await card.getByRole('button', { name: 'Add to contacts' }).press('Enter');
    await card.getByText('In your contacts.', { exact: true }).waitFor();
    await card.getByRole('link', { name: 'Open contact' }).waitFor();
    await expectFaultless(visitor, 'a sender');
    await card.getByRole('button', { name: 'Block' }).press('Enter');
    await card.getByText('Blocked.').waitFor();
    await card.getByRole('button', { name: 'Unblock' }).press('Enter');
    await card.getByText('In your contacts.', { exact: true }).waitFor();
    await card.getByRole('link', { name: '1 message from this sender' }).click();
    await page.getByText('Inbox: 1 message', { exact: true }).waitFor();
  });

  it('is accessible in every theme with the list and an open message', { tags: 'slow' }, async () => {
    const visitor = await openPage(buildInbox());
    await list(visitor.page).getByText('Anna writes').waitFor();
    await expectFaultless(visitor, 'the Inbox');
    await visitor.page.goto(`${buildInbox()}?m=${ids.Carl}`);
    await visitor.page.getByText('Remote images are hidden.').waitFor();
    await expectFaultless(visitor, 'a message');
  });

  it("shows that another user's folder and message do not exist", async () => {
    const { page } = await openPage('/app/mail/999');
    await page.getByText('Folder not found').waitFor();
    await page.getByRole('link', { name: 'Go to Inbox' }).click();
    await page.waitForURL(`**${buildInbox()}`);
    const otherMailbox = await loadMailbox(app.main.ctx, app.main.admin.id);
    const id = await fileRaw(app.main, otherMailbox, buildMail('Secret', '<p>x</p>'), {
      folderId: otherMailbox.folders.inbox,
    });
    await page.goto(`${buildInbox()}?m=${id}`);
    await page.getByText('Message not found').waitFor();
    await page
      .getByRole('region', { name: 'Message' })
      .getByRole('heading')
      .locator('..')
      .getByRole('button', { name: 'Back to list' })
      .click();
    await page.getByRole('region', { name: 'Message' }).waitFor({ state: 'detached' });
  });
});
