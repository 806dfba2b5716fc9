import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();

chromium.describe('record views in the browser', () => {
  const openPage = trackPages(team, 'admin', { timezoneId: 'Europe/Berlin' });

  const EVENT = 'mutation ($input: CalendarEventCreateInput!) { calendarEventCreate(input: $input) { id } }';
  const readEvent = async (name: string, start: string, stop: string): Promise<string> =>
    (await team.query(EVENT, { input: { name, start, stop } })).calendarEventCreate.id;
  const loadTimes = async (id: string) =>
    (await team.query('query ($id: ID!) { calendarEvent(id: $id) { start stop } }', { id })).calendarEvent;
  const findCell = (page: Page, day: string) => page.getByRole('cell').filter({ has: page.getByLabel(day) });

  it("shows a month's entries in the user's time zone, and moves entries by dragging and by menu", async () => {
    const id = await readEvent('Harvest', '2026-05-12T22:30:00Z', '2026-05-12T23:30:00Z');
    await readEvent('Elsewhere', '2026-08-01T08:00:00Z', '2026-08-01T09:00:00Z');
    const visitor = await openPage(
      '/app/records/calendar.event?view=calendar&date=%222026-05-12%22&span=month',
    );
    const { page } = visitor;
    await findCell(page, 'New on Wednesday, May 13, 2026')
      .getByRole('button', { name: '12:30 AM Harvest' })
      .waitFor();
    expect(await page.getByText('Elsewhere').count()).toBe(0);
    await page.getByText('Times in Europe/Berlin').waitFor();
    await expectFaultless(visitor, 'a month');
    await page
      .getByRole('button', { name: /Harvest/ })
      .dragTo(findCell(page, 'New on Thursday, May 21, 2026'));
    await findCell(page, 'New on Thursday, May 21, 2026').getByText('Harvest').waitFor();
    await until(async () => (await loadTimes(id)).start === '2026-05-20T22:30:00.000Z', 'it is moved');
    await page.getByRole('button', { name: 'Undo' }).click();
    await until(async () => (await loadTimes(id)).stop === '2026-05-12T23:30:00.000Z', 'it is back');
    await page.getByRole('button', { name: /Harvest/ }).click();
    await page.getByRole('dialog').getByLabel('Start').fill('2026-05-25T09:00');
    await page.getByRole('dialog').getByRole('button', { name: 'Move' }).click();
    await findCell(page, 'New on Monday, May 25, 2026').getByText('9:00 AM Harvest').waitFor();
    await until(async () => (await loadTimes(id)).stop === '2026-05-25T08:00:00.000Z', 'it is moved again');
  });

  it('finds a day and creates an entry using only the keyboard, and shows weeks and days by hour', async () => {
    const visitor = await openPage(
      '/app/records/calendar.event?view=calendar&date=%222026-06-03%22&span=month',
    );
    const { page } = visitor;
    await page.getByLabel('New on Monday, June 1, 2026').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Start').inputValue()).toBe('2026-06-09T09:00');
    await dialog.getByRole('textbox').first().fill('Regatta');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await findCell(page, 'New on Tuesday, June 9, 2026').getByText('9:00 AM Regatta').waitFor();
    await page.goto('/app/records/calendar.event?view=calendar&date=%222026-06-09%22&span=week');
    await page.getByRole('button', { name: '9:00 AM Regatta' }).waitFor();
    await page.getByRole('heading', { name: 'Jun 7 – 13, 2026' }).waitFor();
    await expectFaultless(visitor, 'a week');
    await page.getByRole('heading', { name: 'Calendar Event' }).click();
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Tuesday, June 9, 2026' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('button', { name: 'Regatta' }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('date')).toContain('2026-06-10');
  });

  it('stacks the days of a month on a phone, and can use any date field', async () => {
    await team.query('mutation ($input: CrmLeadCreateInput!) { crmLeadCreate(input: $input) { id } }', {
      input: { name: 'Due soon', dateDeadline: '2026-07-15' },
    });
    const visitor = await openPage('/app/records/crm.lead?view=calendar&date=%222026-07-01%22', {
      viewport: { width: 390, height: 844 },
    });
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Wednesday, July 15, 2026' }).waitFor();
    await page.getByRole('button', { name: 'Due soon' }).waitFor();
    await expectFaultless(visitor, 'an agenda');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Date').selectOption({ label: 'Created on' });
    await page.getByRole('heading', { name: 'No events in this period' }).waitFor();
  });

  it('collapses the filters on a phone, so that the records start in its upper third', async () => {
    await team.query('mutation ($input: CrmLeadCreateInput!) { crmLeadCreate(input: $input) { id } }', {
      input: { name: 'Near the top' },
    });
    const viewport = { width: 390, height: 844 };
    for (const path of ['/app/records/crm.lead', '/app/records/crm.lead?view=kanban']) {
      const visitor = await openPage(path, { viewport, hasTouch: true });
      const { page } = visitor;
      const record = page.locator('.records-row:not(.heads), .kanban-card').first();
      await record.waitFor();
      expect((await record.boundingBox())!.y).toBeLessThan(viewport.height / 3);
      expect(await page.getByLabel('Search', { exact: true }).isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Filters' }).click();
      await page.getByLabel('Search', { exact: true }).fill('no such lead');
      await page.keyboard.press('Enter');
      await record.waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.getByRole('button', { name: 'Filters' }).waitFor({ state: 'hidden' });
    }
  });

  it('aggregates leads by field, and links each total to its records', async () => {
    const { crmStages } = await team.query('{ crmStages(first: 2) { nodes { id name } } }');
    const [first, second] = crmStages.nodes as { id: string; name: string }[];
    const inputs = [
      { name: 'A', stageId: first!.id, expectedRevenue: 100, priority: 'MEDIUM', dateDeadline: '2026-01-10' },
      { name: 'B', stageId: first!.id, expectedRevenue: 300, priority: 'HIGH', dateDeadline: '2026-02-10' },
      { name: 'C', stageId: second!.id, expectedRevenue: 50, priority: 'HIGH', dateDeadline: '2026-02-11' },
    ].map((input) => ({ ...input, name: `Pivot ${input.name}` }));
    await team.query(
      'mutation ($inputs: [CrmLeadCreateInput!]!) { crmLeadsCreate(inputs: $inputs) { id } }',
      {
        inputs,
      },
    );
    const visitor = await openPage('/app/records/crm.lead?q=Pivot&view=pivot');
    const { page } = visitor;
    await page.getByRole('link', { name: `${first!.name}, Total: 2` }).waitFor();
    await page.getByRole('img', { name: /^Count by Stage/ }).waitFor();
    await page.getByLabel('Then by').selectOption('priority');
    await page.getByLabel('Columns').selectOption('dateDeadline');
    await page.getByRole('button', { name: 'Measures' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Expected Revenue, sum').check();
    await dialog.getByLabel('Expected Revenue, average').check();
    await dialog.getByRole('button', { name: 'Show' }).click();
    await page
      .getByRole('link', { name: `${first!.name}, January 2026: 100` })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Total, Total: 450' }).waitFor();
    await page.getByRole('button', { name: 'Sort by Expected Revenue, sum, Total' }).click();
    await page.getByRole('rowheader').first().getByText(first!.name).waitFor();
    await page.getByRole('button', { name: `Expand ${first!.name}` }).click();
    await page.getByRole('rowheader', { name: 'High', exact: true }).waitFor();
    await expectFaultless(visitor, 'a pivot');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('crm.lead.csv');
    await page.getByRole('link', { name: `${first!.name}, January 2026: 1`, exact: true }).click();
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByRole('option', { name: /Pivot A/ }).waitFor();
  });
});
