import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromium } from '../doc/browser.ts';
import { setUpTeam } from '../harness/facades/rest.ts';
import { expectFaultless, trackPages } from './browser.ts';

const team = setUpTeam();

chromium.describe('workspace administration in the browser', () => {
  const openPage = trackPages(team);
  const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
  const isSaved = (page: Page) => page.getByText('Saved.', { exact: true }).first().waitFor();

  it('searches users by URL parameters, creates, archives and restores them, and sets a password', async () => {
    const visitor = await openPage('/app/admin/users');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByText('2 seats used').waitFor();
    await page.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByLabel('Login').fill('user');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByRole('alert').getByText(/user/).waitFor();
    await expectFaultless(visitor, 'a login that is taken');
    expect(await dialog.getByLabel(/Public/).count()).toBe(0);
    const failure = { message: 'The server failed.', extensions: { code: 'INTERNAL' } };
    await page.route('**/graphql', (route) => route.fulfill({ json: { errors: [failure] } }), { times: 1 });
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.locator('form > [role=alert]').getByText('The server failed.').waitFor();
    await dialog.getByLabel('Login').fill('boris@acme.test');
    await dialog.getByLabel('Name').fill('Boris Novak');
    await dialog.getByLabel('Initial password').fill('short');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await dialog.getByText('A password must have at least 8 characters.').waitFor();
    await dialog.getByLabel('Initial password').fill('long-enough-1');
    await dialog.getByLabel('Sales / Administrator').check();
    await expectFaultless(visitor, 'a user that is created');
    await dialog.getByRole('button', { name: 'Create user' }).click();
    await page.getByRole('heading', { name: 'Boris Novak' }).waitFor();
    await expectFaultless(visitor, 'a user');
    await page.getByRole('tab', { name: 'Groups' }).click();
    await page.getByRole('button', { name: 'Remove Sales / Administrator' }).waitFor();
    await page.getByRole('button', { name: 'Set password' }).click();
    await dialog.getByLabel('New password').fill('long-enough-2');
    await dialog.getByRole('button', { name: 'Set password' }).click();
    await page.getByText('Password changed for boris@acme.test.').waitFor();
    await page.getByRole('button', { name: 'Archive' }).click();
    await dialog.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Restore' }).waitFor();
    await page.goto('/app/admin/users?q=nov&show=archived');
    await page.getByRole('option', { name: /Boris Novak.*Archived/ }).waitFor();
    const rows = page.getByRole('listbox').getByRole('option');
    expect(await rows.count()).toBe(1);
    await expectFaultless(visitor, 'archived users');
    await rows.click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('boris@acme.test restored.').waitFor();
    await page.goto('/app/admin/users?q=nobody');
    await page.getByRole('button', { name: 'Show active users' }).click();
    await page.getByRole('option', { name: /Boris Novak/ }).waitFor();
    expect(search(page)).toEqual({});
  });

  it('invites a user, revokes an invitation, and shows errors next to the fields', async () => {
    const visitor = await openPage('/app/admin/users/invitations');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('heading', { name: 'No invitations yet' }).waitFor();
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByLabel('Email').fill('ann@acme.test');
    await dialog.getByLabel('Sales / Administrator').check();
    await expectFaultless(visitor, 'an invitation that is written');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'ann@acme.test' });
    await row.getByText('Pending').waitFor();
    await expectFaultless(visitor, 'an invitation that waits');
    await page.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByLabel('Email').fill('ann@acme.test');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await dialog.getByText(/has already been invited/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await row.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('The invitation was just sent. Try again in a minute.').first().waitFor();
    await row.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
    const { userInvitations } = await team.query(
      '{ userInvitations { nodes { email state groups { nodes { externalId } } } } }',
    );
    expect(userInvitations.nodes).toEqual([
      {
        email: 'ann@acme.test',
        state: 'REVOKED',
        groups: {
          nodes: expect.arrayContaining([{ externalId: 'sales_team.group_sale_manager' }]),
        },
      },
    ]);
  });

  it("changes a user's groups, ends the user's sessions, and lists the user's access rights", async () => {
    const { user } = team.main;
    const otherVisitor = await openPage('/app/profile/preferences', {
      login: user.login,
      password: user.password,
    });
    const visitor = await openPage(`/app/admin/users/${user.id}?tab=groups`);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Add group').selectOption({ label: 'Sales / User: Own Documents Only' });
    await page.getByRole('button', { name: 'Add to: Groups' }).click();
    await page.getByRole('button', { name: 'Remove Sales / User: Own Documents Only' }).waitFor();
    await expectFaultless(visitor, 'groups of a user');
    await page.getByRole('tab', { name: 'Permissions' }).click();
    await page.getByRole('rowheader', { name: /calendar\.event$/ }).waitFor();
    await expectFaultless(visitor, 'what a user may do');
    await page.getByRole('tab', { name: 'Groups' }).click();
    await page.getByRole('button', { name: 'Remove Sales / User: Own Documents Only' }).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'Remove Sales / User: Own Documents Only' }).count())
      .toBe(0);
    await page.getByRole('tab', { name: 'Sessions' }).click();
    await expectFaultless(visitor, 'sessions of a user');
    await page.getByRole('button', { name: /^Sign out ./ }).click();
    await page.getByText('No active sessions.').waitFor();
    await otherVisitor.page.goto('/app/profile/preferences');
    await otherVisitor.page.waitForURL(/\/login/);
    await openPage('/app/profile/preferences', { login: user.login, password: user.password });
    await page.reload();
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await dialog.getByLabel('Your password').fill('wrong');
    await dialog.getByRole('button', { name: 'End all sessions' }).click();
    await dialog.getByRole('alert').getByText('Incorrect password, try again.').waitFor();
    await dialog.getByLabel('Your password').fill(team.main.admin.password);
    await dialog.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('No active sessions.').waitFor();
  });

  it('asks which value to keep after a conflict, and keeps changes to other fields', async () => {
    const { id } = team.main.user;
    const visitor = await openPage(`/app/admin/users/${id}`);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Name').fill('Una');
    await page.getByLabel('Phone').fill('123');
    await team.query(
      `mutation { userUpdate(id: "${id}", input: { name: "Ursula", email: "u@acme.test" }) { id } }`,
    );
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('row', { name: 'Name Una Ursula' }).waitFor();
    await expectFaultless(visitor, 'a value that somebody else has changed');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('heading', { name: 'Una' }).waitFor();
    const readUser = async () =>
      (await team.query(`{ user(id: "${id}") { name email phone partner { id } } }`)).user;
    const user = await readUser();
    expect(user).toMatchObject({ name: 'Una', email: 'u@acme.test', phone: '123' });
    await page.getByLabel('Phone').fill('124');
    await team.query(`mutation { partnerUpdate(id: "${user.partner.id}", input: { phone: "999" }) { id } }`);
    await page.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('row', { name: 'Phone 124 999' }).waitFor();
    expect(await readUser()).toMatchObject({ phone: '999' });
  });

  it("creates a group, adds users and implied groups, shows the group's rights, and deletes it", async () => {
    const visitor = await openPage('/app/admin/groups');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await expectFaultless(visitor, 'the groups');
    await page.getByRole('button', { name: 'Create group' }).click();
    await dialog.getByLabel('Name').fill('Night shift');
    await dialog.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('heading', { name: 'Night shift' }).waitFor();
    await page.getByLabel('Add user').selectOption({ label: 'Boris Novak (boris@acme.test)' });
    await page.getByRole('button', { name: 'Add to: Members' }).click();
    await page.getByRole('link', { name: /Boris Novak/ }).waitFor();
    await expectFaultless(visitor, 'members of a group');
    await page.getByRole('tab', { name: 'Implied groups' }).click();
    await page.getByLabel('Add group').selectOption({ label: 'Contact / Creation' });
    await page.getByRole('button', { name: 'Add to: Implies' }).click();
    await page.getByRole('link', { name: 'Contact / Creation' }).click();
    await page.getByRole('link', { name: 'Night shift' }).waitFor();
    await page.getByRole('tab', { name: 'Rights and rules' }).click();
    await page.getByRole('link', { name: 'Contact', exact: true }).waitFor();
    await expectFaultless(visitor, 'what a group gives');
    await page.goto('/app/admin/groups?q=night');
    await page.getByRole('option', { name: /Night shift.*1 member/ }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Groups', exact: true }).waitFor();
    expect(
      (await team.query('{ groups(where: { name: { eq: "Night shift" } }) { totalCount } }')).groups,
    ).toEqual({
      totalCount: 0,
    });
  });

  it("edits a model's access rights and rules, shows the resulting access, and explains a decision", async () => {
    const { user } = team.main;
    const { crmLeadCreate: lead } = await team.query(
      'mutation { crmLeadCreate(input: { name: "Small", expectedRevenue: 10 }) { id } }',
    );
    const visitor = await openPage('/app/admin/access');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByLabel('Model').selectOption('crm.lead');
    const otherLocator = page.getByRole('row').filter({ has: page.getByText(user.login, { exact: true }) });
    await otherLocator.and(page.getByRole('row', { name: /No.*No.*No.*No/ })).waitFor();
    await expectFaultless(visitor, 'who may do what');
    await page.getByRole('tab', { name: 'Access rights' }).click();
    await page.getByRole('button', { name: 'Add access right' }).click();
    await dialog.getByLabel('Group').selectOption({ label: 'Role / User' });
    await dialog.getByRole('button', { name: 'Add access right' }).click();
    const right = page.getByRole('group', { name: 'Role / User' });
    await right.getByLabel('Edit').click();
    await isSaved(page);
    await expectFaultless(visitor, 'access rights of a model');
    await page.getByRole('tab', { name: 'Record rules' }).click();
    await page.getByRole('button', { name: 'Add record rule' }).click();
    await dialog.getByLabel('Name').fill('Big deals');
    await dialog.getByLabel('Domain').fill("[('no_such_field', '=', 1)]");
    await dialog.getByRole('button', { name: 'Add record rule' }).click();
    await dialog
      .getByRole('alert')
      .getByText(/no_such_field/)
      .waitFor();
    await dialog.getByLabel('Domain').fill("[('expected_revenue', '>', 1000)]");
    await dialog.getByRole('button', { name: 'Add record rule' }).click();
    const rule = page.getByRole('region', { name: 'Big deals' });
    await rule.getByRole('button', { name: 'Edit Big deals' }).click();
    await rule.getByLabel('Domain').fill("[('expected_revenue', '>', 'x')]");
    await rule.getByRole('button', { name: 'Save' }).click();
    await rule.getByRole('alert').waitFor();
    await rule.getByLabel('Domain').fill("[('expected_revenue', '>', 2000)]");
    await rule.getByRole('button', { name: 'Save' }).click();
    await isSaved(page);
    await expectFaultless(visitor, 'a record rule that is edited');
    await page.getByRole('tab', { name: 'Explain' }).click();
    await page.getByLabel('User').selectOption(user.id.toString());
    await page.getByLabel('Operation').selectOption('write');
    await page.getByLabel(/Record ID/).fill(String(lead.id));
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByText('Record rules deny it: Big deals.').waitFor();
    expect(search(page)).toMatchObject({ model: 'crm.lead', user: `"${user.id}"`, operation: 'write' });
    await expectFaultless(visitor, 'an access that is explained');
    await page.goto('/app/admin/access?model=crm.lead&tab=rules');
    await rule.getByRole('button', { name: 'Edit Big deals' }).click();
    await rule.getByRole('button', { name: 'Delete rule' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => rule.count()).toBe(0);
    await page.getByRole('tab', { name: 'Access rights' }).click();
    await page.getByRole('button', { name: 'Delete: Role / User' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => right.count()).toBe(0);
  });

  it('turns features on and off, and changes policies', async () => {
    const visitor = await openPage('/app/admin/features');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await expectFaultless(visitor, 'the features');
    await page.getByRole('button', { name: 'Turn on: Agents (MCP)' }).click();
    await page.getByText('Agents (MCP) turned on.').waitFor();
    await page.getByRole('button', { name: 'Turn off: Email service' }).click();
    await dialog.getByRole('button', { name: 'Turn off' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'Email', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Turn on: Email service' }).click();
    await page.getByRole('link', { name: 'Email', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Turn off: Blocking senders' }).click();
    await page.getByRole('button', { name: 'Turn on: Blocking senders' }).waitFor();
    await page.getByRole('link', { name: 'Policies' }).click();
    await page.getByLabel('Hold deletions').check();
    await page.getByLabel('Calls per day').fill('500');
    await team.query('mutation { agentPolicySave(holds: [SENDS]) { confirmation } }');
    await page.getByRole('form', { name: 'Agents' }).getByRole('button', { name: 'Save' }).click();
    await isSaved(page);
    expect((await team.query('{ agentPolicy { holds callsPerDay } }')).agentPolicy).toEqual({
      holds: ['SENDS', 'DELETES'],
      callsPerDay: 500,
    });
    await page.getByLabel('Shared mailbox creation').selectOption('everyone');
    const reserve = page.getByLabel('Reserve', { exact: true });
    await reserve.fill('not one');
    await reserve.press('Enter');
    await page.getByRole('alert').getByText('must be a valid local part of an address').waitFor();
    await reserve.fill('ceo');
    await reserve.press('Enter');
    await page.getByRole('button', { name: 'Release: ceo@' }).waitFor();
    await expectFaultless(visitor, 'the policies');
    await page.getByRole('button', { name: 'Release: ceo@' }).click();
    await page.getByText('No reserved addresses yet.').waitFor();
    expect(
      (await team.query('{ mailAdminChoices { policies { key value } } }')).mailAdminChoices.policies,
    ).toContainEqual({ key: 'shared_create_who', value: 'everyone' });
  });

  it('edits the company and the parameters', async () => {
    const visitor = await openPage('/app/admin/company');
    const { page } = visitor;
    const form = page.getByRole('form', { name: 'main' });
    await form.getByLabel('Company name').fill('Acme');
    await form.getByLabel('Primary color: color picker').fill('#0b6b58');
    expect(await form.getByLabel('Primary color', { exact: true }).inputValue()).toBe('#0b6b58');
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Acme' }).waitFor();
    await page.getByRole('button', { name: 'Edit database.uuid' }).click();
    await page.getByRole('form', { name: 'database.uuid' }).getByLabel('Value').fill('changed');
    await page.getByRole('form', { name: 'database.uuid' }).getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await team.query('{ parameterGet(key: "database.uuid") }')).parameterGet)
      .toBe('changed');
    await expectFaultless(visitor, 'the company');
  });

  it('shows a user who is not an administrator no Admin entry, and requests no admin data', async () => {
    const { login, password } = team.main.user;
    const { page } = await openPage('/app/profile/preferences', { login, password });
    const operations: string[] = [];
    page.on('request', (request) => {
      const name = /(?:query|mutation) (\w+)/.exec(request.postData() ?? '')?.[1];
      if (name) operations.push(name);
    });
    expect(await page.getByRole('link', { name: 'Admin' }).count()).toBe(0);
    for (const address of [
      'users',
      `users/${team.main.admin.id}?tab=sessions`,
      'users/invitations',
      'groups',
      'groups/1',
      'access?model=res.users',
      'features',
      'policies',
      'company',
    ]) {
      await page.goto(`/app/admin/${address}`);
      await page.getByRole('heading', { name: "You don't have access to this page" }).waitFor();
    }
    const ofShell = new Set(['Shell', 'HeldWaiting', 'Bell', 'Unread', 'Notifications']);
    expect([...new Set(operations)].filter((name) => !ofShell.has(name))).toEqual([]);
  });
});
