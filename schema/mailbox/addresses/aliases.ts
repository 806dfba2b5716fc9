import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ShapeParts } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { addAddress } from '../accounts/create-mailbox.ts';
import { lockForChange } from '../accounts/modseq.ts';
import { catchMailError, MAIL_ADMIN_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { parseLocalPart } from '../shared/shared-mailbox.ts';

// Administrators assign aliases to mailboxes. A mailbox receives mail for its aliases and can send from them.

const MAX_ALIASES = 100;

const AddressShape = defineTypedShape('MailAddressRow', 'An address of a mailbox.', {
  address: { type: 'String', description: 'Address in lower case; `@domain` for a catch-all.' },
  kind: { type: 'String', description: '`main`, `alias` or `catch_all`.' },
});

const ADDRESSES_SHAPE: ShapeParts = {
  addresses: {
    type: [AddressShape],
    description: 'All addresses of the mailbox. Null if the call was rejected.',
  },
};

export const mailAliasAdd = defineOperation('mailAliasAdd', {
  kind: 'mutation',
  effects: ['writes'],
  policy: { ...MAIL_ADMIN_WRITE_POLICY, audit: 'mail.alias' },
  description:
    `Adds an address on a verified domain to a mailbox, up to ${MAX_ALIASES} additional addresses per ` +
    'mailbox. The mailbox receives mail for the address, and its members can send from the address.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    address: arg.string({ required: true, description: 'Address to add. Reserved addresses are allowed.' }),
  }),
  ...returnOutcome('MailAliasAdded', 'Result of adding an address to a mailbox.', ADDRESSES_SHAPE),
  run: (ctx, { accountId, address }) => catchMailError(() => addAlias(ctx, accountId, address)),
});

export const mailAliasRemove = defineOperation('mailAliasRemove', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: { ...MAIL_ADMIN_WRITE_POLICY, audit: 'mail.alias' },
  description: 'Removes an additional address from a mailbox. The main address cannot be removed.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    address: arg.string({ required: true, description: 'Address to remove, other than the main address.' }),
  }),
  ...returnOutcome('MailAliasRemoved', 'Result of removing an address from a mailbox.', ADDRESSES_SHAPE),
  run: (ctx, { accountId, address }) => catchMailError(() => removeAlias(ctx, accountId, address)),
});

export const mailCatchAllSet = defineOperation('mailCatchAllSet', {
  kind: 'mutation',
  effects: ['writes'],
  policy: { ...MAIL_ADMIN_WRITE_POLICY, audit: 'mail.catch_all' },
  description: 'Sets the mailbox that receives mail for all unknown addresses of a verified domain.',
  args: (arg) => ({
    domain: arg.string({ required: true, description: 'Name of the domain.' }),
    accountId: arg.recordId({
      description: 'Mailbox that receives the mail. If omitted, mail for unknown addresses is rejected.',
    }),
  }),
  ...returnOutcome('MailCatchAllSet', 'Result of setting the mailbox for unknown addresses.'),
  run: (ctx, { domain, accountId }) => catchMailError(() => setCatchAll(ctx, domain, accountId ?? null)),
});

interface AddressRow {
  address: string;
  kind: 'main' | 'alias' | 'catch_all';
}

export const loadAddresses = (ctx: Ctx, accountId: number): Promise<AddressRow[]> =>
  ctx.db.rows<AddressRow>(
    sql`select address, kind from svc_mail_address
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId}
     order by kind <> 'main', kind, address`,
  );

/**
 * @throws MailError if the address is taken or its domain is not verified, or the mailbox has too many aliases;
 * NOT_FOUND
 */
export async function addAlias(ctx: Ctx, accountId: number, addressText: string) {
  const [local = '', domain = '', ...rest] = addressText.trim().toLowerCase().split('@');
  if (rest.length > 0 || domain === '') throw new MailError('address: must be an email address.');
  const address = `${parseLocalPart(local)}@${domain}`;
  await checkVerifiedDomain(ctx, domain);
  return changeAliases(ctx, accountId, async (tx) => {
    const existingRows = await loadAddresses(tx, accountId);
    if (existingRows.filter(({ kind }) => kind === 'alias').length >= MAX_ALIASES)
      throw new MailError(`A mailbox may have at most ${MAX_ALIASES} additional addresses.`);
    if (existingRows.some((item) => item.address === address)) return;
    if (!(await addAddress(tx, accountId, address, 'alias')))
      throw new MailError(`The address ${address} is already in use.`);
  });
}

/** @throws MailError if the address is not an alias of the mailbox; NOT_FOUND */
export function removeAlias(ctx: Ctx, accountId: number, addressText: string) {
  const address = addressText.trim().toLowerCase();
  return changeAliases(ctx, accountId, async (tx) => {
    const deletedRows = await tx.db.rows(
      sql`delete from svc_mail_address where workspace_id = ${tx.workspace.id} and account_id = ${accountId}
       and address = ${address} and kind = 'alias' returning 1`,
    );
    if (deletedRows.length === 0)
      throw new MailError(`${address.slice(0, 100)} is not an additional address of the mailbox.`);
  });
}

/** @throws MailError if the domain is not verified; NOT_FOUND */
export async function setCatchAll(ctx: Ctx, domainName: string, accountId: number | null): Promise<object> {
  const domain = domainName.trim().toLowerCase();
  if (accountId !== null) await checkVerifiedDomain(ctx, domain);
  return ctx.tx(async (tx) => {
    // Serializes concurrent changes, even if the domain has no catch-all row to lock.
    await tx.db.rows(
      sql`select 1 from svc_domain where workspace_id = ${tx.workspace.id} and name = ${domain} for update`,
    );
    const [before] = await tx.db.rows<{ account_id: number }>(
      sql`select account_id from svc_mail_address
       where workspace_id = ${tx.workspace.id} and address = ${`@${domain}`} for update`,
    );
    for (const id of [...new Set([before?.account_id, accountId])].sort((a, b) => (a ?? 0) - (b ?? 0)))
      if (id != null) await lockAccount(tx, id);
    await tx.db.rows(
      sql`delete from svc_mail_address where workspace_id = ${tx.workspace.id} and address = ${`@${domain}`}`,
    );
    if (accountId !== null) await addAddress(tx, accountId, `@${domain}`, 'catch_all');
    return {};
  });
}

async function checkVerifiedDomain(ctx: Ctx, name: string): Promise<void> {
  const domainRows = await ctx.db.rows(
    sql`select 1 from svc_domain where workspace_id = ${ctx.workspace.id} and name = ${name} and status = 'SUCCESS'`,
  );
  if (domainRows.length === 0)
    throw new MailError(`${name.slice(0, 100)} is not a verified domain of the workspace.`);
}

const changeAliases = (ctx: Ctx, accountId: number, change: (tx: Ctx) => Promise<void>) =>
  ctx.tx(async (tx) => {
    await lockAccount(tx, accountId);
    await change(tx);
    return { addresses: await loadAddresses(tx, accountId) };
  });

async function lockAccount(ctx: Ctx, id: number): Promise<void> {
  const accountRows = await ctx.db.rows(
    sql`select 1 from svc_mail_account where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (accountRows.length === 0) throw errors.notFound('Mailbox');
  await lockForChange(ctx, id, { kind: 'folders' });
}
