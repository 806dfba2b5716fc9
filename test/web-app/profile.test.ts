import { beforeAll, expect, it } from 'vitest';
import { notify } from '../../schema/base/notifications/notify.ts';
import { chromium } from '../doc/browser.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { buildRequest, postMcp, switchMcp } from '../harness/facades/mcp.ts';
import { buildPng } from '../harness/png.ts';
import { connectClient, register } from '../oauth/sign-in.ts';
import { expectFaultless, trackPages } from './browser.ts';

const app = setUpApp();
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

chromium.describe('the profile in the browser', () => {
  beforeAll(() => switchMcp(app, app.main, true));

  const openPage = trackPages(app, 'user');
  const initialize = (key: string) =>
    postMcp(app, buildRequest('tools/call', { name: 'list_models', arguments: {} }), key);

  it('changes the name, time zone, signature and photo', async () => {
    const visitor = await openPage('/app/profile/me');
    const { page } = visitor;
    await page.getByLabel('Name', { exact: true }).fill('Ann Lee');
    await page.getByLabel('Time zone').selectOption('Europe/Vienna');
    await page.getByLabel('Signature').fill('Ann <Lee>\nSales');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Profile saved.').waitFor();
    const photo = page.getByRole('img', { name: 'Photo' });
    const before = await photo.getAttribute('src');
    expect(await page.getByRole('button', { name: 'Remove photo' }).count()).toBe(0);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from(PNG, 'base64') });
    await page.getByText('Photo saved.').waitFor();
    await page.getByRole('button', { name: 'Remove photo' }).waitFor();
    await expect.poll(() => photo.getAttribute('src')).not.toBe(before);
    // Exceeds the request limit, like a photo in camera resolution.
    const large = buildPng(2000, 3000, true);
    expect(large.length).toBeGreaterThan(5_000_000);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'large.png', mimeType: 'image/png', buffer: large });
    const readSize = () => photo.evaluate((image) => (image as HTMLImageElement).naturalHeight);
    await expect.poll(readSize).toBe(1024);
    // Has so many colors that even the resized PNG exceeds the request limit.
    const photoUrl = await photo.getAttribute('src');
    const buffer = buildPng(1024, 1024, true, 3);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'noise.png', mimeType: 'image/png', buffer });
    await expect.poll(() => photo.getAttribute('src')).not.toBe(photoUrl);
    await page.reload();
    await expect.poll(() => page.getByLabel('Signature').inputValue()).toBe('Ann <Lee>\nSales');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Ann Lee');
    expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Vienna');
    await expectFaultless(visitor, 'the profile');
  });

  it('creates a key after checking the password, shows it once, and revokes it', async () => {
    const visitor = await openPage('/app/profile/keys');
    const { page } = visitor;
    await page.getByRole('button', { name: 'Create API key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Purpose').fill('Reports');
    await dialog.getByLabel('Permissions').selectOption('READ');
    await dialog.getByLabel('Your password').fill('wrong');
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Incorrect password').waitFor();
    await expectFaultless(visitor, 'the form of a key');
    await dialog.getByLabel('Your password').fill(app.main.user.password);
    await page.keyboard.press('Enter');
    await dialog.getByText("You won't see it again").waitFor();
    const key = (await dialog.locator('code').textContent())!;
    expect((await postGraphql(app, '{ viewer { login scopes } }', { key })).data.viewer).toEqual({
      login: app.main.user.login,
      scopes: ['READ'],
    });
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByText('Read-only').waitFor();
    expect(await page.content()).not.toContain(key);
    await expectFaultless(visitor, 'the keys');
    await page.getByRole('button', { name: 'Revoke Reports' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Reports revoked.').waitFor();
    expect((await postGraphql(app, '{ viewer { login } }', { key })).errors[0]!.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('lists a connected agent with its activity, and disconnects it', async () => {
    const clientId = (await register(app, { client_name: 'Helper' })).client_id;
    const { access_token: accessToken } = await connectClient(app, app.main.user, { clientId });
    expect((await initialize(accessToken)).status).toBe(200);
    const visitor = await openPage('/app/profile/agents');
    const { page } = visitor;
    await page.getByText('can read and change data').waitFor();
    await expectFaultless(visitor, 'the agents');
    await page.getByRole('link', { name: 'Activity log: Helper' }).click();
    await page.getByRole('dialog').getByText('list_models').waitFor();
    expect(new URL(page.url()).search).toMatch(/^\?agent=/);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Disconnect Helper' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Helper disconnected.').waitFor();
    await page.getByText('No program is connected with OAuth.').waitFor();
    expect((await initialize(accessToken)).status).toBe(401);
  });

  it('creates an agent key with setup instructions, and lists and revokes the client that uses it', async () => {
    const visitor = await openPage('/app/profile/agents');
    const { page } = visitor;
    await page.getByText("claude mcp add --transport http atrium 'http").waitFor();
    await page.getByRole('button', { name: 'Create agent key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password').fill(app.main.user.password);
    await page.keyboard.press('Enter');
    const key = (await dialog.locator('.secret-once code').textContent())!;
    await dialog.getByText('--header "Authorization: Bearer $ATRIUM_KEY"').waitFor();
    await dialog.getByLabel('Program').selectOption('codex');
    await dialog.getByText('bearer_token_env_var = "ATRIUM_KEY"').waitFor();
    await dialog.getByText('Waiting for the program to connect.').waitFor();
    await expectFaultless(visitor, 'a new agent key');
    expect((await postMcp(app, buildRequest('tools/list'), key)).status).toBe(200);
    await dialog.getByText('Program connected, last used').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.getByText('API key “Agent”').waitFor();
    // Listing tools does not count as a call.
    await page.getByText(/first used .* last used .* 0 calls/).waitFor();
    await page.getByRole('button', { name: /^Disconnect/ }).click();
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('No program is connected with an API key.').waitFor();
    expect((await initialize(key)).status).toBe(401);
  });

  it('explains who can enable agents while they are disabled', async () => {
    await switchMcp(app, app.main, false);
    const visitor = await openPage('/app/profile/agents');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'Agents are turned off in this workspace' }).waitFor();
    await page.getByText('Ask an administrator to turn the feature on.').waitFor();
    expect(await page.getByRole('button', { name: 'Create agent key' }).count()).toBe(0);
    await expectFaultless(visitor, 'agents that are off');
    const { page: otherPage } = await openPage('/app/profile/agents', app.main.admin);
    await otherPage.getByRole('link', { name: 'Turn on “Agents (MCP)” under Features' }).click();
    await otherPage.getByRole('button', { name: /Agents/ }).click();
    await otherPage.getByText('Agents (MCP) turned on.').waitFor();
    await otherPage.goBack();
    await otherPage.getByRole('button', { name: 'Create agent key' }).waitFor();
  });

  it('updates the number of unread notifications live', async () => {
    const visitor = await openPage('/app/profile/notifications');
    const { page } = visitor;
    await page.getByRole('heading', { name: 'No notifications' }).waitFor();
    await expectFaultless(visitor, 'no notifications');
    const notification = {
      kind: 'mail_import',
      outcome: 'done',
      title: 'Import of old mail',
      details: '3 messages',
    } as const;
    const { ctx, user } = app.main;
    await ctx.tx(({ db }) =>
      notify(db, ctx.workspace.id, user.id, { ...notification, model: 'svc.mail.job', resId: 1 }),
    );
    await page.getByText('3 messages').waitFor();
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor();
    await expectFaultless(visitor, 'notifications');
    await page.getByRole('button', { name: 'Mark as read: Import of old mail' }).click();
    await page.getByRole('button', { name: 'Mark all as read' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Notifications, 1 unread' }).waitFor({ state: 'detached' });
  });

  it('changes a shortcut, rejects a key that is already in use, and restores the default', async () => {
    const visitor = await openPage('/app/records/res.partner');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('listbox').or(page.getByRole('grid')).or(page.getByRole('table')).first().waitFor();
    await page.keyboard.press('?');
    await dialog.getByRole('button', { name: 'Change the shortcut for “Show shortcuts”' }).click();
    await page.keyboard.press('h');
    await dialog.locator('kbd', { hasText: /^h$/ }).waitFor();
    await expectFaultless(visitor, 'changed keys');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.keyboard.press('?');
    await page.keyboard.press('h');
    await dialog.waitFor();
    expect(await dialog.count()).toBe(1);
    await page.goto('/app/profile/preferences');
    await page.getByRole('button', { name: 'Reset all' }).click();
    await page.getByRole('button', { name: 'Reset all' }).waitFor({ state: 'detached' });
    await expectFaultless(visitor, 'the preferences');
  });

  it('ends sessions individually or all others at once, and signs out after a password change', async () => {
    const otherVisitor = await openPage('/app/profile/security');
    await openPage('/app/profile/preferences');
    const visitor = await openPage('/app/profile/security');
    const { page } = visitor;
    await page.getByText('This browser').waitFor();
    await expectFaultless(visitor, 'sign-in');
    const otherLocator = page.getByRole('button', { name: /^Sign out Chrom/ });
    const before = await otherLocator.count();
    await otherLocator.first().click();
    await expect.poll(() => otherLocator.count()).toBe(before - 1);
    await page.getByRole('button', { name: 'Sign out all other sessions' }).click();
    await page.getByLabel('Your password').fill(app.main.user.password);
    await page.keyboard.press('Enter');
    // An open dialog hides the elements behind it from role queries.
    await page.getByRole('dialog', { name: 'Sign out all other sessions' }).waitFor({ state: 'detached' });
    await expect.poll(() => otherLocator.count()).toBe(0);
    await otherVisitor.page.goto('/app/profile/security');
    expect(new URL(otherVisitor.page.url()).pathname).toBe('/login');
    await page.getByLabel('Current password').fill('wrong');
    await page.getByLabel('New password', { exact: true }).fill('a new password');
    await page.getByLabel('Confirm new password').fill('another one');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText("The new passwords don't match.").waitFor();
    await page.getByLabel('Confirm new password').fill('a new password');
    await page.keyboard.press('Enter');
    await page.getByLabel('Current password').and(page.locator('[aria-invalid]')).waitFor();
    await page.getByLabel('Current password').fill(app.main.user.password);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/login');
  });
});
