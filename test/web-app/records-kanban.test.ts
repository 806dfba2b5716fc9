import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();
let attempts = 0;

/** Exceeds the number of leads that a column loads initially. */
const LEADS = 30;

chromium.describe('cards, saved views and cells in the browser', () => {
  let stages: { id: string; name: string }[];

  const LEADS_NEW =
    'mutation ($inputs: [CrmLeadCreateInput!]!) { crmLeadsCreate(inputs: $inputs) { id name } }';
  const readLeads = async (inputs: object[]): Promise<string[]> =>
    (await team.query(LEADS_NEW, { inputs })).crmLeadsCreate.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    stages = (await team.query('{ crmStages(first: 4) { nodes { id name } } }')).crmStages.nodes;
    const boardLeads = Array.from({ length: LEADS }, (_, index) => ({
      name: `Board ${String(index).padStart(2, '0')}`,
      stageId: stages[0]!.id,
      expectedRevenue: 10,
    }));
    await readLeads([...boardLeads, { name: 'Board other', stageId: stages[1]!.id, expectedRevenue: 700 }]);
  });

  const openPage = trackPages(team);
  const readStage = async (id: string): Promise<string> =>
    (await team.query('query ($id: ID!) { crmLead(id: $id) { stage { name } } }', { id })).crmLead.stage.name;
  const findColumn = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  it('shows columns with their count and sum, and loads more cards while scrolling', async () => {
    const visitor = await openPage('/app/records/crm.lead?view=kanban&q=Board');
    const { page } = visitor;
    const [first, second, third] = stages.map(({ name }) => findColumn(page, name));
    await first!.getByText('30 records', { exact: true }).waitFor();
    await first!.getByText('Expected Revenue, sum: €300').waitFor();
    await second!.getByText('Expected Revenue, sum: €700').waitFor();
    expect(await third!.getByRole('link').count()).toBe(0);
    await expect.poll(() => first!.getByRole('link').count()).toBe(20);
    await expectFaultless(visitor, 'a board');
    await first!.getByRole('button', { name: '10 more' }).scrollIntoViewIfNeeded();
    await expect.poll(() => first!.getByRole('link').count()).toBe(LEADS);
  });

  it("a card shows the priority, the tags, the next activity and the assignee's picture", async () => {
    const { viewer } = await team.query('{ viewer { userId name } }');
    const { crmTagCreate: tag } = await team.query(
      'mutation { crmTagCreate(input: { name: "Urgent tag" }) { id } }',
    );
    const [id] = await readLeads([
      {
        name: 'Shown in full',
        stageId: stages[0]!.id,
        priority: 'HIGH',
        tags: { connect: [tag.id] },
        userId: viewer.userId,
      },
    ]);
    await team.query(
      `mutation ($ids: [ID!]!) {
        recordActivitySchedule(model: "crm.lead", ids: $ids, summary: "Call", dateDeadline: "2030-05-06") { id }
      }`,
      { ids: [id] },
    );
    const visitor = await openPage('/app/records/crm.lead?view=kanban&q=Shown');
    const card = visitor.page.locator(`[data-card="${id}"]`);
    await card.getByText('Urgent tag').waitFor();
    await card.getByText('Priority: High').waitFor();
    expect(await card.locator('.kanban-priority .icon').count()).toBe(2);
    await card.getByText('May 6, 2030').waitFor();
    const avatar = card.getByRole('img', { name: viewer.name });
    await expect
      .poll(() => avatar.evaluate((image) => (image as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
    // Three dots in a row are a menu; stacked dots would be a drag handle.
    const dots = await card.getByRole('button', { name: 'Move Shown in full' }).locator('path').boundingBox();
    expect(dots!.width).toBeGreaterThan(dots!.height);
    await expectFaultless(visitor, 'a full card');
  });

  it('moves a card by dragging, with m and by menu, undoes the move with z, and reverts a rejected move', async () => {
    const [id] = await readLeads([{ name: 'Moved about', stageId: stages[0]!.id, expectedRevenue: 5 }]);
    const { page } = await openPage('/app/records/crm.lead?view=kanban&q=Moved');
    const findCard = (index: number) =>
      findColumn(page, stages[index]!.name).getByRole('link', { name: 'Moved about' });
    const is = (index: number) =>
      until(async () => (await readStage(id!)) === stages[index]!.name, `it is in ${stages[index]!.name}`);
    await findCard(0).dragTo(findColumn(page, stages[1]!.name));
    await findCard(1).waitFor();
    await is(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await findCard(0).waitFor();
    await is(0);
    await findCard(0).focus();
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByRole('button', { name: stages[2]!.name }).press('Enter');
    await findCard(2).waitFor();
    await is(2);
    await expect.poll(() => findCard(2).evaluate((link) => link === document.activeElement)).toBe(true);
    await page.keyboard.press('z');
    await findCard(0).waitFor();
    await is(0);
    await page.getByRole('button', { name: 'Move Moved about' }).click();
    await page.getByRole('dialog').getByRole('button', { name: stages[1]!.name }).click();
    await findCard(1).waitFor();
    await is(1);
    const { crmStageCreate: removedStage } = await team.query(
      'mutation { crmStageCreate(input: { name: "Gone" }) { id } }',
    );
    await page.reload();
    await findColumn(page, 'Gone').waitFor();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('mutation Write'))
        await team.query('mutation ($id: ID!) { crmStageDelete(id: $id) { count } }', {
          id: removedStage.id,
        });
      await route.continue();
    });
    await page.getByRole('button', { name: 'Move Moved about' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Gone' }).click();
    await page.locator('.toast').waitFor();
    await findCard(1).waitFor();
    await is(1);
  });

  it('sorts cards manually', async () => {
    const { projectProjectCreate: project } = await team.query(
      'mutation { projectProjectCreate(input: { name: "Harbour" }) { id } }',
    );
    await team.query(
      'mutation ($inputs: [ProjectTaskCreateInput!]!) { projectTasksCreate(inputs: $inputs) { id } }',
      { inputs: ['One', 'Two', 'Three'].map((name) => ({ name, projectId: project.id })) },
    );
    const { page } = await openPage('/app/records/project.task?view=kanban&group=project');
    const readCards = () => findColumn(page, 'Harbour').getByRole('link').allTextContents();
    await expect.poll(readCards).toEqual(['One', 'Two', 'Three']);
    await page.getByRole('link', { name: 'Three' }).focus();
    await page.keyboard.press('m');
    await page.getByRole('dialog').getByRole('button', { name: 'Move to top' }).click();
    await expect.poll(readCards).toEqual(['Three', 'One', 'Two']);
    await expect
      .poll(async () =>
        (
          await team.query('{ projectTasks(orderBy: [{ field: SEQUENCE }], first: 3) { nodes { name } } }')
        ).projectTasks.nodes.map(({ name }: { name: string }) => name),
      )
      .toEqual(['Three', 'One', 'Two']);
  });

  it('saves the list as a view, opens it by default, shares it by URL, and deletes it', async () => {
    const visitor = await openPage('/app/records/crm.lead?q=Board&order=%22-name%22');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Saved views' }).click();
    await dialog.getByLabel('View name').fill('All boards');
    await dialog.getByLabel('Use as my default').check();
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'All boards' }).waitFor();
    const id = new URL(page.url()).searchParams.get('saved');
    await page.goto('/app/records/crm.lead');
    await page.getByRole('button', { name: 'All boards' }).waitFor();
    await page.getByText(`${LEADS + 1} records`, { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Kanban' }).click();
    await findColumn(page, stages[0]!.name).waitFor();
    await page.getByRole('button', { name: 'All boards' }).click();
    await dialog.getByRole('button', { name: 'Save changes to All boards' }).waitFor();
    await expectFaultless(visitor, 'saved views');
    await dialog.getByRole('button', { name: 'Save changes to All boards' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(`/app/records/crm.lead?saved=${id}`);
    await findColumn(page, stages[0]!.name).getByText(`${LEADS} records`, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'All boards' }).click();
    await dialog.getByRole('button', { name: 'Edit view All boards' }).click();
    await dialog.getByLabel('View name').fill('Boards');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Boards', exact: true }).click();
    await dialog.getByRole('button', { name: 'Delete view Boards' }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Delete', exact: true }).click();
    const countSavedViews = async () =>
      (await team.query('{ savedViews(first: 5) { totalCount } }')).savedViews.totalCount;
    await expect.poll(countSavedViews).toBe(0);
  });

  it('edits cells with the keyboard, and shows errors and conflicts in the cell', async () => {
    // Retries must not find the records of earlier attempts.
    const tag = `Cell${++attempts}`;
    const [id] = await readLeads([{ name: `${tag} one`, expectedRevenue: 5 }, { name: `${tag} two` }]);
    const readLead = async () =>
      (
        await team.query('query ($id: ID!) { crmLead(id: $id) { name expectedRevenue user { name } } }', {
          id,
        })
      ).crmLead;
    const visitor = await openPage(
      `/app/records/crm.lead?q=${tag}&order=name&cols=%5B%22name%22,%22expectedRevenue%22,%22stage%22%5D`,
    );
    const { page } = visitor;
    await page.getByRole('button', { name: 'Edit inline' }).click();
    const grid = page.getByRole('grid', { name: 'Leads' });
    const findCell = (row: number, index: number) =>
      grid.getByRole('row').nth(row).getByRole('gridcell').nth(index);
    await findCell(1, 1).getByText(`${tag} one`).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe('3');
    expect(await findCell(2, 2).getAttribute('aria-colindex')).toBe('3');
    await expectFaultless(visitor, 'cells');
    await findCell(1, 1).focus();
    await page.keyboard.type('cj');
    await expect.poll(() => findCell(1, 1).getByRole('textbox').inputValue()).toBe('cj');
    await page.keyboard.press('Escape');
    await findCell(1, 1).getByText(`${tag} one`).waitFor();
    await expect.poll(() => findCell(1, 1).evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => findCell(1, 2).evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('77');
    await page.keyboard.press('Escape');
    await findCell(1, 2).getByText('€5.00').waitFor();
    await expect.poll(() => findCell(1, 2).evaluate((node) => node === document.activeElement)).toBe(true);
    // Typing in a focused cell replaces its value instead of running shortcuts.
    await page.keyboard.type('88');
    await page.keyboard.press('Enter');
    await until(async () => (await readLead()).expectedRevenue === 88, 'the cell is saved');
    await expect.poll(() => findCell(2, 2).evaluate((node) => node === document.activeElement)).toBe(true);
    await findCell(1, 2).click();
    await findCell(1, 2).getByRole('spinbutton').fill('1e300');
    await page.keyboard.press('Enter');
    await findCell(1, 2).getByRole('alert').waitFor();
    await expectFaultless(visitor, 'a cell that was refused');
    await findCell(1, 2).getByRole('spinbutton').focus();
    // The input disappears before the key is released, so Escape reaches the page.
    await page.keyboard.press('Escape');
    await findCell(1, 1).click();
    await findCell(1, 1).getByRole('textbox').fill(`${tag} mine`);
    await team.query(
      'mutation ($id: ID!, $name: String) { crmLeadUpdate(id: $id, input: { name: $name }) { id } }',
      {
        id,
        name: `${tag} theirs`,
      },
    );
    await page.keyboard.press('Enter');
    await page
      .getByRole('dialog')
      .getByRole('cell', { name: `${tag} theirs` })
      .waitFor();
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await until(async () => (await readLead()).name === `${tag} mine`, 'mine is kept');
    await findCell(1, 3).click();
    await findCell(1, 3).getByRole('combobox').fill(stages[1]!.name);
    await findCell(1, 3).getByRole('option', { name: stages[1]!.name }).click();
    await until(async () => (await readStage(id!)) === stages[1]!.name, 'the stage is saved');
  });

  it('links to neighboring records, changes the stage, follows the record, and adds files', async () => {
    const [id] = await readLeads(['A', 'B', 'C'].map((name) => ({ name: `Beside ${name}` })));
    const visitor = await openPage('/app/records/crm.lead?q=Beside&order=name');
    const { page } = visitor;
    await page.getByRole('option', { name: 'Beside B' }).click();
    await page.getByText('2 of 3').waitFor();
    await page.getByRole('link', { name: 'Previous record' }).click();
    await page.getByRole('heading', { name: 'Beside A' }).waitFor();
    await page.getByText('1 of 3').waitFor();
    await page.getByRole('list', { name: 'Stage' }).getByRole('button', { name: stages[2]!.name }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await until(async () => (await readStage(id!)) === stages[2]!.name, 'it is at the stage');
    await page.getByRole('button', { name: /^(?:Follow|Unfollow)$/ }).waitFor();
    const isFollowed = await page.getByRole('button', { name: 'Unfollow' }).isVisible();
    await page.getByRole('button', { name: isFollowed ? 'Unfollow' : 'Follow', exact: true }).click();
    await page.getByRole('button', { name: isFollowed ? 'Follow' : 'Unfollow', exact: true }).waitFor();
    const content = Buffer.from('as it was');
    await page
      .locator('.record-files input[type=file]')
      .setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: content });
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'note.txt' }).click(),
    ]);
    expect(readFileSync(await file.path(), 'utf8')).toBe('as it was');
    await expectFaultless(visitor, 'a form with its list, stages, followers and files');
    await page.getByRole('button', { name: 'Delete file note.txt' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No files yet').waitFor();
    await page.getByRole('link', { name: '‹ Leads' }).click();
    await page.getByText('3 records', { exact: true }).waitFor();
  });
});
