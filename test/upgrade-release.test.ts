import { describe, expect, test, vi } from 'vitest';
import { post } from './harness/app.ts';
import { cleanUp, createTestFolder } from './harness/cleanup.ts';
import { runCli } from './harness/cli.ts';
import { createBareDatabase } from './harness/database.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import {
  COUNTED_MODELS,
  createReleaseClient,
  listReleases,
  MARKER,
  type Release,
} from './harness/release.ts';
import { until } from './harness/wait.ts';

// Restores installations of released versions, starts this version and calls it over its protocols.

vi.setConfig({ testTimeout: 240_000 });

async function startUpgraded(file: string, { secretKey }: Release): Promise<AppProcess> {
  const { url, drop } = await createBareDatabase();
  cleanUp(drop);
  const env = {
    DATABASE_URL: url,
    DATA_DIR: createTestFolder(),
    SECRET_KEY: secretKey,
    MAIL_TRANSPORT: 'local',
  };
  // A restore writes all workspaces, so its statements are excluded from the statement lint.
  const restoredResult = await runCli({ ...env, NODE_OPTIONS: '' }, 'restore', file);
  expect(restoredResult.code, restoredResult.stderr).toBe(0);
  const server = await startProcess(env);
  cleanUp(() => server.end('SIGTERM'));
  return server;
}

test('includes a released version in the fixtures', () => {
  expect(listReleases().length).toBeGreaterThan(0);
});

describe.each(listReleases())('an installation of $version', ({ file, release }) => {
  test('keeps its accounts, records, emails, mailboxes, attachments and website', async () => {
    const server = await startUpgraded(file, release);
    const { login, password, emailId, attachmentId, domain } = release;
    const { records, graphql, count, email, inbox, send } = createReleaseClient(server.url, release);

    const signIn = { jsonrpc: '2.0', method: 'call', params: { db: 'main', login, password } };
    const session = await post(`${server.url}/web/session/authenticate`, signIn);
    expect(session.json().result).toMatchObject({ username: login });
    expect(await count(COUNTED_MODELS)).toEqual(release.records);
    expect(await email(emailId)).toMatchObject({ subject: MARKER, latestStatus: 'DELIVERED' });
    expect(await inbox()).toContain(MARKER);
    const [note] = await records('ir.attachment/read', { ids: [attachmentId], fields: ['datas'] });
    expect(Buffer.from(note.datas, 'base64').toString()).toBe(MARKER);
    const [boat] = await records('x_boat/search_read', { domain: [], fields: ['x_name'] });
    expect(boat.x_name).toBe(MARKER);
    const { websitePages } = await graphql('{ websitePages { nodes { id url } } }');
    const page = websitePages.nodes.find(({ url }: { url: string }) => url === release.page);
    const { websitePageMarkup } = await graphql(
      'query($id: ID!) { websitePageMarkup(pageId: $id) { arch } }',
      { id: page.id },
    );
    expect(websitePageMarkup.arch).toContain(MARKER);

    // New records get ids after the existing ones.
    const subject = 'Written after the upgrade';
    const sent = await send({ from: `hello@${domain}`, to: `${login}@${domain}`, subject, text: subject });
    await until(async () => (await inbox()).includes(subject), 'the mailbox has the email');
    expect((await email(sent)).subject).toBe(subject);
    await records('crm.lead/create', { vals_list: [{ name: subject }] });
    expect(await count(['crm.lead'])).toEqual({ 'crm.lead': release.records['crm.lead']! + 1 });
  });
});
