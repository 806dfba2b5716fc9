// Builds the documentation site, or serves it: `node scripts/docs.mjs [build|dev|preview]`. VitePress has a separate
// package.json in `docs`, so that the product installs without it.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { hasInstalledPackages } from './hash.mjs';

const docs = fileURLToPath(new URL('../docs', import.meta.url));
const [command = 'build', ...rest] = process.argv.slice(2);

if (!isInstalled()) run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', command, ...rest]);

function isInstalled() {
  const record = `${docs}/node_modules/.package-lock.json`;
  return (
    existsSync(record) &&
    hasInstalledPackages(readFileSync(`${docs}/package-lock.json`, 'utf8'), readFileSync(record, 'utf8'))
  );
}

function run(program, args) {
  const { status } = spawnSync(program, args, { cwd: docs, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
