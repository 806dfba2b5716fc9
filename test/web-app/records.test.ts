import type { Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();

const LEADS = 240;

chromium.describe('records in the browser', () => {
  const LEAD = 'mutation ($input: CrmLeadCreateInput!) { crmLeadCreate(input: $input) { id } }';
  const readLead = async (input: object): Promise<string> =>
    (await team.query(LEAD, { input })).crmLeadCreate.id;

  beforeAll(async () => {
    const inputs = Array.from({ length: LEADS }, (_, index) => ({
      name: `Lead ${index}`,
      expectedRevenue: index,
    }));
    for (let start = 0; start < LEADS; start += 80)
      await team.query(
        'mutation ($inputs: [CrmLeadCreateInput!]!) { crmLeadsCreate(inputs: $inputs) { id } }',
        {
          inputs: inputs.slice(start, start + 80),
        },
      );
  });

  const openPage = trackPages(team);

  const waitUntilSaved = (page: Page) => page.getByText('Saved.').waitFor();
  const loadLead = (id: string) =>
    team.query(
      'query ($id: ID!) { crmLead(id: $id) { name expectedRevenue stage { name } tags { nodes { name } } } }',
      {
        id,
      },
    );

  it('shows the lists of each app on the first page, and finds one by name', async () => {
    const visitor = await openPage('/app/records');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'CRM' }).waitFor();
    await expectFaultless(visitor, 'the records');
    await page.keyboard.press('/');
    await page.keyboard.type('sales ord');
    const lists = page.getByRole('main');
    await lists.getByRole('link', { name: 'Leads' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('q')).toBe('sales ord');
    await lists.getByRole('link', { name: 'Sales Orders', exact: true }).click();
    await page.getByRole('heading', { name: 'Sales Orders' }).waitFor();
    await page.getByRole('heading', { name: 'No records yet' }).waitFor();
  });

  it('links the lists of everyday work in the menu', async () => {
    const { page } = await openPage('/app/records');
    const menu = page.getByRole('navigation', { name: 'Pages' });
    await menu.getByRole('link', { name: 'Leads' }).click();
    await page.getByRole('heading', { name: 'Leads' }).waitFor();
    expect(await menu.locator('[aria-current=page]').allTextContents()).toEqual(['Leads']);
    expect(await menu.locator('.list-link').allTextContents()).toEqual([
      'Contacts',
      'Leads',
      'Sales Orders',
      'Calendar Events',
      'Tasks',
      'Helpdesk Tickets',
    ]);
  });

  it("pages through a model's list, sorted by a column", async () => {
    const visitor = await openPage('/app/records/crm.lead');
    const { page } = visitor;
    await page.getByText(`${LEADS} records`).waitFor();
    await page.getByRole('button', { name: 'Expected Revenue' }).click();
    const list = page.getByRole('listbox', { name: 'Leads' });
    await list.getByRole('option', { name: 'Lead 0' }).first().waitFor();
    await list.focus();
    await page.keyboard.press('End');
    await list.getByText(`Lead ${LEADS - 1}`).waitFor();
    expect(await list.getByRole('option').count()).toBeLessThan(60);
    expect(new URL(page.url()).searchParams.get('order')).toBe('expectedRevenue');
    await expectFaultless(visitor, 'a list of records');
  });

  it('stores filters in the URL, and shows the number of records in groups', { tags: 'slow' }, async () => {
    await readLead({ name: 'Harbour lights', expectedRevenue: 5000 });
    const { page } = await openPage('/app/records/crm.lead?q=harbour');
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Add filter' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption('expectedRevenue');
    await dialog.getByLabel('Operator').selectOption('gte');
    await dialog.getByLabel('Value').fill('6000');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('heading', { name: 'No records match these filters' }).waitFor();
    const { href } = new URL(page.url());
    const other = await openPage(href.slice(href.indexOf('/app')));
    await other.page.getByRole('heading', { name: 'No records match these filters' }).waitFor();
    await page.getByRole('button', { name: /Remove filter Expected Revenue/ }).click();
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByLabel('Group by').selectOption('stage');
    await page.getByRole('button', { name: 'New 1' }).click();
    await page.getByRole('button', { name: 'Remove filter Stage is New' }).waitFor();
    await page.getByText('1 record', { exact: true }).waitFor();
  });

  it('shows the selected columns in other browsers, too', { tags: 'slow' }, async () => {
    const { page } = await openPage('/app/records/crm.lead');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').getByLabel('Probability', { exact: true }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Probability' }).waitFor();
    const other = await openPage('/app/records/crm.lead');
    await other.page.getByRole('button', { name: 'Probability' }).waitFor();
  });

  it('finds, opens, edits and saves a record using only the keyboard', async () => {
    const id = await readLead({ name: 'Keyboards' });
    const { page } = await openPage('/app/records/crm.lead');
    await page.getByText(/\d+ records/).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('keyboards');
    await page.keyboard.press('Enter');
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByRole('listbox', { name: 'Leads' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Keyboards' }).waitFor();
    await page.getByLabel('Opportunity').focus();
    await page.keyboard.press('End');
    await page.keyboard.type(' and mice');
    await page.getByRole('combobox', { name: 'Stage' }).focus();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('Qualif');
    await page.getByRole('option', { name: 'Qualified' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+s');
    await waitUntilSaved(page);
    await page.getByRole('heading', { name: 'Keyboards and mice' }).waitFor();
    expect((await loadLead(id)).crmLead).toMatchObject({
      name: 'Keyboards and mice',
      stage: { name: 'Qualified' },
    });
  });

  it('accepts a complete record name when the field loses focus, and reports a partial name', {
    tags: 'slow',
  }, async () => {
    const id = await readLead({ name: 'Half a name' });
    const { page } = await openPage(`/app/records/crm.lead/${id}`);
    const stage = page.getByRole('combobox', { name: 'Stage' });
    await stage.fill('Quali');
    await page.getByRole('option', { name: 'Qualified' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.getByText('“Quali” was discarded. Select a record from the list.').waitFor();
    expect(await stage.inputValue()).toBe('New');
    await stage.fill('qualified');
    await page.getByRole('option', { name: 'Qualified' }).waitFor();
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => stage.inputValue()).toBe('Qualified');
    await page.getByRole('button', { name: 'Save' }).click();
    await waitUntilSaved(page);
    expect((await loadLead(id)).crmLead).toMatchObject({ stage: { name: 'Qualified' } });
  });

  it.each(['Enter', 'Tab'])(
    'chooses the first suggestion on %s before the suggestions are shown',
    async (key) => {
      const { page } = await openPage('/app/records/crm.lead/new');
      const customer = page.getByRole('combobox', { name: 'Customer' });
      await customer.focus();
      await page.keyboard.type('adm');
      await page.keyboard.press(key);
      await expect.poll(() => customer.inputValue()).toBe('admin');
      await customer.fill('');
      await page.getByLabel('Opportunity').focus();
    },
  );

  it("fills a new record with the server's defaults, and shows errors next to the field", async () => {
    const visitor = await openPage('/app/records/crm.lead');
    const { page } = visitor;
    await page.getByRole('button', { name: 'New', exact: true }).click();
    await page.getByRole('heading', { name: 'New: Lead' }).waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Stage' }).inputValue()).toBe('New');
    // Selecting a customer with the id of a stage must not change the stages.
    const steps = page.locator('.status-bar li');
    await page.getByRole('combobox', { name: 'Customer' }).fill('admin');
    await page.getByRole('option', { name: /admin/i }).first().waitFor();
    expect(await steps.allTextContents()).toEqual(['New', 'Qualified', 'Proposition', 'Won']);
    await page.getByRole('combobox', { name: 'Customer' }).fill('');
    await page.getByLabel('Opportunity').fill('Made here');
    await page.getByLabel('Expected Revenue').fill('1e300');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Expected Revenue').fill('1250.5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Made here' }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1)!;
    expect((await loadLead(id)).crmLead).toMatchObject({ name: 'Made here', expectedRevenue: 1250.5 });
    await expectFaultless(visitor, 'a record');
  });

  it('shows both versions after a concurrent save, and saves the selected one', async () => {
    const id = await readLead({ name: 'Two of us' });
    const { page } = await openPage(`/app/records/crm.lead/${id}`);
    const setTheirs = (name: string) =>
      team.query(
        'mutation ($id: ID!, $name: String!) { crmLeadUpdate(id: $id, input: { name: $name }) { id } }',
        {
          id,
          name,
        },
      );
    const makeConflict = async (name: string) => {
      await page.getByLabel('Opportunity').fill(name);
      await setTheirs(`Theirs, not ${name}`);
      await page.getByRole('button', { name: 'Save' }).click();
      await page
        .getByRole('dialog')
        .getByRole('cell', { name: `Theirs, not ${name}` })
        .waitFor();
    };
    await makeConflict('Mine');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await waitUntilSaved(page);
    expect((await loadLead(id)).crmLead.name).toBe('Mine');
    await makeConflict('Again mine');
    await page.getByRole('button', { name: 'Take theirs' }).click();
    await page.getByRole('heading', { name: 'Theirs, not Again mine' }).waitFor();
    expect((await loadLead(id)).crmLead.name).toBe('Theirs, not Again mine');
  });

  it('saves a form with a single request', async () => {
    const id = await readLead({ name: 'Read once' });
    const { page } = await openPage(`/app/records/crm.lead/${id}`);
    await page.getByLabel('Opportunity').fill('Saved at once');
    let writes = 0;
    // A read, which a live event may also cause, does not finish until the record is saved.
    const heldReads: Route[] = [];
    await page.route('**/graphql', async (route) => {
      const body = route.request().postData() ?? '';
      if (body.includes('mutation Write')) writes++;
      if (writes < 1 && body.includes('query Record')) heldReads.push(route);
      else await route.continue();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await loadLead(id)).crmLead.name).toBe('Saved at once');
    for (const route of heldReads) await route.continue();
    await page.getByRole('heading', { name: 'Saved at once' }).waitFor();
    expect(writes).toBe(1);
  });

  it('asks before it discards unsaved input', { tags: 'slow' }, async () => {
    const id = await readLead({ name: 'Unsaved' });
    const { page } = await openPage(`/app/records/crm.lead/${id}`);
    await page.getByLabel('Opportunity').fill('Not yet saved');
    await page.getByRole('link', { name: '‹ Leads' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    expect(await page.getByLabel('Opportunity').inputValue()).toBe('Not yet saved');
    await page.getByRole('button', { name: 'Discard' }).click();
    expect(await page.getByLabel('Opportunity').inputValue()).toBe('Unsaved');
    await page.getByRole('link', { name: '‹ Leads' }).click();
    await page.getByText(/\d+ records/).waitFor();
  });

  it('keeps Save in place when a record is created', async () => {
    const { page } = await openPage('/app/records/crm.lead/new');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await page.getByLabel('Opportunity').fill('Created once');
    const placed = await save.boundingBox();
    await save.click();
    await page.getByRole('button', { name: 'Mark as won' }).waitFor();
    expect(await save.boundingBox()).toEqual(placed);
  });

  it("keeps a record's actions in one row", async () => {
    const id = await readLead({ name: 'One row' });
    const { page } = await openPage(`/app/records/crm.lead/${id}`);
    await page.getByLabel('Opportunity').fill('Still one row');
    const buttons = page.locator('.screen-head button:visible');
    expect(await buttons.allTextContents()).toEqual([
      'Mark as won',
      'Mark as lost',
      'More',
      'Save',
      'Discard',
    ]);
    const tops = await buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  });

  it('ignores a second click on Save', {
    tags: 'slow',
  }, async () => {
    const id = await readLead({ name: 'Clicked twice' });
    const { page } = await openPage(`/app/records/crm.lead/${id}`);
    const [save, discard] = ['Save', 'Discard'].map((name) =>
      page.getByRole('button', { name, exact: true }),
    );
    await page.getByLabel('Opportunity').fill('Clicked once');
    const [placed, beside] = [await save!.boundingBox(), await discard!.boundingBox()];
    await save!.dblclick();
    await page.getByRole('heading', { name: 'Clicked once' }).waitFor();
    await page.getByRole('button', { name: 'More' }).waitFor();
    expect([await save!.boundingBox(), await discard!.boundingBox()]).toEqual([placed, beside]);
    expect([await save!.isDisabled(), await discard!.isDisabled()]).toEqual([true, true]);
    expect(new URL(page.url()).pathname).toBe(`/app/records/crm.lead/${id}`);
  });

  it('duplicates, archives, restores and deletes a record', { tags: 'slow' }, async () => {
    const id = await readLead({ name: 'Short life' });
    const { page } = await openPage(`/app/records/crm.lead/${id}`);
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('button', { name }).click();
    };
    await choose('Duplicate');
    await page.waitForURL((url) => !url.pathname.endsWith(`/${id}`));
    await page.getByRole('heading', { name: 'Short life (copy)' }).waitFor();
    await choose('Archive');
    await page.getByText('Archived', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Archived', { exact: true }).waitFor({ state: 'detached' });
    await choose('Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.waitForURL('**/app/records/crm.lead');
    const { crmLeads } = await team.query(
      '{ crmLeads(where: { name: { eq: "Short life (copy)" } }) { totalCount } }',
    );
    expect(crmLeads.totalCount).toBe(0);
  });

  it('posts a note as plain text next to the form, and schedules and completes an activity', async () => {
    const id = await readLead({ name: 'Talked about' });
    const visitor = await openPage(`/app/records/crm.lead/${id}`);
    const { page } = visitor;
    const sidebar = page.getByRole('complementary', { name: 'Messages and activities' });
    await sidebar.getByLabel('Write a message').fill('Called <b>twice</b>');
    await sidebar.getByRole('button', { name: 'Post' }).click();
    await sidebar.getByText('Called <b>twice</b>').waitFor();
    await sidebar.getByRole('button', { name: 'Schedule activity' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Summary').fill('Send an offer');
    await dialog.getByLabel('Due date').fill('2020-01-01');
    await dialog.getByRole('button', { name: 'Schedule activity' }).click();
    await sidebar.getByText('Overdue').waitFor();
    await expectFaultless(visitor, 'messages and activities');
    await sidebar.getByRole('button', { name: 'Mark Send an offer as done' }).click();
    await sidebar.getByText('No activities').waitFor();
    const { crmLead } = await team.query(
      'query ($id: ID!) { crmLead(id: $id) { activities { totalCount } messages { totalCount } } }',
      { id },
    );
    expect(crmLead.activities.totalCount).toBe(0);
    expect(crmLead.messages.totalCount).toBeGreaterThanOrEqual(2);
  });

  it('shows no status on a new record if only actions set it', async () => {
    const { page } = await openPage('/app/records/sale.order/new');
    await page.getByLabel('Order Reference').waitFor();
    expect(await page.getByRole('list', { name: 'Status' }).count()).toBe(0);
  });

  it('adds, edits and removes order lines together with the order', { tags: 'slow' }, async () => {
    const { partnerCreate } = await team.query('mutation { partnerCreate(input: { name: "Buyer" }) { id } }');
    const { productProductCreate: product } = await team.query(
      'mutation { productProductCreate(input: { name: "Desk", listPrice: 100 }) { id } }',
    );
    const { saleOrderCreate: order } = await team.query(
      `mutation ($partner: ID!, $product: ID!) { saleOrderCreate(input: {
        partnerId: $partner, orderLines: { create: [{ productId: $product, productUomQty: 1 }] } }) { id } }`,
      { partner: partnerCreate.id, product: product.id },
    );
    const visitor = await openPage(`/app/records/sale.order/${order.id}`);
    const { page } = visitor;
    const lines = page.getByRole('table');
    await lines.getByLabel('Quantity').fill('3');
    await page.getByRole('button', { name: 'Add line' }).click();
    const addedLocator = lines.getByRole('row').last();
    await addedLocator.getByRole('combobox', { name: 'Product' }).fill('Desk');
    await addedLocator.getByRole('option', { name: 'Desk' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await waitUntilSaved(page);
    const loadQuantities = async () =>
      (
        await team.query(
          'query ($id: ID!) { saleOrder(id: $id) { orderLines(first: 9) { nodes { productUomQty } } } }',
          { id: order.id },
        )
      ).saleOrder.orderLines.nodes.map(({ productUomQty }: { productUomQty: number }) => productUomQty);
    expect(await loadQuantities()).toEqual([3, 1]);
    await expect.poll(() => lines.getByLabel('Quantity').count()).toBe(2);
    await expectFaultless(visitor, 'an order with its lines');
    await lines
      .getByRole('button', { name: /Remove/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await loadQuantities()).join() === '1', 'the line is gone');
  });

  it('shows German labels in lists and forms, and English ones after a language change', {
    tags: 'slow',
  }, async () => {
    const { partnerCreate } = await team.query(
      'mutation ($input: PartnerCreateInput!) { partnerCreate(input: $input) { id } }',
      { input: { name: 'Anna Beispiel', city: 'Köln', type: 'INVOICE' } },
    );
    const visitor = await openPage('/app/records', { locale: 'de-DE' });
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Verkauf', exact: true }).waitFor();
    const lists = page.getByRole('main');
    await lists.getByRole('link', { name: 'Verkaufsaufträge', exact: true }).waitFor();
    await lists.getByRole('link', { name: 'Kontakte', exact: true }).click();
    await page.getByRole('heading', { name: 'Kontakte', exact: true }).waitFor();
    for (const name of ['Telefon', 'Stadt', 'E-Mail'])
      await page.getByRole('button', { name, exact: true }).waitFor();
    await page.getByRole('option', { name: 'Anna Beispiel' }).click();
    await page.waitForURL(`**/app/records/res.partner/${partnerCreate.id}**`);
    expect(await page.getByLabel('Stadt', { exact: true }).inputValue()).toBe('Köln');
    const type = page.getByLabel('Adresstyp', { exact: true });
    expect(await type.locator('option:checked').textContent()).toBe('Rechnungsadresse');
    await page.getByRole('combobox', { name: 'Bundesland' }).waitFor();
    await expectFaultless(visitor, 'a contact in German');
    await page.goto('/app/profile/preferences');
    await page.getByLabel('Sprache', { exact: true }).selectOption('en');
    await page.getByRole('heading', { name: 'Preferences' }).waitFor();
    await page.goto(`/app/records/res.partner/${partnerCreate.id}`);
    expect(await page.getByLabel('City', { exact: true }).inputValue()).toBe('Köln');
  });

  it('offers no editing to a read-only user, and shows that a record does not exist', async () => {
    const reader = { login: team.main.user.login, password: team.main.user.password };
    const { page } = await openPage('/app/records/res.country', reader);
    await page.getByText(/\d+ records/).waitFor();
    expect(await page.getByRole('button', { name: 'New', exact: true }).count()).toBe(0);
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Enter');
    await page.getByText('More details').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await page.getByRole('textbox').count()).toBe(0);
    await page.goto('/app/records/no.model');
    await page.getByRole('heading', { name: 'List not found' }).waitFor();
    await page.goto('/app/records/res.country/999999');
    await page.getByRole('heading', { name: 'Record not found' }).waitFor();
  });
});
