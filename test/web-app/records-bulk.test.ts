import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();

chromium.describe('bulk record operations in the browser', () => {
  const openPage = trackPages(team);

  const CREATE = 'mutation ($inputs: [CrmLeadCreateInput!]!) { crmLeadsCreate(inputs: $inputs) { id } }';
  const readLeads = async (names: string[]): Promise<string[]> =>
    (await team.query(CREATE, { inputs: names.map((name) => ({ name, city: 'Ghent' })) })).crmLeadsCreate.map(
      ({ id }: { id: string }) => id,
    );
  const CITIES = `query ($ids: [ID!]!) { crmLeads(where: { id: { in: $ids } }, withArchived: true,
    first: 200, orderBy: [{ field: ID }]) { nodes { name city active } } }`;
  const loadCities = async (ids: string[]): Promise<(string | null)[]> =>
    (await team.query(CITIES, { ids })).crmLeads.nodes.map(({ city }: { city: string | null }) => city);
  const findOption = (page: Page, name: string) => page.getByRole('option').filter({ hasText: name });
  const findBar = (page: Page) => page.getByRole('toolbar', { name: 'Selected records' });
  const setCity = async (page: Page, city: string, button: string) => {
    await findBar(page).getByRole('button', { name: 'Edit field' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Field').selectOption({ label: 'City' });
    await dialog.getByLabel('City').fill(city);
    await dialog.getByRole('button', { name: button }).click();
  };

  it('changes selected rows after confirming their number, and undoes the change, using only the keyboard', async () => {
    const ids = await readLeads(['Bulk a', 'Bulk b', 'Bulk c', 'Bulk d']);
    const visitor = await openPage('/app/records/crm.lead?q=Bulk&order=name');
    const { page } = visitor;
    await findOption(page, 'Bulk d').waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('x');
    await findBar(page).getByText('1 selected').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await findBar(page).getByText('3 selected').waitFor();
    await expectFaultless(visitor, 'rows that are chosen');
    await findBar(page).getByRole('button', { name: 'Edit field' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Edit a field in 3 records' });
    await dialog.getByLabel('Field').selectOption({ label: 'City' });
    await dialog.getByLabel('City').fill('Bruges');
    await expectFaultless(visitor, 'the edit of a field');
    await dialog.getByLabel('City').focus();
    await page.keyboard.press('Enter');
    await page.getByText('3 records changed.').waitFor();
    expect(await loadCities(ids)).toEqual(['Bruges', 'Bruges', 'Bruges', 'Ghent']);
    await page.getByRole('listbox').focus();
    await page.keyboard.press('z');
    await page.getByText('3 records reverted.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo', exact: true }).count()).toBe(0);
    expect(await loadCities(ids)).toEqual(['Ghent', 'Ghent', 'Ghent', 'Ghent']);
  });

  it('reports concurrent changes, and overwrites them only after confirmation', async () => {
    const ids = await readLeads(['Shared a', 'Shared b', 'Shared c']);
    const { page } = await openPage('/app/records/crm.lead?q=Shared&order=name');
    await findOption(page, 'Shared c').waitFor();
    await page.getByRole('listbox').focus();
    await page.keyboard.press('Control+a');
    await findBar(page).getByText('3 selected').waitFor();
    await team.query('mutation ($id: ID!) { crmLeadUpdate(id: $id, input: { city: "Antwerp" }) { id } }', {
      id: ids[1],
    });
    await team.query('mutation ($id: ID!) { crmLeadDelete(id: $id) { count } }', { id: ids[2] });
    await setCity(page, 'Bruges', 'Change 3 records');
    const dialog = page.getByRole('dialog', { name: 'Some records have changed' });
    await dialog.getByText('1 was deleted.').waitFor();
    expect(await loadCities(ids)).toEqual(['Ghent', 'Antwerp']);
    await dialog.getByRole('button', { name: 'Continue with 1 unchanged record' }).click();
    await page.getByText('1 record changed.').waitFor();
    expect(await loadCities(ids)).toEqual(['Bruges', 'Antwerp']);
  });

  it("archives a list's records, undoes the change, and deletes them after confirming their number", async () => {
    const names = Array.from({ length: 130 }, (_, index) => `Many ${String(index).padStart(3, '0')}`);
    const ids = await readLeads(names);
    const visitor = await openPage('/app/records/crm.lead?q=Many&order=name');
    const { page } = visitor;
    await findOption(page, 'Many 000').locator('[data-pick]').click();
    await findBar(page).getByRole('button', { name: 'Select all 130' }).click();
    await findBar(page).getByText('130 selected').waitFor();
    await findBar(page).getByRole('button', { name: 'Archive' }).click();
    await page.getByText('130 records archived.').waitFor();
    await page.getByText('No records match these filters').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('130 records reverted.').waitFor();
    await findOption(page, 'Many 000').locator('[data-pick]').click();
    await findBar(page).getByRole('button', { name: 'Select all 130' }).click();
    await findBar(page).getByText('130 selected').waitFor();
    await findBar(page).getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 130 records?' });
    await dialog.waitFor();
    await expectFaultless(visitor, 'the question before records are deleted');
    expect(await loadCities(ids)).toHaveLength(130);
    await dialog.getByRole('button', { name: 'Delete 130 records' }).click();
    await page.getByText('No records match these filters').waitFor();
    expect(await loadCities(ids)).toEqual([]);
  });

  /** Lets the second batch of a change fail, and returns the cities of all records after the change and its undo. */
  async function undoInterruptedChange(prefix: string, fail: (route: Route, ids: string[]) => Promise<void>) {
    const ids: string[] = [];
    for (let n = 0; n < 520; n += 65)
      ids.push(
        ...(await readLeads(
          Array.from({ length: 65 }, (_, index) => `${prefix} ${String(n + index).padStart(3, '0')}`),
        )),
      );
    const { page, complaints } = await openPage(`/app/records/crm.lead?q=${prefix}&order=name`);
    await findOption(page, `${prefix} 000`).locator('[data-pick]').click();
    await findBar(page).getByRole('button', { name: 'Select all 520' }).click();
    await findBar(page).getByText('520 selected').waitFor();
    let batches = 0;
    await page.route('**/graphql', async (route) => {
      const isBatch = (route.request().postData() ?? '').includes('mutation WriteChosen');
      if (isBatch && ++batches === 2) await fail(route, ids);
      else await route.continue();
    });
    await setCity(page, 'Bruges', 'Change 520 records');
    await page.getByText('Stopped after 500 of 520.').first().waitFor();
    const changed = await loadAllCities(ids);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText(/records? reverted\./).waitFor();
    // Chromium reports the aborted request.
    complaints.length = 0;
    return { changed, undone: await loadAllCities(ids) };
  }

  it('undoes the batches that a partially failed change has applied, and nothing else', async () => {
    const { changed, undone } = await undoInterruptedChange('Partial', async (route, ids) => {
      const update = 'mutation ($id: ID!) { crmLeadUpdate(id: $id, input: { city: "Antwerp" }) { id } }';
      for (const id of [ids[3], ids.at(-1)]) await team.query(update, { id });
      await route.continue();
    });
    expect(countBy(changed)).toEqual({ Bruges: 499, Antwerp: 2, Ghent: 19 });
    expect(countBy(undone)).toEqual({ Ghent: 518, Antwerp: 2 });
  });

  it('undoes a batch whose response was lost', async () => {
    const { changed, undone } = await undoInterruptedChange('Lost', async (route) => {
      await route.fetch();
      await route.abort();
    });
    expect(countBy(changed)).toEqual({ Bruges: 520 });
    expect(countBy(undone)).toEqual({ Ghent: 520 });
  });

  it('undoes a change whose only response was lost', async () => {
    const ids = await readLeads(['Single a', 'Single b']);
    const { page, complaints } = await openPage('/app/records/crm.lead?q=Single&order=name');
    await findOption(page, 'Single a').locator('[data-pick]').click();
    await page.route('**/graphql', async (route) => {
      if (!(route.request().postData() ?? '').includes('mutation WriteChosen')) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await setCity(page, 'Bruges', 'Change 1 record');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 record reverted.').waitFor();
    complaints.length = 0;
    expect(await loadCities(ids)).toEqual(['Ghent', 'Ghent']);
  });

  async function loadAllCities(ids: string[]): Promise<(string | null)[]> {
    const cities: (string | null)[] = [];
    for (let start = 0; start < ids.length; start += 130)
      cities.push(...(await loadCities(ids.slice(start, start + 130))));
    return cities;
  }

  const countBy = (values: (string | null)[]): Record<string, number> =>
    Object.fromEntries([...Map.groupBy(values, String)].map(([value, group]) => [value, group.length]));

  it('exports the selected columns in list order, without formulas', async () => {
    await readLeads(['Sheet =b', '=Sheet a']);
    const visitor = await openPage('/app/records/crm.lead?q=Sheet&order=-name&cols=["displayName","city"]');
    const { page } = visitor;
    await findOption(page, '=Sheet a').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export 2 records' });
    await expectFaultless(visitor, 'an export');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('crm.lead.csv');
    const lines = readFileSync(await download.path(), 'utf8').split('\r\n');
    expect(lines.slice(1)).toEqual(['Sheet =b,Ghent', "'=Sheet a,Ghent", '']);
  });

  it('validates a file row by row without saving, and imports it, matching linked records by name', async () => {
    const visitor = await openPage('/app/records/crm.lead/import');
    const { page } = visitor;
    // Uses a real file, because a browser ignores the same file selected again unless the page resets the input.
    const folder = mkdtempSync(join(tmpdir(), 'leads-'));
    const choose = async (text: string) => {
      const path = join(folder, 'leads.csv');
      writeFileSync(path, text);
      const chooser = page.waitForEvent('filechooser');
      await page.getByLabel('CSV file').click();
      await (await chooser).setFiles(path);
    };
    const [stage] = (await team.query('{ crmStages(first: 1) { nodes { name } } }')).crmStages.nodes;
    const rows = [`Import a;much;${stage.name};x`, `Import b;7;${stage.name};y`];
    await choose(`Name;Expected Revenue;Phase;Rest\n${rows.join('\n')}`);
    await page.getByLabel('Phase').selectOption({ label: 'Stage (by name)' });
    expect(await page.getByLabel('Rest').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('1 error found.').waitFor();
    await page.getByRole('cell', { name: '2', exact: true }).waitFor();
    await expectFaultless(visitor, 'errors of an import');
    const loadImported = async () =>
      (
        await team.query(
          'query { crmLeads(where: { name: { contains: "Import " } }, orderBy: [{ field: NAME }]) { nodes { name expectedRevenue stage { name } } } }',
        )
      ).crmLeads.nodes;
    expect(await loadImported()).toEqual([]);
    const validRows = rows.map((row) => row.replace('much', '1.012,5'));
    await choose(`Name;Expected Revenue;Stage;Rest\n${validRows.join('\n')}`);
    await page.getByLabel('Stage', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('All 2 rows are valid.').waitFor();
    expect(await loadImported()).toEqual([]);
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('2 rows imported.').waitFor();
    expect(await loadImported()).toEqual([
      { name: 'Import a', expectedRevenue: 1012.5, stage },
      { name: 'Import b', expectedRevenue: 7, stage },
    ]);
    await choose('Name;Expected Revenue;Expected Closing\nImport c;1,500;01/02/2030');
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('Some values can be read in two ways.').waitFor();
    expect(await page.getByRole('button', { name: 'Check file' }).isDisabled()).toBe(true);
    await expectFaultless(visitor, 'the formats of an import');
    await page.getByLabel('Numbers in the file').selectOption({ label: '1,234.50' });
    await page.getByLabel('Dates in the file').selectOption({ label: '31/12/2026' });
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('1 row imported.').waitFor();
    const { crmLeads } = await team.query(
      'query { crmLeads(where: { name: { eq: "Import c" } }) { nodes { expectedRevenue dateDeadline } } }',
    );
    expect(crmLeads.nodes).toEqual([{ expectedRevenue: 1500, dateDeadline: '2030-02-01' }]);
    await page.getByRole('link', { name: 'View records' }).click();
    await until(async () => (await page.getByRole('option').count()) > 0, 'the list is there');
    rmSync(folder, { recursive: true });
  });

  it('continues an interrupted import without repeating lines that may have been imported', async () => {
    const { page, complaints } = await openPage('/app/records/crm.lead/import');
    const lines = Array.from({ length: 2_500 }, (_, index) => `Part ${index}`);
    await page.getByLabel('CSV file').setInputFiles({
      name: 'leads.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`Name\n${lines.join('\n')}\n`),
    });
    await page.getByRole('button', { name: 'Check file' }).click();
    await page.getByText('All 2,500 rows are valid.').waitFor();
    let importCount = 0;
    await page.route('**/graphql', async (route) => {
      const isImport = route.request().postDataJSON().variables?.test === false;
      if (!isImport || ++importCount !== 2) return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Import 2,500 rows' }).click();
    await page.getByText('Check whether lines 1,002 to 2,001 have been imported').waitFor();
    await page.getByText('1,000 rows imported.').waitFor();
    expect(await page.getByRole('button', { name: 'Import 2,500 rows' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Continue after these lines' }).click();
    await page.getByText('1,500 rows imported.').waitFor();
    const { crmLeads } = await team.query(
      'query { crmLeads(where: { name: { startsWith: "Part " } }) { totalCount } }',
    );
    expect(crmLeads.totalCount).toBe(2_500);
    expect(complaints.splice(0)).toEqual([expect.stringContaining('ERR_CONNECTION_RESET')]);
  });
});
