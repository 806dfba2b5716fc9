import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { AutoReplySettings } from '../../../src/message/auto-reply/settings.ts';
import type { MailRule } from '../../../src/message/rules/rule.ts';
import { getMatchingBlocks } from '../organize/block-sender.ts';
import { type Feature, loadFeatures } from '../settings/features.ts';
import type { EventDetail } from '../shared/mailbox-events.ts';

export interface MailboxInfo {
  id: number;
  name: string;
  address: string;
  /** All addresses of the mailbox, in lower case. */
  addresses: string[];
  inbox: number;
  spam: number;
  /** Roles by folder id; null for custom folders. */
  folders: ReadonlyMap<number, string | null>;
  labels: ReadonlySet<number>;
  features: Record<Feature, boolean>;
  blocks: boolean;
  /** Active rules in execution order. */
  rules: (MailRule & { id: number })[];
  autoReply: (AutoReplySettings & { revision: number }) | null;
  eventDetail: EventDetail;
}

interface MailboxInfoRow extends Pick<MailboxInfo, 'id' | 'name' | 'address' | 'addresses' | 'blocks'> {
  company_id: number | null;
  event_detail: EventDetail;
  tz: string | null;
  folders: { id: number; role: string | null }[] | null;
  labels: number[];
  rules: MailboxInfo['rules'] | null;
  auto_reply: (Omit<AutoReplySettings, 'tz' | 'active'> & { revision: number }) | null;
}

/** Loads mailbox data by id. Omits deleted mailboxes. */
export async function loadMailboxInfo(
  ctx: Ctx,
  accountIds: readonly number[],
): Promise<Map<number, MailboxInfo>> {
  const rows = await ctx.db.rows<MailboxInfoRow>(
    sql`select a.id, a.name, a.address, a.company_id, a.event_detail,
       (select u.tz from res_users u where u.workspace_id = ${ctx.workspace.id} and u.id = a.owner_id) as tz,
       array(select d.address from svc_mail_address d
         where d.workspace_id = ${ctx.workspace.id} and d.account_id = a.id) as addresses,
       (select json_agg(json_build_object('id', f.id, 'role', f.role)) from svc_mail_folder f
         where f.workspace_id = ${ctx.workspace.id} and f.account_id = a.id) as folders,
       exists (select 1 from svc_mail_block b where b.workspace_id = ${ctx.workspace.id}
         and b.account_id = a.id) as blocks,
       array(select l.id from svc_mail_label l where l.workspace_id = ${ctx.workspace.id}
         and l.account_id = a.id) as labels,
       (select json_agg(json_build_object('id', r.id, 'name', r.name, 'active', true, 'match_type', r.match_type,
           'conditions', r.conditions, 'actions', r.actions) order by r.sequence, r.id) from svc_mail_rule r
         where r.workspace_id = ${ctx.workspace.id} and r.account_id = a.id and r.is_active) as rules,
       (select json_build_object('subject', y.subject, 'body', y.body, 'revision', y.revision,
           'from', coalesce(y.date_from::text, ''), 'until', coalesce(y.date_until::text, ''))
             from svc_mail_autoreply y
         where y.workspace_id = ${ctx.workspace.id} and y.account_id = a.id and y.is_active) as auto_reply
     from svc_mail_account a where a.workspace_id = ${ctx.workspace.id} and a.id = any(${accountIds}::int[])`,
  );
  const features = new Map<number | null, MailboxInfo['features']>();
  for (const company of new Set(rows.map(({ company_id }) => company_id)))
    features.set(company, await loadFeatures(ctx, company));
  return new Map(rows.map((row) => [row.id, toMailboxInfo(row, features.get(row.company_id)!)]));
}

function toMailboxInfo(row: MailboxInfoRow, features: MailboxInfo['features']): MailboxInfo {
  const folders = row.folders ?? [];
  const getFolderId = (role: string): number => folders.find((folder) => folder.role === role)!.id;
  return {
    id: row.id,
    name: row.name,
    address: row.address,
    addresses: row.addresses,
    inbox: getFolderId('inbox'),
    spam: getFolderId('spam'),
    folders: new Map(folders.map(({ id, role }) => [id, role])),
    labels: new Set(row.labels),
    blocks: row.blocks,
    features,
    rules: row.rules ?? [],
    eventDetail: row.event_detail,
    autoReply: row.auto_reply && { ...row.auto_reply, active: true, tz: row.tz ?? 'UTC' },
  };
}

export async function isSenderBlocked(
  ctx: Ctx,
  { id, blocks }: MailboxInfo,
  senders: string[],
): Promise<boolean> {
  if (!blocks) return false;
  const rows = await ctx.db.rows(
    sql`select 1 from svc_mail_block b
     where b.workspace_id = ${ctx.workspace.id} and b.account_id = ${id}
       and b.email = any(${senders.flatMap(getMatchingBlocks)}::text[])
     limit 1`,
  );
  return rows.length > 0;
}
