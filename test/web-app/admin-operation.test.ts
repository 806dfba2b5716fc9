import { readFileSync } from 'node:fs';
import type { Locator, Page, Route } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createJobs, listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { strings as german } from '../../web/src/i18n/de/admin-operation.ts';
import { strings as english } from '../../web/src/i18n/en/admin-operation.ts';
import { chromium } from '../doc/browser.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { buildRequest, postMcp, runTool, switchMcp } from '../harness/facades/mcp.ts';
import { serveMcp } from '../harness/facades/mcp-server.ts';
import { setUpTeam, type Team } from '../harness/facades/rest.ts';
import { fileMessage, loadMailbox } from '../mailbox/mailboxes.ts';
import { agentTools } from '../mcp/fixtures.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam({ APP_UNINSTALL: 'on' });

chromium.describe('operations administration in the browser', () => {
  beforeAll(() => switchMcp(team, team.main, true));

  const openPage = trackPages(team);
  const queryAsAdmin = (query: string, key?: string) => queryData(team, query, { key });
  const createKey = async (owner = team.main.admin.key): Promise<string> =>
    (await queryAsAdmin('mutation { keyCreate(name: "agent") { key } }', owner)).keyCreate.key;
  const search = (page: Page) => new URL(page.url()).searchParams;

  it('filters the audit trail by URL parameters, updates it live, and links events to records', async () => {
    const visitor = await openPage('/app/admin/audit');
    const { page } = visitor;
    await page.getByRole('listbox').getByText('feature.set').waitFor();
    await createKey();
    await page
      .getByRole('option', { name: /key\.create.*admin/ })
      .first()
      .waitFor();
    await page.goto('/app/admin/audit?result=refused&q=nowhere');
    await page.getByRole('heading', { name: 'No events match these filters' }).waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByLabel('Group by').selectOption('event');
    await page.getByRole('button', { name: /^key\.create ?: 1 event$/ }).waitFor();
    await expectFaultless(visitor, 'counted events');
    await page.getByRole('button', { name: /^key\.create/ }).click();
    await page.getByRole('listbox').getByText('key.create').waitFor();
    expect([...search(page)]).toEqual([['event', 'key.create']]);
  });

  it("shows an agent's calls, undoes its changes to messages, and revokes it", async () => {
    const { admin } = team.main;
    const box = await loadMailbox(team.main.ctx, admin.id);
    const { id: entry } = await fileMessage(team.main.ctx, box.id, box.folders.inbox, {});
    const agent = await createKey();
    await runTool(team, agent, 'inbox_message', { entry_id: entry });
    await runTool(team, agent, 'mail_organize', { entry_ids: [entry], action: 'archive' });
    await runTool(team, agent, 'mail_organize', { entry_ids: [entry], action: 'trash' });
    const visitor = await openPage('/app/admin/agents');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByText('1 agent', { exact: true }).waitFor();
    await expectFaultless(visitor, 'the agents');
    await page.getByRole('option', { name: /for admin.*3 calls.*Active/ }).click();
    await page.getByText("all of the user's permissions").waitFor();
    await page.getByText('3 calls', { exact: true }).first().waitFor();
    await expectFaultless(visitor, 'an agent');
    await page.getByLabel('Result').selectOption('ASKED');
    await page.getByText('1 call', { exact: true }).waitFor();
    await page.getByLabel('Result').selectOption('DONE');
    await page.getByLabel('Tool').selectOption('mail_organize');
    expect([...search(page)]).toEqual([
      ['outcome', 'DONE'],
      ['tool', 'mail_organize'],
    ]);
    await page.getByRole('option', { name: /Done.*mail_organize/ }).click();
    await dialog.getByText('"action": "archive"').waitFor();
    await expectFaultless(visitor, 'a call');
    await dialog.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone for 1 message.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Revoke' }).click();
    await expectFaultless(visitor, 'the question before an agent is revoked');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText(/Revoked on/).waitFor();
    await runTool(team, agent, 'inbox_message', { entry_id: entry });
    expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);
  });

  it('shows pending agent actions as they arrive, and approves or rejects them', async () => {
    const servedTeam = (await serveMcp(team, agentTools)) as Team;
    await queryAsAdmin('mutation { agentPolicySave(holds: [DELETES]) { confirmation } }');
    const agent = await createKey();
    const hold = (name: string) =>
      postMcp(
        servedTeam,
        buildRequest('tools/call', { name: 'delete', arguments: { name, confirm: true } }),
        agent,
      );
    const visitor = await openPage('/app/admin/agents/held');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const one = page.getByRole('region', { name: 'Action' });
    await page.getByRole('heading', { name: 'No pending actions' }).waitFor();
    await expectFaultless(visitor, 'no held actions');
    await hold('Good');
    await page.getByRole('link', { name: 'Held actions , 1 pending' }).waitFor();
    await page.getByRole('listbox').getByText('Title of delete').click();
    await one.getByText(/ wants to title of delete\.$/).waitFor();
    await page.getByRole('link', { name: /^Admin.* , 1 pending$/ }).waitFor();
    await one.getByText('Good', { exact: true }).first().waitFor();
    await expectFaultless(visitor, 'a held action');
    await one.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('Good', { exact: true }).first().waitFor();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await one.getByText('Approved and carried out.').waitFor();
    await page.getByText('0 actions', { exact: true }).waitFor();
    await hold('Bad');
    await page.getByRole('listbox').getByText('Title of delete').click();
    await one.getByText('Bad', { exact: true }).first().waitFor();
    await one.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByLabel('Reason').fill('x'.repeat(1001));
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByRole('alert').getByText('at most 1000 characters').waitFor();
    await dialog.getByLabel('Reason').fill('Not today.');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await one.getByText('Not today.').waitFor();
    await page.getByLabel('Status').selectOption('decided');
    await page.getByText('2 actions', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Held actions', exact: true }).waitFor();
    await servedTeam.close();
  });

  it('shows the list commands of a held update in words, and the text of an action without parts', async () => {
    await queryAsAdmin('mutation { agentPolicySave(holds: [CONFIRMED]) { confirmation } }');
    const partner = await createJsonClient(team).create('res.partner', { name: 'Ann' });
    const tag = await createJsonClient(team).create('res.partner.category', { name: 'Red' });
    const { structuredContent } = await runTool(team, await createKey(), 'update', {
      model: 'res.partner',
      ids: [partner],
      values: { category_id: [[4, tag]], bank_ids: [[6, 0, []]] },
      confirm: true,
    });
    const id = structuredContent.held_action_id;
    const visitor = await openPage(`/app/admin/agents/held?id=${id}`);
    const details = visitor.page.getByRole('region', { name: 'Action' }).locator('.held-details');
    const readFact = (name: string) =>
      details.locator('div', { has: visitor.page.getByText(name, { exact: true }) }).getByRole('definition');
    expect(await readFact('Tags').textContent()).toBe('Add:Red');
    expect(await readFact('Banks').textContent()).toBe('Remove all');
    await expectFaultless(visitor, 'a held update');
    await team.main.ctx.db.rows(
      sql`update svc_agent_held set preview_json = null
       where workspace_id = ${team.main.ctx.workspace.id} and id = ${id}`,
    );
    await visitor.page.reload();
    await visitor.page.getByText('would_update:').waitFor();
    await queryAsAdmin(`mutation { heldActionReject(id: "${id}") { id } }`);
  });

  it('executes an action once if two windows decide on it, and says who decided first', async () => {
    const servedTeam = (await serveMcp(team, agentTools)) as Team;
    await queryAsAdmin('mutation { agentPolicySave(holds: [DELETES]) { confirmation } }');
    const agent = await createKey();
    const openBoth = async (name: string) => {
      const call = { name: 'delete', arguments: { name, confirm: true } };
      const held = await postMcp(servedTeam, buildRequest('tools/call', call), agent);
      const path = `/app/admin/agents/held?id=${held.json().result.structuredContent.held_action_id}`;
      const { page: first } = await openPage(path);
      const second = await first.context().newPage();
      await second.goto(path);
      return [first, second].map((page) => ({ page, panel: page.getByRole('region', { name: 'Action' }) }));
    };
    const openDialog = async ({ page, panel }: { page: Page; panel: Locator }, decision: string) => {
      await panel.getByRole('button', { name: decision }).click();
      return page.getByRole('dialog').getByRole('button', { name: decision });
    };
    const countPartners = async (name: string) => {
      const query = `{ partners(where: { name: { eq: "${name}" } }) { totalCount } }`;
      return (await queryAsAdmin(query)).partners.totalCount;
    };

    for (const decision of ['Approve', 'Reject']) {
      const name = `Before ${decision}`;
      const [first, second] = await openBoth(name);
      const [approve, decide] = [await openDialog(first!, 'Approve'), await openDialog(second!, decision)];
      const heldReads: Route[] = [];
      let isSent = false;
      await second!.page.route('**/graphql', async (route) => {
        const body = route.request().postData() ?? '';
        if (body.includes('mutation HeldAction')) isSent = true;
        if (!isSent && body.includes('query HeldAction(')) heldReads.push(route);
        else await route.continue();
      });
      await approve.click();
      await first!.panel.getByText('Approved and carried out.').waitFor();
      await decide.click();
      await second!.page.getByText('This action has already been approved by admin.').first().waitFor();
      for (const route of heldReads) await route.continue();
      await second!.panel.getByText('Approved and carried out.').waitFor();
      expect(await countPartners(name)).toBe(1);
    }

    const both = await openBoth('At once');
    const buttons = [await openDialog(both[0]!, 'Approve'), await openDialog(both[1]!, 'Approve')];
    await Promise.all(buttons.map((button) => button.click()));
    for (const { panel } of both) await panel.getByText('Approved and carried out.').waitFor();
    expect(await countPartners('At once')).toBe(1);
    await servedTeam.close();
  });

  it('exports the workspace in the background, shows progress and downloads the file', async () => {
    const visitor = await openPage('/app/admin/export');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No exports yet' }).waitFor();
    await page.getByRole('button', { name: 'Start export' }).click();
    await page.getByText('Waiting for a background worker').waitFor();
    expect(await page.getByRole('button', { name: 'Start export' }).count()).toBe(0);
    await expectFaultless(visitor, 'an export on its way');
    const worker = createJobs(team.runtime);
    await worker.start(true);
    await page.getByText('Ready').waitFor();
    await worker.stop();
    await expectFaultless(visitor, 'an export that is ready');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download export/ }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^main-.*\.tar\.gz$/);
    expect(readFileSync(await file.path()).subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
  });

  it.each([
    ['English', english],
    ['German', german],
  ])('has a name for every scheduled job in %s', (_language, { jobNames }) => {
    expect(Object.keys(jobNames).toSorted()).toEqual(
      listScheduledJobs()
        .map(({ name }) => name)
        .toSorted(),
    );
  });

  it('runs a scheduled job manually', async () => {
    const visitor = await openPage('/app/admin/jobs');
    const { page } = visitor;
    const row = page.getByRole('listitem').filter({ hasText: 'Delete old held actions' });
    await row.getByText('Every day · never run manually').waitFor();
    await expectFaultless(visitor, 'the jobs');
    await row.getByRole('button').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run now' }).click();
    await page.getByText('Finished: Delete old held actions.').waitFor();
    await row.getByText('Every day · last manual run').waitFor();
  });

  it('configures an app, removes it after its name is typed, and reinstalls it', async () => {
    const visitor = await openPage('/app/admin/apps');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('link', { name: 'Helpdesk' }).waitFor();
    await expectFaultless(visitor, 'the apps');
    await page.getByRole('link', { name: 'Helpdesk' }).click();
    const setting = page.getByRole('form', { name: 'Acknowledgments per hour' });
    await setting.getByLabel('Acknowledgments per hour').fill('50');
    await setting.getByRole('button', { name: 'Save' }).click();
    await setting.getByRole('alert').waitFor();
    await setting.getByLabel('Acknowledgments per hour').fill('5');
    await setting.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Acknowledgments per hour saved.').waitFor();
    await setting.getByRole('button', { name: 'Reset to default (3)' }).waitFor();
    await expectFaultless(visitor, 'an app');
    await page.getByRole('button', { name: 'Uninstall…' }).click();
    await dialog.getByText(/rows? will be deleted/).waitFor();
    await expectFaultless(visitor, 'what an uninstall deletes');
    expect(await dialog.getByRole('button', { name: 'Uninstall', exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel('Type helpdesk to confirm').fill('helpdesk');
    await dialog.getByRole('button', { name: 'Uninstall', exact: true }).click();
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await dialog.getByRole('button', { name: 'Install', exact: true }).click();
    await page.getByText('Helpdesk installed.').waitFor();
    team.runtime.config.removesApps = false;
    await page.goto('/app/admin/apps/crm');
    await page.getByText('Not available on this server').waitFor();
    await page.goto('/app/admin/apps/nothing');
    await page.getByRole('heading', { name: 'App not found' }).waitFor();
    await page.goto('/app/admin/apps?tab=news');
    await page.getByRole('heading', { name: 'Added' }).first().waitFor();
  });

  it('shows a user who is not an administrator no Admin entry, and denies access to its pages', async () => {
    const { user } = team.main;
    const { page } = await openPage('/app/admin/audit', { login: user.login, password: user.password });
    await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0);
  });
});
