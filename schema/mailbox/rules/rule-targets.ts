import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

interface MailboxRuleTargets {
  folders: { id: number; name: string; role: string | null }[];
  labels: { id: number; name: string; color: number }[];
}

/** Loads the folders and labels that rules can use. Excludes Sent and Drafts, which are not for received messages. */
export async function loadRuleTargets(ctx: Ctx, accountId: number): Promise<MailboxRuleTargets> {
  const { id: workspace } = ctx.workspace;
  const folders = ctx.db.rows<MailboxRuleTargets['folders'][number]>(
    sql`select id, name, role from svc_mail_folder where workspace_id = ${workspace} and account_id = ${accountId}
       and (role is null or role not in ('sent', 'drafts')) order by sequence, name, id`,
  );
  const labels = ctx.db.rows<MailboxRuleTargets['labels'][number]>(
    sql`select id, name, color from svc_mail_label where workspace_id = ${workspace} and account_id = ${accountId}
     order by name, id`,
  );
  return { folders: await folders, labels: await labels };
}
