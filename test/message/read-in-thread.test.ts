import { expect, it } from 'vitest';
import { parseMaterialInThread } from '../../schema/mailbox/messages/parse-in-thread.ts';
import { loadMailSource } from '../../src/message/parse/material.ts';
import { parseMail } from '../../src/message/parse/message.ts';
import { buildRawMail } from './parse/raw-text.ts';

const buildRaw = () =>
  buildRawMail(
    'From: =?utf-8?Q?J=C3=B6rg?= <a@b.c>',
    'Subject: x',
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: text/html; charset=cp437',
    '',
    '<p>caf\x82</p>',
    '--x',
    'Content-Type: image/png; name=a.png',
    '',
    'a',
    '--x--',
  );

it('parses a message with the same result as on the main thread', async () => {
  const mail = await parseMaterialInThread(await loadMailSource(buildRaw()), { ms: 30_000, holder: 1 });
  expect(mail).toEqual(await parseMail(buildRaw()));
  expect(mail.text).toBe('café');
});

it('returns a placeholder if parsing times out, and parses the next message', async () => {
  expect(await parseMaterialInThread(await loadMailSource(buildRaw()), { ms: 0, holder: 1 })).toMatchObject({
    state: 'placeholder',
    subject: 'x',
    from: [{ name: 'Jörg', address: 'a@b.c' }],
    text: '',
  });
  expect(
    (await parseMaterialInThread(await loadMailSource(buildRaw()), { ms: 30_000, holder: 1 })).state,
  ).toBe('parsed');
});

it('throws the error of a failed read instead of returning a placeholder', async () => {
  const broken = {
    size: 10,
    // biome-ignore lint/correctness/useYield: throws before it could yield
    async *read(): AsyncGenerator<Uint8Array> {
      throw new Error('the store is away');
    },
  };
  await expect(loadMailSource(broken)).rejects.toThrow('the store is away');
});
