import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Runs `end` after the current test. Later registrations run first. */
export const cleanUp = (end: () => unknown): void =>
  onTestFinished(async () => {
    await end();
  });

/** Creates a folder that is removed after the current test. */
export function createTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atrium test '));
  cleanUp(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
