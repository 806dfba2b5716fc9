import type { ImapFlow, SearchObject } from 'imapflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { type Dovecot, dovecot, startDovecot } from '../standins/dovecot.ts';
import { callMailOk, loadMailbox, type Mailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

// Compares search results with Dovecot's. Dovecot also matches parts of words, so no word here contains another.

const WORDS = ['budget', 'review', 'réunion', 'Straßburg', '請求書', 'Київ', 'harbour', 'kumquat', 'ledger'];
const PEOPLE = ['Ann Berg <ann@example.com>', 'Zoë Quill <zoe@example.org>', 'Cid <cid@example.net>'];
const NAMES = ['Ann', 'Zoë', 'Cid'];
const MESSAGES = 80;

const encodeHeader = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
const formatPerson = (person: string): string => {
  const [, name, address] = /^(.*) (<.*>)$/.exec(person)!;
  return `${encodeHeader(name!)} ${address}`;
};

let state = 5;
const nextRandom = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x80000000;
};
const randomBelow = (n: number) => Math.floor(nextRandom() * n);
const pickOne = <T>(list: readonly T[]): T => list[randomBelow(list.length)]!;
const pickWords = (max: number) =>
  Array.from({ length: 1 + randomBelow(max) }, () => pickOne(WORDS)).join(' ');

function buildRaw(number: number): string {
  const body = `${pickWords(6)}\r\n${'.'.repeat(randomBelow(4) * 1_000)}\r\n`;
  const isBase64 = nextRandom() < 0.5;
  return [
    `From: ${formatPerson(pickOne(PEOPLE))}`,
    `To: ${formatPerson(pickOne(PEOPLE))}`,
    `Subject: ${encodeHeader(pickWords(3))}`,
    `Date: ${new Date(Date.UTC(2026, 6, 1 + randomBelow(31), randomBelow(24))).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <m${number}@search.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Transfer-Encoding: ${isBase64 ? 'base64' : '8bit'}`,
    '',
    isBase64 ? Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\r\n') : body,
  ].join('\r\n');
}

interface SearchPair {
  ours: string;
  theirs: SearchObject;
}

const buildDate = (day: number) => new Date(Date.UTC(2026, 6, day));
const formatDay = (day: number) => `2026/07/${String(day).padStart(2, '0')}`;

const TERMS: (() => SearchPair)[] = [
  () => buildPair(pickOne(WORDS), (text) => ({ text })),
  () => buildPair(pickOne(WORDS), (text) => ({ text })),
  () => buildPair(`${pickOne(WORDS)} ${pickOne(WORDS)}`, (text) => ({ text }), '"'),
  () => buildPair(pickOne(WORDS), (subject) => ({ subject }), '', 'subject:'),
  () => buildPair(pickOne(NAMES), (from) => ({ from }), '', 'from:'),
  () => buildPair(pickOne(NAMES), (to) => ({ to }), '', 'to:'),
  () => {
    const bytes = 500 + randomBelow(4_000);
    return pickOne([
      { ours: `larger:${bytes}`, theirs: { larger: bytes } },
      { ours: `smaller:${bytes}`, theirs: { smaller: bytes } },
    ]);
  },
  () => {
    const day = 1 + randomBelow(31);
    return pickOne([
      { ours: `after:${formatDay(day)}`, theirs: { sentSince: buildDate(day) } },
      { ours: `before:${formatDay(day)}`, theirs: { sentBefore: buildDate(day) } },
    ]);
  },
];

const buildPair = (
  text: string,
  query: (text: string) => SearchObject,
  quote = '',
  field = '',
): SearchPair => ({
  ours: `${field}${quote}${text}${quote}`,
  theirs: query(text),
});

function randomSearch(): SearchPair {
  const [first, second, third] = [pickOne(TERMS)(), pickOne(TERMS)(), pickOne(TERMS)()];
  switch (randomBelow(4)) {
    case 0:
      return first;
    case 1:
      return { ours: `-${first.ours}`, theirs: { not: first.theirs } };
    case 2:
      return {
        ours: `{${first.ours} ${second.ours}} -${third.ours}`,
        theirs: { or: [first.theirs, second.theirs], not: third.theirs },
      };
    default:
      return {
        ours: `${first.ours} -${second.ours}`,
        theirs: { ...first.theirs, not: second.theirs },
      };
  }
}

dovecot.describe('with Dovecot', () => {
  let app: App;
  let mailbox: Mailbox;
  let server: Dovecot;
  let client: ImapFlow;
  const numbers = new Map<number, number>();

  beforeAll(async () => {
    app = await startApp();
    mailbox = await loadMailbox(app.main.ctx, app.main.user.id);
    server = await startDovecot();
    client = await server.signIn();
    for (let number = 1; number <= MESSAGES; number++) {
      const raw = buildRaw(number);
      await client.append('INBOX', Buffer.from(raw));
      numbers.set(await fileRaw(app.main, mailbox, raw), number);
    }
    await client.mailboxOpen('INBOX', { readOnly: true });
  });
  afterAll(async () => {
    await client.logout();
    await server.end();
    await app.close();
  });

  test("finds the same messages as Dovecot's IMAP SEARCH", async () => {
    let matchCount = 0;
    for (let i = 0; i < 200; i++) {
      const { ours, theirs } = randomSearch();
      const { entries } = await callMailOk(app, 'get_entries', {
        folder_id: mailbox.folders.inbox,
        search: ours,
        limit: 200,
      });
      const ids = entries
        .map(({ entry_id }: { entry_id: number }) => numbers.get(entry_id))
        .sort((a: number, b: number) => a - b);
      expect([ours, ids]).toEqual([ours, await client.search(theirs)]);
      matchCount += ids.length;
    }
    expect(matchCount).toBeGreaterThan(1_000);
  });
});
