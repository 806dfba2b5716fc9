import { spawn } from 'node:child_process';
import { createWriteStream, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { buildMail } from './lib/mail.ts';
import { openStage } from './lib/stage.ts';

// `node bench/archive.ts` measures export and import of a workspace with 100,000 records and MESSAGES (10,000) 20 kB
// messages, and how much more memory the commands use than a command that only lists workspaces.

const MESSAGES = Number(process.env.MESSAGES ?? 10_000);

const stage = await openStage();
const env = { ...process.env, DATABASE_URL: stage.databaseUrl, DATA_DIR: stage.dataDir };
const printLine = (line: string) => process.stdout.write(`${line}\n`);

interface CommandRun {
  seconds: number;
  /** Peak resident memory in MB. */
  memory: number;
  output: string;
}

function runCommand(...args: string[]): Promise<CommandRun> {
  const startTime = performance.now();
  const child = spawn(process.execPath, ['boot/cli.mjs', ...args, '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [memory, output] = [0, ''];
  child.stdout.on('data', (text) => {
    output += text;
  });
  const timer = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      memory = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 || memory;
    } catch {
      // The process has already exited.
    }
  }, 50);
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearInterval(timer);
      if (code !== 0) reject(new Error(`${args.join(' ')} ended with ${code}`));
      else resolve({ seconds: (performance.now() - startTime) / 1000, memory: Math.round(memory), output });
    });
  });
}

function* generateMbox(): Generator<Buffer> {
  for (let n = 0; n < MESSAGES; n++) {
    yield Buffer.from('From a@example.org Mon Nov 23 10:00:00 2026\n');
    yield Buffer.from(buildMail(`bench-${n}`, n, 'admin@main.localhost').toString().replaceAll('\r\n', '\n'));
    yield Buffer.from('\n\n');
  }
}

try {
  const file = join(stage.dataDir, 'bench.mbox');
  await pipeline(Readable.from(generateMbox()), createWriteStream(file));
  await runCommand('mailbox', 'import', file, '--workspace', 'main', '--mailbox', 'admin@main.localhost');
  rmSync(file);
  const bareRun = await runCommand('workspace', 'list');
  const archive = join(stage.dataDir, 'main.tar.gz');
  const exportedRun = await runCommand('workspace', 'export', 'main', archive);
  const importedRun = await runCommand('workspace', 'import', archive, '--slug', 'copy');
  const { rows, contents } = JSON.parse(importedRun.output);
  const size = Math.round(statSync(archive).size / 1024 ** 2);
  printLine(
    `${rows} rows, ${contents} contents, ${size} MB; a bare command: ${bareRun.memory} MB, ${bareRun.seconds.toFixed(1)} s`,
  );
  for (const [name, ran] of Object.entries({ exported: exportedRun, imported: importedRun }))
    printLine(
      `${name} in ${ran.seconds.toFixed(1)} s, memory + ${ran.memory - bareRun.memory} MB (at most 100)`,
    );
} finally {
  await stage.close();
}
