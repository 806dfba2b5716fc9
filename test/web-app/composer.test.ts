import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { SAVE_DELAY_MS } from '../../web/src/mailbox/composer/draft-queue.ts';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { callMailOk, loadMailbox, type Mailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp();
let mailbox: Mailbox;
let question: number;

const QUOTED_HTML =
  '<table style="color:rgb(1, 2, 3)"><tbody><tr><td>Shall we meet?</td></tr></tbody></table>';

const QUESTION = `From: Ann Lee <ann@example.org>
To: me@main.test
Subject: Question
Message-ID: <question@example.org>
Content-Type: text/html; charset=utf-8

<style>p { color: rgb(4, 5, 6); padding: 1px !important } p.note { color: rgb(7, 8, 9) }</style>
${QUOTED_HTML}<p class="note" style="padding: 3px">Or call?</p>
`;

/** Clipboard content of other programs, and the parts that must be preserved. */
const PASTED: [program: string, kept: RegExp[]][] = [
  [
    'Word',
    [
      /color:\s*(?:#c00000|rgb\(192, 0, 0\)).*Quarterly/,
      /<td[^>]*background[^>]*>/,
      /<(?:b|strong)>|font-weight/,
    ],
  ],
  [
    'Docs',
    [
      /font-weight:\s*700|<b>|<strong>/,
      /background-color:\s*(?:#ffff00|rgb\(255, 255, 0\))/,
      /<li/,
      /<a href="https:\/\/example\.org\/plan"/,
    ],
  ],
  ['Sheets', [/<td[^>]*text-align:\s*right[^>]*>[^<]*1[.,]200/, /<td[^>]*background-color/, /<table/]],
  [
    'Outlook',
    [/color:\s*(?:#1f497d|rgb\(31, 73, 125\))/, /<a href="mailto:bob@example\.org"/, /border-top|border:/],
  ],
];

chromium.describe('writing mail in the browser', () => {
  beforeAll(async () => {
    const { ctx, user } = app.main;
    await app.runtime.db.rows(
      sql`update svc_mail_account set address = replace(address, 'main.localhost', 'main.test')
       where workspace_id = ${ctx.workspace.id}`,
    );
    mailbox = await loadMailbox(ctx, user.id);
    question = await fileRaw(app.main, mailbox, QUESTION, { date: new Date(Date.UTC(2026, 10, 1)) });
  });

  const openPage = trackPages(app, 'user');
  const buildInbox = () => `/app/mail/${mailbox.id}/inbox`;
  const findComposer = (page: Page) => page.locator('.composer').last();
  const findText = (page: Page) =>
    findComposer(page).frameLocator('iframe').getByRole('textbox', { name: 'Message body' });
  const waitUntilSaved = (page: Page) => findComposer(page).getByText('Saved', { exact: true }).waitFor();
  const loadWaiting = (subject: string) =>
    app.runtime.db.rows<{
      id: number;
      to: string;
      body_html: string;
      in_reply_to: number | null;
      files: number;
    }>(
      sql`select id, "to", body_html, in_reply_to, cardinality(attachment_ids) as files from svc_mail_outgoing
       where workspace_id = ${app.main.ctx.workspace.id} and subject = ${subject}`,
    );
  const readDraft = async (subject: string) => {
    const [row] = await app.runtime.db.rows<{ id: number; body: string; version: number }>(
      sql`select id, body, version from svc_mail_draft
       where workspace_id = ${app.main.ctx.workspace.id} and subject = ${subject}`,
    );
    return row;
  };
  const saveDraft = async (vals: object): Promise<number> =>
    (await callMailOk(app, 'draft_save', { account_id: mailbox.id, vals })).draft_id;

  it('accepts the first suggested recipient with Enter or Tab, and moves to the subject with Tab', async () => {
    await app.runtime.db.rows(
      sql`insert into svc_mail_correspondent (workspace_id, account_id, email, name, uses)
       values (${app.main.ctx.workspace.id}, ${mailbox.id}, 'ann@example.org', 'Ann Lee', 1)`,
    );
    const { page } = await openPage('/app/mail/compose');
    const to = page.getByRole('combobox', { name: 'To', exact: true });
    const chips = findComposer(page).locator('.composer-to .chip');
    await to.fill('Ann');
    await page.getByRole('option', { name: 'Ann Lee <ann@example.org>', selected: true }).waitFor();
    await to.press('Enter');
    await expect.poll(() => chips.allTextContents()).toEqual(['Ann Lee']);
    await chips.getByRole('button').click();
    // Submits the text before the suggestions appear.
    await to.fill('ann');
    await to.press('Tab');
    await expect.poll(() => chips.allTextContents()).toEqual(['Ann Lee']);
    await expect
      .poll(() => page.getByLabel('Subject').evaluate((item) => item === document.activeElement))
      .toBe(true);
    await to.fill('ann@example.com');
    await to.press('Enter');
    await expect.poll(() => chips.allTextContents()).toEqual(['Ann Lee', 'ann@example.com']);
    await to.fill('Nobody known');
    await to.press('Enter');
    await findComposer(page).getByText('Nobody known is not a valid email address.').waitFor();
    await page.getByRole('button', { name: 'Delete draft' }).click();
  });

  it('sends a message using only the keyboard, and undoes the send with z, even in another tab', async () => {
    const { page } = await openPage(buildInbox());
    await page.getByText('Question').first().waitFor();
    await page.keyboard.press('c');
    await findText(page).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox');
    await page.keyboard.type('bob@example.org; Cy <cy@example.org>,');
    await page.keyboard.press('Tab');
    expect(await findComposer(page).locator('.chip').allTextContents()).toEqual(['bob@example.org', 'Cy']);
    await findComposer(page).getByLabel('Subject').focus();
    await page.keyboard.type('Lunch');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('Noon?');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Message sent.').first().waitFor();
    await expect.poll(() => page.locator('.composer').count()).toBe(0);
    const [sent] = await loadWaiting('Lunch');
    expect(sent!.to).toBe('bob@example.org, Cy <cy@example.org>');
    expect(sent!.body_html).toContain('<b>Noon?</b>');
    expect(await readDraft('Lunch')).toBeUndefined();
    const otherPage = await page.context().newPage();
    await otherPage.goto(buildInbox());
    await otherPage.getByText('Question').first().waitFor();
    await otherPage.keyboard.press('z');
    await findText(otherPage).getByText('Noon?').waitFor();
    expect(await loadWaiting('Lunch')).toEqual([]);
    expect(await findComposer(otherPage).getByLabel('Subject').inputValue()).toBe('Lunch');
  });

  it('places the cursor in the text of a reply, keeps the quote, and adds the reply to the conversation', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage(`${buildInbox()}?m=${question}`);
    await page.getByRole('heading', { name: 'Question', exact: true }).waitFor();
    await page.keyboard.press('r');
    await findText(page).waitFor();
    await page.waitForFunction('document.activeElement.tagName === "IFRAME"');
    await page.keyboard.type('Yes.');
    expect(await findComposer(page).locator('.chip').allTextContents()).toEqual(['Ann Lee']);
    await findComposer(page).getByRole('button', { name: 'Show quoted text' }).click();
    await findComposer(page).frameLocator('iframe').getByText('Shall we meet?').waitFor();
    await waitUntilSaved(page);
    await findText(page).focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Message sent.').first().waitFor();
    const [sent] = await loadWaiting('Re: Question');
    expect(Number(sent!.in_reply_to)).toBe(question);
    expect(sent!.body_html).toMatch(/^<div>Yes\..*<div class="quote-wrapper"><p>On .* Ann Lee/);
    expect(sent!.body_html).toContain(QUOTED_HTML);
    expect(sent!.body_html).toContain(
      '<p style="color:rgb(4, 5, 6);padding:1px !important;color:rgb(7, 8, 9);padding:3px">Or call?</p>',
    );
  });

  it('saves a draft automatically, lists it in Drafts, and reopens it from there or by URL', async () => {
    const { page } = await openPage('/app/mail/compose?to=ann@example.org&subject=Plan');
    await findText(page).waitFor();
    await findText(page).pressSequentially('First');
    await waitUntilSaved(page);
    const draft = await readDraft('Plan');
    expect(draft!.body).toContain('First');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.composer').count()).toBe(0);
    await page.getByRole('link', { name: 'Drafts' }).click();
    await page.getByRole('option', { name: /Plan/ }).click();
    await findText(page).getByText('First').waitFor();
    await page.goto(`/app/mail/compose?draft=${draft!.id}`);
    await findText(page).getByText('First').waitFor();
  });

  it('does not save an untouched or emptied message as a new draft, and keeps an existing draft', {
    tags: 'slow',
  }, async () => {
    const loadDrafts = () =>
      app.runtime.db.rows<{ id: number }>(
        sql`select id from svc_mail_draft where workspace_id = ${app.main.ctx.workspace.id} order by id`,
      );
    await saveDraft({ subject: 'Kept' });
    const before = await loadDrafts();
    const { page } = await openPage(`${buildInbox()}?m=${question}`);
    await page.getByRole('heading', { name: 'Question', exact: true }).waitFor();
    const closeComposer = async () => {
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.composer').count()).toBe(0);
    };
    for (const key of ['c', 'r']) {
      await page.keyboard.press(key);
      await findText(page).waitFor();
      // Waits until a change would have been saved.
      await page.waitForTimeout(SAVE_DELAY_MS + 500);
      await closeComposer();
      expect(await loadDrafts()).toEqual(before);
    }
    await page.keyboard.press('c');
    await findText(page).pressSequentially('x');
    await waitUntilSaved(page);
    expect(await loadDrafts()).toHaveLength(before.length + 1);
    await page.keyboard.press('Backspace');
    await closeComposer();
    await expect.poll(loadDrafts).toEqual(before);
    await page.goto(`/app/mail/compose?draft=${before.at(-1)!.id}`);
    await expect.poll(() => findComposer(page).getByLabel('Subject').inputValue()).toBe('Kept');
    await closeComposer();
    expect(await loadDrafts()).toEqual(before);
  });

  it("keeps another client's HTML in a draft if only the subject changes", {
    tags: 'slow',
  }, async () => {
    const body = '<center><font color="red" face="Arial">Hi</font></center><p align="right">there</p>';
    const id = await saveDraft({ to: 'ann@example.org', subject: 'Foreign', body });
    const before = await readDraft('Foreign');
    const { page } = await openPage(`/app/mail/compose?draft=${id}`);
    await findText(page).getByText('there').waitFor();
    await findComposer(page).getByLabel('Subject').fill('Foreign too');
    await waitUntilSaved(page);
    expect((await readDraft('Foreign too'))!.body).toBe(before!.body);
  });

  it('asks for confirmation before one tab overwrites the draft of another tab', {
    tags: 'slow',
  }, async () => {
    const id = await saveDraft({ to: 'ann@example.org', subject: 'Shared', body: '<p>Start</p>' });
    const { page } = await openPage(`/app/mail/compose?draft=${id}`);
    await findText(page).getByText('Start').waitFor();
    const otherPage = await page.context().newPage();
    await otherPage.goto(`/app/mail/compose?draft=${id}`);
    await findText(otherPage).getByText('Start').waitFor();
    await findComposer(otherPage).getByLabel('Subject').fill('Theirs');
    await waitUntilSaved(otherPage);
    await findComposer(page).getByLabel('Subject').fill('Mine');
    await page.getByText('This draft was changed elsewhere.').waitFor();
    expect((await readDraft('Theirs'))!.id).toBe(id);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => findComposer(page).getByLabel('Subject').inputValue()).toBe('Theirs');
    await findComposer(page).getByLabel('Subject').fill('Mine after all');
    await waitUntilSaved(page);
    await findComposer(otherPage).getByLabel('Subject').fill('Over it');
    await otherPage.getByRole('button', { name: 'Keep mine' }).click();
    await waitUntilSaved(otherPage);
    expect((await readDraft('Over it'))!.id).toBe(id);
  });

  it('attaches and removes files, and sends an inserted image inline', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage('/app/mail/compose?to=ann@example.org&subject=Files');
    await findText(page).waitFor();
    const buildFile = (name: string, mimeType: string, content: Buffer) => ({
      name,
      mimeType,
      buffer: content,
    });
    await findComposer(page)
      .locator('footer input[type=file]')
      .setInputFiles([
        buildFile('a.txt', 'text/plain', Buffer.from('a')),
        buildFile('b.txt', 'text/plain', Buffer.from('b')),
      ]);
    await findComposer(page).getByRole('button', { name: 'Remove a.txt' }).click();
    await findComposer(page).getByRole('button', { name: 'Remove b.txt' }).waitFor();
    await findComposer(page)
      .locator('.composer-tools input[type=file]')
      .setInputFiles([
        buildFile('c.pdf', 'application/pdf', Buffer.from('%PDF')),
        buildFile('dot.png', 'image/png', PNG),
      ]);
    await page.getByText('c.pdf is not an image.').first().waitFor();
    await findComposer(page).getByRole('button', { name: 'Remove dot.png' }).waitFor();
    expect(await findComposer(page).getByRole('button', { name: 'Remove c.pdf' }).count()).toBe(0);
    const image = findText(page).getByAltText('dot.png');
    await expect.poll(() => image.evaluate((item: HTMLImageElement) => item.naturalWidth)).toBe(1);
    await waitUntilSaved(page);
    await findComposer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Message sent.').first().waitFor();
    const [sent] = await loadWaiting('Files');
    expect(sent!.files).toBe(2);
    expect(sent!.body_html).toMatch(/<img [^>]*src="cid:\d+"/);
  });

  it('runs no scripts and loads no remote resources for a malicious draft', async () => {
    const body =
      '<p>Hello</p><img src="x" onerror="top.ran=1"><img src="http://127.0.0.1:9/a.png">' +
      '<div style="position:fixed;inset:0;background:url(http://127.0.0.1:9/b.png)">x</div>' +
      '<a href="javascript:top.ran=1">link</a>';
    const id = await saveDraft({ to: 'ann@example.org', subject: 'Hostile' });
    await app.runtime.db.rows(
      sql`update svc_mail_draft set body = ${`${body}<script>top.ran = 1</script><svg onload="top.ran=1"></svg>`}
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${id}`,
    );
    const { page, complaints } = await openPage(`/app/mail/compose?draft=${id}`);
    await findText(page).getByText('Hello').waitFor();
    await findText(page).getByText('link').click();
    await findText(page).pressSequentially('!');
    await waitUntilSaved(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    // The draft bypassed the server's sanitizer, so the frame's CSP blocks its handlers.
    for (const complaint of complaints.splice(0))
      expect(complaint).toMatch(/^Executing inline event handler violates/);
    expect((await readDraft('Hostile'))!.body).toContain('src="http://127.0.0.1:9/a.png"');
  });

  it('does not save a draft that is only opened and closed', {
    tags: 'slow',
  }, async () => {
    const body = '<center><font color="red" face="Arial">Hi</font></center><p align="right">there</p>';
    const id = await saveDraft({ to: 'ann@example.org', subject: 'Foreign, untouched', body });
    const before = await readDraft('Foreign, untouched');
    const { page } = await openPage(`/app/mail/compose?draft=${id}`);
    await findText(page).getByText('there').waitFor();
    await findText(page).focus();
    await page.keyboard.press('ArrowRight');
    await findComposer(page).getByLabel('Subject').focus();
    await page.keyboard.press('Escape');
    await findComposer(page).waitFor({ state: 'detached' });
    expect(await readDraft('Foreign, untouched')).toEqual(before);
  });

  it.each(PASTED)(
    'keeps the styles of content pasted from %s, without scripts or remote resources',
    { tags: 'slow' },
    async (from, expected) => {
      const { page, complaints } = await openPage(`/app/mail/compose?to=ann@example.org&subject=${from}`);
      await findText(page).waitFor();
      const html = readFileSync(`test/web-app/clipboard/${from.toLowerCase()}.txt`, 'utf8');
      await findText(page).evaluate((root: HTMLElement, html) => {
        const data = new DataTransfer();
        data.setData('text/html', html);
        data.setData('text/plain', 'End of the copy');
        root.focus();
        root.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, html);
      await findText(page).getByText('End of the copy').waitFor();
      await waitUntilSaved(page);
      expect(await page.evaluate('window.ran')).toBeUndefined();
      // The frame's CSP reports blocked content. An actual request would cause a different error.
      for (const item of complaints.splice(0))
        expect(item).toMatch(/ violates the following Content Security Policy/);
      const { body } = (await readDraft(from))!;
      for (const style of expected) expect(body).toMatch(style);
      expect(body).not.toMatch(/<script|onerror|onclick|javascript:|<style|<o:p|<xml|<meta|<link/i);
    },
  );

  it('shows errors next to the fields', { tags: 'slow' }, async () => {
    const { page } = await openPage('/app/mail/compose?subject=Refused');
    await findText(page).waitFor();
    await findComposer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Enter at least one recipient.').waitFor();
    await findComposer(page).getByRole('combobox', { name: 'To' }).fill('nonsense,');
    await page.keyboard.press('Tab');
    await page.getByText('nonsense is not a valid email address.').waitFor();
    const sends: string[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('MailSendLater')) sends.push(request.url());
    });
    await findComposer(page).getByRole('button', { name: 'Remove nonsense' }).click();
    await findComposer(page).getByRole('combobox', { name: 'To' }).fill('bob@example.org,');
    await findComposer(page).getByRole('button', { name: 'Cc, Bcc' }).click();
    const copy = findComposer(page).getByRole('combobox', { name: 'Cc', exact: true });
    await copy.fill('ann@localhost,');
    await findComposer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('ann@localhost is not a valid email address.').waitFor();
    expect(await copy.getAttribute('aria-invalid')).toBe('true');
    expect(sends).toEqual([]);
    await page.getByRole('button', { name: 'Delete draft' }).click();
  });

  it('Ctrl+K inserts a link in the text, and opens the palette elsewhere', { tags: 'slow' }, async () => {
    const { page } = await openPage('/app/mail/compose?to=bob@example.org&subject=With+a+link');
    const palette = page.getByRole('dialog', { name: 'Go to a page or record' });
    await findText(page).click();
    await page.keyboard.type('here');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+k');
    const linkDialog = page.getByRole('dialog', { name: 'Link' });
    await linkDialog.getByLabel('Link URL').fill('https://example.org/');
    expect(await palette.count()).toBe(0);
    await page.keyboard.press('Enter');
    await findText(page).getByRole('link', { name: 'here' }).waitFor();
    await findComposer(page).getByLabel('Subject').focus();
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    expect(await linkDialog.count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete draft' }).click();
  });

  it('lists a scheduled message until it is sent, and can turn it into a draft again', {
    tags: 'slow',
  }, async () => {
    const visitor = await openPage('/app/mail/compose?to=bob@example.org&subject=Tomorrow');
    const { page } = visitor;
    await findText(page).fill('Until then.');
    await waitUntilSaved(page);
    await findComposer(page).getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
    await findComposer(page).waitFor({ state: 'detached' });
    await page.goto('/app/mail/scheduled');
    const row = page.getByRole('listitem').filter({ hasText: 'Tomorrow' });
    await row.getByText(/^Sends /).waitFor();
    await expectFaultless(visitor, 'messages for later');
    await row.getByRole('button', { name: 'Move back to Drafts: Tomorrow' }).click();
    await page.waitForURL(`**/mail/${mailbox.id}/drafts`);
    await findComposer(page).waitFor();
    expect(await loadWaiting('Tomorrow')).toEqual([]);
    await page.goto('/app/mail/scheduled');
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
    expect(await page.getByText('Tomorrow').count()).toBe(0);
  });

  it('sends a message even if its page is closed', { tags: 'slow' }, async () => {
    await app.deliver();
    await app.sendLater();
    const visitor = await openPage('/app/mail/compose?to=ann@example.org&subject=Closed');
    const { page } = visitor;
    await findText(page).waitFor();
    await findComposer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Message sent.').first().waitFor();
    await page.close();
    const loadCopies = () =>
      app.runtime.db.rows(
        sql`select e.id from svc_mail_entry e
         join svc_mail_message c on c.workspace_id = ${app.main.ctx.workspace.id} and c.id = e.content_id
         where e.workspace_id = ${app.main.ctx.workspace.id} and c.subject = 'Closed'`,
      );
    await expect.poll(async () => (await loadCopies()).length, { timeout: 60_000 }).toBe(1);
  });

  it('is accessible in every theme, opens full screen, fills a phone screen, and collapses to a bar', {
    tags: 'slow',
  }, async () => {
    const visitor = await openPage('/app/mail/compose?to=ann@example.org');
    await findText(visitor.page).waitFor();
    await expectFaultless(visitor, 'the composer');
    const readHeight = async () => (await findComposer(visitor.page).boundingBox())!.height;
    // The composer's URL opens it in full screen.
    expect(await readHeight()).toBeGreaterThan(850);
    await findComposer(visitor.page).getByRole('button', { name: 'Exit full screen' }).click();
    expect(await readHeight()).toBe(600);
    await findComposer(visitor.page).getByRole('button', { name: 'Minimize' }).click();
    expect(await readHeight()).toBeLessThan(60);
    await findComposer(visitor.page).getByRole('button', { name: 'Restore' }).click();
    await visitor.page.setViewportSize({ width: 390, height: 800 });
    expect(await findComposer(visitor.page).boundingBox()).toMatchObject({
      x: 0,
      y: 0,
      width: 390,
      height: 800,
    });
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
