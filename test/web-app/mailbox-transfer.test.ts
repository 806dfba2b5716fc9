import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { createSharedMailbox, setUpMailbox } from '../mailbox/mailboxes.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp({ MAIL_IMPORT_ALLOW_PRIVATE: '1' });
const mailbox = setUpMailbox(app);

const MBOX = ['One', 'Two', 'One']
  .map(
    (name) =>
      `From x Wed Mar  4 10:00:00 2020\nFrom: a@example.org\nMessage-ID: <${name}@x>\nSubject: ${name}\n\nText\n\n`,
  )
  .join('');

chromium.describe('signatures, sharing, imports and exports in the browser', () => {
  beforeAll(() => createSharedMailbox(app.main.ctx, [app.main.user.id], 'team'));

  const openPage = trackPages(app, 'user');
  const openAdminPage = trackPages(app);
  const buildSettings = (section: string) => `/app/mail/settings/${section}?mailbox=${mailbox.id}`;
  const findButton = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  it('saves a name and a signature, which the composer then offers', async () => {
    const visitor = await openPage(buildSettings('signature'));
    const { page } = visitor;
    await page.getByLabel('Display name').fill('Ann of Sales');
    const text = page.frameLocator('iframe[title="Signature"]').getByRole('textbox');
    await text.fill('Ann, Sales');
    await page.getByLabel('Add to').selectOption('new_only');
    await expectFaultless(visitor, 'the signature');
    await findButton(page, 'Save').click();
    await page.getByText('Saved.').first().waitFor();
    await page.reload();
    await text.getByText('Ann, Sales').waitFor();
    expect(await page.getByLabel('Display name').inputValue()).toBe('Ann of Sales');
    expect(await page.getByLabel('Add to').inputValue()).toBe('new_only');
    await page.goto(`/app/mail/${mailbox.id}/inbox`);
    await findButton(page, 'Compose').click();
    await page.getByLabel('Add signature').waitFor();
  });

  it('imports files, reports messages that already exist, and exports a folder as a file', async () => {
    const visitor = await openPage(buildSettings('import'));
    const { page } = visitor;
    await page
      .getByLabel('Files', { exact: true })
      .setInputFiles({ name: 'old.mbox', mimeType: 'application/mbox', buffer: Buffer.from(MBOX) });
    await findButton(page, 'Import').click();
    await page.getByText('2 messages imported · 1 already existed').waitFor();
    await expectFaultless(visitor, 'imports');
    await page.goto(buildSettings('export'));
    const coming = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download Archive' }).click();
    expect((await coming).suggestedFilename()).toMatch(/\.mbox$/);
    await expectFaultless(visitor, 'exports');
  });

  it('shows an unreachable server as an error next to the field', async () => {
    const { page } = await openPage(buildSettings('import'));
    await page.getByLabel('Provider').selectOption('custom');
    await page.getByLabel('Server', { exact: true }).fill('127.0.0.1');
    await page.getByLabel('Port').fill('1');
    await page.getByLabel('Username or address').fill('ann');
    await page.getByLabel('Password').fill('secret');
    await findButton(page, 'Show folders').click();
    await page.getByRole('alert').getByText('could not be reached').waitFor();
    expect(await page.getByLabel('Server', { exact: true }).getAttribute('aria-invalid')).toBe('true');
  });

  it('shows shared mailboxes to their members, and lets only permitted users create one', async () => {
    const visitor = await openPage(buildSettings('sharing'));
    await visitor.page.getByText('Only administrators can create shared mailboxes.').waitFor();
    await visitor.page.getByRole('listitem').getByText('Member', { exact: true }).waitFor();
    await expectFaultless(visitor, 'shared mailboxes');
    const { page } = await openAdminPage('/app/mail/settings/sharing');
    await findButton(page, 'Create shared mailbox').click();
    await page.getByRole('dialog', { name: 'Create shared mailbox' }).waitFor();
  });
});
