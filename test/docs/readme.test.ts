import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPython } from '../clients/python.ts';
import { createDatabase } from '../harness/database.ts';
import { startProcess } from '../harness/process.ts';

const run = promisify(execFile);
const python = await findPython('xmlrpc.client', 'python3');
const readme = readFileSync('README.md', 'utf8');

const findFences = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code!);

const getSectionsFrom = (heading: string): string => readme.slice(readme.indexOf(`\n## ${heading}\n`));

let env: NodeJS.ProcessEnv;
const cleanups: (() => unknown)[] = [];
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-readme-'));
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const database = await createDatabase();
  cleanups.push(() => database.drop());
  const guideEnv = { DATA_DIR: dataDir, DATABASE_URL: database.url };
  const app = await startProcess(guideEnv);
  cleanups.push(() => app.end('SIGTERM'));
  const keys = [...app.output().matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]);
  env = { ...process.env, ...guideEnv, ...Object.fromEntries(keys) };
});
afterAll(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});

const runShell = async (text: string): Promise<string> =>
  (await run('bash', ['-euo', 'pipefail', '-c', text], { env })).stdout;

test('the three things to try in the README work as written', async () => {
  const output = await runShell(findFences(getSectionsFrom('Three things to try'), 'sh')[0]!);
  expect(output).toMatch(/"emailId":"[a-z0-9]{20,}"/);
  expect(output).toMatch(/\{"id":\d+,"name":"[^"]+","city":/);
  expect(output).toMatch(/\{"data":\{"partners":\{"nodes":\[\{"name":/);
});

test('the commands of Getting started work as written', async () => {
  const guide = readFileSync('docs/guides/start.md', 'utf8');
  const output = await runShell(findFences(guide, 'sh').join('\n'));
  expect(output).toMatch(/"emailId":"[a-z0-9]{20,}"/);
  expect(output).toMatch(/"x_plate":"AB 123"/);
  expect(output).toMatch(/^login: +ada$/m);
  expect(output).toMatch(/^key: +uk_/m);
});

test('the JavaScript in the README sends an email and shows its id as written', async () => {
  const [program] = findFences(getSectionsFrom('Connect a client'), 'js');
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program!], { env });
  expect(stdout).toMatch(/emailId: '[a-z0-9]{20,}'/);
});

python.describe('with Python', () => {
  test('the Python in the README prints companies as written', async () => {
    const [program] = findFences(getSectionsFrom('Connect a client'), 'python');
    const { stdout } = await run(python.module, ['-c', program!], { env });
    expect(stdout).toMatch(/^\[\{'id': \d+, 'name': '/);
  });
});
