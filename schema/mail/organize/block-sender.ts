import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { allocateId } from '../../../src/engine/ctx/new-ids.ts';
import type { ShapeParts } from '../../../src/engine/verb/shape.ts';
import { defineTypedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { limits } from '../../../src/limits.ts';
import { parseAddress } from '../../../src/mail/address.ts';
import { parseAddresses } from '../../../src/mail/parse/addresses.ts';
import { noteChange, tick } from '../accounts/clock.ts';
import { accountOf } from '../accounts/member-of.ts';
import { answersShape, OUTCOME } from '../kit/answer.ts';
import { mailReads, mailWrites } from '../kit/policies.ts';
import { answering, MailRefusal } from '../kit/refusal.ts';
import { needFeature, wantFeature } from '../settings/features.ts';

const SENDER: ShapeParts = {
  ...OUTCOME,
  email: { type: 'String', nullable: true, description: 'Address, in lower case; null when refused.' },
};

export const mailSenderBlockVerb = verb('mailSenderBlock', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_sender_block',
  address: 'svc.mail.account/block_sender',
  policy: mailWrites,
  description: 'Blocks a sender: later mail from the address goes to Spam. Mail already received stays.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    email: arg.string({ required: true, description: 'Address of the sender, without wildcards.' }),
  }),
  ...answersShape('MailSenderBlocked', 'A sender who was blocked.', SENDER),
  run: (ctx, { accountId, email }) => answering(() => block(ctx, accountId, email)),
});

export const mailSenderUnblockVerb = verb('mailSenderUnblock', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  tool: 'mail_sender_block',
  address: 'svc.mail.account/unblock_sender',
  policy: mailWrites,
  description: 'Unblocks a sender.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    email: arg.string({ required: true, description: 'Address of the sender.' }),
  }),
  ...answersShape('MailSenderUnblocked', 'A sender who was unblocked.', SENDER),
  run: (ctx, { accountId, email }) => answering(() => unblock(ctx, accountId, email)),
});

const Blocked = defineTypedShape('MailBlock', 'A sender whose mail goes to Spam.', {
  email: { type: 'String', description: 'Address.' },
  blockedAt: { type: 'DateTime', description: 'When it was blocked.' },
});

export const mailBlockedVerb = verb('mailBlocked', {
  kind: 'query',
  effects: ['reads'],
  tool: 'mail_blocked_list',
  address: 'svc.mail.account/list_blocked',
  policy: mailReads,
  description: `Lists the blocked senders of a mailbox, at most ${limits.mail.blockedListed}.`,
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Mailbox.' }) }),
  ...answersShape('MailBlockList', 'Blocked senders of a mailbox.', {
    blocked: { type: [Blocked], description: 'The blocked senders, by address.' },
    total: { type: 'Int', description: 'How many are listed.' },
    totalIsAtLeast: {
      type: 'Boolean',
      description: `Whether the limit of ${limits.mail.blockedListed} was reached, so that there may be more.`,
    },
  }),
  run: async (ctx, { accountId }) => {
    const account = await accountOf(ctx, accountId);
    await needFeature(ctx, account.company_id, 'mail.blocklist');
    const blocked = await ctx.db.rows<{ email: string; blocked_at: string }>(
      sql`select email, to_char(create_date, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as blocked_at from svc_mail_block
       where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
       order by email limit ${sql.literal(limits.mail.blockedListed)}`,
    );
    return {
      blocked,
      total: blocked.length,
      total_is_at_least: blocked.length === limits.mail.blockedListed,
    };
  },
});

/** @throws MailRefusal for what is no single address */
export function senderOf(given: string): string {
  const address = readSender(given);
  if (address !== null) return address;
  if (hasWildcard(given))
    throw new MailRefusal('Name one address; wildcards and whole domains are not taken.');
  throw new MailRefusal(`"${given.slice(0, 100)}" is not an email address.`);
}

/** One address in lower case, null for anything else. */
export function readSender(given: string): string | null {
  if (hasWildcard(given)) return null;
  return (parseAddress(given)?.address ?? readReceived(given))?.toLowerCase() ?? null;
}

const hasWildcard = (given: string): boolean => given.includes('*') || given.trim().startsWith('@');

/** Mail also comes from addresses that none is sent to, such as `"a b"@example.org` and `ü@example.org`. */
function readReceived(given: string): string | null {
  if (given.length > MAX_SENDER_CHARS) return null;
  const [one, ...others] = parseAddresses(Buffer.from(given).toString('latin1'));
  return one && others.length === 0 && /^[^@].*@[^@\s]+$/.test(one.address) ? one.address : null;
}

const MAX_SENDER_CHARS = 1_024;

/** The blocks that match a sender: `bad+news@example.org` is also `bad@example.org`. */
export function blocksMatching(sender: string): string[] {
  const address = sender.toLowerCase();
  const untagged = address.replace(/^([^"+]+)\+[^"]*(@[^@]+)$/, '$1$2');
  return untagged === address ? [address] : [address, untagged];
}

async function block(ctx: Ctx, accountId: number, given: string) {
  const account = await accountOf(ctx, accountId);
  await wantFeature(ctx, account.company_id, 'mail.blocklist');
  const email = senderOf(given);
  if (await isOwnAddress(ctx, accountId, email))
    throw new MailRefusal('The address of the mailbox itself cannot be blocked.');
  return ctx.tx(async (tx) => {
    await noteChange(tx, accountId, await tick(tx, accountId), { kind: 'folders' });
    const [count] = await tx.db.rows<{ n: number }>(
      sql`select count(*)::int as n from svc_mail_block
       where workspace_id = ${tx.workspace.id} and account_id = ${accountId} and email <> ${email}`,
    );
    if (count!.n >= limits.mail.blocked)
      throw new MailRefusal(`A mailbox blocks at most ${limits.mail.blocked} senders.`);
    const id = await allocateId(tx, 'svc_mail_block');
    await tx.db.rows(
      sql`insert into svc_mail_block (workspace_id, id, account_id, email, create_uid)
       values (${tx.workspace.id}, ${id}, ${accountId}, ${email}, ${tx.principal?.userId ?? null})
       on conflict (workspace_id, account_id, email) do nothing`,
    );
    return { email };
  });
}

async function unblock(ctx: Ctx, accountId: number, given: string) {
  const account = await accountOf(ctx, accountId);
  await wantFeature(ctx, account.company_id, 'mail.blocklist');
  const email = senderOf(given);
  const gone = await ctx.db.rows(
    sql`delete from svc_mail_block
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and email = ${email} returning 1`,
  );
  if (gone.length === 0) throw new MailRefusal(`${email} is not blocked.`);
  return { email };
}

/** Whether mail for the address comes into the mailbox. */
export async function isOwnAddress(ctx: Ctx, accountId: number, email: string): Promise<boolean> {
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_address
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and address = ${email}`,
  );
  return rows.length > 0;
}
