import type { ImapFlow, SearchObject } from 'imapflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { type Dovecot, dovecot, startDovecot } from '../standins/dovecot.ts';
import { type Mailbox, mailboxOf } from './mailboxes.ts';
import { fileRaw, mailCall } from './raw-mail.ts';

// Dovecot searches the same messages. It looks for parts of words too, so no word here is a part of another one.

const WORDS = ['budget', 'review', 'réunion', 'Straßburg', '請求書', 'Київ', 'harbour', 'kumquat', 'ledger'];
const PEOPLE = ['Ann Berg <ann@example.com>', 'Zoë Quill <zoe@example.org>', 'Cid <cid@example.net>'];
const NAMES = ['Ann', 'Zoë', 'Cid'];
const MESSAGES = 80;

const encoded = (text: string): string =>
  /^[\x20-\x7e]*$/.test(text) ? text : `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
const shown = (person: string): string => {
  const [, name, address] = /^(.*) (<.*>)$/.exec(person)!;
  return `${encoded(name!)} ${address}`;
};

/** Numbers that look random and are the same in each run. */
let state = 5;
const next = () => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return state / 0x80000000;
};
const below = (n: number) => Math.floor(next() * n);
const one = <T>(list: readonly T[]): T => list[below(list.length)]!;
const some = (most: number) => Array.from({ length: 1 + below(most) }, () => one(WORDS)).join(' ');

/** A message of 31 days of July. */
function rawOf(number: number): string {
  const body = `${some(6)}\r\n${'.'.repeat(below(4) * 1_000)}\r\n`;
  const isBase64 = next() < 0.5;
  return [
    `From: ${shown(one(PEOPLE))}`,
    `To: ${shown(one(PEOPLE))}`,
    `Subject: ${encoded(some(3))}`,
    `Date: ${new Date(Date.UTC(2026, 6, 1 + below(31), below(24))).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <m${number}@search.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Transfer-Encoding: ${isBase64 ? 'base64' : '8bit'}`,
    '',
    isBase64 ? Buffer.from(body).toString('base64').replace(/.{76}/g, '$&\r\n') : body,
  ].join('\r\n');
}

interface Asked {
  ours: string;
  theirs: SearchObject;
}

const july = (day: number) => new Date(Date.UTC(2026, 6, day));
const dayText = (day: number) => `2026/07/${String(day).padStart(2, '0')}`;

const TERMS: (() => Asked)[] = [
  () => both(one(WORDS), (text) => ({ text })),
  () => both(one(WORDS), (text) => ({ text })),
  () => both(`${one(WORDS)} ${one(WORDS)}`, (text) => ({ text }), '"'),
  () => both(one(WORDS), (subject) => ({ subject }), '', 'subject:'),
  () => both(one(NAMES), (from) => ({ from }), '', 'from:'),
  () => both(one(NAMES), (to) => ({ to }), '', 'to:'),
  () => {
    const bytes = 500 + below(4_000);
    return one([
      { ours: `larger:${bytes}`, theirs: { larger: bytes } },
      { ours: `smaller:${bytes}`, theirs: { smaller: bytes } },
    ]);
  },
  () => {
    const day = 1 + below(31);
    return one([
      { ours: `after:${dayText(day)}`, theirs: { sentSince: july(day) } },
      { ours: `before:${dayText(day)}`, theirs: { sentBefore: july(day) } },
    ]);
  },
];

const both = (text: string, asked: (text: string) => SearchObject, quote = '', field = ''): Asked => ({
  ours: `${field}${quote}${text}${quote}`,
  theirs: asked(text),
});

/** One to three conditions, some of them turned round or in a choice of two. */
function randomSearch(): Asked {
  const [first, second, third] = [one(TERMS)(), one(TERMS)(), one(TERMS)()];
  switch (below(4)) {
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
  /** Numbers of the messages by their ids here. */
  const numbers = new Map<number, number>();

  beforeAll(async () => {
    app = await startApp();
    mailbox = await mailboxOf(app.main.ctx, app.main.user.id);
    server = await startDovecot();
    client = await server.signIn();
    for (let number = 1; number <= MESSAGES; number++) {
      const raw = rawOf(number);
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

  test('a search finds what SEARCH of IMAP finds', async () => {
    let found = 0;
    for (let i = 0; i < 200; i++) {
      const { ours, theirs } = randomSearch();
      const answer = await mailCall(app, app.main.user.key)('get_entries', {
        folder_id: mailbox.folders.inbox,
        search: ours,
        limit: 200,
      });
      const its = answer
        .json()
        .entries.map(({ entry_id }: { entry_id: number }) => numbers.get(entry_id))
        .sort((a: number, b: number) => a - b);
      expect([ours, its]).toEqual([ours, await client.search(theirs)]);
      found += its.length;
    }
    expect(found).toBeGreaterThan(1_000);
  });
});
