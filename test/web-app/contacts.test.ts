import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();

chromium.describe('contacts in the browser', () => {
  const openPage = trackPages(team);

  const addContacts = async (book: string, contacts: object[]) => {
    const { errors } = await team.graphql(
      'mutation ($book: ID!, $inputs: [ContactInput!]!) { contactsPut(bookId: $book, inputs: $inputs) { id } }',
      { book, inputs: contacts },
    );
    expect(errors).toEqual([]);
  };

  const listContacts = async (book: string) => {
    const { data } = await team.graphql(
      `query ($book: ID!) {
        contacts(where: { book: { id: { eq: $book } } }, orderBy: [{ field: EMAIL }]) {
          nodes { email firstName properties subscribed }
        }
      }`,
      { book },
    );
    return data.contacts.nodes;
  };

  it('creates, renames and deletes a contact book', async () => {
    const visitor = await openPage('/app/email/contacts');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('heading', { name: 'No contact books yet' }).waitFor();
    await expectFaultless(visitor, 'the page without books');
    await page.locator('.empty').getByRole('button', { name: 'Create contact book' }).focus();
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Name', { exact: true }).fill('News');
    await dialog.getByLabel('Campaign variables').fill('plan, two-words');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('two-words').waitFor();
    await dialog.getByLabel('Campaign variables').fill('plan, city');
    await expectFaultless(visitor, 'the form of a book');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No contacts yet' }).waitFor();
    await page.getByRole('button', { name: 'Settings' }).click();
    expect(await dialog.getByLabel('Campaign variables').inputValue()).toBe('plan, city');
    await dialog.getByLabel('Name', { exact: true }).fill('Letters');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Letters' }).waitFor();
    await page.goto('/app/email/contacts');
    await page.getByRole('listitem').filter({ hasText: 'Letters' }).getByText('0 contacts').waitFor();
    await expectFaultless(visitor, 'the books');
    await page.getByRole('link', { name: 'Letters' }).click();
    await page.getByRole('button', { name: 'Delete contact book' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No contact books yet' }).waitFor();
  });

  it('adds, finds, edits, unsubscribes, resubscribes and deletes a contact', async () => {
    const book = await team.book({ name: 'People', variables: ['plan'] });
    await addContacts(book, [
      { email: 'bob@example.net', subscribed: false },
      { email: 'cy@example.org', firstName: 'Cy' },
    ]);
    const visitor = await openPage(`/app/email/contacts/${book}`);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const panel = page.getByLabel('Contact', { exact: true });
    await page.getByText('2 contacts', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add contact' }).click();
    await dialog.getByLabel('Email address').fill('ann@example.net');
    await dialog.getByLabel('First name').fill('Ann');
    await dialog.getByLabel('plan').fill('pro');
    await dialog.getByRole('button', { name: 'Add contact' }).click();
    await page.getByText('3 contacts', { exact: true }).waitFor();
    await expectFaultless(visitor, 'the contacts of a book');
    await page.keyboard.press('/');
    await page.keyboard.type('ann');
    await page.keyboard.press('Enter');
    await page.getByText('1 contact', { exact: true }).waitFor();
    expect(new URL(page.url()).search).toBe('?q=ann');
    await page.getByRole('listbox', { name: 'Contacts' }).focus();
    await page.keyboard.press('Enter');
    await panel.getByRole('heading', { name: 'ann@example.net' }).waitFor();
    expect(await panel.getByLabel('plan').inputValue()).toBe('pro');
    await expectFaultless(visitor, 'an open contact');
    await panel.getByLabel('plan').fill('free');
    await panel.getByRole('button', { name: 'Add property' }).click();
    await panel.getByLabel('Name', { exact: true }).fill('city');
    await panel.getByLabel('Value').fill('Ghent');
    await page.keyboard.press('Enter');
    await page.getByText('ann@example.net saved.').last().waitFor();
    await panel.getByLabel('city').waitFor();
    expect((await listContacts(book))[0]).toEqual({
      email: 'ann@example.net',
      firstName: 'Ann',
      properties: { plan: 'free', city: 'Ghent' },
      subscribed: true,
    });
    await panel.getByRole('button', { name: 'Unsubscribe' }).click();
    await panel.getByText('Unsubscribed').waitFor();
    await panel.getByRole('button', { name: 'Subscribe' }).click();
    await dialog.getByRole('button', { name: 'Subscribe' }).click();
    await panel.getByText('Receives the campaigns sent to this book.').waitFor();
    await panel.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'No contacts match these filters' }).waitFor();
    await page.goto(`/app/email/contacts/${book}?status=UNSUBSCRIBED`);
    await page.getByRole('option', { name: /bob@example\.net/ }).waitFor();
    await page.getByText('1 contact', { exact: true }).waitFor();
    expect(await page.getByLabel('Status').inputValue()).toBe('UNSUBSCRIBED');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('People.csv');
    expect(
      readFileSync(await file.path(), 'utf8')
        .trim()
        .split('\r\n'),
    ).toHaveLength(3);
  });

  it('edits the confirmation email by keyboard, and requires its link', async () => {
    const book = await team.book({ name: 'Asked' });
    const visitor = await openPage(`/app/email/contacts/${book}`);
    const { page } = visitor;
    await page.getByRole('link', { name: 'Confirmation email' }).click();
    const text = page.getByRole('textbox', { name: 'Content' });
    await text.getByText('Confirm subscription').click();
    await page.locator('.blocks-piece').getByLabel('Link').waitFor();
    await expectFaultless(visitor, 'a confirmation email');
    await text.press('Enter');
    await page.getByLabel('Text', { exact: true }).fill('Yes');
    await page.locator('.blocks-piece').getByLabel('Link').fill('https://example.com/');
    await page.locator('.blocks-piece').getByLabel('Link').press('Enter');
    await page.getByLabel('Double opt-in').check();
    await page.getByLabel('Subject').fill('');
    await page.getByLabel('Subject').press('Enter');
    await page.getByRole('alert').getByText('{{doubleOptInUrl}} is missing').waitFor();
    await text.getByText('Yes', { exact: true }).click();
    await page.locator('.blocks-piece').getByLabel('Link').fill('{{doubleOptInUrl}}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Confirmation email saved.').waitFor();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Please confirm your subscription');
    const { data } = await team.graphql(
      'query ($id: ID!) { contactBook(id: $id) { doubleOptInEnabled doubleOptInContent } }',
      { id: book },
    );
    expect(data.contactBook.doubleOptInEnabled).toBe(true);
    expect(JSON.parse(data.contactBook.doubleOptInContent).content[1]).toEqual({
      type: 'button',
      attrs: { text: 'Yes', url: '{{doubleOptInUrl}}' },
    });
  });

  it('maps the columns of a file, validates the file without saving, and imports it', async () => {
    const book = await team.book({ name: 'Import', variables: ['plan'] });
    await addContacts(book, [{ email: 'old@example.net' }]);
    const visitor = await openPage(`/app/email/contacts/${book}/import`);
    const { page } = visitor;
    const rows = ['Adresse;Vorname;Tarif;Intern', 'old@example.net;Olga;pro;1', '', 'nobody;;;', 'no one;;;'];
    for (let row = 0; row < 12_000; row++) rows.push(`p${row}@example.net;P;"a; b";${'x'.repeat(30)}`);
    rows.push('late;;;');
    await page.getByLabel('CSV file').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(rows.join('\r\n')),
    });
    await page.getByText('Map a column to the email address.').waitFor();
    await page.getByLabel('Adresse').selectOption('email');
    await page.getByLabel('Vorname').selectOption('firstName');
    await page.getByLabel('Tarif').selectOption('plan');
    await page.getByLabel('Intern').selectOption({ label: 'Skip' });
    await page.getByRole('button', { name: 'Check file' }).click();
    const trial = page.getByLabel('Import preview');
    await trial.waitFor();
    expect(await trial.locator('dd').allTextContents()).toEqual(['12,000', '1', '0', '3']);
    const rejectedLines = await trial.locator('tbody td:first-child').allTextContents();
    expect(rejectedLines).toEqual(['4', '5', '12,006']);
    expect(await listContacts(book)).toHaveLength(1);
    await expectFaultless(visitor, 'a checked import');
    await page.getByRole('button', { name: 'Import 12,001 contacts' }).click();
    await page.getByLabel('Import finished').waitFor();
    await page.getByRole('link', { name: 'View contacts' }).click();
    await page.getByText('12,001 contacts', { exact: true }).waitFor();
    const [olga] = (await listContacts(book)).filter(({ email }: { email: string }) =>
      email.startsWith('old'),
    );
    expect(olga).toMatchObject({ firstName: 'Olga', properties: { plan: 'pro' } });
  });
});
