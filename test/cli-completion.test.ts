import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from './harness/cli.ts';
import { definePeer } from './harness/peer.ts';

const run = promisify(execFile);
const findShell = (name: string) => {
  const shellPath = ['/usr/bin', '/bin', '/usr/local/bin']
    .map((dir) => `${dir}/${name}`)
    .find((path) => existsSync(path));
  return definePeer(shellPath ?? null, `${name} (apt-get install ${name})`);
};
const [bash, zsh, fish] = [findShell('bash'), findShell('zsh'), findShell('fish')];

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
function createFolder(): string {
  folders.push(mkdtempSync(join(tmpdir(), 'atrium away ')));
  return folders.at(-1)!;
}

async function loadScript(name: string): Promise<string> {
  const { code, stdout, stderr } = await runCli({}, 'completion', name);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

test('rejects an unknown shell and lists the supported ones', async () => {
  const { code, stderr } = await runCli({}, 'completion', 'cmd');
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});

bash.describe('in bash', () => {
  let script: string;
  beforeAll(async () => {
    script = await loadScript('bash');
  });

  async function complete(...args: string[]): Promise<string[]> {
    const command = `COMP_WORDS=(atrium ${args.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${args.length}; _atrium`;
    const { stdout } = await run(bash.module, [
      '-c',
      `${script}\n${command}; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]);
    return stdout.split('\n').filter(Boolean);
  }

  test('completes command groups, their commands and options', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(['workspace', 'user', 'doctor', '--version']));
    expect(await complete('wor')).toEqual(['workspace']);
    expect(await complete('workspace', '')).toEqual(expect.arrayContaining(['create', 'list', 'rename']));
    expect(await complete('workspace', '')).not.toContain('user');
    expect(await complete('user', 'create', 'ann', '--')).toEqual(
      expect.arrayContaining(['--workspace', '--admin', '--json', '--help']),
    );
    expect(await complete('--json', 'domain', 'ver')).toEqual(['verify']);
  });

  test('defines a shell function that runs the command', async () => {
    const { stdout } = await run(bash.module, ['-c', `${script}\natrium --version`]);
    expect(stdout).toMatch(/^atrium \d/);
  });
});

describe.each([
  ['bash', bash, ['-c']],
  ['zsh', zsh, ['-f', '-c']],
  ['fish', fish, ['--no-config', '-c']],
] as const)('shell function in %s', (name, shell, flags) => {
  shell.describe('from any folder', () => {
    /** Returns the output of commands that run in a different folder than the script's. */
    async function runInShell(...args: string[]): Promise<string> {
      const script = `${await loadScript(name)}\natrium ${args.join(' ')}`;
      const options = {
        cwd: createFolder(),
        env: { ...process.env, HOME: createFolder(), DATA_DIR: 'here' },
      };
      return run(shell.module, [...flags, script], options).then(
        ({ stdout }) => stdout,
        ({ stderr }: { stderr: string }) => stderr,
      );
    }

    test('runs commands with the settings of the folder in which it was generated', async () => {
      expect(JSON.parse(await runInShell('config', '--json'))).toContainEqual(
        expect.objectContaining({ value: resolve('here') }),
      );
    });

    test('completes paths in the form the caller types them', async () => {
      expect(await runInShell('restore', 'none.backup')).toMatch(/atrium away .*none\.backup/);
    });
  });
});

describe('completion scripts for other shells', () => {
  zsh.describe('zsh', () => {
    test('initialize the zsh completion system if necessary', async () => {
      const script = `${await loadScript('zsh')}\nprint -r -- $_comps[atrium]`;
      const { stdout } = await run(zsh.module, ['-f', '-c', script], {
        env: { ...process.env, HOME: createFolder() },
      });
      expect(stdout).toBe('_atrium\n');
    });
  });
  fish.describe('fish', () => {
    test("complete a group's commands in fish", async () => {
      const script = `${await loadScript('fish')}\ncomplete -C 'atrium workspace '`;
      const { stdout } = await run(fish.module, ['-c', script]);
      expect(stdout).toMatch(/^create\t/m);
    });
  });
});
