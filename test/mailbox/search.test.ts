import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { computeMessageKey, type Filing, fileEntries } from '../../schema/mailbox/messages/file-entries.ts';
import { storeContent } from '../../schema/mailbox/messages/store-content.ts';
import { sql } from '../../src/db/sql.ts';
import { parseSearch } from '../../src/message/search/grammar.ts';
import { matchesSearch, type SearchedMessage } from '../../src/message/search/match.ts';
import { extractMessageWords } from '../../src/message/search/words.ts';
import { computeThreadKeys } from '../../src/message/thread/refs.ts';
import { setUpApp } from '../harness/app.ts';
import {
  callMail,
  callMailOk,
  createSharedMailbox,
  type Mailbox,
  queryGraphql,
  setMailFeature,
  setUpMailbox,
} from './mailboxes.ts';

const app = setUpApp();
const box = setUpMailbox(app);
let labels: { id: number; name: string }[];

const filed = new Map<number, SearchedMessage>();

const parsePerson = (address: string) => {
  const [, name, email] = /^(?:(.*) )?<?([^<>\s]+)>?$/.exec(address)!;
  return { name: name ?? '', email: email! };
};

const buildPart = (filename: string) => ({
  path: '2',
  type: 'application/pdf',
  filename,
  charset: null,
  cid: null,
  role: 'attachment',
  encoding: 'base64',
  bodyFrom: 0,
  bodyTo: 0,
  size: 10,
});

async function fileSearchable(mailbox: Mailbox, message: SearchedMessage): Promise<number> {
  const { ctx } = app.main;
  const rawHash = randomBytes(16).toString('hex');
  const messageId = message.messageId?.replace(/[<>]/g, '') ?? `${rawHash}@example.org`;
  const contentId = await storeContent(ctx, {
    rawHash,
    rawWhole: true,
    size: message.size,
    subject: message.subject,
    from: parsePerson(message.from),
    recipients: { to: message.to.map(parsePerson), cc: (message.cc ?? []).map(parsePerson), replyTo: [] },
    dateHeader: null,
    messageId,
    inReplyTo: null,
    references: [],
    listId: message.listId ?? null,
    snippet: '',
    text: message.text,
    hasHtml: false,
    isAutomatic: false,
    verdicts: null,
    state: 'parsed',
    parts: (message.hasAttachments && message.attachments.length === 0 ? [''] : message.attachments).map(
      buildPart,
    ),
  });
  const filing: Filing = {
    folderId: mailbox.folders[message.folderRole as keyof Mailbox['folders']],
    contentId,
    size: message.size,
    date: message.date,
    key: computeMessageKey(messageId, rawHash),
    threads: computeThreadKeys({ messageId, inReplyTo: '', references: '', subject: message.subject }),
    words: extractMessageWords(message),
    isRead: message.isRead,
    isStarred: message.isStarred,
    source: 'import',
    envelope: { to: message.deliveredTo ?? [], bcc: (message.bcc ?? []).map(parsePerson) },
    labelIds: labels.filter(({ name }) => message.labels.includes(name)).map(({ id }) => id),
  };
  const [id] = await ctx.tx((tx) => fileEntries(tx, mailbox.id, [filing]));
  await app.runtime.db.rows(
    sql`update svc_mail_entry set is_answered = ${message.isAnswered}
     where workspace_id = ${ctx.workspace.id} and id = ${id!}`,
  );
  filed.set(id!, { ...message, messageId: `<${messageId}>`, thread: String(id) });
  return id!;
}

const PLAIN: SearchedMessage = {
  subject: 'A subject',
  from: 'sender@example.org',
  to: ['to@example.org'],
  attachments: [],
  hasAttachments: false,
  text: 'Some text.',
  size: 100,
  date: new Date('2026-03-04T05:06:07Z'),
  isRead: false,
  isStarred: false,
  isAnswered: false,
  folderRole: 'inbox',
  folderName: 'Inbox',
  labels: [],
};

const WORDS = [
  'budget',
  'review',
  'plan',
  'Büro',
  'réunion',
  '請求書',
  '来週',
  'red',
  'reading',
  'café',
  'x1',
  'the',
  // Decomposed accents, case folding to two letters, and full-width forms
  'cafe\u0301',
  'Straße',
  'strasse',
  'Ａ１',
  'ΟΔΟΣ',
  'Київ',
  // Scripts without spaces, a single character, and mixed scripts
  '서울회의',
  'ภาษาไทย',
  '水',
  '請求書2026年',
  'e-mail',
  "don't",
  'ann.berg@example.com',
];
const PEOPLE = [
  '渡辺 <watanabe@example.jp>',
  'Ann Bérg <ann.berg@example.com>',
  'bob@x.org',
  'Cid <cid@y.org>',
  'dora+news@z.org',
];

function createDice(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
  return {
    chance: (share: number) => next() < share,
    below: (n: number) => Math.floor(next() * n),
    one: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
  };
}

type Dice = ReturnType<typeof createDice>;

const randomText = (roll: Dice, n: number) =>
  Array.from({ length: 1 + roll.below(n) }, () => roll.one(WORDS)).join(' ');

const NO_FILE = { attachments: [] as string[], hasAttachments: false };
const buildNamedFiles = (roll: Dice) => ({
  attachments: [`${roll.one(WORDS)} ${roll.one(WORDS)}.pdf`],
  hasAttachments: true,
});

const randomMessage = (roll: Dice): SearchedMessage => {
  const role = roll.one(['inbox', 'inbox', 'archive', 'sent', 'trash', 'spam'] as const);
  return {
    subject: randomText(roll, 4),
    from: roll.one(PEOPLE),
    to: [roll.one(PEOPLE)],
    cc: roll.chance(0.3) ? [roll.one(PEOPLE)] : [],
    bcc: roll.chance(0.1) ? [roll.one(PEOPLE)] : [],
    ...roll.one([
      NO_FILE,
      NO_FILE,
      NO_FILE,
      { attachments: [], hasAttachments: true },
      buildNamedFiles(roll),
    ]),
    listId: roll.chance(0.1) ? 'Developers <dev.lists.example.com>' : undefined,
    text: randomText(roll, 12),
    deliveredTo: roll.chance(0.5) ? ['Me+news@Example.com'] : [],
    size: roll.chance(0.4) ? 1024 * (1 + roll.below(18)) : 1 + roll.below(20_000),
    date: new Date(Date.parse('2026-03-01T00:00:00Z') + roll.below(40 * 24) * 3_600_000),
    isRead: roll.chance(0.5),
    isStarred: roll.chance(0.2),
    isAnswered: roll.chance(0.2),
    folderRole: role,
    folderName: role[0]!.toUpperCase() + role.slice(1),
    labels: ['Big deals', 'Büro'].filter(() => roll.chance(0.2)),
  };
};

const TERMS: ((roll: Dice) => string)[] = [
  (roll) => roll.one(WORDS),
  (roll) => roll.one(WORDS),
  (roll) => `"${roll.one(WORDS)} ${roll.one(WORDS)}"`,
  (roll) => `${roll.one(['rea', 'bud', 'pla', '請', 'caf', 'str', 'κιε', 'киї', '서'])}*`,
  (roll) => `"${roll.one(WORDS)} ${roll.one(WORDS)} ${roll.one(WORDS)}"`,
  (roll) => `-"${roll.one(WORDS)} ${roll.one(WORDS)}"`,
  (roll) => `${roll.one(['from:ann', 'to:ber', 'subject:bud', 'filename:pla', 'from:渡'])}*`,
  (roll) => roll.one(['求', '議', 'ไท', 'cafe', 'straße', 'STRASSE', 'a1', 'οδος', 'example.com', 'mail']),
  (roll) => `${roll.one(['newer_than', 'older_than'])}:${roll.one(['200d', '7m', '8m', '250d', '1y'])}`,
  (roll) =>
    `${roll.one(['after', 'before', 'older', 'newer'])}:2026-0${roll.one([3, 4])}-${10 + roll.below(20)}`,
  (roll) => `in:inbox -{${roll.one(WORDS)} has:attachment}`,
  (roll) =>
    `${roll.one(['subject', 'from', 'to', 'cc', 'bcc', 'filename', 'list'])}:${roll.one([...WORDS, 'ann', 'bob@x.org', 'dev'])}`,
  (roll) => `subject:"${roll.one(WORDS)} ${roll.one(WORDS)}"`,
  (roll) => `is:${roll.one(['read', 'unread', 'starred', 'answered'])}`,
  () => 'has:attachment',
  (roll) => `${roll.one(['after', 'before'])}:2026/03/${10 + roll.below(20)}`,
  (roll) => `${roll.one(['larger', 'smaller'])}:${1 + roll.below(18)}K`,
  (roll) => `in:${roll.one(['inbox', 'sent', 'trash', 'spam', 'archive', 'anywhere'])}`,
  (roll) => `label:${roll.one(['büro', '"big deals"'])}`,
  () => 'deliveredto:me+news@example.com',
];

function randomSearch(roll: Dice, depth = 2): string {
  const terms = Array.from({ length: 1 + roll.below(3) }, () => {
    const minus = roll.chance(0.25) ? '-' : '';
    if (depth > 0 && roll.chance(0.3)) {
      const [open, close] = roll.one(['()', '{}']);
      return `${minus}${open}${randomSearch(roll, depth - 1)}${close}`;
    }
    return `${minus}${roll.one(TERMS)(roll)}`;
  });
  return terms.join(roll.chance(0.3) ? ' OR ' : ' ');
}

const search = (text: string, overrides: object = {}) =>
  callMailOk(app, 'get_entries', { folder_id: box.folders.inbox, limit: 200, search: text, ...overrides });

/** Returns the start of a day in a time zone. All UTC offsets are multiples of 15 minutes. */
function startOfDayIn(zone: string, day: string): Date {
  const dateFormat = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  let at = Date.parse(`${day}T00:00:00Z`) - 15 * 3_600_000;
  while (dateFormat.format(at) < day) at += 15 * 60_000;
  return new Date(at);
}

const setZone = (zone: string | null) =>
  app.runtime.db.rows(
    sql`update res_users set tz = ${zone}::text
     where workspace_id = ${app.main.ctx.workspace.id} and id = ${app.main.user.id}`,
  );

const getEntryIds = (response: { entries: { entry_id: number }[] }) =>
  response.entries.map(({ entry_id }) => entry_id);

beforeAll(async () => {
  labels = [];
  for (const name of ['Big deals', 'Büro']) {
    const { label_id } = await callMailOk(app, 'create_label', { account_id: box.id, name, color: 1 });
    labels.push({ id: label_id, name });
  }
  const roll = createDice(7);
  for (let i = 0; i < 150; i++) await fileSearchable(box, randomMessage(roll));
});

// In Oslo, days start on the previous evening in UTC, and one of these days has 23 hours.
test.each(['UTC', 'Europe/Oslo', 'America/St_Johns'])(
  'finds the same messages as a full scan in the time zone %s, newest first',
  async (zone) => {
    await setZone(zone);
    const roll = createDice(zone.length);
    const clock = { now: new Date(), startOfDay: (day: string) => startOfDayIn(zone, day) };
    let matchCount = 0;
    for (let i = 0; i < 150; i++) {
      const text = randomSearch(roll);
      const { tree } = parseSearch(text, { folders: [], labels: ['Big deals', 'Büro'] });
      const byScan = [...filed]
        .filter(([, message]) => matchesSearch(tree, message, clock))
        .sort(([a, one], [b, other]) => other.date.getTime() - one.date.getTime() || b - a)
        .map(([id]) => id);
      const response = await search(`in:anywhere (${text})`);
      expect([text, getEntryIds(response)]).toEqual([text, byScan]);
      expect(response.count).toBe(byScan.length);
      matchCount += byScan.length;
    }
    expect(matchCount).toBeGreaterThan(1_000);
    await setZone(null);
  },
);

test('each operator finds its message', async () => {
  const id = await fileSearchable(box, {
    ...PLAIN,
    subject: 'Quarterly numbers of Zanzibar',
    from: 'Zoë Quill <zoe.quill@zanzibar.example>',
    to: ['Ypsilon <ypsilon@x.org>'],
    cc: ['copy@zanzibar.example'],
    bcc: ['blind@zanzibar.example'],
    attachments: ['Zanzibar ledger.xlsx'],
    listId: 'Spices <spices.zanzibar.example>',
    text: 'Cloves and nutmeg; vanilla is sold out.',
    deliveredTo: ['Spice+Trade@zanzibar.example'],
    messageId: '<Mixed.Case@zanzibar.example>',
    size: 3 * 1024 * 1024,
    date: new Date('2020-02-29T12:00:00Z'),
    isStarred: true,
    labels: ['Big deals'],
  });
  const searches = [
    ...[
      'zanzibar nutmeg',
      'ZOE',
      '"vanilla is sold"',
      'nutm*',
      'from:quill',
      'from:zoe.quill@zanzibar.example',
    ],
    ...[
      'to:ypsilon',
      'cc:copy',
      'bcc:blind',
      'subject:zanzibar',
      'filename:ledger',
      'list:spices.zanzibar.example',
    ],
    ...[
      'nutmeg has:attachment',
      'nutmeg is:unread',
      'nutmeg is:starred',
      'nutmeg label:"big deals"',
      'nutmeg in:inbox',
    ],
    ...[
      'nutmeg after:2020/02/29 before:2020/03/01',
      'older:2021/01/01 newer:2020/01/01',
      'nutmeg older_than:1y',
    ],
    ...['larger:2M smaller:4M', 'size:2M', 'rfc822msgid:Mixed.Case@zanzibar.example', `thread:${id}`],
    ...['deliveredto:spice+trade@zanzibar.example', 'nutmeg -absent', 'absent OR nutmeg', '{absent nutmeg}'],
  ];
  for (const text of searches) expect([text, getEntryIds(await search(text))]).toEqual([text, [id]]);
  const missed = [
    ...[
      'nutmeg -zanzibar',
      '"sold vanilla"',
      'from:nutmeg',
      'nutmeg is:read',
      'nutmeg in:trash',
      'nutmeg label:büro',
    ],
    ...[
      'nutmeg before:2020/02/29',
      'nutmeg newer_than:1m',
      'rfc822msgid:mixed.case@zanzibar.example',
      'thread:x',
    ],
  ];
  for (const text of missed) expect([text, getEntryIds(await search(text))]).toEqual([text, []]);
});

test('in: searches folders other than the requested one, and all_folders skips hidden folders', async () => {
  const trashedId = await fileSearchable(box, {
    ...PLAIN,
    text: 'kumquat',
    folderRole: 'trash',
    folderName: 'Trash',
  });
  const archivedId = await fileSearchable(box, {
    ...PLAIN,
    text: 'kumquat',
    folderRole: 'archive',
    folderName: 'Archive',
  });
  expect(getEntryIds(await search('kumquat'))).toEqual([]);
  expect(getEntryIds(await search('kumquat', { all_folders: true }))).toEqual([archivedId]);
  expect(getEntryIds(await search('kumquat in:trash'))).toEqual([trashedId]);
  expect(getEntryIds(await search('kumquat in:anywhere'))).toEqual([archivedId, trashedId]);
});

test("interprets days in the mailbox owner's time zone", async () => {
  const id = await fileSearchable(box, {
    ...PLAIN,
    text: 'midnight',
    date: new Date('2026-05-04T23:30:00Z'),
  });
  expect(getEntryIds(await search('midnight after:2026/05/05'))).toEqual([]);
  await setZone('Europe/Berlin');
  expect(getEntryIds(await search('midnight after:2026/05/05'))).toEqual([id]);
  await setZone(null);
});

test('reports unrecognized syntax as a note, never as an error', async () => {
  const { notes } = await search('foo:bar "open in:nowhere label:none');
  expect(notes).toContain('"foo:" is not an operator; it was searched for as a word.');
  for (const text of [
    '((',
    '-',
    '""',
    "'; drop table x --",
    "it's \\ 'quoted' & !",
    'a'.repeat(3_000),
    '\u0000x',
  ])
    expect((await callMail(app, 'get_entries', { folder_id: box.folders.inbox, search: text })).status).toBe(
      200,
    );
});

test('treats operators as words if mail.search is off', async () => {
  const id = await fileSearchable(box, { ...PLAIN, text: 'subject pomelo' });
  expect(getEntryIds(await search('subject:pomelo'))).toEqual([]);
  await setMailFeature(app, 'mail.search', false);
  expect(getEntryIds(await search('subject:pomelo'))).toEqual([id]);
  await setMailFeature(app, 'mail.search', true);
});

test('returns consecutive pages, counts up to 1,000 matches, and returns a hint for later pages', async () => {
  const mailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id], 'counted');
  const first = await fileSearchable(mailbox, { ...PLAIN, text: 'guava' });
  const { workspace } = app.main.ctx;
  await app.runtime.db.rows(
    sql`insert into svc_mail_entry (workspace_id, id, account_id, content_id, folder_id, thread_id, date, message_key,
       source, modseq)
     select ${workspace.id}, 5000000 + g, account_id, content_id, folder_id, 5000000 + g,
       date + make_interval(hours => g::int), message_key, source, modseq
     from svc_mail_entry e, generate_series(1, 1200) g where e.workspace_id = ${workspace.id} and e.id = ${first}`,
  );
  await app.runtime.db.rows(
    sql`insert into svc_mail_search (workspace_id, entry_id, account_id, date, words)
     select ${workspace.id}, e.id, e.account_id, e.date, s.words from svc_mail_entry e
     join svc_mail_search s on s.workspace_id = ${workspace.id} and s.entry_id = ${first}
     where e.workspace_id = ${workspace.id} and e.account_id = ${mailbox.id} and e.id > 5000000`,
  );
  const readPage = (offset: number) =>
    callMailOk(app, 'get_entries', { folder_id: mailbox.folders.inbox, search: 'guava', limit: 200, offset });
  const pages = await Promise.all([0, 200, 400, 600, 800, 1_000, 1_200].map(readPage));
  expect(pages[0]).toMatchObject({ count: 1_000, count_is_at_least: true });
  const ids = pages.flatMap(getEntryIds);
  expect(ids).toHaveLength(1_201);
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  const response = await callMail(app, 'get_entries', {
    folder_id: mailbox.folders.inbox,
    search: 'guava',
    offset: 5_001,
  });
  expect(response.body.message).toMatch(/Narrow the search, for example with `after:2026-01-01`\./);
});

test("GraphQL searches all of the caller's mailboxes, with pagination", async () => {
  const mailbox = await createSharedMailbox(app.main.ctx, [app.main.user.id], 'searched');
  const otherMailbox = await createSharedMailbox(app.main.ctx, [app.main.admin.id], 'foreign');
  const one = await fileSearchable(mailbox, { ...PLAIN, text: 'papaya', subject: 'One' });
  await fileSearchable(box, {
    ...PLAIN,
    text: 'papaya',
    subject: 'Two',
    date: new Date('2026-03-05T00:00:00Z'),
  });
  await fileSearchable(otherMailbox, { ...PLAIN, text: 'papaya', subject: 'Foreign' });
  const query = `query ($ids: [ID!]!, $after: String) {
    mailSearch(mailboxIds: $ids, query: "papaya", first: 1, after: $after) {
      nodes { id subject folder { role } } count countIsAtLeast notes endCursor } }`;
  const { data, errors } = await queryGraphql(app, query, { ids: [box.id, mailbox.id] });
  expect(errors).toBeUndefined();
  expect(data.mailSearch).toMatchObject({
    nodes: [{ subject: 'Two' }],
    count: 2,
    countIsAtLeast: false,
    notes: [],
  });
  const after = data.mailSearch.endCursor;
  // A newer match, and the deletion of the cursor's message, do not move the next page.
  await fileSearchable(box, {
    ...PLAIN,
    text: 'papaya',
    subject: 'Three',
    date: new Date('2026-03-06T00:00:00Z'),
  });
  await app.main.ctx.db.rows(
    sql`delete from svc_mail_entry where workspace_id = ${app.main.ctx.workspace.id} and id = ${data.mailSearch.nodes[0].id}::int8`,
  );
  const next = await queryGraphql(app, query, { ids: [mailbox.id, box.id], after });
  expect(next.data.mailSearch).toMatchObject({ nodes: [{ id: String(one) }], count: 2, endCursor: null });
  const [foreign] = (
    await queryGraphql(app, query.replace('papaya', 'mango'), { ids: [mailbox.id, box.id], after })
  ).errors;
  expect(foreign.message).toContain('belongs to another list');
  expect((await queryGraphql(app, query, { ids: [otherMailbox.id] })).errors).toHaveLength(1);
});
