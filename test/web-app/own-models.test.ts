import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();

chromium.describe('custom models in the browser', () => {
  const openPage = trackPages(team);

  it('lets a new user create a model with text, link and selection fields, and a record of the model', async () => {
    const visitor = await openPage('/app/records/models');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No custom models yet' }).waitFor();
    await expectFaultless(visitor, 'no models');
    await page.locator('.empty').getByRole('button', { name: 'Create model' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Vehicle');
    await page.getByText('API name: x_vehicle').waitFor();
    await page.getByLabel('Label of field 1').fill('Plate');
    await page.getByRole('checkbox', { name: 'Required' }).check();
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Label of field 2').fill('Driver');
    await page.getByLabel('Type of field 2').selectOption('MANY2ONE');
    const options = page.getByLabel('Links to').locator('optgroup[label="Main lists"] option');
    await options.first().waitFor({ state: 'attached' });
    const names = await options.allTextContents();
    expect(names).toEqual([...names].sort((a, b) => a.localeCompare(b)));
    expect(names).toEqual(expect.arrayContaining(['Contact', 'Lead', 'User']));
    expect(names).not.toContain('Record Rule');
    await page.getByLabel('Links to').selectOption('res.partner');
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Label of field 3').fill('Status');
    await page.getByLabel('Type of field 3').selectOption('SELECTION');
    await page.getByLabel('Values').fill('In use\nSold');
    await expectFaultless(visitor, 'a new model');
    await page.getByRole('button', { name: 'Create model' }).click();
    await page.getByRole('heading', { name: 'Vehicle' }).waitFor();
    await page.getByRole('cell', { name: 'Selection: In use, Sold' }).waitFor();
    await expectFaultless(visitor, 'a model');
    await page.getByRole('link', { name: 'Add record' }).click();
    await page.getByRole('heading', { name: 'New: Vehicle' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Van');
    await page.getByLabel('Plate').fill('B-AT 1');
    await page.getByLabel('Status').selectOption('In use');
    await page.getByRole('combobox', { name: 'Driver' }).fill('a');
    await page.getByRole('listbox', { name: 'Driver' }).getByRole('option').first().click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Van', exact: true }).waitFor();
    await page.getByRole('link', { name: '‹ Vehicle' }).click();
    await page.getByRole('option', { name: 'B-AT 1' }).waitFor();
  });

  it('adds a field to an existing list, shows it in the form, and removes it', async () => {
    const { page } = await openPage('/app/records/models/res.partner');
    await page.getByText('No custom fields yet.').waitFor();
    await page.getByRole('button', { name: 'Add field' }).click();
    await page.getByLabel('Label of field 1').fill('Shoe size');
    await page.getByLabel('Type of field 1').selectOption('INTEGER');
    await page.getByRole('button', { name: 'Add fields' }).click();
    await page.getByRole('cell', { name: 'Whole number' }).waitFor();
    await page.getByRole('link', { name: 'Add record' }).click();
    await page.getByLabel('Shoe size').waitFor();
    await page.goto('/app/records/models/res.partner');
    await page.getByRole('button', { name: 'Remove field Shoe size' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No custom fields yet.').waitFor();
  });

  it('grants and revokes the rights of a group on a model', async () => {
    const { errors } = await team.graphql(
      `mutation { irModelCreate(input: { name: "Tool", model: "x_tool" }) { id } }`,
    );
    expect(errors).toEqual([]);
    const { data: groupData } = await team.graphql(
      '{ groups(first: 500) { nodes { displayName externalId } } }',
    );
    const internal = groupData.groups.nodes.find(
      ({ externalId }: { externalId: string }) => externalId === 'base.group_user',
    ).displayName;
    const { page } = await openPage('/app/records/models/x_tool');
    const rights = page.getByRole('table').last();
    await page.getByLabel('Group').selectOption({ label: internal });
    await page.getByRole('button', { name: 'Add group' }).click();
    await rights.getByRole('checkbox', { name: `${internal}: Delete` }).check();
    await page.getByText('Saved.').waitFor();
    const user = { login: team.main.user.login, password: team.main.user.password };
    const other = await openPage('/app/records/x_tool', user);
    await other.page.getByRole('button', { name: 'New', exact: true }).waitFor();
    await other.page.goto('/app/records/models');
    await other.page.getByRole('heading', { name: 'Custom models' }).waitFor();
    expect(await other.page.getByRole('link', { name: 'Custom models' }).count()).toBe(0);
    await page.getByRole('button', { name: `Remove all rights from ${internal}` }).click();
    await page.getByText('Removed.').waitFor();
    await page.getByRole('button', { name: 'Delete model' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete model' }).click();
    await page.getByText('Tool deleted.').waitFor();
  });
});
