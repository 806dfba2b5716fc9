import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { until } from '../harness/wait.ts';
import { setUpFirstStart } from './first-start.ts';

const run = promisify(execFile);
const page = readFileSync('docs/guides/mailboxes.md', 'utf8');
const part = page.slice(page.indexOf('\n## First steps\n'), page.indexOf('\n## Access\n'));
const blocks = [...part.matchAll(/^```sh\n(.*?)^```/gms)].map(([, text]) => text!);

const started = setUpFirstStart();

const STATE_MARK = '--- state ---';
const DUMP_STATE = 'declare -p MINE BOBS BOB_KEY PLAN LABEL 2>/dev/null || true; declare -f mail get';

/** Runs a block in a shell with the variables of earlier blocks. @returns its output lines */
async function runShell(text: string): Promise<string[]> {
  const script = `${before}\n${text}\necho '${STATE_MARK}'\n${DUMP_STATE}`;
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { env: started.env });
  const [output, state] = stdout.split(`${STATE_MARK}\n`);
  before = state!;
  return output!.trim().split('\n');
}
let before = '';

const parseJsonLines = (lines: string[]) =>
  lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

test('the first steps of the mailbox guide work as written', async () => {
  const [first, response, label, search, graph] = blocks;
  const sent = parseJsonLines(await runShell(first!)).at(-1);
  expect(sent).toMatchObject({ ok: true });
  await until(async () => {
    const [list] = parseJsonLines(await runShell("mail get_unified_entries $BOB_KEY '{}'"));
    return list.entries.length === 1;
  }, 'it arrives');
  expect(parseJsonLines(await runShell(response!))).toMatchObject([
    { ok: true, transport: { state: 'sent' } },
  ]);
  expect(parseJsonLines(await runShell(label!))).toMatchObject([
    { ok: true },
    { ok: true, count: 1, samples: [{ subject: 'Plan' }] },
    { ok: true, rule_id: expect.any(Number) },
  ]);
  expect(parseJsonLines(await runShell(search!))).toMatchObject([
    { count: 1, entries: [{ subject: 'Plan' }], notes: [] },
    { ok: true, active: true, running: true },
  ]);
  const [changed] = parseJsonLines(await runShell(graph!));
  expect(changed).toMatchObject({ data: { mailSetLabels: { ok: true, error: null } } });
});
