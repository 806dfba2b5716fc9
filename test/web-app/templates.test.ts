import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();

/** A document from another editor, with an unsupported block and unsupported attributes. */
const BLOCKS = {
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      attrs: { showIfKey: 'plan' },
      content: [{ type: 'text', text: 'Of another program' }],
    },
    { type: 'columns', content: [{ type: 'column', content: [{ type: 'paragraph' }] }] },
    { type: 'paragraph', content: [{ type: 'text', marks: [{ type: 'highlight' }], text: 'The end' }] },
  ],
};

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

chromium.describe('templates in the browser', () => {
  const openPage = trackPages(team);

  const runQuery = async (query: string, variables: object = {}) =>
    Object.values(await team.query(query, variables))[0] as Record<string, string>;

  const createTemplate = async (change: object = {}) =>
    (
      await runQuery('mutation ($template: TemplateInput!) { templateCreate(template: $template) { id } }', {
        template: {
          name: 'Welcome',
          subject: 'Hi {{name}}',
          html: '<h1>Dear {{name}}</h1><script>parent.document.title = "taken"</script>',
          ...change,
        },
      })
    ).id!;

  const readStored = (id: string) =>
    runQuery('query ($id: ID!) { template(id: $id) { name subject html text content variables version } }', {
      id,
    });

  it('creates and edits a template using only the keyboard, and detects its variables', async () => {
    const visitor = await openPage('/app/email/templates');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No templates yet' }).waitFor();
    await page.locator('.empty').getByRole('button', { name: 'Create template' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel('Name').waitFor();
    await page.keyboard.type('Order shipped');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Order shipped' }).waitFor();
    await page.getByLabel('Subject').fill('Order {{number}} is on its way');
    await page.getByLabel('Fallback for number').fill('of yours');
    await page.getByLabel('Subject').press('Enter');
    await page.getByText('Saved as version 2.').waitFor();
    const id = page.url().split('/').at(-1)!;
    expect(await readStored(id)).toMatchObject({
      name: 'Order shipped',
      subject: 'Order {{number}} is on its way',
      variables: { number: 'of yours' },
    });
    await expectFaultless(visitor, 'a template');
    await page.getByRole('link', { name: 'Templates', exact: true }).first().click();
    await page.getByRole('searchbox').fill('shipped');
    await page.getByRole('link', { name: 'Order shipped' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('shipped');
    await expectFaultless(visitor, 'the templates');
  });

  it('edits all kinds of blocks by keyboard, and saves the HTML that the server generates from them', async () => {
    const id = await createTemplate({
      html: undefined,
      content: JSON.stringify(BLOCKS),
      subject: 'Hi {{name}}',
    });
    const before = await readStored(id);
    const visitor = await openPage(`/app/email/templates/${id}`);
    const { page } = visitor;
    const text = page.getByRole('textbox', { name: 'Content' });
    await text.getByText('Of another program').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await text.press('Control+Home');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.type('Dear {{na');
    await page.getByRole('option', { name: '{{name}}' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type(', your number is {{number}}.');
    await page.getByRole('option').first().waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.keyboard.type('- ');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('first');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Insert button' }).click();
    await page.getByLabel('Text', { exact: true }).first().fill('Pay');
    await page.locator('.blocks-piece').getByLabel('Link').fill('https://example.com/{{number}}');
    await page.locator('.blocks-piece').getByLabel('Link').press('Enter');
    await page.locator('.blocks input[type=file]').setInputFiles({
      name: 'dot.png',
      mimeType: 'image/png',
      buffer: DOT,
    });
    const image = text.locator('.block-image img');
    await image.waitFor();
    await until(
      () => image.evaluate((node: HTMLImageElement) => node.naturalWidth === 1),
      'the image is loaded',
    );
    await text.getByTitle('No value').first().waitFor();
    await expectFaultless(visitor, 'the block editor');
    await text.press('Control+k');
    const linkDialog = page.getByRole('dialog', { name: 'Link' });
    await linkDialog.waitFor();
    await page.keyboard.press('Escape');
    await linkDialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    await expectUncoveredSave(page);
    const { html, content } = await readStored(id);
    expect(html).toContain(
      '<p style="margin:0 0 16px">Dear {{name}}, your number is {{number}}.</p>\n' +
        '<ul style="margin:0 0 16px;padding-left:24px"><li style="margin:0 0 4px"><p style="margin:0 0 16px"><strong>first</strong></p>',
    );
    expect(html).toMatch(/<a href="https:\/\/example.com\/{{number}}"[^>]*>Pay<\/a>/);
    const source = /<img src="([^"]+)"/.exec(html!)![1]!;
    expect((await fetch(source)).headers.get('content-type')).toBe('image/png');
    expect(JSON.parse(content!).content.slice(-BLOCKS.content.length)).toEqual(BLOCKS.content);
    // Undoing all edits restores the original document byte for byte.
    await page.reload();
    await text.press('Control+End');
    await page.keyboard.type('x');
    await page.getByRole('button', { name: 'Discard' }).waitFor();
    await page.keyboard.press('Control+z');
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    expect(before).toMatchObject({ version: 1 });
  });

  it('converts pasted HTML to blocks where possible, and blocks to HTML on request', async () => {
    const id = await createTemplate({ html: undefined, content: JSON.stringify(BLOCKS) });
    const { page } = await openPage(`/app/email/templates/${id}`);
    const text = page.getByRole('textbox', { name: 'Content' });
    await text.press('Control+End');
    await text.evaluate((node) => {
      const data = new DataTransfer();
      data.setData(
        'text/html',
        '<p>From elsewhere</p><h2>Pasted</h2><p class="x"><a href="https://example.org">there</a></p>',
      );
      node.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await text.getByRole('heading', { name: 'Pasted' }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 2.').waitFor();
    const { html } = await readStored(id);
    expect(html).toContain('Pasted</h2>');
    expect(html).toContain('<a href="https://example.org">there</a>');
    expect(html).not.toContain('class=');
    await page.getByRole('button', { name: 'Edit as HTML' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Edit as HTML' }).click();
    expect(await page.getByLabel('HTML', { exact: true }).inputValue()).toBe(html);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved as version 3.').waitFor();
    expect(await readStored(id)).toMatchObject({ html, content: null });
  });

  it('offers variables after {{ in the HTML source', async () => {
    const id = await createTemplate();
    const { page } = await openPage(`/app/email/templates/${id}`);
    const source = page.getByLabel('HTML', { exact: true });
    const options = page.getByRole('listbox', { name: 'Variables' }).getByRole('option');
    await source.fill('<p>Dear ');
    await source.pressSequentially('{{');
    await options.first().waitFor();
    expect(await options.allTextContents()).toEqual([
      '{{name}}',
      '{{firstName}}',
      '{{lastName}}',
      '{{email}}',
    ]);
    expect(await page.getByRole('alert').count()).toBe(0);
    await source.pressSequentially('l');
    await expect.poll(() => options.allTextContents()).toEqual(['{{lastName}}', '{{l}}']);
    await page.keyboard.press('Enter');
    await source.pressSequentially('</p>');
    expect(await source.inputValue()).toBe('<p>Dear {{lastName}}</p>');
    expect(await options.count()).toBe(0);
    await source.fill('<p>{{}}</p>');
    for (let left = 0; left < '}}</p>'.length; left++) await source.press('ArrowLeft');
    await source.pressSequentially('f');
    await options.getByText('{{firstName}}').click();
    expect(await source.inputValue()).toBe('<p>{{firstName}}</p>');
    await source.pressSequentially('{{');
    await options.first().waitFor();
    await page.keyboard.press('Escape');
    await options.first().waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    expect(await source.inputValue()).toBe('<p>{{firstName}}{{</p>');
  });

  it('shows template errors next to the fields, and saves nothing', async () => {
    const id = await createTemplate();
    const { page } = await openPage(`/app/email/templates/${id}`);
    await page.getByLabel('HTML', { exact: true }).fill('<p>{{name</p>');
    await page
      .getByRole('alert')
      .getByText(/^Unbalanced braces/)
      .waitFor();
    await page.getByLabel('HTML', { exact: true }).fill('<p>{{name}}</p>');
    await page.getByLabel('Subject').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('required for a template').waitFor();
    expect(await page.getByLabel('Subject').getAttribute('aria-invalid')).toBe('true');
    expect(await readStored(id)).toMatchObject({ version: 1, subject: 'Hi {{name}}' });
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Hi {{name}}');
  });

  it('previews unsaved changes with values, on a phone, in dark mode and as text, and runs no scripts', async () => {
    const id = await createTemplate();
    const visitor = await openPage(`/app/email/templates/${id}`);
    const { page } = visitor;
    await page
      .getByLabel('HTML', { exact: true })
      .fill('<h1>Dear {{name}}</h1><script>parent.x = 1</script>');
    await page.getByRole('tab', { name: 'Preview' }).click();
    const frame = page.frameLocator('iframe');
    await frame.getByRole('heading', { name: 'Dear {{name}}' }).waitFor();
    await page.getByText('No value or fallback for name.').waitFor();
    expect(await frame.locator('mark').allTextContents()).toEqual(['{{name}}']);
    expect(await page.locator('.preview-subject mark').textContent()).toBe('{{name}}');
    await expectFaultless(visitor, 'a preview without values');
    const book = await team.book();
    const contact = { email: 'ann@example.net', properties: { name: 'Ann of the book' } };
    await team.ask('POST', `/api/v1/contactBooks/${book}/contacts`, { body: contact });
    await page.getByLabel("Use a contact's data").fill('nobody@example.net');
    await page.getByText('No contacts match this address').waitFor();
    await page.getByLabel("Use a contact's data").fill('Ann@example.net');
    await frame.getByRole('heading', { name: 'Dear Ann of the book' }).waitFor();
    expect(await frame.locator('mark').count()).toBe(0);
    await page.getByLabel('Value of name').fill('<b>Ann</b>');
    await frame.getByRole('heading', { name: 'Dear <b>Ann</b>' }).waitFor();
    await page.getByText('Hi <b>Ann</b>').waitFor();
    await page.getByLabel('Width').selectOption('phone');
    await page.getByLabel('Background').selectOption('dark');
    await until(
      async () =>
        (await frame.locator('html').evaluate((root) => getComputedStyle(root).backgroundColor)) ===
        'rgb(20, 24, 29)',
      'the paper is dark',
    );
    const { width } = (await page.locator('iframe').boundingBox())!;
    expect(width).toBe(390);
    expect(new URL(page.url()).search).toBe('?tab=preview&width=phone&paper=dark');
    await expectFaultless(visitor, 'a preview');
    await page.getByLabel('Format').selectOption('text');
    await page.getByText('Dear <b>Ann</b>', { exact: false }).last().waitFor();
    expect(await page.evaluate('window.x')).toBeUndefined();
  });

  it('lets the user resolve a save conflict without losing either version', async () => {
    const id = await createTemplate();
    const change = (subject: string) =>
      runQuery(
        'mutation ($id: ID!, $t: TemplateInput!) { templateUpdate(id: $id, template: $t) { version } }',
        {
          id,
          t: { subject },
        },
      );
    const { page } = await openPage(`/app/email/templates/${id}`);
    await page.getByLabel('Subject').fill('Mine');
    await change('Theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/saved version 2 after you started editing/).waitFor();
    expect(await readStored(id)).toMatchObject({ subject: 'Theirs' });
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Saved as version 3.').waitFor();
    expect(await readStored(id)).toMatchObject({ subject: 'Mine', version: 3 });
    await page.getByLabel('Subject').fill('Mine again');
    await change('Theirs again');
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Subject').inputValue()).toBe('Theirs again');
  });

  it('lists versions, and restores one as a new version', async () => {
    const id = await createTemplate({ html: '<h1>First</h1>' });
    await runQuery(
      'mutation ($id: ID!) { templateUpdate(id: $id, template: { html: "<h1>Second</h1>" }) { version } }',
      { id },
    );
    const visitor = await openPage(`/app/email/templates/${id}?tab=versions`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'View version 1' }).click();
    await page.frameLocator('iframe').getByRole('heading', { name: 'First' }).waitFor();
    await expectFaultless(visitor, 'a version');
    await page.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Restored as version 3.').waitFor();
    expect(await readStored(id)).toMatchObject({ html: '<h1>First</h1>', version: 3 });
  });

  it('sends a test with the preview values, and shows an error next to the field', async () => {
    const id = await createTemplate({ html: '<p>Hello {{name}}</p>' });
    const { page } = await openPage(`/app/email/templates/${id}?tab=preview`);
    await page.getByLabel('Value of name').fill('Zoe');
    await page.getByRole('button', { name: 'Send test email' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('From').fill('no address');
    await dialog.getByLabel('To').fill('me@example.org');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('From').fill(`test@${team.main.domain}`);
    await page.keyboard.press('Enter');
    await page.getByText('Test email queued for me@example.org.').waitFor();
    const { nodes } = (await runQuery(
      '{ emails(where: { to: { has: "me@example.org" } }) { nodes { subject html } } }',
    )) as unknown as { nodes: object[] };
    expect(nodes).toEqual([{ subject: 'Hi Zoe', html: '<p>Hello Zoe</p>' }]);
  });

  it('asks before it discards unsaved changes, and before it deletes a template', async () => {
    const id = await createTemplate({ name: 'To go' });
    const { page } = await openPage(`/app/email/templates/${id}`);
    await page.getByLabel('Subject').fill('Not saved');
    await page.getByRole('link', { name: '‹ Templates' }).click();
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Subject').inputValue()).toBe('Not saved');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('To go deleted.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/app/email/templates');
  });
});

/** Verifies for several window sizes that no toast covers the button. */
async function expectUncoveredSave(page: Page): Promise<void> {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const toast = (await page.locator('.toasts').boundingBox())!;
    const save = (await page.locator('.buttons.sticky').boundingBox())!;
    expect(toast.height).toBeGreaterThan(30);
    expect(toast.y + toast.height <= save.y || toast.y >= save.y + save.height, `at ${width}`).toBe(true);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
