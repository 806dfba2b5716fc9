import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from './harness/cli.ts';
import { peer } from './harness/peer.ts';

const run = promisify(execFile);
const shell = (name: string) => {
  const found = ['/usr/bin', '/bin', '/usr/local/bin']
    .map((dir) => `${dir}/${name}`)
    .find((path) => existsSync(path));
  return peer(found ?? null, `${name} (apt-get install ${name})`);
};
const [bash, zsh, fish] = [shell('bash'), shell('zsh'), shell('fish')];

async function scriptFor(name: string): Promise<string> {
  const { code, stdout, stderr } = await runCli({}, 'completion', name);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

test('another shell is a mistake that names those there are', async () => {
  const { code, stderr } = await runCli({}, 'completion', 'cmd');
  expect(code).toBe(2);
  expect(stderr).toContain('bash, zsh, fish');
});

bash.describe('in bash', () => {
  let script: string;
  beforeAll(async () => {
    script = await scriptFor('bash');
  });

  /** What pressing Tab at the end of the words offers. */
  async function offered(...words: string[]): Promise<string[]> {
    const asked = `COMP_WORDS=(atrium ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _atrium`;
    const { stdout } = await run(bash.found, [
      '-c',
      `${script}\n${asked}; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ]);
    return stdout.split('\n').filter(Boolean);
  }

  test('nouns, their commands and the options of a command are offered', async () => {
    expect(await offered('')).toEqual(expect.arrayContaining(['workspace', 'user', 'doctor', '--version']));
    expect(await offered('wor')).toEqual(['workspace']);
    expect(await offered('workspace', '')).toEqual(expect.arrayContaining(['create', 'list', 'rename']));
    expect(await offered('workspace', '')).not.toContain('user');
    expect(await offered('user', 'create', 'ann', '--')).toEqual(
      expect.arrayContaining(['--workspace', '--admin', '--json', '--help']),
    );
    expect(await offered('--json', 'domain', 'ver')).toEqual(['verify']);
  });

  test('its function runs the commands', async () => {
    const { stdout } = await run(bash.found, ['-c', `${script}\natrium --version`]);
    expect(stdout).toMatch(/^atrium \d/);
  });
});

describe('in other shells', () => {
  zsh.describe('zsh', () => {
    test('the script is one that zsh reads', async () => {
      await run(zsh.found, ['-n', '-c', await scriptFor('zsh')]);
    });
  });
  fish.describe('fish', () => {
    test('the script is one that fish reads, and offers the commands of a noun', async () => {
      const asked = `${await scriptFor('fish')}\ncomplete -C 'atrium workspace '`;
      const { stdout } = await run(fish.found, ['-c', asked]);
      expect(stdout).toMatch(/^create\t/m);
    });
  });
});
