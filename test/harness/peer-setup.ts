import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Lists the missing peers at the end of the run, so that no test is skipped silently. */
export function setup(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-peers-'));
  const file = join(folder, 'missing');
  project.provide('missingPeers', file);
  return () => {
    const missing = existsSync(file) ? new Set(readFileSync(file, 'utf8').trim().split('\n')) : [];
    for (const want of missing) process.stderr.write(`\nNOT TESTED: ${want} is missing\n`);
    rmSync(folder, { recursive: true, force: true });
  };
}
