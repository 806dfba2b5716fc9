import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { SAVE_DELAY_MS } from '../../web/src/mailbox/composer/draft-queue.ts';
import { chromium } from '../doc/browser.ts';
import { type App, startApp } from '../harness/app.ts';
import { callMailOk, loadMailbox, type Mailbox } from '../mailbox/mailboxes.ts';
import { fileRaw } from '../mailbox/raw-mail.ts';
import { expectFaultless, openSignedIn, startBrowser, trackVisitors } from './browser.ts';

let app: App;
let browser: Browser;
let mine: Mailbox;
let question: number;
const people = trackVisitors();

const QUOTED_HTML =
  '<table style="color:rgb(1, 2, 3)"><tbody><tr><td>Shall we meet?</td></tr></tbody></table>';

const QUESTION = `From: Ann Lee <ann@example.org>
To: me@main.test
Subject: Question
Message-ID: <question@example.org>
Content-Type: text/html; charset=utf-8

${QUOTED_HTML}
`;

/** Clipboard content as written by other programs, and the parts that must be preserved. */
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
    app = await startApp();
    const { ctx, user } = app.main;
    await app.runtime.db.rows(
      sql`update svc_mail_account set address = replace(address, 'main.localhost', 'main.test')
       where workspace_id = ${ctx.workspace.id}`,
    );
    mine = await loadMailbox(ctx, user.id);
    question = await fileRaw(app.main, mine, QUESTION, { date: new Date(Date.UTC(2026, 10, 1)) });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await app?.close();
  });

  const come = async (path: string, more = {}) => {
    const { login, password } = app.main.user;
    const person = await openSignedIn(browser, app, path, { login, password, ...more });
    people.push(person);
    return person;
  };
  const inbox = () => `/app/mail/${mine.id}/inbox`;
  const composer = (page: Page) => page.locator('.composer').last();
  const text = (page: Page) =>
    composer(page).frameLocator('iframe').getByRole('textbox', { name: 'Message body' });
  const saved = (page: Page) => composer(page).getByText('Saved', { exact: true }).waitFor();
  const waiting = (subject: string) =>
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
  const draftOf = async (subject: string) => {
    const [row] = await app.runtime.db.rows<{ id: number; body: string; version: number }>(
      sql`select id, body, version from svc_mail_draft
       where workspace_id = ${app.main.ctx.workspace.id} and subject = ${subject}`,
    );
    return row;
  };
  const saveDraft = async (vals: object): Promise<number> =>
    (await callMailOk(app, 'draft_save', { account_id: mine.id, vals })).draft_id;

  it('Enter and Tab choose the first suggested recipient, and Tab moves on to the subject', async () => {
    await app.runtime.db.rows(
      sql`insert into svc_mail_correspondent (workspace_id, account_id, email, name, uses)
       values (${app.main.ctx.workspace.id}, ${mine.id}, 'ann@example.org', 'Ann Lee', 1)`,
    );
    const { page } = await come('/app/mail/compose');
    const to = page.getByRole('combobox', { name: 'To', exact: true });
    const chips = composer(page).locator('.composer-to .chip');
    await to.fill('Ann');
    await page.getByRole('option', { name: 'Ann Lee <ann@example.org>', selected: true }).waitFor();
    await to.press('Enter');
    await expect.poll(() => chips.allTextContents()).toEqual(['Ann Lee']);
    await chips.getByRole('button').click();
    // Without waiting for the suggestions
    await to.fill('ann');
    await to.press('Tab');
    await expect.poll(() => chips.allTextContents()).toEqual(['Ann Lee']);
    await expect
      .poll(() => page.getByLabel('Subject').evaluate((each) => each === document.activeElement))
      .toBe(true);
    await to.fill('ann@example.com');
    await to.press('Enter');
    await expect.poll(() => chips.allTextContents()).toEqual(['Ann Lee', 'ann@example.com']);
    await to.fill('Nobody known');
    await to.press('Enter');
    await composer(page).getByText('Nobody known is not a valid email address.').waitFor();
    await page.getByRole('button', { name: 'Delete draft' }).click();
  });

  it('writes and sends a message by keyboard only, and z undoes it, also in another tab', async () => {
    const { page } = await come(inbox());
    await page.getByText('Question').first().waitFor();
    await page.keyboard.press('c');
    await text(page).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox');
    await page.keyboard.type('bob@example.org; Cy <cy@example.org>,');
    await page.keyboard.press('Tab');
    expect(await composer(page).locator('.chip').allTextContents()).toEqual(['bob@example.org', 'Cy']);
    await composer(page).getByLabel('Subject').focus();
    await page.keyboard.type('Lunch');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('Noon?');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Message sent.').first().waitFor();
    await expect.poll(() => page.locator('.composer').count()).toBe(0);
    const [sent] = await waiting('Lunch');
    expect(sent!.to).toBe('bob@example.org, Cy <cy@example.org>');
    expect(sent!.body_html).toContain('<b>Noon?</b>');
    expect(await draftOf('Lunch')).toBeUndefined();
    const other = await page.context().newPage();
    await other.goto(inbox());
    await other.getByText('Question').first().waitFor();
    await other.keyboard.press('z');
    await text(other).getByText('Noon?').waitFor();
    expect(await waiting('Lunch')).toEqual([]);
    expect(await composer(other).getByLabel('Subject').inputValue()).toBe('Lunch');
  });

  it('a reply starts with the cursor in the text, retains the quote, and joins the conversation', {
    tags: 'slow',
  }, async () => {
    const { page } = await come(`${inbox()}?m=${question}`);
    await page.getByRole('heading', { name: 'Question', exact: true }).waitFor();
    await page.keyboard.press('r');
    await text(page).waitFor();
    await page.waitForFunction('document.activeElement.tagName === "IFRAME"');
    await page.keyboard.type('Yes.');
    expect(await composer(page).locator('.chip').allTextContents()).toEqual(['Ann Lee']);
    await composer(page).getByRole('button', { name: 'Show quoted text' }).click();
    await composer(page).frameLocator('iframe').getByText('Shall we meet?').waitFor();
    await saved(page);
    await text(page).focus();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Message sent.').first().waitFor();
    const [sent] = await waiting('Re: Question');
    expect(Number(sent!.in_reply_to)).toBe(question);
    expect(sent!.body_html).toMatch(/^<div>Yes\..*<div class="quote-wrapper"><p>On .* Ann Lee/);
    expect(sent!.body_html).toContain(QUOTED_HTML);
  });

  it('saves a draft automatically, lists it in Drafts, and resumes it from there or by its URL', async () => {
    const { page } = await come('/app/mail/compose?to=ann@example.org&subject=Plan');
    await text(page).waitFor();
    await text(page).pressSequentially('First');
    await saved(page);
    const draft = await draftOf('Plan');
    expect(draft!.body).toContain('First');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('.composer').count()).toBe(0);
    await page.getByRole('link', { name: 'Drafts' }).click();
    await page.getByRole('option', { name: /Plan/ }).click();
    await text(page).getByText('First').waitFor();
    await page.goto(`/app/mail/compose?draft=${draft!.id}`);
    await text(page).getByText('First').waitFor();
  });

  it('saves no untouched or emptied draft, and retains an existing one', {
    tags: 'slow',
  }, async () => {
    const drafts = () =>
      app.runtime.db.rows<{ id: number }>(
        sql`select id from svc_mail_draft where workspace_id = ${app.main.ctx.workspace.id} order by id`,
      );
    await saveDraft({ subject: 'Kept' });
    const before = await drafts();
    const { page } = await come(`${inbox()}?m=${question}`);
    await page.getByRole('heading', { name: 'Question', exact: true }).waitFor();
    const closed = async () => {
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('.composer').count()).toBe(0);
    };
    for (const key of ['c', 'r']) {
      await page.keyboard.press(key);
      await text(page).waitFor();
      // Waits longer than the delay before a change is saved.
      await page.waitForTimeout(SAVE_DELAY_MS + 500);
      await closed();
      expect(await drafts()).toEqual(before);
    }
    await page.keyboard.press('c');
    await text(page).pressSequentially('x');
    await saved(page);
    expect(await drafts()).toHaveLength(before.length + 1);
    await page.keyboard.press('Backspace');
    await closed();
    await expect.poll(drafts).toEqual(before);
    await page.goto(`/app/mail/compose?draft=${before.at(-1)!.id}`);
    await expect.poll(() => composer(page).getByLabel('Subject').inputValue()).toBe('Kept');
    await closed();
    expect(await drafts()).toEqual(before);
  });

  it('keeps the HTML of a draft from another client if only its subject changes', {
    tags: 'slow',
  }, async () => {
    const body = '<center><font color="red" face="Arial">Hi</font></center><p align="right">there</p>';
    const id = await saveDraft({ to: 'ann@example.org', subject: 'Foreign', body });
    const before = await draftOf('Foreign');
    const { page } = await come(`/app/mail/compose?draft=${id}`);
    await text(page).getByText('there').waitFor();
    await composer(page).getByLabel('Subject').fill('Foreign too');
    await saved(page);
    expect((await draftOf('Foreign too'))!.body).toBe(before!.body);
  });

  it('two tabs on one draft ask for confirmation before overwriting each other', {
    tags: 'slow',
  }, async () => {
    const id = await saveDraft({ to: 'ann@example.org', subject: 'Shared', body: '<p>Start</p>' });
    const { page } = await come(`/app/mail/compose?draft=${id}`);
    await text(page).getByText('Start').waitFor();
    const other = await page.context().newPage();
    await other.goto(`/app/mail/compose?draft=${id}`);
    await text(other).getByText('Start').waitFor();
    await composer(other).getByLabel('Subject').fill('Theirs');
    await saved(other);
    await composer(page).getByLabel('Subject').fill('Mine');
    await page.getByText('This draft was changed elsewhere.').waitFor();
    expect((await draftOf('Theirs'))!.id).toBe(id);
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => composer(page).getByLabel('Subject').inputValue()).toBe('Theirs');
    await composer(page).getByLabel('Subject').fill('Mine after all');
    await saved(page);
    await composer(other).getByLabel('Subject').fill('Over it');
    await other.getByRole('button', { name: 'Keep mine' }).click();
    await saved(other);
    expect((await draftOf('Over it'))!.id).toBe(id);
  });

  it('attaches and removes files, and shows an inline image from its file', {
    tags: 'slow',
  }, async () => {
    const { page } = await come('/app/mail/compose?to=ann@example.org&subject=Files');
    await text(page).waitFor();
    const file = (name: string, mimeType: string, content: Buffer) => ({ name, mimeType, buffer: content });
    await composer(page)
      .locator('footer input[type=file]')
      .setInputFiles([
        file('a.txt', 'text/plain', Buffer.from('a')),
        file('b.txt', 'text/plain', Buffer.from('b')),
      ]);
    await composer(page).getByRole('button', { name: 'Remove a.txt' }).click();
    await composer(page).getByRole('button', { name: 'Remove b.txt' }).waitFor();
    await composer(page)
      .locator('.composer-tools input[type=file]')
      .setInputFiles([
        file('c.pdf', 'application/pdf', Buffer.from('%PDF')),
        file('dot.png', 'image/png', PNG),
      ]);
    await page.getByText('c.pdf is not an image.').waitFor();
    await composer(page).getByRole('button', { name: 'Remove dot.png' }).waitFor();
    expect(await composer(page).getByRole('button', { name: 'Remove c.pdf' }).count()).toBe(0);
    const image = text(page).getByAltText('dot.png');
    await expect.poll(() => image.evaluate((each: HTMLImageElement) => each.naturalWidth)).toBe(1);
    await saved(page);
    await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Message sent.').first().waitFor();
    const [sent] = await waiting('Files');
    expect(sent!.files).toBe(2);
    expect(sent!.body_html).toMatch(/<img [^>]*src="cid:\d+"/);
  });

  it('a hostile draft runs no scripts, loads no remote resources and stays in its frame', async () => {
    const body =
      '<p>Hello</p><img src="x" onerror="top.ran=1"><img src="http://127.0.0.1:9/a.png">' +
      '<div style="position:fixed;inset:0;background:url(http://127.0.0.1:9/b.png)">x</div>' +
      '<a href="javascript:top.ran=1">link</a>';
    const id = await saveDraft({ to: 'ann@example.org', subject: 'Hostile' });
    await app.runtime.db.rows(
      sql`update svc_mail_draft set body = ${`${body}<script>top.ran = 1</script><svg onload="top.ran=1"></svg>`}
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${id}`,
    );
    const { page, complaints } = await come(`/app/mail/compose?draft=${id}`);
    await text(page).getByText('Hello').waitFor();
    await text(page).getByText('link').click();
    await text(page).pressSequentially('!');
    await saved(page);
    expect(await page.evaluate('window.ran')).toBeUndefined();
    // The CSP of the frame blocks content that the server would have removed.
    for (const each of complaints.splice(0)) expect(each).toMatch(/^Executing inline event handler violates/);
    expect((await draftOf('Hostile'))!.body).toContain('src="http://127.0.0.1:9/a.png"');
  });

  it('does not save a draft of another client that is only opened and closed', {
    tags: 'slow',
  }, async () => {
    const body = '<center><font color="red" face="Arial">Hi</font></center><p align="right">there</p>';
    const id = await saveDraft({ to: 'ann@example.org', subject: 'Foreign, untouched', body });
    const before = await draftOf('Foreign, untouched');
    const { page } = await come(`/app/mail/compose?draft=${id}`);
    await text(page).getByText('there').waitFor();
    await text(page).focus();
    await page.keyboard.press('ArrowRight');
    await composer(page).getByLabel('Subject').focus();
    await page.keyboard.press('Escape');
    await composer(page).waitFor({ state: 'detached' });
    expect(await draftOf('Foreign, untouched')).toEqual(before);
  });

  it.each(PASTED)(
    'pasted content from %s keeps its styles, runs no scripts and loads no resources',
    { tags: 'slow' },
    async (from, expected) => {
      const { page, complaints } = await come(`/app/mail/compose?to=ann@example.org&subject=${from}`);
      await text(page).waitFor();
      const html = readFileSync(`test/web-app/clipboard/${from.toLowerCase()}.txt`, 'utf8');
      await text(page).evaluate((root: HTMLElement, html) => {
        const data = new DataTransfer();
        data.setData('text/html', html);
        data.setData('text/plain', 'End of the copy');
        root.focus();
        root.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
        );
      }, html);
      await text(page).getByText('End of the copy').waitFor();
      await saved(page);
      expect(await page.evaluate('window.ran')).toBeUndefined();
      // The CSP of the frame reports blocked content; an actual request would be a different error.
      for (const each of complaints.splice(0))
        expect(each).toMatch(/ violates the following Content Security Policy/);
      const { body } = (await draftOf(from))!;
      for (const style of expected) expect(body).toMatch(style);
      expect(body).not.toMatch(/<script|onerror|onclick|javascript:|<style|<o:p|<xml|<meta|<link/i);
    },
  );

  it('shows errors at their fields', { tags: 'slow' }, async () => {
    const { page } = await come('/app/mail/compose?subject=Refused');
    await text(page).waitFor();
    await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Enter at least one recipient.').waitFor();
    await composer(page).getByRole('combobox', { name: 'To' }).fill('nonsense,');
    await page.keyboard.press('Tab');
    await page.getByText('nonsense is not a valid email address.').waitFor();
  });

  it('lists a scheduled message until it is sent, and returns it to the drafts', {
    tags: 'slow',
  }, async () => {
    const person = await come('/app/mail/compose?to=bob@example.org&subject=Tomorrow');
    const { page } = person;
    await text(page).fill('Until then.');
    await saved(page);
    await composer(page).getByRole('button', { name: 'Send later' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule' }).click();
    await composer(page).waitFor({ state: 'detached' });
    await page.goto('/app/mail/scheduled');
    const row = page.getByRole('listitem').filter({ hasText: 'Tomorrow' });
    await row.getByText(/^Sends /).waitFor();
    await expectFaultless(person, 'messages for later');
    await row.getByRole('button', { name: 'Move back to Drafts: Tomorrow' }).click();
    await page.waitForURL(`**/mail/${mine.id}/drafts`);
    await composer(page).waitFor();
    expect(await waiting('Tomorrow')).toEqual([]);
    await page.goto('/app/mail/scheduled');
    await page.getByRole('heading', { name: 'Scheduled' }).waitFor();
    expect(await page.getByText('Tomorrow').count()).toBe(0);
  });

  it('sends a message although its page was closed', { tags: 'slow' }, async () => {
    await app.deliver();
    await app.sendLater();
    const person = await come('/app/mail/compose?to=ann@example.org&subject=Closed');
    const { page } = person;
    await text(page).waitFor();
    await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Message sent.').first().waitFor();
    await page.close();
    const copies = () =>
      app.runtime.db.rows(
        sql`select e.id from svc_mail_entry e
         join svc_mail_message c on c.workspace_id = ${app.main.ctx.workspace.id} and c.id = e.content_id
         where e.workspace_id = ${app.main.ctx.workspace.id} and c.subject = 'Closed'`,
      );
    await expect.poll(async () => (await copies()).length, { timeout: 60_000 }).toBe(1);
  });

  it('the composer is accessible in every theme, opens full screen, fills a phone screen, and collapses to a bar', {
    tags: 'slow',
  }, async () => {
    const person = await come('/app/mail/compose?to=ann@example.org');
    await text(person.page).waitFor();
    await expectFaultless(person, 'the composer');
    const height = async () => (await composer(person.page).boundingBox())!.height;
    // The composer's own URL opens it in full size.
    expect(await height()).toBeGreaterThan(850);
    await composer(person.page).getByRole('button', { name: 'Exit full screen' }).click();
    expect(await height()).toBe(600);
    await composer(person.page).getByRole('button', { name: 'Minimize' }).click();
    expect(await height()).toBeLessThan(60);
    await composer(person.page).getByRole('button', { name: 'Restore' }).click();
    await person.page.setViewportSize({ width: 390, height: 800 });
    expect(await composer(person.page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 800 });
  });
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
