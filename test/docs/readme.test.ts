import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findPython } from '../clients/python.ts';
import { setUpFirstStart } from './first-start.ts';

const run = promisify(execFile);
const python = await findPython('xmlrpc.client', 'python3');
const readme = readFileSync('README.md', 'utf8');

const findFences = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code]) => code!);

const getSectionsFrom = (heading: string): string => readme.slice(readme.indexOf(`\n## ${heading}\n`));

const started = setUpFirstStart();

const runShell = async (text: string): Promise<string> =>
  (await run('bash', ['-euo', 'pipefail', '-c', text], { env: started.env })).stdout;

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
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program!], {
    env: started.env,
  });
  expect(stdout).toMatch(/emailId: '[a-z0-9]{20,}'/);
});

python.describe('with Python', () => {
  test('the Python in the README prints companies as written', async () => {
    const [program] = findFences(getSectionsFrom('Connect a client'), 'python');
    const { stdout } = await run(python.module, ['-c', program!], { env: started.env });
    expect(stdout).toMatch(/^\[\{'id': \d+, 'name': '/);
  });
});
