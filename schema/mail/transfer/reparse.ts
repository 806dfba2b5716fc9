import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { noteChange, tick } from '../accounts/clock.ts';
import { recipientText } from '../compose/recipient-list.ts';
import { attachmentKey, keysOfEntry } from '../messages/index-keys.ts';
import { PARSER, type Person, renewContent } from '../messages/keep-content.ts';
import { heldMail } from '../messages/raw.ts';
import { type ReadMail, readMail } from '../messages/read-content.ts';

// What is known of messages is made of them again. A message is one transaction: its content first, then the mailboxes
// that have it, in the order of their ids. It stays in its folder and its conversation.

export interface Reparsing {
  /** Also what this version has read. */
  all: boolean;
  /** Only messages behind this id. */
  after: number;
}

export interface Reparsed {
  messages: number;
  /** Those that still cannot be read. */
  unreadable: number;
  /** Those whose raw message is missing; they are left as they are. */
  missing: number;
  /** Id of the last message, to go on behind it. */
  last: number;
}

/** Messages that are looked up with one statement. */
const PAGE = 100;

interface Row {
  id: number;
  raw_hash: string;
  size: number;
}

/**
 * Reads kept messages of a workspace again; not those whose files were left out, which would seem empty.
 * @param show called after each message
 */
export async function reparse(
  ctx: Ctx,
  { all, after }: Reparsing,
  show: (done: Reparsed) => void,
): Promise<Reparsed> {
  const done: Reparsed = { messages: 0, unreadable: 0, missing: 0, last: after };
  for (;;) {
    const rows = await ctx.db.rows<Row>(
      sql`select id, raw_hash, size from svc_mail_message
       where workspace_id = ${ctx.workspace.id} and id > ${done.last} and raw_whole
         and (${all} or parser < ${PARSER} or state = 'placeholder') order by id limit ${sql.literal(PAGE)}`,
    );
    for (const row of rows) {
      const read = await readAgain(ctx, row);
      if (read) await renew(ctx, row, read);
      else done.missing++;
      if (read?.content.state === 'placeholder') done.unreadable++;
      done.messages++;
      done.last = row.id;
      show(done);
    }
    if (rows.length < PAGE) return done;
  }
}

/** @returns null where there is no raw message any more */
async function readAgain(ctx: Ctx, { raw_hash: hash, size }: Row): Promise<ReadMail | null> {
  const found = await ctx.db.rows(
    sql`select 1 from svc_blob where workspace_id = ${ctx.workspace.id} and hash = ${hash}`,
  );
  return found.length > 0 ? readMail(await heldMail(ctx, hash, size), hash, ctx.workspace.id) : null;
}

interface Entry {
  id: number;
  account_id: number;
  day: number;
  bcc: Person[] | null;
}

const renew = (ctx: Ctx, { id }: Row, read: ReadMail): Promise<void> =>
  ctx.tx(async (tx) => {
    const workspace = tx.workspace.id;
    if (!(await renewContent(tx, id, read.content))) return;
    const accounts = await tx.db.rows<{ account_id: number }>(
      sql`select distinct account_id from svc_mail_entry
       where workspace_id = ${workspace} and content_id = ${id} order by account_id`,
    );
    for (const { account_id } of accounts) await renewIn(tx, account_id, id, read);
  });

async function renewIn(ctx: Ctx, account: number, contentId: number, read: ReadMail): Promise<void> {
  const workspace = ctx.workspace.id;
  const modseq = await tick(ctx, account);
  const entries = await ctx.db.rows<Entry>(
    sql`update svc_mail_entry set modseq = ${modseq}
     where workspace_id = ${workspace} and account_id = ${account} and content_id = ${contentId}
     returning id, account_id, (date::date - date '1970-01-01') as day, envelope->'bcc' as bcc`,
  );
  const { size, parts } = read.content;
  const attached = parts.some(({ role }) => role === 'attachment') ? [attachmentKey] : [];
  for (const { id, day, bcc } of entries) {
    const own = read.words((bcc ?? []).map(({ name, email }) => recipientText({ name, address: email })));
    const words = [...own, ...attached, ...keysOfEntry(workspace, account, day, size)];
    await ctx.db.rows(
      sql`update svc_mail_search set words = array_to_tsvector(string_to_array(${words.join(' ')}, ' '))
       where workspace_id = ${workspace} and entry_id = ${id}`,
    );
  }
  await noteChange(ctx, account, modseq, { kind: 'flags', updated: entries.map(({ id }) => id) });
}
