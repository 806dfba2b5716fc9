import { createMailbox } from '../../../schema/mailbox/accounts/create-mailbox.ts';
import {
  addAlias,
  loadAddresses,
  removeAlias,
  setCatchAll,
} from '../../../schema/mailbox/addresses/aliases.ts';
import {
  loadFailedDeliveries,
  retryFailedDeliveries,
} from '../../../schema/mailbox/filing/failed-deliveries.ts';
import { MailError } from '../../../schema/mailbox/kit/operation.ts';
import { deleteAdminRule, loadAdminRules, saveAdminRule } from '../../../schema/mailbox/rules/admin-rules.ts';
import {
  setMailFeature,
  setMailPolicy,
  setReservedAddress,
} from '../../../schema/mailbox/settings/admin-change.ts';
import { isAddressTaken, parseLocalPart } from '../../../schema/mailbox/shared/shared-mailbox.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { runInWorkspace } from './run-in-workspace.ts';
import { getUserIdByLogin } from './user-by-login.ts';

export interface MailboxOptions {
  workspace: string;
  name?: string;
  member?: string[];
  manager?: string;
}

/**
 * @throws BAD_REQUEST for an invalid address, NOT_FOUND for an unknown domain or user, NOT_UNIQUE if the address is in
 * use
 */
export const runMailboxCreate = (
  addressText: string,
  { workspace, name, member = [], manager }: MailboxOptions,
) =>
  runInWorkspace(workspace, 'mail.mailbox', { address: addressText, member, manager }, async (ctx) => {
    const address = await parseMailboxAddress(ctx, addressText);
    const id = await createMailbox(ctx, {
      kind: 'shared',
      name: name?.trim() || address.split('@')[0]!,
      address,
      ownerId: null,
      companyId: await getFirstCompany(ctx),
      memberIds: await Promise.all(member.map((login) => getUserIdByLogin(ctx, login))),
      managerId: manager ? await getUserIdByLogin(ctx, manager) : null,
    });
    return { id, address, ...(member.length === 0 && !manager && { note: NO_MEMBERS_NOTE }) };
  });

const NO_MEMBERS_NOTE =
  'It has no members yet, so nobody can read its mail. To add members, an administrator calls mailboxSetMembers in ' +
  'GraphQL (set_shared_members).';

async function parseMailboxAddress(ctx: Ctx, addressText: string): Promise<string> {
  const [local = '', domain = '', ...rest] = addressText.trim().toLowerCase().split('@');
  if (rest.length > 0 || domain === '')
    throw errors.badRequest(
      `${addressText} is not an email address. Pass an address such as info@example.com.`,
    );
  const domains = await ctx.db.rows(
    sql`select 1 from svc_domain where workspace_id = ${ctx.workspace.id} and name = ${domain} and status = 'SUCCESS'`,
  );
  if (domains.length === 0) throw errors.notFound(`Verified domain ${domain}`);
  const address = `${parseLocalPart(local)}@${domain}`;
  if (await isAddressTaken(ctx, address)) throw errors.notUnique(`The address ${address} is already in use.`);
  return address;
}

async function getFirstCompany(ctx: Ctx): Promise<number> {
  const [company] = await ctx.db.rows<{ id: number }>(
    sql`select id from res_company where workspace_id = ${ctx.workspace.id} order by id limit 1`,
  );
  if (!company) throw errors.notFound('Company');
  return company.id;
}

/** Does not expose message contents. */
export const runMailboxList = (workspace: string) =>
  runInWorkspace(workspace, 'mail.list', {}, ({ db, workspace: { id } }) =>
    db.rows<object>(
      sql`select a.id, a.address, a.name, a.kind, o.login as owner, c.used_bytes, a.quota, a.active
       from svc_mail_account a
       join svc_mail_clock c on c.workspace_id = ${id} and c.account_id = a.id
       left join res_users o on o.workspace_id = ${id} and o.id = a.owner_id
       where a.workspace_id = ${id} order by a.kind, a.address`,
    ),
  );

/** @param megabytes `none` for no limit */
export function setMailboxQuota(workspace: string, address: string, megabytes: string) {
  const quota = megabytes === 'none' ? null : Number(megabytes) * 1024 * 1024;
  if (quota !== null && !(Number.isSafeInteger(quota) && quota > 0))
    throw errors.badRequest('The quota must be a number of megabytes, or "none" for no limit.');
  return runInWorkspace(workspace, 'mail.quota', { address, quota }, async (ctx) => {
    const id = await getMailboxId(ctx, address);
    await ctx.db.rows(
      sql`update svc_mail_account set quota = ${quota}, write_date = now()
       where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
    return { id, address, quota };
  });
}

export const setMailboxActive = (workspace: string, address: string, active: boolean) =>
  runInWorkspace(workspace, 'mail.archive', { address, active }, async (ctx) => {
    const id = await getMailboxId(ctx, address);
    await ctx.db.rows(
      sql`update svc_mail_account set active = ${active}, write_date = now()
       where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
    return { id, address, active };
  });

/** Does not expose message contents. */
export const listFailedMail = (workspace: string) =>
  runInWorkspace(workspace, 'mail.failed', {}, (ctx) => loadFailedDeliveries(ctx));

/**
 * @param id id of a failed delivery, or `all`
 * @throws BAD_REQUEST, NOT_FOUND
 */
export function retryFailedMail(workspace: string, id: string) {
  if (id !== 'all' && !/^[1-9]\d{0,15}$/.test(id))
    throw errors.badRequest('Pass the id of a failed message, or "all".');
  return runInWorkspace(workspace, 'mail.retry', { id }, async (ctx) => {
    const retried = await retryFailedDeliveries(ctx, id === 'all' ? null : Number(id));
    if (retried === 0 && id !== 'all') throw errors.notFound(`Failed message ${id}`);
    return { retried };
  });
}

/**
 * Finds a mailbox by address, even if it is archived.
 * @throws NOT_FOUND
 */
export async function getMailboxId(ctx: Ctx, address: string): Promise<number> {
  const [row] = await ctx.db.rows<{ account_id: number }>(
    sql`select account_id from svc_mail_address
     where workspace_id = ${ctx.workspace.id} and address = ${address.trim().toLowerCase()}`,
  );
  if (!row) throw errors.notFound(`Mailbox ${address}`);
  return row.account_id;
}

export const runMailboxAlias = (
  workspace: string,
  change: 'add' | 'remove' | 'list',
  mailbox: string,
  address: string | null,
) =>
  runInWorkspace(workspace, `mail.alias_${change}`, { mailbox, address }, async (ctx) => {
    const id = await getMailboxId(ctx, mailbox);
    if (change === 'add') return rethrowAsBadRequest(() => addAlias(ctx, id, address!));
    if (change === 'remove') return rethrowAsBadRequest(() => removeAlias(ctx, id, address!));
    return { addresses: await loadAddresses(ctx, id) };
  });

/** @param address address of the mailbox, or `none` */
export const setCatchAllMailbox = (workspace: string, domain: string, address: string) =>
  runInWorkspace(workspace, 'mail.catch_all', { domain, address }, async (ctx) => {
    const id = address === 'none' ? null : await getMailboxId(ctx, address);
    await rethrowAsBadRequest(() => setCatchAll(ctx, domain, id));
    return { domain, catchAll: id === null ? null : address };
  });

export interface RuleOptions {
  workspace: string;
  name?: string;
  when?: string[];
  then?: string[];
  any?: boolean;
}

/**
 * Creates a rule that the mailbox's members cannot change.
 * @throws BAD_REQUEST for an invalid rule
 */
export const runMailboxRuleAdd = (
  mailbox: string,
  { workspace, name, when = [], then = [], any }: RuleOptions,
) =>
  runInWorkspace(workspace, 'mail.rule', { mailbox, name, when, then, any }, async (ctx) => {
    const id = await getMailboxId(ctx, mailbox);
    const { folders } = await loadAdminRules(ctx, id);
    const rule = {
      name: name ?? when.join(', ').slice(0, 100),
      matchType: any ? 'any' : 'all',
      conditions: when.map(parseCondition),
      actions: then.map((text) => parseAction(text, folders)),
    };
    return rethrowAsBadRequest(() => saveAdminRule(ctx, id, rule));
  });

/** Parses a condition such as `subject contains free money`. */
function parseCondition(text: string) {
  const [, field = '', operator = '', value = ''] = /^(\S+)\s+(\S+)\s+(.+)$/s.exec(text.trim()) ?? [];
  if (field === '')
    throw errors.badRequest(`--when: "${text}" is not a condition. Pass a field, an operator and a value.`);
  return { field, operator, value };
}

/** Parses an action such as `mark_read` or `move archive`. */
function parseAction(text: string, folders: { id: number; role: string }[]) {
  const [, role] = /^move\s+(\w+)$/.exec(text.trim()) ?? [];
  if (role === undefined) return { action: text.trim() };
  const folder = folders.find((folder) => folder.role === role);
  if (!folder)
    throw errors.badRequest(
      `--then: the target folder must be one of ${folders.map((folder) => folder.role).join(', ')}.`,
    );
  return { action: 'move_to_folder', folderId: folder.id };
}

export const runMailboxRuleRemove = (workspace: string, mailbox: string, ruleId: string) =>
  runInWorkspace(workspace, 'mail.rule', { mailbox, remove: ruleId }, async (ctx) => {
    const id = await getMailboxId(ctx, mailbox);
    if (!/^\d{1,9}$/.test(ruleId)) throw errors.badRequest('The rule id must be a number.');
    await rethrowAsBadRequest(() => deleteAdminRule(ctx, id, Number(ruleId)));
    return { removed: Number(ruleId) };
  });

export const runMailboxRuleList = (workspace: string, mailbox: string) =>
  runInWorkspace(workspace, 'mail.rule_list', { mailbox }, async (ctx) => {
    const { rules } = await loadAdminRules(ctx, await getMailboxId(ctx, mailbox));
    return rules.map(({ id, name, active }) => ({ id, name, active }));
  });

async function rethrowAsBadRequest<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof MailError) throw errors.badRequest(error.message);
    throw error;
  }
}

/** @param company id of the company; null for the first one */
export function setMailboxFeature(workspace: string, key: string, state: string, company: number | null) {
  if (state !== 'on' && state !== 'off') throw errors.badRequest('The state must be "on" or "off".');
  return runInWorkspace(workspace, 'mail.feature', { key, state, company }, async (ctx) =>
    setMailFeature(ctx, company ?? (await getFirstCompany(ctx)), key, state === 'on'),
  );
}

export const setMailboxPolicy = (workspace: string, key: string, value: string) =>
  runInWorkspace(workspace, 'mail.policy', { key, value }, async (ctx) => ({
    key,
    value: await setMailPolicy(ctx, key, value),
  }));

export const setLocalPartReservation = (workspace: string, local: string, isReserved: boolean) =>
  runInWorkspace(workspace, 'mail.reserve', { local, isReserved }, async (ctx) => ({
    reserved: await setReservedAddress(ctx, local, isReserved),
  }));
