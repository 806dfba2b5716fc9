import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { type AppError, errors } from '../../../src/errors.ts';
import type { SystemFolder } from './create-mailbox.ts';

export interface MemberMailbox {
  id: number;
  name: string;
  address: string;
  kind: 'personal' | 'shared';
  owner_id: number | null;
  company_id: number | null;
  role: 'owner' | 'manager' | 'member';
}

/** Builds the same error for missing records and for other users' records, so that it does not reveal which exist. */
export const createMailAccessError = (ctx: Ctx, label: string, model: string): AppError =>
  errors.recordAccess(
    'read',
    label,
    model,
    ctx.principal?.login ?? 'The caller',
    (ctx.channel === 'mcp' ? TOOL_HINTS : LIST_HINTS)[model],
  );

const LIST_HINTS: Record<string, string> = {
  'svc.mail.account': 'get_mailbox_state (in GraphQL mailState) lists your mailboxes with their ids.',
  'svc.mail.folder': 'get_mailbox_state (in GraphQL mailState) lists your folders with their ids.',
  'svc.mail.label': 'get_mailbox_state (in GraphQL mailState) lists your labels with their ids.',
  'svc.mail.entry':
    'get_entries and get_unified_entries (in GraphQL mailMessages) list your messages with their ids.',
  'svc.mail.rule': 'rules_list (in GraphQL mailRuleList) lists the rules of a mailbox with their ids.',
};

const TOOL_HINTS: Record<string, string> = {
  'svc.mail.account': 'mailbox_list lists your mailboxes with their ids.',
  'svc.mail.folder': 'mailbox_list lists your folders with their ids.',
  'svc.mail.label': 'mailbox_list lists your labels with their ids.',
  'svc.mail.entry': 'inbox_read lists your messages with their ids.',
  'svc.mail.rule': 'mail_rules_get lists the rules of a mailbox with their ids.',
};

/** @throws ACCESS_ERROR if the mailbox does not exist or the caller is not a member */
export async function getMemberMailbox(ctx: Ctx, id: number): Promise<MemberMailbox> {
  const [account] = await ctx.db.rows<MemberMailbox>(
    sql`select a.id, a.name, a.address, a.kind, a.owner_id, a.company_id, m.role
     from svc_mail_account a join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = a.id
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${id} and a.active
       and m.user_id = ${ctx.principal?.userId ?? 0}`,
  );
  if (!account) throw createMailAccessError(ctx, 'Mailbox', 'svc.mail.account');
  return account;
}

export interface MemberEntry {
  id: number;
  account_id: number;
  folder_id: number;
  was_folder_id: number | null;
  content_id: number;
  thread_id: number;
  is_read: boolean;
  is_starred: boolean;
  company_id: number | null;
}

/**
 * Loads entries by ascending id.
 * @throws ACCESS_ERROR if an entry does not exist, its mailbox is archived, or the caller is not a member of the
 * mailbox
 */
export async function getMemberEntries(ctx: Ctx, ids: readonly number[]): Promise<MemberEntry[]> {
  const distinctIds = [...new Set(ids)];
  const entries = await ctx.db.rows<MemberEntry>(
    sql`select e.id, e.account_id, e.folder_id, e.was_folder_id, e.content_id, e.thread_id, e.is_read, e.is_starred,
       a.company_id
     from svc_mail_entry e
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = e.account_id and a.active
     join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = e.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     where e.workspace_id = ${ctx.workspace.id} and e.id = any(${distinctIds}::int8[]) order by e.id`,
  );
  if (entries.length < distinctIds.length) throw createMailAccessError(ctx, 'Message', 'svc.mail.entry');
  return entries;
}

export interface MemberFolder {
  id: number;
  account_id: number;
  company_id: number | null;
  role: SystemFolder | null;
  name: string;
}

/** @throws ACCESS_ERROR if the folder does not exist or the caller is not a member of its mailbox */
export async function getMemberFolder(ctx: Ctx, id: number): Promise<MemberFolder> {
  const [folder] = await ctx.db.rows<MemberFolder>(
    sql`select f.id, f.account_id, a.company_id, f.role, f.name from svc_mail_folder f
     join svc_mail_member m on m.workspace_id = ${ctx.workspace.id} and m.account_id = f.account_id
       and m.user_id = ${ctx.principal?.userId ?? 0}
     join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = f.account_id and a.active
     where f.workspace_id = ${ctx.workspace.id} and f.id = ${id}`,
  );
  if (!folder) throw createMailAccessError(ctx, 'Folder', 'svc.mail.folder');
  return folder;
}
