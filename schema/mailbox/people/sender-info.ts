import { sql } from '../../../src/db/sql.ts';
import { canAccessModel } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { search } from '../../../src/engine/read/records.ts';
import { create } from '../../../src/engine/write/write.ts';
import { AppError } from '../../../src/errors.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import {
  catchMailError,
  MAIL_READ_POLICY,
  MAIL_WRITE_POLICY,
  MailError,
  returnOutcome,
  returnShape,
} from '../kit/operation.ts';
import { getMatchingBlocks, isOwnAddress, parseSender, parseSenderOrNull } from '../organize/block-sender.ts';
import { loadFeatures } from '../settings/features.ts';

export const mailSender = defineOperation('mailSender', {
  kind: 'query',
  effects: ['reads'],
  address: 'svc.mail.account/sender_info',
  policy: MAIL_READ_POLICY,
  description:
    'Returns whether a sender is a contact, whether the mailbox blocks the sender, and whether you can change either.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    email: arg.string({ required: true, description: 'Address of the sender.' }),
  }),
  ...returnShape('MailSender', 'Details of a sender.', {
    email: { type: 'String', description: 'Address, in lower case.' },
    isContact: { type: 'Boolean', description: 'True if the sender is a contact that you may see.' },
    contactId: {
      type: 'ID',
      nullable: true,
      description: 'Id of the contact. Null if the sender is not a contact.',
    },
    isBlocked: { type: 'Boolean', description: 'True if the mailbox blocks this sender.' },
    isOwn: { type: 'Boolean', description: 'True if the sender is the mailbox itself.' },
    canBlock: { type: 'Boolean', description: 'True if you can block this sender.' },
    canUnblock: { type: 'Boolean', description: 'True if you can unblock this sender.' },
    canAddContact: { type: 'Boolean', description: 'True if you can create a contact for this sender.' },
  }),
  run: (ctx, { accountId, email }) => getSenderInfo(ctx, accountId, email),
});

async function getSenderInfo(ctx: Ctx, accountId: number, senderText: string) {
  const account = await getMemberMailbox(ctx, accountId);
  const sender = parseSenderOrNull(senderText);
  const email = sender ?? senderText.trim().toLowerCase();
  const blocks = await ctx.db.rows<{ email: string }>(
    sql`select email from svc_mail_block
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
       and email = any(${getMatchingBlocks(email)}::text[])`,
  );
  const isBlocked = blocks.length > 0;
  const isOwn = await isOwnAddress(ctx, accountId, email);
  const contactId = await findContact(ctx, email);
  const mayBlock = (await loadFeatures(ctx, account.company_id))['mail.blocklist'];
  return {
    email,
    is_contact: contactId !== null,
    contact_id: contactId,
    is_blocked: isBlocked,
    is_own: isOwn,
    can_block: mayBlock && !isBlocked && !isOwn && sender !== null,
    can_unblock: mayBlock && blocks.some((block) => block.email === email),
    can_add_contact: contactId === null && !isOwn && canAccessContacts(ctx, 'create'),
  };
}

const canAccessContacts = (ctx: Ctx, operation: 'read' | 'create'): boolean =>
  canAccessModel(ctx, getModel(ctx, 'res.partner'), operation);

async function findContact(ctx: Ctx, email: string): Promise<number | null> {
  if (!canAccessContacts(ctx, 'read')) return null;
  const domain = [['email_normalized', '=', email]];
  return (await search(ctx, 'res.partner', domain, { limit: 1, order: 'id' }))[0] ?? null;
}

export const mailContactAdd = defineOperation('mailContactAdd', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'svc.mail.account/add_contact',
  policy: MAIL_WRITE_POLICY,
  description: 'Creates a contact for a sender, with your access rights. An existing contact is not changed.',
  args: (arg) => ({
    email: arg.string({ required: true, description: 'Address.' }),
    name: arg.string({ description: 'Name. Defaults to the address.' }),
  }),
  ...returnOutcome('MailContactAdded', 'Result of adding a sender to the contacts.', {
    contactId: { type: 'ID', description: 'Id of the contact. Null if the call was rejected.' },
  }),
  run: (ctx, { email, name }) => catchMailError(() => addContact(ctx, email, name?.trim() || null)),
});

async function addContact(ctx: Ctx, sender: string, name: string | null) {
  const email = parseSender(sender);
  const existingContact = await findContact(ctx, email);
  if (existingContact !== null) return { contact_id: existingContact };
  try {
    const [id] = await create(ctx, 'res.partner', [{ name: name ?? email, email }]);
    return { contact_id: id! };
  } catch (error) {
    if (error instanceof AppError && error.kind === 'BAD_VALUE') throw new MailError(error.message);
    throw error;
  }
}
