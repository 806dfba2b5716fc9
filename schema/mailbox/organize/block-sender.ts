import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ShapeParts } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { parseAddress } from '../../../src/message/address.ts';
import { parseAddresses } from '../../../src/message/parse/addresses.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { lockForChange } from '../accounts/modseq.ts';
import {
  catchMailError,
  MAIL_READ_POLICY,
  MAIL_WRITE_POLICY,
  MailError,
  returnOutcome,
  returnShape,
} from '../kit/operation.ts';
import { requireFeature, requireFeatureToRead } from '../settings/features.ts';

const MAX_BLOCKED_SENDERS = 10_000;

const SENDER_SHAPE: ShapeParts = {
  email: { type: 'String', description: 'Address, in lower case. Null if the call was rejected.' },
};

export const mailSenderBlock = defineOperation('mailSenderBlock', {
  effects: ['writes'],
  tool: 'mail_sender_block',
  address: 'svc.mail.account/block_sender',
  policy: MAIL_WRITE_POLICY,
  description:
    'Blocks a sender, so that later mail from the address goes to Spam. Existing messages are not moved.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    email: arg.string({ required: true, description: 'Address of the sender, without wildcards.' }),
  }),
  ...returnOutcome('MailSenderBlocked', 'Result of blocking a sender.', SENDER_SHAPE),
  run: (ctx, { accountId, email }) => catchMailError(() => blockSender(ctx, accountId, email)),
});

export const mailSenderUnblock = defineOperation('mailSenderUnblock', {
  effects: ['writes', 'deletes'],
  tool: 'mail_sender_block',
  address: 'svc.mail.account/unblock_sender',
  policy: MAIL_WRITE_POLICY,
  description: 'Unblocks a sender.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    email: arg.string({ required: true, description: 'Address of the sender.' }),
  }),
  ...returnOutcome('MailSenderUnblocked', 'Result of unblocking a sender.', SENDER_SHAPE),
  run: (ctx, { accountId, email }) => catchMailError(() => unblockSender(ctx, accountId, email)),
});

const BlockedSenderShape = defineTypedShape('MailBlock', 'A sender whose mail goes to Spam.', {
  email: { type: 'String', description: 'Address.' },
  blockedAt: { type: 'DateTime', description: 'When the sender was blocked.' },
});

export const mailBlocked = defineOperation('mailBlocked', {
  effects: ['reads'],
  tool: 'mail_blocked_list',
  address: 'svc.mail.account/list_blocked',
  policy: MAIL_READ_POLICY,
  description: `Lists up to ${limits.mail.listedBlocks} blocked senders of a mailbox.`,
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Mailbox.' }) }),
  ...returnShape('MailBlockList', 'Blocked senders of a mailbox.', {
    blocked: { type: [BlockedSenderShape], description: 'Blocked senders, sorted by address.' },
    total: { type: 'Int', description: 'Number of listed senders.' },
    totalIsAtLeast: {
      type: 'Boolean',
      description: `True if the limit of ${limits.mail.listedBlocks} was reached, so that more senders may be blocked.`,
    },
  }),
  run: async (ctx, { accountId }) => {
    const account = await getMemberMailbox(ctx, accountId);
    await requireFeatureToRead(ctx, account.company_id, 'mail.blocklist');
    const blockedRows = await ctx.db.rows<{ email: string; blocked_at: string }>(
      sql`select email, to_char(create_date, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as blocked_at from svc_mail_block
       where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
       order by email limit ${sql.literal(limits.mail.listedBlocks)}`,
    );
    return {
      blocked: blockedRows,
      total: blockedRows.length,
      total_is_at_least: blockedRows.length === limits.mail.listedBlocks,
    };
  },
});

/** @throws MailError if the string is not a single address */
export function parseSender(text: string): string {
  const address = parseSenderOrNull(text);
  if (address !== null) return address;
  if (hasWildcard(text))
    throw new MailError('Specify one address. Wildcards and whole domains are not supported.');
  throw new MailError(`"${text.slice(0, 100)}" is not an email address.`);
}

/** Parses a single address, in lower case. Returns null for anything else. */
export function parseSenderOrNull(text: string): string | null {
  if (hasWildcard(text)) return null;
  return (parseAddress(text)?.address ?? parseUnusualAddress(text))?.toLowerCase() ?? null;
}

const hasWildcard = (text: string): boolean => text.includes('*') || text.trim().startsWith('@');

/** Accepts senders that are not valid as recipients, such as `"a b"@example.org` and `ü@example.org`. */
function parseUnusualAddress(text: string): string | null {
  if (text.length > MAX_SENDER_CHARS) return null;
  const [firstAddress, ...otherAddresses] = parseAddresses(Buffer.from(text).toString('latin1'));
  return firstAddress && otherAddresses.length === 0 && /^[^@].*@[^@\s]+$/.test(firstAddress.address)
    ? firstAddress.address
    : null;
}

const MAX_SENDER_CHARS = 1_024;

/** Returns the block entries that match a sender: blocking `bad@example.org` also blocks `bad+news@example.org`. */
export function getMatchingBlocks(sender: string): string[] {
  const address = sender.toLowerCase();
  const untagged = address.replace(/^([^"+]+)\+[^"]*(@[^@]+)$/, '$1$2');
  return untagged === address ? [address] : [address, untagged];
}

async function blockSender(ctx: Ctx, accountId: number, sender: string) {
  const account = await getMemberMailbox(ctx, accountId);
  await requireFeature(ctx, account.company_id, 'mail.blocklist');
  const email = parseSender(sender);
  if (await isOwnAddress(ctx, accountId, email))
    throw new MailError('The address of the mailbox itself cannot be blocked.');
  return ctx.tx(async (tx) => {
    await lockForChange(tx, accountId, { kind: 'folders' });
    const count = await tx.db.value<number>(
      sql`select count(*)::int from svc_mail_block
       where workspace_id = ${tx.workspace.id} and account_id = ${accountId} and email <> ${email}`,
    );
    if (count >= MAX_BLOCKED_SENDERS)
      throw new MailError(`A mailbox may block at most ${MAX_BLOCKED_SENDERS} senders.`);
    const id = await allocateId(tx, 'svc_mail_block');
    await tx.db.rows(
      sql`insert into svc_mail_block (workspace_id, id, account_id, email, create_uid)
       values (${tx.workspace.id}, ${id}, ${accountId}, ${email}, ${tx.principal?.userId ?? null})
       on conflict (workspace_id, account_id, email) do nothing`,
    );
    return { email };
  });
}

async function unblockSender(ctx: Ctx, accountId: number, sender: string) {
  const account = await getMemberMailbox(ctx, accountId);
  await requireFeature(ctx, account.company_id, 'mail.blocklist');
  const email = parseSender(sender);
  const deletedRows = await ctx.db.rows(
    sql`delete from svc_mail_block
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and email = ${email} returning 1`,
  );
  if (deletedRows.length === 0) throw new MailError(`${email} is not blocked.`);
  return { email };
}

export async function isOwnAddress(ctx: Ctx, accountId: number, email: string): Promise<boolean> {
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_address
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and address = ${email}`,
  );
  return rows.length > 0;
}
