// `npm run dev`: runs the server and restarts it when its source changes. Serves the browser application at the same
// address, with Vite's hot reload.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative, resolve } from 'node:path';
import pretty from 'pino-pretty';
import { createServer as createVite } from 'vite';
import { ConfigError, loadConfig, parseEnvFile } from '../src/config.ts';
import { startEmbedded } from '../src/db/embedded/embedded.ts';
import { describeFailure } from '../src/describe-failure.ts';
import { routeRequests } from './dev/front.mjs';
import { createServerProcess } from './dev/server-process.mjs';
import { watchTree } from './dev/watch.mjs';

const root = join(import.meta.dirname, '..');

const SERVER_FOLDERS = ['apps', 'boot', 'facades', 'prisma', 'schema', 'src'];

/** Excludes editors' temporary files. */
const SOURCE = /\.(?:css|env|graphql|html|js|json|mjs|prisma|sql|svg|ts)$/;

/** Editors and Git write several files at once. */
const DEBOUNCE_MS = 50;

const env = { ...parseEnvFile(), ...process.env };
const output = process.stdout.isTTY ? pretty({ ignore: 'pid,hostname' }) : process.stdout;
const print = (text) => output.write(`${text}\n`);
let config;
let server;
let database;
let isEnding = false;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopAndExit(0));
process.on('exit', () => server?.interrupt());
try {
  await startDevServer();
} catch (error) {
  const reason = error instanceof ConfigError ? error.message : describeFailure(error, config);
  process.stderr.write(`Atrium could not start: ${reason}\n`);
  await stopAndExit(1);
}

async function startDevServer() {
  config = loadConfig(env, () => '');
  const front = createServer();
  const port = await listen(front, config.port);
  const publicUrl = config.publicUrl.replace(/:0$/, `:${port}`);
  const address = { host: config.host, port: await findFreePort() };
  server = createServerProcess(buildServerEnv(publicUrl, address.port), print);
  const vite = config.web ? startVite(front, publicUrl) : null;
  routeRequests(front, { server, address, vite });
  // Started here, because the server would stop its own database at each restart.
  database = config.databaseUrl ? null : startEmbedded(config.dataDir);
  await Promise.all([database, vite]);
  if (isEnding) return;
  watchSource();
  server.start();
}

/** Omits the variables of `.env`, which the server reads at each start. */
function buildServerEnv(publicUrl, port) {
  const logDefaults = env.LOG_LEVEL ? {} : { LOG_LEVEL: 'warn' };
  return { ...process.env, ...logDefaults, PUBLIC_URL: publicUrl, PORT: String(port) };
}

function startVite(front, publicUrl) {
  return createVite({
    configFile: join(root, 'web/vite.config.ts'),
    cacheDir: join(config.dataDir, 'vite'),
    server: {
      middlewareMode: true,
      ws: { server: front },
      allowedHosts: [`.${new URL(publicUrl).hostname}`],
    },
  });
}

async function listen(http, port) {
  http.listen(port, config.host);
  await once(http, 'listening');
  return http.address().port;
}

async function findFreePort() {
  const http = createServer();
  const port = await listen(http, 0);
  http.close();
  return port;
}

function watchSource() {
  const changed = new Set();
  let timer;
  const restart = createSerialRunner(async () => {
    const files = [...changed];
    changed.clear();
    if (files.length > 0) await restartServer(files);
  });
  const writeTypes = createSerialRunner(() => runSetup('--types'));
  const onChange = (path) => {
    const file = relative(root, path);
    if (!SOURCE.test(file)) return;
    if (file.endsWith('.graphql')) return writeTypes();
    if (file.startsWith('web/') || file === 'boot/operations.ts') return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(restart, DEBOUNCE_MS);
  };
  const appsDir = env.APPS_DIR?.trim();
  for (const folder of [...SERVER_FOLDERS, 'web/src']) watchTree(join(root, folder), onChange);
  if (appsDir) watchTree(resolve(appsDir), onChange);
  watch('.', (_event, name) => name === '.env' && onChange(resolve(name)));
}

async function restartServer(files) {
  print(`dev: ${files[0]}${files.length > 1 ? ` and ${files.length - 1} more` : ''} changed`);
  await server.stop();
  if (files.some((file) => file.endsWith('.prisma')) && !(await runSetup())) return server.fail();
  if (!isEnding) server.start();
}

/** Runs `work` one run at a time. Calls during a run cause one more run. */
function createSerialRunner(work) {
  let isDue = false;
  let isRunning = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      await work();
    }
    isRunning = false;
  };
}

async function runSetup(...flags) {
  const args = [join(root, 'scripts/setup.mjs'), '--no-install', '--no-build', ...flags];
  const [code] = await once(
    spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] }),
    'exit',
  );
  return code === 0;
}

/** Stops the server first, because the last process to disconnect stops the database. */
async function stopAndExit(code) {
  if (isEnding) return;
  isEnding = true;
  await server?.stop();
  await (await database?.catch(() => null))?.stop();
  process.exit(code);
}
