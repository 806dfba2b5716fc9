import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { version } from '../../src/version.ts';
import { type AppProcess, startProcess } from './process.ts';
import { COUNTED_MODELS, createReleaseClient, MARKER, type Release, releasesFolder } from './release.ts';
import { until } from './wait.ts';

// A step of a release: saves an installation of this version, created and filled through its facades, so that tests can
// upgrade it to later versions.

const dataDir = mkdtempSync(join(tmpdir(), 'atrium-release-'));
const secretKey = 'the secret key of a release for tests';
const env = { DATA_DIR: dataDir, SECRET_KEY: secretKey, MAIL_TRANSPORT: 'local' };
const file = join(releasesFolder, `${version}.backup`);

const runCli = (...args: string[]) =>
  execFileSync(process.execPath, ['boot/cli.mjs', ...args], { env: { ...process.env, ...env } });

function parseCredentials(output: string) {
  const find = (pattern: RegExp) => pattern.exec(output)![1]!;
  return {
    login: find(/^ +login +(\S+)$/m),
    password: find(/^ +password +(\S+)$/m),
    userKey: find(/USER_KEY=(\S+)/),
    teamKey: find(/TEAM_KEY=(\S+)/),
    domain: find(/hello@([\w.-]+)>/),
  };
}

async function fillInstallation(server: AppProcess): Promise<Release> {
  const credentials = parseCredentials(server.output());
  const { records, graphql, count, send, email, inbox } = createReleaseClient(server.url, credentials);
  runCli('seed', 'demo', '--workspace', 'main');
  await records('ir.model/create', { vals_list: [{ name: 'Boat', model: 'x_boat' }] });
  await records('x_boat/create', { vals_list: [{ x_name: MARKER }] });
  const datas = Buffer.from(MARKER).toString('base64');
  const [attachmentId] = await records('ir.attachment/create', { vals_list: [{ name: 'note.txt', datas }] });
  const { websitePageCreate: page } = await graphql(
    'mutation { websitePageCreate(name: "Upgrade", addMenu: true, published: true) { id url } }',
  );
  await graphql(
    'mutation($pageId: ID!, $arch: String!) { websiteMarkupSet(pageId: $pageId, arch: $arch) { id } }',
    {
      pageId: page.id,
      arch: `<t t-call="website.layout"><section>${MARKER}</section></t>`,
    },
  );
  const from = `hello@${credentials.domain}`;
  const to = [`${credentials.login}@${credentials.domain}`, 'ann@example.org'];
  const emailId = await send({ from, to, subject: MARKER, text: MARKER });
  await until(async () => (await inbox()).includes(MARKER), 'the mailbox has the email');
  await until(async () => (await email(emailId)).latestStatus === 'DELIVERED', 'the email is delivered');
  return {
    secretKey,
    ...credentials,
    emailId,
    attachmentId,
    page: page.url,
    records: await count(COUNTED_MODELS),
  };
}

try {
  const server = await startProcess(env);
  const release = await fillInstallation(server).finally(() => server.end('SIGTERM'));
  mkdirSync(releasesFolder, { recursive: true });
  rmSync(file, { force: true });
  runCli('backup', file, '--without-key');
  const smaller = gzipSync(gunzipSync(readFileSync(file)), { level: 9 });
  rmSync(file);
  writeFileSync(file, smaller);
  writeFileSync(join(releasesFolder, `${version}.json`), `${JSON.stringify(release, null, 2)}\n`);
  process.stdout.write(`wrote ${file}\n`);
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
