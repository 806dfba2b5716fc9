import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { setUpMailbox } from '../mailbox/mailboxes.ts';
import { trackPages } from './browser.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app, 'admin');

const create = async (mutation: string): Promise<string> =>
  (Object.values(await queryData(app, `mutation { ${mutation} { id } }`))[0] as { id: string }).id;

interface InputCase {
  path(): Promise<string> | string;
  label: string;
  /** Tab or link of the same screen that replaces the form. */
  leave: { role: 'tab' | 'link' | 'option'; name: RegExp };
}

const INPUTS: Record<string, InputCase> = {
  'properties of a website page': {
    path: async () => `/app/website/pages/${await create('websitePageCreate(name: "About")')}?tab=properties`,
    label: 'Title for search engines',
    leave: { role: 'tab', name: /Markup/ },
  },
  'details of a user': {
    path: () => `/app/admin/users/${app.main.user.id}`,
    label: 'Phone',
    leave: { role: 'tab', name: /Groups/ },
  },
  'mail rule': {
    path: () => `/app/mail/settings/rules?mailbox=${mailbox.id}&rule=new`,
    label: 'Name',
    leave: { role: 'link', name: /Rules/ },
  },
  'auto-reply': {
    path: () => `/app/mail/settings/auto-reply?mailbox=${mailbox.id}`,
    label: 'Subject',
    leave: { role: 'link', name: /Rules/ },
  },
  'contact of a book': {
    path: async () => {
      const book = await create('contactBookCreate(book: { name: "Readers" })');
      const id = await create(`contactPut(bookId: "${book}", input: { email: "ann@example.net" })`);
      await create(`contactPut(bookId: "${book}", input: { email: "bea@example.net" })`);
      return `/app/email/contacts/${book}?id=${id}`;
    },
    label: 'First name',
    leave: { role: 'option', name: /bea@example\.net/ },
  },
  'message on a record': {
    path: async () => `/app/records/res.partner/${await create('partnerCreate(input: { name: "Ann" })')}`,
    label: 'Write a message',
    leave: { role: 'link', name: /‹ Contacts/ },
  },
};

chromium.describe('unsaved input in the browser', () => {
  const openPage = trackPages(app);

  it.each(Object.entries(INPUTS))('is not discarded without a question (%s)', async (_name, input) => {
    const { page } = await openPage(await input.path());
    const field = page.getByRole('main').getByLabel(input.label, { exact: true });
    const leave = page.getByRole('main').getByRole(input.leave.role, { name: input.leave.name });
    await field.fill('Typed');
    await leave.click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.getByRole('button', { name: 'Stay' }).and(page.locator(':focus')).click();
    expect(await field.inputValue()).toBe('Typed');
    await leave.click();
    await dialog.getByRole('button', { name: 'Leave' }).click();
    // Another contact has a form of its own.
    await expect
      .poll(() => field.evaluateAll((fields) => fields.some((input) => (input as HTMLInputElement).value)))
      .toBe(false);
  });

  it('of a dialog is not discarded by Escape or a click outside without a question', async () => {
    const { page } = await openPage('/app/email/contacts');
    const open = () => page.getByRole('button', { name: 'Create contact book' }).first().click();
    const form = page.getByRole('dialog', { name: 'Create contact book' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await open();
    await form.waitFor();
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'hidden' });
    await open();
    await form.getByLabel('Name').fill('Readers');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Stay' }).click();
    expect(await form.getByLabel('Name').inputValue()).toBe('Readers');
    await page.mouse.click(5, 5);
    await question.getByRole('button', { name: 'Leave' }).click();
    await form.waitFor({ state: 'hidden' });
  });

  it('of a dialog is not discarded by the Back button without a question', async () => {
    const { page } = await openPage('/app/email/contacts');
    await page.getByRole('link', { name: 'Templates' }).first().click();
    await page.waitForURL(/email\/templates/);
    const template = page.getByRole('dialog', { name: 'Create template' });
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await page.getByRole('button', { name: 'Create template' }).first().click();
    await template.getByLabel('Name').fill('Welcome');
    await page.goBack();
    await question.getByRole('button', { name: 'Stay' }).and(page.locator(':focus')).click();
    await question.waitFor({ state: 'hidden' });
    expect(await template.getByLabel('Name').inputValue()).toBe('Welcome');
    await page.goBack();
    expect(await question.count()).toBe(1);
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/email\/contacts/);
    await template.waitFor({ state: 'hidden' });
  });

  /** Fills in the dialog that suppresses an address, after a change of the list's filter. */
  async function fillInAddress(page: Page, address: string) {
    await page.getByRole('main').getByLabel('Reason').selectOption('MANUAL');
    await page.waitForURL(/reason=MANUAL/);
    await page.getByRole('button', { name: 'Add addresses' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add addresses' });
    await dialog.getByLabel('Addresses').fill(address);
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    return { dialog, addresses: dialog.getByLabel('Addresses'), question };
  }

  it('of a dialog is discarded with its dialog when Back changes only the list below', async () => {
    const { page } = await openPage('/app/email/suppressions');
    const { dialog, question } = await fillInAddress(page, 'ann@example.net');
    await page.goBack();
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/suppressions$/);
    await dialog.waitFor({ state: 'hidden' });
  });

  /** Submits a dialog, and presses Back before the server responds. */
  async function goBackDuringSave(page: Page, respond: 'continue' | 'reject') {
    const form = await fillInAddress(page, `${respond}@example.net`);
    let answer = () => {};
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('mutation SuppressionsAdd(')) return route.continue();
      await isAnswered;
      const failure = { message: 'Too many addresses.', extensions: { code: 'BAD_USER_INPUT' } };
      return respond === 'reject' ? route.fulfill({ json: { errors: [failure] } }) : route.continue();
    });
    await form.dialog.getByRole('button', { name: 'Add addresses' }).click();
    await form.dialog.locator('[aria-busy=true]').waitFor();
    await page.goBack();
    await form.question.waitFor();
    return { ...form, answer };
  }

  it('of a dialog is kept if Back is pressed while it is saved, and the save fails', async () => {
    const { page } = await openPage('/app/email/suppressions');
    const { dialog, addresses, question, answer } = await goBackDuringSave(page, 'reject');
    answer();
    await page.getByText('Too many addresses.').waitFor();
    await question.getByRole('button', { name: 'Stay' }).click();
    await dialog.getByText('Too many addresses.').waitFor();
    expect(await addresses.inputValue()).toBe('reject@example.net');
    expect(page.url()).toContain('reason=MANUAL');
  });

  it('of a dialog that is saved while the question is open is left without an answer', async () => {
    const { page } = await openPage('/app/email/suppressions');
    const { dialog, question, answer } = await goBackDuringSave(page, 'continue');
    answer();
    await page.getByText('1 address added.').waitFor();
    await question.waitFor({ state: 'hidden' });
    await dialog.waitFor({ state: 'hidden' });
    await page.waitForURL(/suppressions$/);
    expect(await page.getByRole('main').getByLabel('Reason').inputValue()).toBe('');
  });

  it('of a dialog that was left while it was saved is reported if the save fails', async () => {
    const { page } = await openPage('/app/email/suppressions');
    const { dialog, question, answer } = await goBackDuringSave(page, 'reject');
    await question.getByRole('button', { name: 'Leave' }).click();
    await dialog.waitFor({ state: 'hidden' });
    answer();
    await page.getByRole('region', { name: 'Notifications' }).getByText('Too many addresses.').waitFor();
  });

  it('of a dialog is not discarded by the palette without a question', async () => {
    const { page } = await openPage('/app/email/contacts');
    await page.getByRole('button', { name: 'Create contact book' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Readers');
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Go to a page or record' });
    await palette.getByRole('combobox').fill('Email › Campaigns');
    await palette.getByRole('option', { name: 'Email › Campaigns' }).waitFor();
    await page.keyboard.press('Enter');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/email\/campaigns/);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('of a dialog over an unsaved record is discarded after one question', async () => {
    const id = await create('partnerCreate(input: { name: "Ann" })');
    const { page } = await openPage(`/app/records/res.partner/${id}`);
    await page.getByRole('link', { name: /‹ Contacts/ }).click();
    await page.waitForURL(/res\.partner(?:\?.*)?$/);
    await page.goBack();
    await page.getByRole('main').getByLabel('Name', { exact: true }).fill('Anna');
    await page.getByRole('button', { name: 'Schedule activity' }).click();
    await page.getByRole('dialog').getByLabel('Summary').fill('Call');
    await page.goForward();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/res\.partner(?:\?.*)?$/);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('of a dialog is saved without a question if the form opens its result', async () => {
    const { page } = await openPage('/app/email/contacts');
    await page.getByRole('button', { name: 'Create contact book' }).first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Saved');
    await page.getByRole('dialog').getByRole('button', { name: 'Create contact book' }).click();
    await page.waitForURL(/email\/contacts\/\d+/);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('of a record and a message on it is discarded after one question', async () => {
    const id = await create('partnerCreate(input: { name: "Ann" })');
    const { page } = await openPage(`/app/records/res.partner/${id}`);
    await page.getByRole('main').getByLabel('Write a message', { exact: true }).fill('Typed');
    await page.getByRole('main').getByLabel('Name', { exact: true }).fill('Anna');
    await page.getByRole('link', { name: /‹ Contacts/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await page.waitForURL(/res\.partner(?:\?.*)?$/);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });

  it('of a contact does not prevent its deletion', async () => {
    const book = await create('contactBookCreate(book: { name: "Deleted" })');
    const id = await create(`contactPut(bookId: "${book}", input: { email: "cy@example.net" })`);
    const { page } = await openPage(`/app/email/contacts/${book}?id=${id}`);
    await page.getByLabel('First name').fill('Cy');
    await page
      .getByRole('region', { name: 'Contact', exact: true })
      .getByRole('button', { name: 'Delete' })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL(/contacts\/[^?]+$/);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});
