import { expect, it } from 'vitest';
import { readMessages } from './mbox.ts';

async function readAll(text: string, chunk: number) {
  const file = new Blob([text]);
  const all: { text: string; end: number }[] = [];
  for await (const { raw, end } of readMessages(file, chunk))
    all.push({ text: new TextDecoder().decode(raw), end });
  return all;
}

const MBOX =
  'From a@b Wed Mar  4 10:00:00 2020\nSubject: 1\n\nOne\n>From here on\n>>From twice\nFrom the middle\n\n' +
  'From c@d Wed Mar  4 10:00:00 2020\nSubject: 2\n\nTwo\n\n';

it('splits an mbox file into messages for any chunk size', async () => {
  for (const chunk of [1, 2, 7, 64, 10_000]) {
    const all = await readAll(MBOX, chunk);
    expect(all.map(({ text }) => text)).toEqual([
      'Subject: 1\n\nOne\nFrom here on\n>From twice\nFrom the middle\n',
      'Subject: 2\n\nTwo\n',
    ]);
    expect(all.map(({ end }) => end)).toEqual([MBOX.indexOf('From c@d'), MBOX.length]);
  }
});

it('accepts CRLF line endings', async () => {
  const all = await readAll(MBOX.replaceAll('\n', '\r\n'), 9);
  expect(all[1]!.text).toBe('Subject: 2\r\n\r\nTwo\r\n');
  expect(all).toHaveLength(2);
});

it('treats any other file as a single message', async () => {
  const eml = 'Subject: 1\n\nFrom here\n\nFrom there on\n';
  expect(await readAll(eml, 4)).toEqual([{ text: eml, end: eml.length }]);
  expect(await readAll('', 4)).toEqual([]);
});
