import { readFileSync } from 'node:fs';
import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { expectFaultless, trackPages } from './browser.ts';

// No SMTP server listens on these ports.
const team = setUpTeam({ SMTP_SUBMISSION_PORT: '587', SMTP_SUBMISSIONS_PORT: '465' });

const HOSTILE = `<h1>Invoice</h1><script>parent.document.title = 'taken'</script>
<a href="https://example.org/">a link</a>`;

/** Emails with the same subject. */
const REMINDERS = 250;

const buildEmail = (subject: string, overrides: object = {}) => ({
  from: 'Shop <shop@main.test>',
  to: 'ann@example.org',
  subject,
  text: `About ${subject}`,
  ...overrides,
});

async function sendDelivered(body: object): Promise<string> {
  const { emailId } = (await team.send(body)).json;
  await until(async () => (await team.email(emailId)).latestStatus === 'DELIVERED', 'it is delivered');
  return emailId;
}

chromium.describe('email in the browser', () => {
  let invoice: string;
  let hostile: string;

  beforeAll(async () => {
    await team.deliver();
    const html = '<h1>Invoice</h1>';
    invoice = await sendDelivered(buildEmail('Invoice 10231', { html, to: 'bob@example.org' }));
    hostile = await sendDelivered(buildEmail('Hostile', { html: HOSTILE }));
    await team.send(
      buildEmail('For later', { scheduledAt: new Date(Date.now() + 86_400_000).toISOString() }),
    );
    for (let sent = 0; sent < REMINDERS; sent += 50) {
      const batch = Array.from({ length: 50 }, (_, index) => buildEmail(`Reminder ${sent + index}`));
      expect((await team.batch(batch)).status).toBe(200);
    }
  });

  const openPage = trackPages(team);

  const ALL = REMINDERS + 3;

  it('shows the number of sent emails, a chart, and the same numbers in a table', {
    tags: 'slow',
  }, async () => {
    const visitor = await openPage('/app/email');
    await visitor.page.locator('.chart canvas').waitFor();
    await visitor.page
      .getByText(/^\d+(\.\d+)?% \(\d+ of \d+ sent\)$/)
      .first()
      .waitFor();
    await visitor.page.getByText(/Hard bounces: 0% \(0 of \d+ sent\)/).waitFor();
    const values = visitor.page.getByRole('status').filter({ hasText: /Delivered \d+ · Bounced \d+/ });
    await visitor.page.getByRole('img', { name: /per day/ }).focus();
    await expect.poll(() => values.textContent()).toMatch(/: Delivered [1-9]\d* · Bounced \d+$/);
    await visitor.page.keyboard.press('ArrowLeft');
    await expect.poll(() => values.textContent()).toMatch(/: Delivered 0 · Bounced 0$/);
    await visitor.page.getByText('Show as table').click();
    await visitor.page.getByRole('rowheader').first().waitFor();
    const groups = visitor.page.getByRole('region', { name: 'Breakdown' });
    await groups.getByRole('row').nth(1).waitFor();
    await visitor.page.getByLabel('Group by').selectOption('Sender');
    await groups.getByRole('rowheader', { name: /@/ }).first().waitFor();
    expect(new URL(visitor.page.url()).searchParams.get('by')).toBe('SENDER');
    await expectFaultless(visitor, 'the overview');
    await visitor.page.getByLabel('Period').selectOption('Today');
    await visitor.page.getByRole('img', { name: /by the hour/ }).hover();
    await expect.poll(() => values.textContent()).toMatch(/^\d\d:00.*: Delivered \d+ · Bounced \d+$/);
    await expectFaultless(visitor, 'the hours of today');
  });

  it('shows an introduction in a workspace without emails', { tags: 'slow' }, async () => {
    const empty = await team.tenant('quiet');
    const { page } = await openPage('/app/email', {
      workspace: 'quiet',
      login: empty.admin.login,
      password: empty.admin.password,
    });
    await page.getByRole('heading', { name: 'No emails yet' }).waitFor();
    await team.runtime.db.rows(
      sql`update svc_domain set status = 'PENDING' where workspace_id = ${empty.ctx.workspace.id}`,
    );
    await page.getByRole('button', { name: 'Send test email' }).click();
    await page.getByText('You need a verified domain to send email. Add one first.').waitFor();
    await page.getByRole('link', { name: 'Add domain' }).click();
    await page.waitForURL('**/app/email/domains');
  });

  it('shows the SMTP host, ports and code samples for the selected encryption', {
    tags: 'slow',
  }, async () => {
    const visitor = await openPage('/app/email/smtp');
    const { page } = visitor;
    await page.getByText(`such as hello@${team.main.domain}.`).waitFor();
    const lines = page.locator('.smtp-lines');
    await lines.getByText('port: 465,').waitFor();
    await lines.getByText('--port 465 --tls-on-connect').waitFor();
    await page.getByLabel('Encryption').selectOption('STARTTLS');
    await lines.getByText('smtp.starttls(context=context)').waitFor();
    await lines.getByText('--port 587 --tls').waitFor();
    await expectFaultless(visitor, 'SMTP');
  });

  it('lists the newest emails first with their total number, and links to the oldest', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage('/app/email/emails');
    await page.getByText(`${ALL} emails`).waitFor();
    const list = page.getByRole('listbox', { name: 'Emails' });
    await list.getByRole('option').first().waitFor();
    expect(await list.getByRole('option').first().getAttribute('aria-setsize')).toBe(String(ALL));
    expect(await list.getByRole('option').count()).toBeLessThan(60);
    await list.focus();
    await page.keyboard.press('End');
    await list.getByText('Invoice 10231').waitFor();
  });

  it('stores filters in the URL', { tags: 'slow' }, async () => {
    const { page } = await openPage('/app/email/emails');
    await page.getByLabel('Status').selectOption('SCHEDULED');
    await page.getByText('1 email').waitFor();
    expect(new URL(page.url()).search).toBe('?status=SCHEDULED');
    const other = await openPage('/app/email/emails?q=bob@example.org');
    await other.page.getByText('1 email').waitFor();
    await other.page.getByRole('option', { name: /Invoice 10231/ }).waitFor();
    await other.page.getByLabel('Search').fill('reminder 24');
    await other.page.keyboard.press('Enter');
    await other.page.getByText('11 emails').waitFor();
    expect(new URL(other.page.url()).searchParams.get('q')).toBe('reminder 24');
  });

  it('finds, opens, views and closes an email using only the keyboard', async () => {
    const { page } = await openPage('/app/email/emails');
    await page.getByText(`${ALL} emails`).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('invoice');
    await page.keyboard.press('Enter');
    await page.getByText('1 email').waitFor();
    expect(await page.evaluate('document.activeElement.type')).not.toBe('search');
    const list = page.getByRole('listbox', { name: 'Emails' });
    await list.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Invoice 10231' }).waitFor();
    expect(new URL(page.url()).searchParams.get('id')).toBe(invoice);
    await page.getByRole('tab', { name: 'HTML' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('About Invoice 10231').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('Subject: Invoice 10231').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('Delivered').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'No webhook calls for this email' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel').getByText('"latestStatus": "DELIVERED"').waitFor();
    await page.keyboard.press('u');
    await page.getByRole('tabpanel').waitFor({ state: 'detached' });
  });

  it("opens an email's HTML view by URL, and isolates the HTML", {
    tags: 'slow',
  }, async () => {
    const visitor = await openPage(`/app/email/emails?id=${hostile}&tab=html`);
    const frame = visitor.page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Invoice' }).waitFor();
    expect(await visitor.page.locator('iframe').getAttribute('src')).toBe(`/email/body/${hostile}`);
    expect(await visitor.page.title()).toMatch(/^Emails/);
    // The browser logs that it blocked the script.
    expect(visitor.complaints.splice(0).every((item) => item.includes('sandboxed'))).toBe(true);
    await visitor.page.goto(`/app/email/emails?id=${invoice}&tab=html`);
    await frame.getByRole('heading', { name: 'Invoice' }).waitFor();
    await expectFaultless(visitor, 'an open email');
  });

  it('moves through the list with j and k while an email is open', { tags: 'slow' }, async () => {
    const { page } = await openPage('/app/email/emails?q=reminder');
    await page.getByText(`${REMINDERS} emails`).waitFor();
    const options = page.getByRole('listbox', { name: 'Emails' }).getByRole('option');
    await options.nth(1).waitFor();
    const subjects = await options.locator('.email-subject').allTextContents();
    for (const [key, at] of [
      ['o', 0],
      ['j', 1],
      ['k', 0],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: subjects[at]!, exact: true }).waitFor();
    }
    await page.goBack();
    await page.getByRole('tabpanel').waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?q=reminder');
  });

  it('sends a test email using only the keyboard, and shows its delivery', async () => {
    const visitor = await openPage('/app/email/emails?q=test');
    const { page } = visitor;
    await page.getByText('No emails match these filters').waitFor();
    await page.getByRole('button', { name: 'Send test email' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From').waitFor();
    expect(await dialog.getByLabel('From').inputValue()).toBe(`hello@${team.main.domain}`);
    expect(await dialog.locator(':focus').getAttribute('name')).toBe('to');
    await expectFaultless(visitor, 'a test email');
    await dialog.getByLabel('From').fill('hello@elsewhere.example');
    await dialog.getByLabel('To').fill('me@example.org');
    await page.keyboard.press('Enter');
    await dialog
      .getByRole('alert')
      .getByText('the domain elsewhere.example is not registered in this workspace')
      .waitFor();
    await dialog.getByLabel('From').fill(`hello@${team.main.domain}`);
    await page.keyboard.press('Enter');
    await page.getByText('Test email queued for me@example.org.').waitFor();
    await page.getByRole('heading', { name: 'Test from main' }).waitFor();
    await page.getByText('No email provider is configured').waitFor();
    // The list still shows the recipients beside an open email.
    await page
      .getByRole('option', { name: /Test from main/ })
      .getByText('me@example.org')
      .waitFor();
  });

  it('shows the server response of a bounced email, and links to the suppression', {
    tags: 'slow',
  }, async () => {
    const { emailId } = (await team.send(buildEmail('Returned', { to: 'bounce@simulator.example.org' })))
      .json;
    await until(async () => (await team.email(emailId)).latestStatus === 'BOUNCED', 'it bounces');
    const visitor = await openPage(`/app/email/emails?id=${emailId}`);
    const { page } = visitor;
    await page.getByText('bounce@simulator.example.org: 550 5.1.1 user unknown').waitFor();
    await expectFaultless(visitor, 'an email that came back');
    await page.getByRole('link', { name: 'Show suppression' }).click();
    await page.getByRole('option', { name: /bounce@simulator\.example\.org/ }).waitFor();
  });

  it('finds emails by tag and by the key that sent them', { tags: 'slow' }, async () => {
    await team.send(buildEmail('Tagged', { tags: { order: '7' } }));
    await team.send(buildEmail('Tagged otherwise', { tags: { order: '71' } }));
    const visitor = await openPage('/app/email/emails');
    const { page } = visitor;
    await page.getByLabel('Tag').fill('order');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('such as order=7').waitFor();
    await page.getByLabel('Tag').fill('order=7');
    await page.keyboard.press('Enter');
    await page.getByText('1 email').waitFor();
    expect(new URL(page.url()).searchParams.get('tag')).toBe('order=7');
    const keys = page.getByLabel('API key');
    const key = (await keys.locator('option', { hasText: /^team \(/ }).getAttribute('value'))!;
    await keys.selectOption(key);
    await page.waitForURL(({ searchParams }) => searchParams.has('key'));
    await page.getByRole('option', { name: /Tagged/ }).click();
    await page.getByRole('button', { name: 'order=7' }).waitFor();
    await expectFaultless(visitor, 'an email with a tag');
    await page.goto(`/app/email/emails?key=${key}&tag=order=71`);
    await page.getByRole('option', { name: /Tagged otherwise/ }).waitFor();
    await page.goto('/app/email/emails?key=987654');
    await page.getByText('No emails match these filters').waitFor();
  });

  it('reschedules and cancels a scheduled email', { tags: 'slow' }, async () => {
    const { page } = await openPage('/app/email/emails?status=SCHEDULED');
    await page.getByRole('option', { name: /For later/ }).click();
    await page.getByRole('button', { name: 'Reschedule' }).click();
    await page.getByRole('dialog').getByLabel('Scheduled for').fill('2097-03-04T10:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Email rescheduled.').waitFor();
    await page.getByText(/Mar 4, 2097|4 Mar 2097/).waitFor();
    await page.getByRole('button', { name: 'Cancel sending' }).click();
    await page.getByText('Email canceled.').waitFor();
    await page.getByLabel('Email', { exact: true }).getByText('Canceled').waitFor();
  });

  it('shows a new email in each of eight tabs over a single stream', { tags: 'slow' }, async () => {
    const visitor = await openPage('/app/email/emails?q=live');
    const streams: string[] = [];
    visitor.page.context().on('request', (request) => {
      if (request.headers().accept?.includes('text/event-stream')) streams.push(request.url());
    });
    await visitor.page.getByText('No emails match these filters').waitFor();
    // Browsers open at most six connections per host, so one stream per tab would block the seventh tab.
    const others = [];
    for (let tab = 2; tab <= 8; tab++) {
      const page = await visitor.page.context().newPage();
      await page.goto('/app/email/emails?q=live');
      await page.getByText('No emails match these filters').waitFor();
      others.push(page);
    }
    const countLive = () =>
      team.runtime.db.value<number>(
        sql`select count(*)::int from svc_live where workspace_id = ${team.main.ctx.workspace.id}`,
      );
    await until(async () => (await countLive()) > 0, 'the stream is open');
    await sendDelivered(buildEmail('Live 1'));
    for (const page of [visitor.page, ...others]) await page.getByText('1 email').waitFor();
    await visitor.page.close();
    await sendDelivered(buildEmail('Live 2'));
    for (const page of others) await page.getByText('2 emails').waitFor();
    // The closed first tab had one stream, and its successor has another.
    expect(streams.length).toBeLessThanOrEqual(3);
  });

  it('adds a domain, shows its records, verifies and deletes it', async () => {
    const visitor = await openPage('/app/email/domains');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Add domain' }).click();
    await page.getByLabel('Domain name').fill('not a domain');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Domain name').fill('news.example.com');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'news.example.com' }).waitFor();
    await expectFaultless(visitor, 'a domain');
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('You can send emails from this domain.').first().waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/app/email/domains');
    await expectFaultless(visitor, 'the domains');
  });

  it('shows the expected and the observed value of each DNS record', {
    tags: 'slow',
  }, async () => {
    const { errors, data } = await team.graphql('mutation { domainAdd(name: "seen.example") { id } }');
    expect(errors).toEqual([]);
    const observed = { 'TXT atrium._domainkey.seen.example': ['p=another'] };
    await team.runtime.db.rows(
      sql`update svc_domain set status = 'PENDING', dkim_selector = 'atrium', public_key = 'wanted',
         dns_seen = ${JSON.stringify({ dkim: 'FAILED', dmarc: 'NOT_STARTED', observed })}::jsonb
       where workspace_id = ${team.main.ctx.workspace.id} and id = ${data.domainAdd.id}`,
    );
    const visitor = await openPage(`/app/email/domains/${data.domainAdd.id}`);
    const record = visitor.page.getByRole('listitem').filter({ hasText: 'atrium._domainkey' });
    await record.getByText('Different value found').waitFor();
    expect(await record.locator('code').allTextContents()).toEqual([
      'atrium._domainkey',
      'p=wanted',
      'p=another',
    ]);
    await visitor.page.getByText('Zone file format').click();
    await visitor.page.getByText('atrium._domainkey\t3600\tIN\tTXT\t"p=wanted"').waitFor();
    await visitor.page.getByLabel('Track link clicks').click();
    await visitor.page.getByText('Saved. Applies to emails sent from now on.').waitFor();
    expect(await visitor.page.getByLabel('Track link clicks').isChecked()).toBe(true);
    await expectFaultless(visitor, 'a domain with records');
  });

  it('warns if the emails of a verified domain are not signed', { tags: 'slow' }, async () => {
    const { data } = await team.graphql('mutation { domainAdd(name: "unsigned.example") { id } }');
    const setDkimStatus = (status: string | null) =>
      team.runtime.db.rows(
        sql`update svc_domain set status = 'SUCCESS', dkim_status = ${status}
         where workspace_id = ${team.main.ctx.workspace.id} and id = ${data.domainAdd.id}`,
      );
    await setDkimStatus('FAILED');
    const visitor = await openPage('/app/email');
    const { page } = visitor;
    const warning = page.getByRole('alert').filter({ hasText: 'unsigned.example' });
    await warning.getByRole('link', { name: 'unsigned.example' }).click();
    await page.getByRole('alert').filter({ hasText: 'DKIM record below is missing or wrong' }).waitFor();
    await expectFaultless(visitor, 'an unsigned domain');
    await page.getByRole('link', { name: '‹ Domains' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'unsigned.example' });
    await row.getByText('Not signed').waitFor();
    await setDkimStatus('SUCCESS');
    await row.getByText('Not signed').waitFor({ state: 'detached' });
  });

  it('creates a key, shows it once, restricts and revokes it', async () => {
    const visitor = await openPage('/app/email/keys');
    const { page } = visitor;
    const longName = `Office-${'x'.repeat(100)}`;
    const isOverflowing = (selector: string) =>
      page.evaluate(
        `(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('${selector}'))`,
      );
    await page.getByRole('button', { name: 'Create API key' }).click();
    await page.getByLabel('Name, such as the name of the program').fill('Shop');
    await page.keyboard.press('Enter');
    const secret = page.getByRole('dialog').locator('code');
    await secret.waitFor();
    const key = (await secret.textContent())!;
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByText('Shop').waitFor();
    expect(await page.content()).not.toContain(key);
    await expectFaultless(visitor, 'the keys');
    expect((await team.ask('POST', '/api/v1/emails', { body: buildEmail('By key'), key })).status).toBe(200);
    await page.getByRole('button', { name: 'Edit Shop' }).click();
    await page.getByLabel('Name, such as the name of the program').fill(longName);
    await page.getByLabel('Permissions').selectOption('READ');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText(`${longName} updated.`).waitFor();
    expect(await isOverflowing('.toasts')).toBe(false);
    await page.getByRole('listitem').filter({ hasText: longName }).getByText('Read-only').waitFor();
    expect((await team.ask('POST', '/api/v1/emails', { body: buildEmail('By key'), key })).status).toBe(403);
    await page.getByRole('button', { name: `Revoke ${longName}` }).click();
    expect(await isOverflowing('.dialog')).toBe(false);
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(`${longName} revoked.`).waitFor();
    expect((await team.ask('POST', '/api/v1/emails', { body: buildEmail('By key'), key })).status).toBe(401);
  });

  it('resends the failed emails of the selected period', { tags: 'slow' }, async () => {
    const { page } = await openPage('/app/email/emails?status=FAILED');
    await page.getByRole('button', { name: 'Resend failed emails' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click();
    await page.getByText('0 queued.').waitFor();
  });

  it('exports the list of emails, and is accessible in every theme', { tags: 'slow' }, async () => {
    const visitor = await openPage('/app/email/emails');
    await visitor.page.getByText(/\d+ emails/).waitFor();
    const [file] = await Promise.all([
      visitor.page.waitForEvent('download'),
      visitor.page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8')).toMatch(/^id,createdAt,from,to,.*\r\n\w+,/);
    await expectFaultless(visitor, 'the emails');
  });

  it('explains on a denied page who can grant access', {
    tags: 'slow',
  }, async () => {
    const { page } = await openPage('/app/email/emails', {
      login: team.main.user.login,
      password: team.main.user.password,
    });
    await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
  });
});
