import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import { call } from '../../../../src/engine/operation/call.ts';
import { errors } from '../../../../src/errors.ts';
import { type ArgumentsOf, inputSchema, listNames } from '../../input-schema.ts';
import { buildConfirmationRequest, defineTool, type ToolResult, toToolResult } from '../../tool.ts';
import {
  ACCOUNT_SCHEMA,
  buildIdSchema,
  buildIdsSchema,
  CONFIRM_ARGUMENT,
  requireArgument,
  toSavedResult,
  unwrapResult,
  WRITING_TOOL,
} from '../kit.ts';
import {
  getRuleWarnings,
  isMoving,
  type McpRuleInput,
  RULE_SCHEMA,
  type StoredRule,
  toRuleVariables,
} from './rule-schema.ts';

const METHODS = {
  preview: 'rule_preview',
  save: 'rule_save',
  set_active: 'rule_set_active',
  delete: 'rule_delete',
  reorder: 'rules_reorder',
};

const INPUT_SCHEMA = inputSchema(
  {
    action: { type: 'string', enum: listNames(METHODS) },
    account_id: ACCOUNT_SCHEMA,
    rule: RULE_SCHEMA,
    rule_id: buildIdSchema(),
    active: { type: 'boolean' },
    ids: buildIdsSchema('With reorder: all rules in run order.'),
    confirm: CONFIRM_ARGUMENT,
  },
  ['action', 'account_id'],
);

type RuleArgs = ArgumentsOf<typeof INPUT_SCHEMA>;

export const mailRuleTool = defineTool({
  name: 'mail_rule',
  title: 'Manage mail rules',
  description:
    "Manages a mailbox's rules. Rules cannot forward messages or use regular expressions. A preview counts " +
    'matches among the newest Inbox messages. Saving, deleting and changing where mail goes require confirm.',
  inputSchema: INPUT_SCHEMA,
  ...WRITING_TOOL,
  group: 'mail',
  feature: 'mail.rules',
  method: ({ action }) => METHODS[action as RuleArgs['action']] ?? null,
  effects: (_ctx, { action, ids }) => ({
    effects: action === 'delete' ? ['deletes'] : action === 'preview' ? ['reads'] : ['writes'],
    changes: action === 'reorder' && ids ? ids.length : 1,
  }),
  run: ({ ctx, args, confirmed }) => ACTIONS[args.action](ctx, args, confirmed),
});

const ACTIONS: Record<
  RuleArgs['action'],
  (ctx: Ctx, args: RuleArgs, isConfirmed: boolean) => Promise<ToolResult>
> = {
  preview: async (ctx, args) => {
    const preview = await previewRule(ctx, args);
    return toToolResult({ preview }, preview.count);
  },
  save: async (ctx, args, isConfirmed) => {
    if (!isConfirmed) return buildConfirmationRequest({ preview: await previewRule(ctx, args) });
    const rule = toRuleVariables(getRuleInput(args));
    return toSavedResult(await call(ctx, 'mailRuleSave', { accountId: args.account_id, rule }));
  },
  set_active: async (ctx, args, isConfirmed) => {
    const active = requireArgument(args, 'active');
    const rule = await getRule(ctx, args);
    if (!isConfirmed && active && isMoving(rule))
      return buildConfirmationRequest({
        message: 'This rule changes which folder mail goes to.',
        rule,
        warnings: getRuleWarnings(rule),
      });
    const ruleRef = { accountId: args.account_id, ruleId: rule.id, active };
    return toToolResult(
      { ...unwrapResult(await call(ctx, 'mailRuleSetActive', ruleRef)), rule_id: rule.id, active },
      1,
    );
  },
  delete: async (ctx, args, isConfirmed) => {
    const rule = await getRule(ctx, args);
    if (!isConfirmed)
      return buildConfirmationRequest({ message: `The rule "${rule.name}" would be deleted.`, rule });
    const ruleRef = { accountId: args.account_id, ruleId: rule.id };
    return toToolResult({ ...unwrapResult(await call(ctx, 'mailRuleDelete', ruleRef)), rule_id: rule.id }, 1);
  },
  reorder: async (ctx, args, isConfirmed) => {
    const ids = requireArgument(args, 'ids');
    const rules = await loadRules(ctx, args);
    const movedRules = rules.filter((rule, index) => isMoving(rule) && ids[index] !== rule.id);
    if (!isConfirmed && movedRules.length > 0)
      return buildConfirmationRequest({
        message: 'Rules that change which folder mail goes to would run in a different order.',
        rules: movedRules.map(({ id, name }) => ({ id, name })),
      });
    return toToolResult(
      { ...unwrapResult(await call(ctx, 'mailRulesReorder', { accountId: args.account_id, ids })) },
      ids.length,
    );
  },
};

/** The operations validate the parts of a rule. */
const getRuleInput = (args: RuleArgs) => requireArgument(args, 'rule') as McpRuleInput;

async function previewRule(ctx: Ctx, args: RuleArgs) {
  const rule = getRuleInput(args);
  const isMissing = (part: string | unknown[] | undefined): boolean =>
    part === undefined ? args.action === 'save' : part.length === 0;
  if (isMissing(rule.name?.trim()) || isMissing(rule.actions))
    throw errors.badValue('A rule must have a name and at least one action.');
  const variables = { accountId: args.account_id, rule: toRuleVariables(rule) };
  const { count, scanned, samples } = unwrapResult(await call(ctx, 'mailRulePreview', variables));
  return { rule, count, scanned, samples, warnings: getRuleWarnings(rule) };
}

const loadRules = async (ctx: Ctx, { account_id: accountId }: RuleArgs): Promise<StoredRule[]> =>
  (await call(ctx, 'mailRuleList', { accountId })).rules;

async function getRule(ctx: Ctx, args: RuleArgs): Promise<StoredRule> {
  const id = requireArgument(args, 'rule_id');
  const rule = (await loadRules(ctx, args)).find((rule) => rule.id === id);
  if (!rule) throw errors.user(`The mailbox has no rule ${id}. Call mail_rules_get to list its rules.`);
  return rule;
}
