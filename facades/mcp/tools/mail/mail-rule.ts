import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { call } from '../../../../src/engine/verb/call.ts';
import { errors } from '../../../../src/errors.ts';
import { defineTool, needsConfirm, type Shaped, toolAnswer } from '../../tool.ts';
import { ACCOUNT, answers, CONFIRM, done, ID, IDS, takes, writes } from '../kit.ts';
import {
  type AskedRule,
  isMoving,
  type KnownRule,
  RULE_SCHEMA,
  ruleWarnings,
  variablesOf,
} from './rule-schema.ts';

interface Args {
  action: 'preview' | 'save' | 'set_active' | 'delete' | 'reorder';
  account_id: number;
  rule?: AskedRule;
  rule_id?: number;
  active?: boolean;
  ids?: number[];
}

const METHODS = {
  preview: 'rule_preview',
  save: 'rule_save',
  set_active: 'rule_set_active',
  delete: 'rule_delete',
  reorder: 'rules_reorder',
};

export const mailRuleTool = defineTool<Args>({
  name: 'mail_rule',
  title: 'Manage mail rules',
  description:
    'Manages rules of a mailbox; no forwarding, no regular expressions. The preview counts matches among the newest ' +
    'Inbox messages. save, delete and what changes where mail goes need confirm.',
  inputSchema: takes(
    {
      action: { type: 'string', enum: Object.keys(METHODS) },
      account_id: ACCOUNT,
      rule: RULE_SCHEMA,
      rule_id: ID(),
      active: { type: 'boolean' },
      ids: IDS('With reorder: all rules in run order.'),
      confirm: CONFIRM,
    },
    ['action', 'account_id'],
  ),
  outputSchema: answers(),
  annotations: writes(),
  scope: 'write',
  group: 'mail',
  feature: 'mail.rules',
  method: ({ action }) => METHODS[action as Args['action']] ?? null,
  effects: (_ctx, { action, ids }) => ({
    does: action === 'delete' ? ['deletes'] : action === 'preview' ? ['reads'] : ['writes'],
    changes: action === 'reorder' && ids ? ids.length : 1,
  }),
  run: ({ ctx, args, confirmed }) => ACTIONS[args.action](ctx, args, confirmed),
});

/** @throws BAD_VALUE where the action needs the argument */
function needed<Key extends keyof Args>(args: Args, key: Key): NonNullable<Args[Key]> {
  const value = args[key];
  if (value === undefined) throw errors.badValue(`${args.action} needs ${key}.`);
  return value;
}

const ACTIONS: Record<Args['action'], (ctx: Ctx, args: Args, confirmed: boolean) => Promise<Shaped>> = {
  preview: async (ctx, args) => {
    const preview = await previewOf(ctx, args);
    return toolAnswer({ preview }, preview.count);
  },
  save: async (ctx, args, confirmed) => {
    if (!confirmed) return needsConfirm({ preview: await previewOf(ctx, args) });
    const rule = variablesOf(needed(args, 'rule'));
    return toolAnswer({ ...done(await call(ctx, 'mailRuleSave', { accountId: args.account_id, rule })) }, 1);
  },
  set_active: async (ctx, args, confirmed) => {
    const active = needed(args, 'active');
    const rule = await ruleOf(ctx, args);
    if (!confirmed && active && isMoving(rule))
      return needsConfirm({
        message: 'This rule changes where mail goes.',
        rule,
        warnings: ruleWarnings(rule),
      });
    const which = { accountId: args.account_id, ruleId: rule.id, active };
    return toolAnswer({ ...done(await call(ctx, 'mailRuleSetActive', which)), rule_id: rule.id, active }, 1);
  },
  delete: async (ctx, args, confirmed) => {
    const rule = await ruleOf(ctx, args);
    if (!confirmed) return needsConfirm({ message: `The rule "${rule.name}" would be deleted.`, rule });
    const which = { accountId: args.account_id, ruleId: rule.id };
    return toolAnswer({ ...done(await call(ctx, 'mailRuleDelete', which)), rule_id: rule.id }, 1);
  },
  reorder: async (ctx, args, confirmed) => {
    const ids = needed(args, 'ids');
    const rules = await rulesOf(ctx, args);
    const moved = rules.filter((rule, place) => isMoving(rule) && ids[place] !== rule.id);
    if (!confirmed && moved.length > 0)
      return needsConfirm({
        message: 'Rules that change where mail goes would run in another place.',
        rules: moved.map(({ id, name }) => ({ id, name })),
      });
    return toolAnswer(
      { ...done(await call(ctx, 'mailRulesReorder', { accountId: args.account_id, ids })) },
      ids.length,
    );
  },
};

async function previewOf(ctx: Ctx, args: Args) {
  const rule = needed(args, 'rule');
  if (args.action === 'save' && !(rule.name?.trim() && rule.actions?.length))
    throw errors.badValue('A rule needs a name and at least one action.');
  const variables = { accountId: args.account_id, rule: variablesOf(rule) };
  const { count, scanned, samples } = done(await call(ctx, 'mailRulePreview', variables));
  return { rule, count, scanned, samples, warnings: ruleWarnings(rule) };
}

const rulesOf = async (ctx: Ctx, { account_id: accountId }: Args): Promise<KnownRule[]> =>
  (await call(ctx, 'mailRuleList', { accountId })).rules;

async function ruleOf(ctx: Ctx, args: Args): Promise<KnownRule> {
  const id = needed(args, 'rule_id');
  const rule = (await rulesOf(ctx, args)).find((each) => each.id === id);
  if (!rule) throw errors.user(`The mailbox has no rule ${id}; mail_rules_get lists them.`);
  return rule;
}
