import { expect, test } from 'vitest';
import { startSubmission } from '../../facades/smtp/facade.ts';
import { needsEncodedWords } from '../../src/message/header.ts';
import { getCpuTime } from '../harness/cpu.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { sendOverSmtp } from '../harness/smtp.ts';

const team = setUpTeam();

const buildHeaders = (count: number, value: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`X-${i}`, value]));

test.each([
  ['101 headers', buildHeaders(101, 'v'), '100'],
  ['9,000 headers', buildHeaders(9_000, 'v'), '100'],
  ['headers of more than 64 KB in total', buildHeaders(10, 'ä'.repeat(4_000)), '65536'],
])('rejects an email with %s', async (_, headers, limit) => {
  const before = await team.countWritten();
  const { status, json } = await team.send(buildMail({ headers }));
  expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(json.message).toMatch(/^headers: /);
  expect(json.message).toContain(limit);
  expect(await team.countWritten()).toBe(before);
});

test('sends 100 headers of 64 KB in total', async () => {
  const { status, text } = await team.send(buildMail({ headers: buildHeaders(100, 'v'.repeat(640)) }));
  expect(status, text).toBe(200);
});

test('applies the same limits over SMTP', async () => {
  const facade = await startSubmission(team.runtime, { port: 0 });
  try {
    const plain = { from: 'me@main.test', to: 'bob@example.org', subject: 's', text: 't' };
    const auth = { user: 'anything', pass: team.main.teamKey };
    const send = (count: number) =>
      sendOverSmtp(facade.port, { ...plain, headers: buildHeaders(count, 'v') }, { auth, requireTLS: true });
    await expect(send(101)).rejects.toThrow(/^Message failed: 5\d\d .*at most 100/);
    expect(await send(90)).toMatch(/^250 /);
  } finally {
    await facade.close();
  }
});

test.each([
  ['words', 'plain words', false],
  ['19 spaces', `a${' '.repeat(19)}b`, false],
  ['20 spaces', `a${' '.repeat(20)}b`, true],
  ['899 letters', `a ${'b'.repeat(899)} c`, false],
  ['900 letters', `a ${'b'.repeat(900)} c`, true],
  ['900 letters without spaces', 'b'.repeat(900), true],
  ['a leading space', ' a', true],
  ['non-ASCII letters', 'ä', true],
])('detects whether a header value of %s needs encoded words', (_, value, expected) => {
  expect(needsEncodedWords(value)).toBe(expected);
});

test('checks a value that is hard to fold in linear time', () => {
  const value = `${'a'.repeat(899)} `.repeat(9).slice(0, 8_000).trim();
  const startTime = getCpuTime();
  for (let i = 0; i < 1_000; i++) needsEncodedWords(value);
  // The check took 8 seconds when it restarted at every occurrence.
  expect(getCpuTime() - startTime).toBeLessThan(1_500);
});
