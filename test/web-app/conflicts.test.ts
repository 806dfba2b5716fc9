import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { setUpMailbox } from '../mailbox/mailboxes.ts';
import { trackPages } from './browser.ts';

// Another user saves while a form contains unsaved edits.

const app = setUpApp();
const mailbox = setUpMailbox(app, 'admin');

const run = async (document: string, variables: object = {}) =>
  Object.values(await queryData(app, document, { variables }))[0];

/** Runs a mutation and returns the id of its result. */
const create = async (mutation: string, key = 'id'): Promise<string> =>
  (await run(`mutation { ${mutation} { ${key} } }`))[key];

const RULE =
  'conditions: [{ field: "subject", operator: "contains", value: "news" }], actions: [{ action: "star" }]';

const VIEW = 'model: "crm.lead", kind: LIST, columns: ["name"]';

interface Form {
  id(): Promise<string>;
  path(id: string): string;
  /** Buttons or links that open the form. */
  open?: string | string[];
  label: string;
  /** Mutation that saves "Theirs". */
  theirs(id: string): string;
  /** Query whose response contains the saved value. */
  read(id: string): string;
}

let book: string;

const FORMS: Record<string, Form> = {
  webhook: {
    id: () => create('webhookCreate(url: "https://hooks.example.com/a")'),
    path: (id) => `/app/email/webhooks/${id}`,
    open: 'Edit',
    label: 'Description',
    theirs: (id) => `webhookUpdate(id: "${id}", description: "Theirs") { id }`,
    read: (id) => `webhook(id: "${id}") { description }`,
  },
  'contact book': {
    id: () => create('contactBookCreate(book: { name: "Readers" })'),
    path: (id) => `/app/email/contacts/${id}`,
    open: 'Settings',
    label: 'Name',
    theirs: (id) => `contactBookUpdate(id: "${id}", book: { name: "Theirs" }) { id }`,
    read: (id) => `contactBook(id: "${id}") { name }`,
  },
  'confirmation email': {
    id: () => create('contactBookCreate(book: { name: "Readers" })'),
    path: (id) => `/app/email/contacts/${id}/opt-in`,
    label: 'Subject',
    theirs: (id) => `contactBookUpdate(id: "${id}", book: { doubleOptInSubject: "Theirs" }) { id }`,
    read: (id) => `contactBook(id: "${id}") { doubleOptInSubject }`,
  },
  contact: {
    id: () => create(`contactPut(bookId: "${book}", input: { email: "ann@example.net" })`),
    path: (id) => `/app/email/contacts/${book}?id=${id}`,
    label: 'First name',
    theirs: (id) => `contactUpdate(bookId: "${book}", id: "${id}", input: { firstName: "Theirs" }) { id }`,
    read: (id) => `contact(id: "${id}") { firstName }`,
  },
  'properties of a page': {
    id: () => create('websitePageCreate(name: "About")'),
    path: (id) => `/app/website/pages/${id}?tab=properties`,
    label: 'Title for search engines',
    theirs: (id) => `websitePageUpdate(pageId: "${id}", title: "Theirs") { id }`,
    read: (id) => `websitePageMarkup(pageId: "${id}") { title }`,
  },
  'menu entry': {
    id: () => create('websiteMenuAdd(name: "Contended", url: "/shop")'),
    path: () => '/app/website/menus',
    open: 'Contended',
    label: 'Label',
    theirs: (id) => `websiteMenuUpdate(id: "${id}", input: { name: "Theirs" }) { id }`,
    read: (id) => `websiteMenu(id: "${id}") { name }`,
  },
  redirect: {
    id: () => create('websiteRedirectAdd(urlFrom: "/contended", urlTo: "/new")'),
    path: () => '/app/website/redirects',
    open: 'Edit the redirect from /contended',
    label: 'To',
    theirs: (id) => `websiteRewriteUpdate(id: "${id}", input: { urlTo: "/theirs" }) { id }`,
    read: (id) => `websiteRewrite(id: "${id}") { urlTo }`,
  },
  'website settings': {
    id: async () => (await run('{ websites(first: 1) { nodes { id } } }')).nodes[0].id,
    path: () => '/app/website/settings',
    label: 'Description',
    theirs: (id) => `websiteUpdate(id: "${id}", input: { description: "Theirs" }) { id }`,
    read: (id) => `website(id: "${id}") { description }`,
  },
  'mailbox rule': {
    id: () =>
      create(`mailRuleSave(accountId: "${mailbox.id}", rule: { name: "Contended", ${RULE} })`, 'ruleId'),
    path: () => '/app/mail/settings/rules',
    open: 'Edit Contended',
    label: 'Name',
    theirs: (id) =>
      `mailRuleSave(accountId: "${mailbox.id}", rule: { id: "${id}", name: "Theirs", ${RULE} }) { ok }`,
    read: (id) => `mailRule(id: "${id}") { name }`,
  },
  'saved view': {
    id: () => create(`savedViewSave(input: { name: "Contended", ${VIEW} })`),
    path: (id) => `/app/records/crm.lead?saved=${id}`,
    open: ['Contended', 'Edit view Contended'],
    label: 'View name',
    theirs: (id) => `savedViewSave(id: "${id}", input: { name: "Theirs", ${VIEW} }) { id }`,
    read: (id) => `savedView(id: "${id}") { name }`,
  },
  'auto-reply': {
    id: async () => String(mailbox.id),
    path: () => '/app/mail/settings/auto-reply',
    label: 'Subject',
    theirs: (id) => `mailAutoReplySave(accountId: "${id}", data: { subject: "Theirs" }) { ok }`,
    read: (id) => `mailAutoReply(accountId: "${id}") { subject }`,
  },
};

/** Forms that stay open after a save. */
const OPEN_FORMS: Record<string, Form> = {
  ...Object.fromEntries(
    ['confirmation email', 'properties of a page', 'website settings', 'auto-reply'].map((name) => [
      name,
      FORMS[name]!,
    ]),
  ),
  template: {
    id: () => create('templateCreate(template: { name: "Welcome", subject: "Hello", text: "Hello" })'),
    path: (id) => `/app/email/templates/${id}`,
    label: 'Subject',
    theirs: (id) => `templateUpdate(id: "${id}", template: { subject: "Theirs" }) { id }`,
    read: (id) => `template(id: "${id}") { subject }`,
  },
  record: {
    id: () => create('partnerCreate(input: { name: "Ann" })'),
    path: (id) => `/app/records/res.partner/${id}`,
    label: 'City',
    theirs: (id) => `partnerUpdate(id: "${id}", input: { city: "Theirs" }) { id }`,
    read: (id) => `partner(id: "${id}") { city }`,
  },
};

/** Delays the responses to mutations until the returned function is called. */
async function delayMutations(page: Page): Promise<() => Promise<void>> {
  const { promise: isReleased, resolve } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes('mutation')) return route.continue();
    const response = await route.fetch();
    await isReleased;
    await route.fulfill({ response });
  });
  return () => {
    resolve();
    return page.unrouteAll({ behavior: 'wait' });
  };
}

chromium.describe('a form during which another user saves', () => {
  const openPage = trackPages(app);

  beforeAll(async () => {
    book = await create('contactBookCreate(book: { name: "Readers" })');
  });

  it.each(Object.entries(FORMS))('warns before it replaces their values: %s', async (name, form) => {
    const id = await form.id();
    const read = async () => JSON.stringify(await run(`{ ${form.read(id)} }`));
    const [mine, theirs] = name === 'redirect' ? ['/mine', '/theirs'] : ['Mine', 'Theirs'];
    const { page } = await openPage(form.path(id));
    for (const name of [form.open ?? []].flat())
      await page
        .getByRole('button', { name, exact: true })
        .or(page.getByRole('link', { name, exact: true }))
        .click();
    await page.getByLabel(form.label, { exact: true }).fill(mine);
    await run(`mutation { ${form.theirs(id)} }`);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByText('Someone else changed this.').waitFor();
    expect(await read()).toContain(theirs);
    await save.click();
    await expect.poll(read).toContain(mine);
    expect(await page.getByText('Someone else changed this').count()).toBe(0);
  });

  it.each(['confirmation email', 'properties of a page', 'auto-reply'])(
    'saves twice without a conflict: %s',
    async (name) => {
      const form = FORMS[name]!;
      const id = await form.id();
      const { page } = await openPage(form.path(id));
      const field = page.getByLabel(form.label, { exact: true });
      const save = page.getByRole('button', { name: 'Save', exact: true });
      for (const value of ['One', 'Two']) {
        await field.fill(value);
        await save.click();
        await expect.poll(async () => JSON.stringify(await run(`{ ${form.read(id)} }`))).toContain(value);
      }
    },
  );

  it.each(Object.entries(OPEN_FORMS))('keeps what the user types during a save: %s', async (_name, form) => {
    const id = await form.id();
    const read = async () => JSON.stringify(await run(`{ ${form.read(id)} }`));
    const { page } = await openPage(form.path(id));
    const field = page.getByLabel(form.label, { exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await field.fill('First text');
    const respond = await delayMutations(page);
    await save.click();
    await expect.poll(read).toContain('First text');
    await field.fill('Second text');
    await respond();
    await page
      .getByText(/^Saved|saved\.$/)
      .first()
      .waitFor();
    expect(await field.inputValue()).toBe('Second text');
    await save.click();
    await expect.poll(read).toContain('Second text');
  });

  it('keeps the quantities and lines that the user enters while an order is saved', async () => {
    const partner = await create('partnerCreate(input: { name: "Buyer" })');
    const product = await create('productProductCreate(input: { name: "Cork", listPrice: 10 })');
    const id = await create(`saleOrderCreate(input: { partnerId: "${partner}", orderLines: { create: [
      { productId: "${product}", productUomQty: 1 } ] } })`);
    const { page } = await openPage(`/app/records/sale.order/${id}`);
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const quantities = page.getByRole('table').getByLabel('Quantity');
    const addLine = async (name: string) => {
      await page.getByRole('button', { name: 'Add line' }).click();
      const line = page.getByRole('table').getByRole('row').last();
      await line.getByLabel('Description').fill(name);
      await line.getByLabel('Quantity').fill('1');
    };
    const read = async () =>
      (await run(`{ saleOrder(id: "${id}") { orderLines(first: 9) { nodes { name productUomQty } } } }`))
        .orderLines.nodes;
    await quantities.fill('2');
    await addLine('Second');
    const respond = await delayMutations(page);
    await save.click();
    await expect.poll(read).toMatchObject([{ productUomQty: 2 }, { name: 'Second', productUomQty: 1 }]);
    await addLine('Third');
    await quantities.nth(0).fill('3');
    await quantities.nth(1).fill('4');
    await respond();
    await page.getByText('Saved.').waitFor();
    const readForm = async () => Promise.all((await quantities.all()).map((field) => field.inputValue()));
    expect(await readForm()).toEqual(['3', '4', '1']);
    await page.keyboard.type('2');
    expect(await readForm()).toEqual(['3', '42', '1']);
    await save.click();
    await expect
      .poll(read)
      .toMatchObject([
        { productUomQty: 3 },
        { name: 'Second', productUomQty: 42 },
        { name: 'Third', productUomQty: 1 },
      ]);
    await expect.poll(() => save.isDisabled()).toBe(true);
    expect(await readForm()).toEqual(['3', '42', '1']);
  });

  it('keeps what the user types while a record is created', async () => {
    const { page } = await openPage('/app/records/sale.order/new');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await create('partnerCreate(input: { name: "Buyer of a new order" })');
    await page.getByRole('combobox', { name: 'Customer' }).fill('Buyer of a new');
    await page.getByRole('option', { name: 'Buyer of a new order' }).click();
    const address = page.getByRole('combobox', { name: 'Delivery Address' });
    await expect.poll(() => address.inputValue()).toBe('Buyer of a new order');
    const reference = page.getByLabel('Customer Reference');
    await reference.fill('First text');
    const quantity = page.getByRole('table').getByLabel('Quantity');
    await page.getByRole('button', { name: 'Add line' }).click();
    await page.getByRole('table').getByLabel('Description').fill('First');
    const read = async () =>
      (
        await run(`{ saleOrders(where: { partner: { name: { eq: "Buyer of a new order" } } }, first: 9) {
          nodes { clientOrderRef orderLines(first: 9) { nodes { name productUomQty } } } } }`)
      ).nodes;
    const respond = await delayMutations(page);
    await save.click();
    await expect.poll(read).toMatchObject([{ clientOrderRef: 'First text' }]);
    await page.keyboard.press('Control+s');
    await quantity.fill('7');
    await reference.fill('Second text');
    await respond();
    await page.getByText('Created.').waitFor();
    await page.waitForURL(/sale\.order\/\d+$/);
    await page.getByRole('heading', { name: 'Followers' }).waitFor();
    expect(await reference.inputValue()).toBe('Second text');
    expect(await quantity.inputValue()).toBe('7');
    await page.keyboard.type(', and more');
    expect(await reference.inputValue()).toBe('Second text, and more');
    await save.click();
    await expect.poll(read).toMatchObject([
      {
        clientOrderRef: 'Second text, and more',
        orderLines: { nodes: [{ name: 'First', productUomQty: 7 }] },
      },
    ]);
  });

  it('shows the error of a field that the user edits during the save, until the next edit', async () => {
    const id = await create('contactBookCreate(book: { name: "Readers" })');
    const { page } = await openPage(`/app/email/contacts/${id}/opt-in`);
    const from = page.getByLabel('From', { exact: true });
    await from.fill('nobody');
    const respond = await delayMutations(page);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await from.fill('nobody at all');
    await respond();
    const error = page.getByText('must be a valid address');
    await error.waitFor();
    await page.getByLabel('Subject', { exact: true }).fill('Please confirm');
    expect(await error.count()).toBe(1);
    await from.fill('nobody again');
    await error.waitFor({ state: 'detached' });
  });

  it('shows no discarded edits of another record in the form that has created a record', async () => {
    await create('partnerCreate(input: { name: "Earlier contact" })');
    const { page } = await openPage('/app/records/res.partner/new');
    const openContact = async (name: string) => {
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Go to a page or record' });
      await palette.getByRole('combobox').fill(name);
      await palette.getByRole('option', { name }).first().click();
    };
    const name = page.getByLabel('Name', { exact: true });
    const city = page.getByLabel('City', { exact: true });
    await name.fill('Created contact');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Created.').waitFor();
    await openContact('Earlier contact');
    await expect.poll(() => name.inputValue()).toBe('Earlier contact');
    await city.fill('Nowhere');
    await openContact('Created contact');
    await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
    await expect.poll(() => name.inputValue()).toBe('Created contact');
    expect(await city.inputValue()).toBe('');
  });

  it('keeps a changed signature until the user replaces the other one', async () => {
    const { page } = await openPage(`/app/mail/settings/signature?mailbox=${mailbox.id}`);
    const text = page.frameLocator('iframe[title="Signature"]').getByRole('textbox');
    await text.fill('Mine');
    await run(`mutation { mailSignatureSave(accountId: "${mailbox.id}", signature: "Theirs") { ok } }`);
    const read = async () => (await run(`{ mailbox(id: "${mailbox.id}") { signature } }`)).signature;
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await page.getByText('Someone else changed this.').waitFor();
    expect(await read()).toContain('Theirs');
    await save.click();
    await expect.poll(read).toContain('Mine');
    await text.fill('Mine again');
    await save.click();
    await expect.poll(read).toContain('Mine again');
  });

  it('asks which agent rules to keep', async () => {
    const { page } = await openPage('/app/admin/policies');
    const rules = page.getByRole('form', { name: 'Agents' });
    await rules.getByLabel('Calls per day').fill('7');
    await run('mutation { agentPolicySave(callsPerDay: 5) { version } }');
    await rules.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(async () => (await run('{ agentPolicy { callsPerDay } }')).callsPerDay).toBe(7);
  });

  it('lets the user choose between two versions of a campaign', async () => {
    const html = '<a href=\\"{{usesend_unsubscribe_url}}\\">leave</a>';
    const id = await create(
      `campaignCreate(campaign: { name: "n", from: "a@main.test", subject: "s", contactBookId: "${book}",
        html: "${html}" })`,
    );
    const change = (subject: string) =>
      run(`mutation { campaignUpdate(id: "${id}", campaign: { subject: "${subject}" }) { id } }`);
    const read = async () => (await run(`{ campaign(id: "${id}") { subject } }`)).subject;
    const { page } = await openPage(`/app/email/campaigns/${id}`);
    const subject = page.getByLabel('Subject', { exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    const dialog = page.getByRole('dialog', { name: 'This campaign has been changed' });
    await subject.fill('Mine');
    await change('Theirs');
    await save.click();
    await dialog.waitFor();
    expect(await read()).toBe('Theirs');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await expect.poll(read).toBe('Mine');
    await dialog.waitFor({ state: 'detached' });
    await subject.fill('Mine again');
    await change('Theirs again');
    await save.click();
    await dialog.getByRole('button', { name: 'Take theirs' }).click();
    await expect.poll(() => subject.inputValue()).toBe('Theirs again');
    await subject.fill('Last');
    await save.click();
    await expect.poll(read).toBe('Last');
  });
});
