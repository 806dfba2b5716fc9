import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeChanges } from './changes.ts';
import { printProductSdl } from './product-schema.ts';
import { RELEASE_FILE, readReleasedSdl } from './release.ts';

// Compares the GraphQL schema with another one:
// - `npm run schema:diff`: the schema of the last release
// - `npm run schema:diff -- <file.graphql>`: the schema in a file
// - `npm run schema:diff -- --base <git ref>`: the schema that a commit builds

const root = join(import.meta.dirname, '../..');

/** Builds the SDL from a commit's files with this clone's packages. */
function loadCommitSdl(ref: string): string {
  const tree = join(mkdtempSync(join(tmpdir(), 'atrium-schema-')), 'tree');
  try {
    run(root, 'git', ['worktree', 'add', '--quiet', '--detach', tree, ref]);
    symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
    run(tree, process.execPath, ['scripts/setup.mjs', '--no-install', '--types'], { WEB: 'off' });
    return readFileSync(join(tree, 'schema/schema.graphql'), 'utf8');
  } finally {
    spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: root });
    rmSync(join(tree, '..'), { recursive: true, force: true });
  }
}

function run(cwd: string, command: string, args: string[], env: Record<string, string> = {}): void {
  const options = { cwd, env: { ...process.env, ...env }, encoding: 'utf8' } as const;
  const { status, stderr, error } = spawnSync(command, args, options);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr ?? error?.message}`);
}

function loadBaseSdl(file: string | undefined, base: string | undefined): string | null {
  if (base !== undefined) return loadCommitSdl(base);
  return file === undefined ? readReleasedSdl(root) : readFileSync(file, 'utf8');
}

function main(): string {
  const { values, positionals } = parseArgs({
    options: { base: { type: 'string' } },
    allowPositionals: true,
  });
  if (positionals.length + (values.base === undefined ? 0 : 1) > 1)
    throw new Error('Pass either a file or --base <git ref>, not both.');
  const before = loadBaseSdl(positionals[0], values.base);
  if (before === null)
    return `There is no release to compare with: ${RELEASE_FILE} does not exist. Compare with a commit: --base <git ref>.`;
  return describeChanges(before, printProductSdl());
}

try {
  console.log(main());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
