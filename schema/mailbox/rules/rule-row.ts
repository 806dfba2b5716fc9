import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import type { MailRule } from '../../../src/message/rules/rule.ts';
import { RuleActionShape, RuleConditionShape } from './rule.ts';

export const RuleRow = defineTypedShape('MailRuleRow', 'A rule of a mailbox.', {
  id: { type: 'ID', description: 'Id of the rule.' },
  name: { type: 'String', description: 'Name.' },
  active: { type: 'Boolean', description: 'True if the rule is enabled.' },
  matchType: { type: 'String', description: 'Either `all` or `any` of the conditions must match.' },
  conditions: { type: [RuleConditionShape], description: 'Conditions of the rule.' },
  actions: { type: [RuleActionShape], description: 'Actions to perform on matching messages.' },
  editable: { type: 'Boolean', description: 'False for a rule that an administrator created.' },
  version: { type: 'Int', description: 'Increases with each update. Pass it when you replace the rule.' },
});

export type RuleRow = MailRule & { id: number; editable: boolean; version: number };

export const loadRules = (ctx: Ctx, accountId: number): Promise<RuleRow[]> =>
  ctx.db.rows<RuleRow>(
    sql`select id, name, is_active as active, match_type, conditions, actions, not by_admin as editable,
       row_version as version
     from svc_mail_rule where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} order by sequence, id`,
  );

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
