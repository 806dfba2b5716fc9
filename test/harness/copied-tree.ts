import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

/** A copy of the project that a test may change. It shares the installed packages. */
export interface CopiedTree {
  root: string;
  /** Runs a file of the copy with Node. @returns its output @throws with its output if it fails */
  node(file: string, args?: string[], env?: Record<string, string>): Promise<string>;
  remove(): void;
}

export function copyTree(): CopiedTree {
  const copy = mkdtempSync(join(tmpdir(), 'atrium-copy-'));
  const excludedNames = new Set(['node_modules', '.git', '.data']);
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !excludedNames.has(relative(root, path)),
  });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  return {
    root: copy,
    node: async (file, args = [], env = {}) => {
      const options = { cwd: copy, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 };
      const { stdout, stderr } = await run(process.execPath, [file, ...args], options);
      return stdout + stderr;
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
