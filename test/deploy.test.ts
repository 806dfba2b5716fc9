import { execFile } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environment } from '../src/config.ts';
import { limits } from '../src/limits.ts';
import { findPython } from './clients/python.ts';
import { post } from './harness/app.ts';
import { runCli } from './harness/cli.ts';
import { createDatabase } from './harness/database.ts';
import { buildRequest } from './harness/facades/mcp.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { until } from './harness/wait.ts';

// Checks the image, examples/deploy and the client guide's snippets against the running application.

const run = promisify(execFile);
const python = await findPython('smtplib', 'python3');
const readText = (path: string): string => readFileSync(path, 'utf8');
const findFences = (path: string, language: string): string[] =>
  [...readText(path).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(
    (match) => match[1]!,
  );

const cleanups: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of cleanups.reverse()) await end();
});

function createFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'atrium deploy '));
  cleanups.push(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Returns true if Docker adds the path to the build context. The last matching rule decides. */
function isSent(path: string): boolean {
  let isSent = true;
  for (const line of readText('.dockerignore')
    .split('\n')
    .filter((item) => item && !item.startsWith('#'))) {
    const rule = line.replace(/^!/, '');
    const fits = [path, ...getAncestors(path)].some((ancestor) => toPattern(rule).test(ancestor));
    if (fits) isSent = line.startsWith('!');
  }
  return isSent;
}

/** Converts a rule to a pattern. As in Go, `*` also matches names that begin with a dot. */
const toPattern = (rule: string): RegExp =>
  new RegExp(
    `^${rule
      .replace(/[.+]/g, '\\$&')
      .replaceAll('**/', '(?:.+/)?')
      .replace(/(?<!\.)\*(?!\))/g, '[^/]*')}$`,
  );

const getAncestors = (path: string): string[] =>
  dirname(path) === '.' ? [] : [dirname(path), ...getAncestors(dirname(path))];

test('excludes keys, settings, backups and data from the image', () => {
  const secrets = [
    '.env',
    '.env.production',
    'secret.key',
    'src/secret.key',
    'atrium.dump',
    'atrium-2026-01-31.backup',
    'prisma/atrium.backup',
    '.data/postgres.json',
    'data/secret.key',
    '.git/config',
    'boot/.env.local',
    'boot/key.pem',
  ];
  expect(secrets.filter(isSent)).toEqual([]);
  for (const needed of [
    'package.json',
    'CHANGELOG.md',
    'boot/main.mjs',
    'prisma/migrations',
    'scripts/setup.mjs',
  ])
    expect(isSent(needed), needed).toBe(true);
});

test('starts the application from the files in the image', { tags: 'soak' }, async () => {
  const image = createFolder();
  const files = globSync('**/*', { exclude: (path) => /(?:^|\/)(?:node_modules|\.git|\.data)$/.test(path) });
  for (const path of files.filter((file) => isSent(file) && statSync(file).isFile()))
    cpSync(path, join(image, path));
  // Created by the build.
  cpSync('src/db/generated', join(image, 'src/db/generated'), { recursive: true });
  symlinkSync(resolve('node_modules'), join(image, 'node_modules'));
  const database = await createDatabase();
  cleanups.push(() => database.drop());
  const app = await startProcess({ DATABASE_URL: database.url, DATA_DIR: createFolder() }, image);
  cleanups.push(() => app.end('SIGTERM'));
  await until(async () => (await fetch(`${app.url}/api/ready`)).ok, 'it is ready');
  for (const page of ['/', '/doc', '/api/v1/ui'])
    expect((await fetch(app.url + page)).status, page).toBe(200);
});

test('includes the optional image resizing packages in the image', () => {
  const [, retainedPackages] = /tar -cf \S+ -C node_modules (.+) \\$/m.exec(readText('Dockerfile'))!;
  const { dependencies, optionalDependencies } = JSON.parse(readText('package-lock.json')).packages[
    'node_modules/sharp'
  ];
  const needed = Object.keys({ sharp: '', ...dependencies, ...optionalDependencies });
  expect(retainedPackages!.split(' ').sort()).toEqual(
    [...new Set(needed.map((name) => (name.startsWith('@img/') ? '@img' : name)))].sort(),
  );
});

describe('deployment examples', () => {
  const files = globSync('examples/deploy/*');

  test('set only existing settings', () => {
    const settingNames = [...Object.keys(environment.shape), 'NODE_ENV'];
    const usedSettings = files.flatMap((file) =>
      [...readText(file).matchAll(/(?:^Environment=|name: |^# .*with )([A-Z]{2,}(?:_[A-Z]+)*)\b/gm)].map(
        ([, name]) => name!,
      ),
    );
    expect(usedSettings.length).toBeGreaterThan(5);
    expect(usedSettings.filter((name) => !settingNames.includes(name))).toEqual([]);
  });

  test('use the default port and existing files', () => {
    for (const file of files.filter((file) => !file.endsWith('.service')))
      expect(readText(file), file).toMatch(/\b3000\b/);
    const [, command] = /^ExecStart=\/opt\/atrium\/node_modules\/\.bin\/node \S+ (\S+)$/m.exec(
      readText('examples/deploy/atrium.service'),
    )!;
    expect(globSync(command!)).toEqual([command]);
    // Operator commands read only .env, so the unit must not set the data location itself.
    expect(readText('examples/deploy/atrium.service')).not.toMatch(/^Environment=.*DATA_DIR/m);
    const stop = Number(/^TimeoutStopSec=(\d+)/m.exec(readText('examples/deploy/atrium.service'))![1]);
    expect(stop * 1_000).toBeGreaterThan(5_000 + limits.http.drainTime);
  });
});

describe('examples with a running server', () => {
  let app: AppProcess;
  let port: string;
  const dataDir = createFolder();
  const buildKey = (name: string) => new RegExp(`${name}=(\\S+)`).exec(app.output())![1]!;

  beforeAll(async () => {
    app = await startProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'info', SMTP_SUBMISSION_PORT: '0' });
    cleanups.push(() => app.end('SIGTERM'));
    port = /"port":(\d+)[^\n]*"msg":"listening for SMTP/.exec(app.output())![1]!;
    await until(async () => (await fetch(`${app.url}/api/ready`)).ok, 'it is ready');
  });

  test('use existing paths', async () => {
    const text = globSync('examples/deploy/*').map(readText).join('\n');
    const paths = new Set(text.match(/\/(?:api\/\w+|metrics)\b/g));
    expect([...paths].sort()).toEqual(['/api/health', '/api/ready', '/metrics']);
    for (const path of paths) expect((await fetch(app.url + path)).status, path).toBe(200);
  });

  test('connect each MCP client with its key', async () => {
    const enabledResult = await runCli({ DATA_DIR: dataDir }, 'mcp', 'enable', '--workspace', 'main');
    expect(enabledResult.stderr).toBe('');
    const configurations = findFences('docs/guides/clients.md', 'json');
    expect(configurations).toHaveLength(3);
    for (const text of configurations) {
      expect(() => JSON.parse(text)).not.toThrow();
      const [url] = /https:\/\/atrium\.example\.com[^"]*/.exec(text)!;
      const answer = await post(
        url.replace('https://atrium.example.com', app.url),
        buildRequest('tools/list'),
        buildKey('USER_KEY'),
      );
      expect([answer.status, answer.json().result.tools.length > 0]).toEqual([200, true]);
    }
  });

  const buildEnv = () => ({ ...process.env, SMTP_PORT: port, TEAM_KEY: buildKey('TEAM_KEY') });

  test('send through nodemailer as in the guide', async () => {
    const [script] = findFences('docs/guides/clients.md', 'js');
    const path = resolve(`test/.clients-${process.pid}.mjs`);
    cleanups.push(() => rmSync(path, { force: true }));
    writeFileSync(path, script!);
    const { stdout } = await run(process.execPath, [path], { env: buildEnv() });
    expect(stdout).toMatch(/^250 2\.0\.0 Ok: queued as/);
  });

  python.describe('with Python', () => {
    test('send through smtplib as in the guide', async () => {
      const [script] = findFences('docs/guides/clients.md', 'python');
      const { stdout } = await run(python.module, ['-c', script!], { env: buildEnv() });
      expect(stdout).toBe('sent\n');
    });
  });
});
