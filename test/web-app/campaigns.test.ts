import { expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { chromium } from '../doc/browser.ts';
import { runDueCampaigns } from '../harness/due.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();
let book: string;

const HTML = '<h1>Dear {{firstName, fallback=reader}}</h1><a href="{{usesend_unsubscribe_url}}">Leave</a>';

chromium.describe('campaigns in the browser', () => {
  const openPage = trackPages(team);

  const createCampaign = async (overrides: object = {}): Promise<string> => {
    const body = {
      name: 'Spring',
      from: `News <news@${team.main.domain}>`,
      subject: 'Flowers',
      contactBookId: book,
      html: HTML,
      ...overrides,
    };
    return (await team.ask('POST', '/api/v1/campaigns', { body })).json.id;
  };

  const read = async (id: string) => (await team.ask('GET', `/api/v1/campaigns/${id}`)).json;

  /** Unsubscribes a recipient of a campaign through the link in its header. */
  async function unsubscribe(id: string, address: string): Promise<void> {
    const link = await team.runtime.db.value<string>(
      sql`select e.headers->>'List-Unsubscribe' from svc_email e
       join svc_campaign c on c.workspace_id = e.workspace_id and c.id = e.campaign_id
       where e.workspace_id = ${team.main.ctx.workspace.id} and c.public_id = ${id} and ${address} = any(e."to")`,
    );
    expect((await fetch(link.slice(1, -1), { method: 'POST' })).status).toBe(200);
  }

  it('asks for a contact book before the first campaign', async () => {
    const { page } = await openPage('/app/email/campaigns');
    await page.getByRole('heading', { name: 'No campaigns yet' }).waitFor();
    await page.locator('.empty').getByRole('button', { name: 'Create campaign' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No contact books yet. Campaigns are sent').waitFor();
    await dialog.getByRole('link', { name: 'Create contact book' }).click();
    await page.getByRole('heading', { name: 'No contact books yet' }).waitFor();
  });

  it('creates a campaign from a template using only the keyboard, with an unsubscribe link', async () => {
    book = await team.book({ variables: ['city'] });
    const contacts = [
      { email: 'ann@example.net', firstName: 'Ann' },
      { email: 'bob@example.net', firstName: 'Bob' },
      { email: 'no@example.net' },
    ];
    await team.ask('POST', `/api/v1/contactBooks/${book}/contacts/bulk`, { body: contacts });
    await team.graphql(
      'mutation { suppressionsAdd(emails: ["no@example.net"]) { added } templateCreate(template: { name: "Letter", subject: "Our letter", html: "<h1>Letter</h1>" }) { id } }',
    );
    const visitor = await openPage('/app/email/campaigns');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create campaign' }).first().focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Letter of May');
    await dialog.getByLabel('From', { exact: true }).fill('no address');
    await dialog.getByLabel('Start from').selectOption('Letter');
    await dialog.getByLabel('Name').press('Enter');
    await dialog
      .getByRole('alert')
      .getByText(/^Must be a valid address/)
      .waitFor();
    await dialog.getByLabel('From', { exact: true }).fill(`news@${team.main.domain}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Letter of May' }).waitFor();
    const html = await page.getByLabel('HTML', { exact: true }).inputValue();
    expect(html).toMatch(/^<h1>Letter<\/h1>.*usesend_unsubscribe_url/);
    await expectFaultless(visitor, 'a draft of a campaign');
  });

  it('edits the content, and shows errors next to the fields', async () => {
    const id = await createCampaign();
    const { page } = await openPage(`/app/email/campaigns/${id}`);
    await page.getByLabel('HTML', { exact: true }).fill('<p>No way out</p>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('the unsubscribe link').waitFor();
    await page.getByLabel('HTML', { exact: true }).fill(`<p>City</p>${HTML}`);
    await page.getByLabel('Preview text').fill('Look at this');
    await page.getByLabel('Contacts per batch').fill('50');
    await page.getByLabel('Minutes between batches').fill('10');
    await page.getByLabel('Subject').press('Enter');
    await page.getByText('Saved.').waitFor();
    expect(await read(id)).toMatchObject({
      html: `<p>City</p>${HTML}`,
      previewText: 'Look at this',
      batchSize: 50,
      batchWindowMinutes: 10,
    });
  });

  it('offers to insert the unsubscribe footer that the blocks lack', async () => {
    const id = await createCampaign();
    const { page } = await openPage(`/app/email/campaigns/${id}`);
    await page.getByRole('button', { name: 'Edit as blocks' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit as blocks' }).click();
    const editor = page.getByRole('textbox', { name: 'Content' });
    await editor.press('Control+a');
    await editor.press('Delete');
    await editor.pressSequentially('Tulips');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('the unsubscribe link').waitFor();
    await page.locator('.buttons').getByRole('button', { name: 'Insert unsubscribe footer' }).click();
    await page.getByText('You are receiving this email').waitFor();
    await page.getByRole('alert').getByText('the unsubscribe link').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await read(id)).html).toContain('usesend_unsubscribe_url');
    expect(
      await page.locator('.buttons').getByRole('button', { name: 'Insert unsubscribe footer' }).count(),
    ).toBe(0);
  });

  it('offers the variables of contacts after {{ in the HTML source', async () => {
    const id = await createCampaign();
    const { page } = await openPage(`/app/email/campaigns/${id}`);
    const source = page.getByLabel('HTML', { exact: true });
    const options = page.getByRole('listbox', { name: 'Variables' }).getByRole('option');
    await source.fill('<p>Dear ');
    await source.pressSequentially('{{f');
    await options.getByText('{{firstName}}').waitFor();
    await page.keyboard.press('Enter');
    expect(await source.inputValue()).toBe('<p>Dear {{firstName}}');
    await source.pressSequentially(' <a href="{{u');
    await options.getByText('{{usesend_unsubscribe_url}}').click();
    await source.pressSequentially('">Leave</a></p>');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await read(id)).html).toBe(
      '<p>Dear {{firstName}} <a href="{{usesend_unsubscribe_url}}">Leave</a></p>',
    );
  });

  it('previews a campaign for a contact, and shows the number of recipients', async () => {
    const id = await createCampaign();
    const visitor = await openPage(`/app/email/campaigns/${id}?tab=preview`);
    const { page } = visitor;
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Dear Ann' }).waitFor();
    await page.getByText('2 contacts will receive it.').waitFor();
    await page.getByText('1 subscribed contact is on the suppression list').waitFor();
    await page.getByLabel('Preview as contact').fill('bob@example.net');
    await frame.getByRole('heading', { name: 'Dear Bob' }).waitFor();
    expect(new URL(page.url()).searchParams.get('contact')).toBe('bob@example.net');
    await expectFaultless(visitor, 'a preview of a campaign');
    await page.getByLabel('Preview as contact').fill('zoe@example.net');
    await page.getByRole('alert').getByText('no contact in the book has this address').waitFor();
  });

  it('does not offer to send a campaign with an undefined variable', async () => {
    const id = await createCampaign({ html: `{{street}} ${HTML}` });
    const { page } = await openPage(`/app/email/campaigns/${id}`);
    await page.getByRole('button', { name: 'Send…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The contact book does not define street.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Send now' }).count()).toBe(0);
  });

  it('sends a test to the entered addresses, and shows an invalid address or contact next to its field', async () => {
    const id = await createCampaign({ name: 'To test' });
    const visitor = await openPage(`/app/email/campaigns/${id}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Send a test…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To', { exact: true }).fill('me@example.net, you@example.net');
    await dialog.getByLabel('Preview as contact').fill('zoe@example.net');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await dialog.getByRole('alert').getByText('no contact in the book has this address').waitFor();
    await expectFaultless(visitor, 'a test of a campaign');
    await dialog.getByLabel('Preview as contact').fill('bob@example.net');
    await dialog.getByRole('button', { name: 'Send test' }).click();
    await page.getByText('Test sent to me@example.net, you@example.net.').waitFor();
    const { data } = (await team.ask('GET', '/api/v1/emails')).json;
    expect(data.slice(0, 2).map((email: { to: string[] }) => email.to[0])).toEqual(
      expect.arrayContaining(['me@example.net', 'you@example.net']),
    );
    expect(await read(id)).toMatchObject({ status: 'DRAFT', sent: 0 });
  });

  it('asks for confirmation before it sends a campaign that contains the sample text', async () => {
    const id = await createCampaign({
      name: 'Sample',
      subject: 'News',
      html: `Write your message here. ${HTML}`,
    });
    const visitor = await openPage(`/app/email/campaigns/${id}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Send…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The content still contains sample text.').waitFor();
    await dialog.getByText('The subject is still the sample text.').waitFor();
    await expectFaultless(visitor, 'the review of a campaign');
    await dialog.getByRole('button', { name: 'Send now' }).click();
    expect(await dialog.locator('input:invalid').count()).toBe(1);
    expect((await read(id)).status).toBe('DRAFT');
    await dialog.getByLabel('Send with these problems').check();
    await dialog.getByLabel('Send time').selectOption('later');
    await dialog.getByLabel('Time', { exact: true }).fill('2090-01-01T10:00');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await page.getByText('Will be sent at the scheduled time.').waitFor();
  });

  it('schedules, pauses and resumes a campaign, returns it to draft and deletes it', async () => {
    const id = await createCampaign({ name: 'To schedule' });
    const visitor = await openPage(`/app/email/campaigns/${id}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Send…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 contacts will receive it.').waitFor();
    await dialog.getByLabel('Send time').selectOption('later');
    await dialog.getByLabel('Time', { exact: true }).fill('2001-01-01T10:00');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await dialog.getByRole('alert').getByText('is in the past').waitFor();
    await dialog.getByLabel('Time', { exact: true }).fill('2090-01-01T10:00');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await page.getByText('Will be sent at the scheduled time.').waitFor();
    expect((await read(id)).status).toBe('SCHEDULED');
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Campaign paused.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Campaign resumed.').waitFor();
    await page.getByRole('button', { name: 'Revert to draft' }).click();
    await page.getByText('Reverted to draft.').waitFor();
    expect(await read(id)).toMatchObject({ status: 'DRAFT', scheduledAt: null });
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('To schedule deleted.').waitFor();
  });

  it('sends a campaign, shows its results live, and disables editing', async () => {
    const id = await createCampaign({ name: 'To send' });
    const visitor = await openPage(`/app/email/campaigns/${id}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Send…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click();
    await page.getByText('Sending started.').waitFor();
    await page.getByRole('tab', { name: 'Results' }).click();
    await runDueCampaigns(team.runtime);
    await team.deliver();
    await page.getByText('100% (2 of 2 sent)').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByText('3 recipients').waitFor();
    await page.getByLabel('Show').selectOption('Skipped or canceled');
    await page.getByText('1 recipient', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'no@example.net' }).waitFor();
    expect(new URL(page.url()).searchParams.get('state')).toBe('skipped');
    await unsubscribe(id, 'ann@example.net');
    await page.getByLabel('Show').selectOption('Unsubscribed');
    await page.getByRole('link', { name: 'ann@example.net' }).waitFor();
    await page.getByText('1 recipient', { exact: true }).waitFor();
    await expectFaultless(visitor, 'results of a campaign');
    await page.getByRole('tab', { name: 'Content' }).click();
    await page.getByText("Sending has started, so the campaign can't be edited.").waitFor();
    expect(await page.getByLabel('Subject').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'To send (copy)' }).waitFor();
    expect(await page.getByLabel('Subject').isDisabled()).toBe(false);
  });

  it('filters the list by URL parameters, and is accessible in every theme', async () => {
    const visitor = await openPage('/app/email/campaigns?status=SENT');
    const { page } = visitor;
    await page.getByRole('link', { name: 'To send' }).waitFor();
    expect(await page.getByRole('main').getByRole('listitem').count()).toBe(1);
    await page.getByLabel('Status').selectOption('DRAFT');
    await page.getByRole('searchbox').fill('letter');
    await page.getByRole('link', { name: 'Letter of May' }).waitFor();
    await page.getByRole('link', { name: 'Spring' }).first().waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?status=DRAFT&q=letter');
    await expectFaultless(visitor, 'the campaigns');
  });

  it('opens the forms of other pages from the palette', { timeout: 120_000 }, async () => {
    const { page } = await openPage('/app/profile/preferences');
    const palette = page.getByRole('dialog', { name: 'Go to a page or record' });
    for (const [text, name, path] of [
      ['new campaign', 'Create campaign', 'email/campaigns'],
      ['test email', 'Send test email', 'email/emails'],
      ['new template', 'Create template', 'email/templates'],
      ['add domain', 'Add domain', 'email/domains'],
      ['contact book', 'Create contact book', 'email/contacts'],
      ['new webhook', 'Create webhook', 'email/webhooks'],
      ['add addresses', 'Add addresses', 'email/suppressions'],
      ['new user', 'Create user', 'admin/users'],
      ['compose', 'Compose a message', null],
    ] as const) {
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').fill(text);
      await palette
        .getByRole('group', { name: 'Actions', exact: true })
        .getByRole('option', { name, exact: true })
        .click();
      if (path === null) {
        await page.getByLabel('Subject').waitFor();
        continue;
      }
      await page.waitForURL(`**/app/${path}`);
      const dialog = page.getByRole('dialog');
      await palette.waitFor({ state: 'detached' });
      await dialog.getByRole('button').first().waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
  });
});
