import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoader } from '../../../src/engine/ctx/loader.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { defineMailboxModel } from '../accounts/mailbox-access.ts';
import { toCamelKeys } from '../kit/operation.ts';

defineMailboxModel(
  'svc.mail.rule',
  { type: 'MailRule', one: 'mailRule', many: 'mailRules' },
  { order: 'sequence, id' },
);

defineMailboxModel(
  'svc.mail.autoreply',
  { type: 'AutoReply', one: 'autoReply', many: 'autoReplies' },
  { display: 'subject' },
);

export const RuleConditionShape = defineTypedShape('MailRuleCondition', 'A condition of a rule.', {
  field: { type: 'String', description: 'One of from, to, subject, body and has_attachment.' },
  operator: { type: 'String', description: 'One of contains, equals and startswith.' },
  value: { type: 'String', description: 'Text to compare the field with, ignoring case.' },
});

export const RuleActionShape = defineTypedShape('MailRuleAction', 'An action of a rule.', {
  action: {
    type: 'String',
    description: 'One of move_to_folder, add_label, mark_read, star and mark_spam.',
  },
  folderId: { type: 'ID', nullable: true, description: 'Folder to move to.' },
  labelId: { type: 'ID', nullable: true, description: 'Label to add.' },
});

interface RuleParts {
  id: number;
  conditions: object[];
  actions: object[];
}

/**
 * Loads the conditions and actions of all rules in a list with one statement. Access was already checked when the rules
 * were read.
 */
const loadRuleParts = (ctx: Ctx, id: number): Promise<RuleParts> =>
  getLoader<RuleParts>(
    ctx,
    'mail rule parts',
    async (ids) => {
      const rows = await ctx.db.rows<RuleParts>(
        sql`select id, conditions, actions from svc_mail_rule
         where workspace_id = ${ctx.workspace.id} and id = any(${ids}::int[])`,
      );
      return new Map(rows.map((row) => [row.id, row]));
    },
    { id, conditions: [], actions: [] },
  ).load(id);

builder.objectField(getRecordRef('svc.mail.rule'), 'conditions', (t) =>
  t.field({
    type: [RuleConditionShape.ref],
    description: 'Conditions of the rule.',
    resolve: async ({ id }, _args, ctx) => (await loadRuleParts(ctx, id)).conditions as never,
  }),
);

builder.objectField(getRecordRef('svc.mail.rule'), 'actions', (t) =>
  t.field({
    type: [RuleActionShape.ref],
    description: 'Actions to perform on matching messages.',
    resolve: async ({ id }, _args, ctx) => (await loadRuleParts(ctx, id)).actions.map(toCamelKeys) as never,
  }),
);
