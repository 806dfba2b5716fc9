import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { createScene } from '../rights/scene.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp();

chromium.describe('operations in the form of a record', () => {
  const scene = createScene(app);
  let customer: number;

  beforeAll(async () => {
    customer = await scene.create('res.partner', { name: 'Porto Cork Works' });
    await scene.create('product.product', { name: 'Cork board', list_price: 40 });
  });

  const openPage = trackPages(app);
  const getButton = (page: Page, name: string) =>
    page.getByRole('main').getByRole('button', { name, exact: true });
  const waitForState = (page: Page, state: string) =>
    page.locator('.status-bar [aria-current]').getByText(state, { exact: true }).waitFor();

  it('confirms a new quotation, cancels it, and sets it back to a quotation', async () => {
    const { page } = await openPage('/app/records/sale.order/new');
    await page.getByRole('combobox', { name: 'Customer' }).fill('Porto');
    await page.getByRole('option', { name: 'Porto Cork Works' }).click();
    await page.getByRole('button', { name: 'Add line' }).click();
    await page.getByRole('combobox', { name: 'Product', exact: true }).fill('Cork');
    await page.getByRole('option', { name: 'Cork board' }).click();
    const line = page.getByRole('table').getByRole('row').last();
    await line.getByText('€40.00').waitFor();
    expect(await line.getByLabel('Description').inputValue()).toBe('Cork board');
    await line.getByLabel('Description').fill('Notice board');
    await line.getByLabel('Quantity').fill('3');
    await line.getByText('€120.00').waitFor();
    expect(await line.getByLabel('Unit Price').inputValue()).toBe('40');
    expect(await line.getByLabel('Description').inputValue()).toBe('Notice board');
    await page.locator('.lines .fact').filter({ hasText: 'Untaxed Amount' }).getByText('€120.00').waitFor();
    await getButton(page, 'Save').click();
    await page.getByText('Created.').waitFor();
    expect(await line.getByLabel('Description').inputValue()).toBe('Notice board');
    await line.getByLabel('Quantity').fill('2');
    await page.locator('.lines .fact').filter({ hasText: 'Untaxed Amount' }).getByText('€80.00').waitFor();
    await getButton(page, 'Discard').click();
    await page.locator('.lines .fact').filter({ hasText: 'Untaxed Amount' }).getByText('€120.00').waitFor();
    await waitForState(page, 'Quotation');
    await getButton(page, 'Confirm').dblclick();
    await waitForState(page, 'Sales Order');
    expect(await page.evaluate('document.activeElement.localName')).toBe('h1');
    await getButton(page, 'Cancel order').click();
    await waitForState(page, 'Cancelled');
    expect(await getButton(page, 'Confirm').count()).toBe(0);
    await getButton(page, 'Set to quotation').click();
    await waitForState(page, 'Quotation');
    await getButton(page, 'Confirm').waitFor();
    expect(await page.locator('.toast').filter({ hasText: 'Saved.' }).count()).toBe(1);
  });

  const createOrder = (values: object = {}) =>
    scene.create('sale.order', { partner_id: customer, ...values });

  it('saves a quotation whose customer was chosen a moment ago, but none without a customer', async () => {
    const { page } = await openPage('/app/records/sale.order/new');
    const field = page.getByRole('combobox', { name: 'Customer' });
    await getButton(page, 'Save').click();
    await expect.poll(() => field.evaluate((input) => input.matches(':focus'))).toBe(true);
    await field.fill('Porto');
    await page.getByRole('option', { name: 'Porto Cork Works' }).click();
    await getButton(page, 'Save').click();
    await page.getByText('Created.').waitFor();
  });

  it('offers the other operations in a menu, and asks before one that removes data', async () => {
    const visitor = await openPage(`/app/records/sale.order/${await createOrder()}`);
    const { page } = visitor;
    await getButton(page, 'More').waitFor();
    await expectFaultless(visitor, 'a quotation');
    await getButton(page, 'More').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Update prices' });
    await dialog.getByText('all discounts are removed').waitFor();
    await dialog.getByRole('button', { name: 'Update prices' }).click();
    await page.getByText('Saved.').waitFor();
    await page.setViewportSize({ width: 390, height: 800 });
    await getButton(page, 'More').click();
    const item = page.getByRole('button', { name: 'Mark as sent' });
    const box = (await item.boundingBox())!;
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    await item.click();
    await waitForState(page, 'Quotation Sent');
  });

  it('disables the buttons while the form has changes, and shows why an operation was rejected', async () => {
    const id = await createOrder({ order_line: [[0, 0, { name: 'Vague', product_uom_qty: 1 }]] });
    const { page } = await openPage(`/app/records/sale.order/${id}`);
    await page.getByLabel('Customer Reference').fill('PO 1');
    expect(await getButton(page, 'Confirm').isDisabled()).toBe(true);
    expect(await getButton(page, 'More').isDisabled()).toBe(true);
    await getButton(page, 'Discard').click();
    await getButton(page, 'Confirm').click();
    await page.getByRole('alert').getByText('has a line without a product').waitFor();
    await waitForState(page, 'Quotation');
  });

  it('marks a lead as won, and another as lost until it is restored', async () => {
    const winId = await scene.create('crm.lead', { name: 'Winner' });
    const { page } = await openPage(`/app/records/crm.lead/${winId}`);
    await getButton(page, 'Mark as won').click();
    await waitForState(page, 'Won');
    expect(await getButton(page, 'Mark as lost').count()).toBe(0);
    const lossId = await scene.create('crm.lead', { name: 'Loser' });
    await page.goto(`/app/records/crm.lead/${lossId}`);
    await getButton(page, 'Mark as lost').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as lost' }).click();
    await page.getByText('Archived', { exact: true }).waitFor();
    await getButton(page, 'Restore').click();
    await getButton(page, 'Mark as won').waitFor();
    expect(await scene.admin.read('crm.lead', lossId, ['won_status'])).toMatchObject({
      won_status: 'pending',
    });
  });

  it('asks for the arguments of an operation, such as the reason of a loss', async () => {
    const reason = await scene.create('crm.lost.reason', { name: 'No budget left' });
    const id = await scene.create('crm.lead', { name: 'Cork floor', type: 'opportunity' });
    const visitor = await openPage(`/app/records/crm.lead/${id}`);
    const { page } = visitor;
    await getButton(page, 'Mark as lost').click();
    const dialog = page.getByRole('dialog', { name: 'Mark as lost' });
    await dialog.getByRole('combobox', { name: 'Lost Reason' }).fill('No budget');
    await page.getByRole('option', { name: 'No budget left' }).click();
    await dialog.getByLabel('Closing Note').fill('Call again in spring');
    await expectFaultless(visitor, 'the arguments of an operation');
    await dialog.getByRole('button', { name: 'Mark as lost' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('Call again in spring').waitFor();
    const fields = ['active', 'lost_reason_id'];
    const [lead] = await scene.admin.value('crm.lead/read', { ids: [id], fields, load: null });
    expect(lead).toMatchObject({ active: false, lost_reason_id: reason });
  });

  it("shows an order's lock only as a fact", async () => {
    const { page } = await openPage(`/app/records/sale.order/${await createOrder()}`);
    await page.getByRole('main').getByLabel('Customer Reference').waitFor();
    expect(await page.getByRole('main').getByLabel('Locked').count()).toBe(0);
  });

  it('shows no button to users without the right', async () => {
    const group = await scene.addGroup('Order readers');
    for (const model of ['sale.order', 'sale.order.line']) await scene.grant(model, group, 'r');
    const reader = await scene.addPerson('reader', [group]);
    const { page } = await openPage(`/app/records/sale.order/${await createOrder()}`, reader);
    await waitForState(page, 'Quotation');
    for (const name of ['Confirm', 'Cancel order', 'More'])
      expect(await getButton(page, name).count()).toBe(0);
  });

  it('shows the fields of a recurrence only for events that repeat, and changes all of its events', async () => {
    const { page } = await openPage('/app/records/calendar.event/new');
    const getField = (name: string) => page.getByRole('main').getByLabel(name, { exact: true });
    await getField('Meeting Subject').fill('Stand-up');
    await getField('Start').fill('2030-03-05T09:00');
    await expect.poll(() => getField('Stop').inputValue()).toBe('2030-03-05T10:00');
    expect(await getField('Duration').inputValue()).toBe('1');
    await getField('Stop').fill('2030-03-05T09:15');
    expect(await getField('Repeat Every').count()).toBe(0);
    await expect.poll(() => getField('Duration').inputValue()).toBe('0.25');
    await getField('Recurrent').check();
    await getField('Mon').waitFor();
    expect(await getField('Repeat Every').inputValue()).toBe('1');
    await getField('Recurrence').selectOption({ label: 'Days' });
    await getField('Mon').waitFor({ state: 'detached' });
    await getField('Recurrent').uncheck();
    await getField('Repeat Every').waitFor({ state: 'detached' });
    await getField('Recurrent').check();
    await getField('Repeat').fill('3');
    await getButton(page, 'Save').click();
    await page.getByText('Created.').waitFor();
    await getField('Location').fill('Hall');
    await getField('Recurrence Update').selectOption({ label: 'All events' });
    await getButton(page, 'Save').click();
    await page.getByText('Saved.').waitFor();
    const domain = [['name', '=', 'Stand-up']];
    const events = await scene.admin.value('calendar.event/search_read', { domain, fields: ['location'] });
    expect(events.map(({ location }: { location: string }) => location)).toEqual(['Hall', 'Hall', 'Hall']);
  });
});
