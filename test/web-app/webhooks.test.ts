import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { stageWebhooks } from '../email/webhook-stage.ts';
import { expectFaultless, trackPages } from './browser.ts';

chromium.describe('webhooks in the browser', () => {
  const stage = stageWebhooks();

  const openPage = trackPages(stage.team);

  it('creates a webhook using only the keyboard, shows its secret once, and signs calls with it', async () => {
    const visitor = await openPage('/app/email/webhooks');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await expectFaultless(visitor, 'no webhooks');
    await page.locator('.empty').getByRole('button', { name: 'Create webhook' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Endpoint URL').fill('ftp://shop.example/hook');
    await page.keyboard.press('Enter');
    await dialog
      .getByRole('alert')
      .getByText(/^Must begin with https:/)
      .waitFor();
    await dialog.getByLabel('Endpoint URL').fill(`${stage.url}/hook`);
    await dialog.getByLabel('Events').selectOption({ label: 'Selected events' });
    await dialog.getByLabel('email.bounced').focus();
    await page.keyboard.press('Space');
    await dialog.getByLabel('main.test').focus();
    await page.keyboard.press('Space');
    await expectFaultless(visitor, 'the form of a webhook');
    await dialog.getByLabel('Description').fill('The shop');
    await page.keyboard.press('Enter');
    const secret = (await dialog.locator('code').textContent())!;
    expect(secret).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'View webhook' }).click();
    await page.getByText('Selected events').waitFor({ state: 'detached' });
    await page.getByText('email.bounced').waitFor();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('link', { name: '‹ Webhooks' }).click();
    const row = page.getByRole('listitem').filter({ hasText: `${stage.url}/hook` });
    await row.getByText('The shop · 1 event type · main.test').waitFor();
    await row.getByText('Never called').waitFor();
    await expectFaultless(visitor, 'the webhooks');
  });

  it('shows the request and response of a test event, and repeats the call', async () => {
    stage.work();
    stage.answer = () => ({ status: 500, text: 'the shop is closed' });
    const { id } = await stage.make();
    const visitor = await openPage(`/app/email/webhooks/${id}`);
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('heading', { name: 'webhook.test' }).waitFor();
    await page.getByText('All attempts failed.').waitFor();
    await page.getByText('It answered 500.').waitFor();
    await page.getByLabel('Response').getByText('the shop is closed').waitFor();
    await page.getByLabel('Request').getByText('"type": "webhook.test"').waitFor();
    await expectFaultless(visitor, 'a call');
    stage.answer = () => ({ status: 200, text: 'open again' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Your endpoint returned a success status.').waitFor();
    await page.getByLabel('Response').getByText('open again').waitFor();
    await page.goBack();
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.getByLabel('Status').selectOption('FAILED');
    await page.getByRole('heading', { name: 'No calls with this status' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=FAILED');
    await page.getByRole('button', { name: 'Show all calls' }).click();
    await page.getByRole('option', { name: /Delivered.*webhook\.test.*200/ }).waitFor();
    await expectFaultless(visitor, 'a webhook with calls');
    await page.getByRole('listbox', { name: 'Calls' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'webhook.test' }).waitFor();
  });

  it('edits, pauses, resumes and deletes a webhook, and rotates its secret', async () => {
    const { id, secret } = await stage.make('description: "old", eventTypes: [EMAIL_SENT]');
    const visitor = await openPage(`/app/email/webhooks/${id}`);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await dialog.getByLabel('email.sent').isChecked()).toBe(true);
    await dialog.getByLabel('Events').selectOption({ label: 'All except mailbox events' });
    await dialog.getByLabel('Description').fill('new');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Webhook updated.').waitFor();
    await page.getByText('All except mailbox events').waitFor();
    await page.getByText('new', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect(await page.getByRole('button', { name: 'Send test event' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Send test event' }).waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    const newSecret = await dialog.locator('code').textContent();
    expect(newSecret).toMatch(/^whsec_/);
    expect(newSecret).not.toBe(secret);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Show signing secret' }).click();
    await dialog.getByText('Anyone who has it can forge calls.').waitFor();
    expect(await dialog.locator('code').textContent()).toBe(newSecret);
    await expectFaultless(visitor, 'the secret of a webhook');
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(newSecret);
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
  });

  it("lists an email's webhook calls, and repeats one", async () => {
    stage.work();
    stage.answer = ({ body }) => (body.type === 'email.delivered' ? { status: 500, text: 'closed' } : 200);
    await stage.make();
    const email = await stage.sent({ subject: 'Told about' });
    const visitor = await openPage(`/app/email/emails?id=${email}&tab=webhooks`);
    const { page } = visitor;
    const call = page.getByRole('listitem').filter({ hasText: 'email.delivered' });
    await call.locator('.status', { hasText: 'Failed' }).waitFor();
    await call.getByText(`${stage.url}/ · 500 · 6 attempts`).waitFor();
    const queuedLocator = page.getByRole('listitem').filter({ hasText: 'email.queued' });
    await queuedLocator.getByText(/ · 200 · 1 attempt$/).waitFor();
    await expectFaultless(visitor, 'the calls about an email');
    stage.answer = () => 200;
    await call.getByRole('button', { name: 'Retry: email.delivered' }).focus();
    await page.keyboard.press('Enter');
    await call.locator('.status', { hasText: 'Delivered' }).waitFor();
    await call.getByRole('link', { name: 'email.delivered' }).click();
    await page.getByLabel('Request').getByText(`"id": "${email}"`).waitFor();
  });

  it('shows that an unknown call and an unknown webhook do not exist', async () => {
    const { id } = await stage.make();
    const { page } = await openPage(`/app/email/webhooks/${id}/calls/987654`);
    await page.getByRole('heading', { name: 'Call not found' }).waitFor();
    await page.goto('/app/email/webhooks/987654');
    await page.getByRole('heading', { name: 'Webhook not found' }).waitFor();
  });
});
