import type { ImapFlow } from 'imapflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type App, startApp } from '../harness/app.ts';
import { type Dovecot, dovecot, startDovecot } from '../standins/dovecot.ts';
import { loadMailbox, type Mailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

// Compares threads with Dovecot's (RFC 5256, THREAD=REFERENCES). Dovecot also considers subjects, so each conversation
// has a unique one.

const CONVERSATIONS = 15;
const MARKS = ['Re: ', 'RE: ', 'Fwd: ', 'Re: Re: ', '[list] Re: '];

let state = 11;
const randomBelow = (n: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
  return Math.floor((state / 0x80000000) * n);
};

interface ThreadMail {
  number: number;
  conversation: number;
  raw: string;
}

/** Generates a conversation in which some messages are missing and some name their parent only in In-Reply-To. */
function buildConversation(conversation: number, first: number): ThreadMail[] {
  const ids = Array.from({ length: 2 + randomBelow(7) }, (_, i) => `c${conversation}.${i}@threads.example`);
  const parents = ids.map((_, i) => (i === 0 ? -1 : randomBelow(i)));
  // Without the root, Dovecot could thread only by subject.
  const lostIds = new Set(ids.flatMap((_, i) => (i > 0 && randomBelow(6) === 0 ? [i] : [])));
  return ids.flatMap((id, i) => {
    if (lostIds.has(i)) return [];
    const chain: number[] = [];
    for (let index = parents[i]!; index >= 0; index = parents[index]!) chain.unshift(index);
    const parent = parents[i]!;
    const isShort = parent >= 0 && !lostIds.has(parent) && randomBelow(3) === 0;
    const references = isShort ? [] : chain.map((index) => `<${ids[index]}>`);
    const raw = [
      `From: P${randomBelow(5)} <p@example.org>`,
      'To: alice@example.com',
      `Subject: ${i === 0 ? '' : MARKS[randomBelow(MARKS.length)]}Matter ${conversation}`,
      `Date: ${new Date(Date.UTC(2026, 5, 1, 0, first + i)).toUTCString().replace('GMT', '+0000')}`,
      `Message-ID: <${id}>`,
      ...(parent >= 0 ? [`In-Reply-To: <${ids[parent]}>`] : []),
      ...(references.length > 0 ? [`References: ${references.join('\r\n ')}`] : []),
      '',
      `Text ${i}\r\n`,
    ].join('\r\n');
    return [{ number: 0, conversation, raw }];
  });
}

function shuffle(mails: ThreadMail[]): ThreadMail[] {
  const list = [...mails];
  for (let i = list.length - 1; i > 0; i--) {
    const j = randomBelow(i + 1);
    [list[i], list[j]] = [list[j]!, list[i]!];
  }
  return list.map((mail, i) => ({ ...mail, number: i + 1 }));
}

type NestedNumbers = string | { value: string } | NestedNumbers[];

const flattenNumbers = (nested: NestedNumbers): number[] => {
  if (Array.isArray(nested)) return nested.flatMap(flattenNumbers);
  return [Number(typeof nested === 'string' ? nested : nested.value)];
};

const sortGroups = (groups: number[][]): number[][] =>
  groups.map((group) => group.sort((a, b) => a - b)).sort(([a], [b]) => a! - b!);

dovecot.describe('with Dovecot', () => {
  let app: App;
  let mailbox: Mailbox;
  let server: Dovecot;
  let client: ImapFlow;
  const mails = shuffle(Array.from({ length: CONVERSATIONS }, (_, i) => buildConversation(i, i * 60)).flat());
  const numbers = new Map<number, number>();

  beforeAll(async () => {
    app = await startApp();
    mailbox = await loadMailbox(app.main.ctx, app.main.user.id);
    server = await startDovecot();
    client = await server.signIn();
    for (const { raw, number } of mails) {
      await client.append('INBOX', Buffer.from(raw));
      numbers.set(await fileRaw(app.main, mailbox, raw), number);
    }
    await client.mailboxOpen('INBOX', { readOnly: true });
  });
  afterAll(async () => {
    await client?.logout();
    await server?.end();
    await app?.close();
  });

  interface Runner {
    exec(
      command: string,
      attributes: { type: string; value: string }[],
      options: { untagged: Record<string, (line: { attributes: NestedNumbers[] }) => Promise<void>> },
    ): Promise<{ next(): void }>;
  }

  async function askDovecot(): Promise<number[][]> {
    const groups: number[][] = [];
    const atoms = ['REFERENCES', 'UTF-8', 'ALL'].map((value) => ({ type: 'ATOM', value }));
    const hear = async ({ attributes }: { attributes: NestedNumbers[] }) => {
      groups.push(...attributes.map(flattenNumbers));
    };
    const response = await (client as unknown as Runner).exec('THREAD', atoms, {
      untagged: { THREAD: hear },
    });
    response.next();
    return sortGroups(groups);
  }

  test("groups messages like Dovecot's THREAD=REFERENCES, in any arrival order", async () => {
    const rows = await app.runtime.db.rows<{ id: number; thread_id: number }>(
      sql`select id, thread_id from svc_mail_entry
       where workspace_id = ${app.main.ctx.workspace.id} and account_id = ${mailbox.id}`,
    );
    const ours = [...Map.groupBy(rows, ({ thread_id }) => thread_id).values()].map((threadRows) =>
      threadRows.map(({ id }) => numbers.get(id)!),
    );
    const groups = await askDovecot();
    expect(groups.flat()).toHaveLength(mails.length);
    expect(groups).toHaveLength(CONVERSATIONS);
    expect(sortGroups(ours)).toEqual(groups);
  });
});
