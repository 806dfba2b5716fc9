import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { applyRules } from '../../../src/message/rules/apply-rules.ts';
import type { MailRule } from '../../../src/message/rules/rule.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { catchMailError, MAIL_READ_POLICY, returnOutcome } from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';
import { parseRuleInput, RuleInput, type RuleInputValues } from './rule-input.ts';

const MAX_PREVIEWED_MESSAGES = 200;
const MAX_SAMPLES = 5;

const SampleShape = defineTypedShape('MailRuleSample', 'A message that a rule matches.', {
  entryId: { type: 'ID', description: 'Id of the message.' },
  subject: { type: 'String', description: 'Subject.' },
  fromName: { type: 'String', description: 'Name of the sender.' },
  fromEmail: { type: 'String', description: 'Address of the sender.' },
  date: { type: 'DateTime', description: 'When the message was received.' },
});

export const mailRulePreview = defineOperation('mailRulePreview', {
  kind: 'query',
  effects: ['reads'],
  tool: 'mail_rule',
  address: 'svc.mail.account/rule_preview',
  policy: MAIL_READ_POLICY,
  description:
    `Tests a saved or unsaved rule on the newest ${MAX_PREVIEWED_MESSAGES} messages in the Inbox. ` +
    'Nothing is changed.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    rule: arg({
      type: RuleInput,
      required: true,
      description: 'Rule to test. Its name and actions can be omitted.',
    }),
  }),
  ...returnOutcome('MailRulePreview', 'Messages that a rule would match.', {
    count: { type: 'Int', description: 'Number of matching messages.' },
    scanned: { type: 'Int', description: 'Number of tested messages.' },
    samples: { type: [SampleShape], description: `The newest ${MAX_SAMPLES} matching messages.` },
  }),
  run: async (ctx, { accountId, rule }) => {
    const account = await getMemberMailbox(ctx, accountId);
    return catchMailError(async () => {
      await requireFeature(ctx, account.company_id, 'mail.rules');
      return buildPreview(ctx, accountId, await parseRuleInput(ctx, accountId, fillRuleDefaults(rule)));
    });
  },
});

/** Sets defaults for the values that do not affect the conditions. */
const fillRuleDefaults = (rule: RuleInputValues): RuleInputValues => ({
  ...rule,
  name: rule.name?.trim() ? rule.name : 'Preview',
  active: true,
  actions: rule.actions?.length ? rule.actions : [{ action: 'star' }],
});

interface PreviewMessage {
  entry_id: number;
  subject: string;
  from_name: string;
  from_email: string;
  date: string;
  recipients: Partial<Record<'to' | 'cc', { name: string; email: string }[]>>;
  text: string;
  attachment_count: number;
}

async function buildPreview(ctx: Ctx, accountId: number, rule: MailRule) {
  const lookedMessages = await loadNewest(
    ctx,
    accountId,
    rule.conditions.some(({ field }) => field === 'body'),
  );
  const matches = lookedMessages.filter((message) => matchesRule(rule, message));
  const samples = matches.slice(0, MAX_SAMPLES).map(({ entry_id, subject, from_name, from_email, date }) => ({
    entry_id,
    subject,
    from_name,
    from_email,
    date,
  }));
  return { count: matches.length, scanned: lookedMessages.length, samples };
}

const loadNewest = (ctx: Ctx, accountId: number, withText: boolean): Promise<PreviewMessage[]> =>
  ctx.db.rows<PreviewMessage>(
    sql`select e.id as entry_id, c.subject, c.from_name, c.email_from as from_email, ${toIsoSql(sql`e.date`)} as date,
       c.recipients,
       ${withText ? sql`left(c.text, ${sql.literal(limits.mail.searchedText)})` : sql`''`} as text, c.attachment_count
     from svc_mail_entry e
     join svc_mail_folder f on f.workspace_id = ${ctx.workspace.id} and f.id = e.folder_id
     join svc_mail_message c on c.workspace_id = ${ctx.workspace.id} and c.id = e.content_id
     where e.workspace_id = ${ctx.workspace.id} and f.account_id = ${accountId} and f.role = 'inbox'
     order by e.date desc, e.id desc limit ${sql.literal(MAX_PREVIEWED_MESSAGES)}`,
  );

function matchesRule(rule: MailRule, message: PreviewMessage): boolean {
  const people = (list: { name: string; email: string }[] = []) =>
    list.map(({ name, email }) => ({ name, address: email }));
  const { ruleIds } = applyRules([{ ...rule, id: 0 }], {
    from: [{ name: message.from_name, address: message.from_email }],
    to: people(message.recipients.to),
    cc: people(message.recipients.cc),
    subject: message.subject,
    text: message.text,
    hasAttachment: message.attachment_count > 0,
  });
  return ruleIds.length > 0;
}
