import { sql } from '../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { parseDomain } from '../../../src/engine/domain/parse.ts';
import { evaluateRule, parseRuleText, type RuleSubject } from '../../../src/engine/domain/rule-text.ts';
import type { Model, Registry, Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { AppError, errors } from '../../../src/errors.ts';

/** Record rules limit the records that a group's members, or all users, can access. Changes take effect immediately. */
defineModel('ir.rule', {
  group: 'data',
  order: 'model_id, id',
  access: { 'base.group_erp_manager': 'crwu', 'base.group_system': 'crwu' },
  audited: true,
  computed: {
    global: {
      type: 'boolean',
      label: 'Global',
      help: 'True if the rule applies to every user because it has no groups.',
      sql: (row, context) =>
        sql`not exists (select 1 from rule_group_rel g
          where g.workspace_id = ${context.workspace} and g.rule_group_id = ${row}.id)`,
    },
  },
  prepare: (_ctx, list) => list.forEach(serializeDomain),
  afterCreate: checkRules,
  afterWrite: checkRules,
  beforeUnlink: announceCatalogChange,
});

/** Serializes a domain that a JSON client sends as a list. Domains are stored as text. */
function serializeDomain(values: Values): void {
  if (Array.isArray(values.domain_force)) values.domain_force = JSON.stringify(values.domain_force);
}

/** Maximum length of an active rule's domain. Longer conditions belong in a field that the rule tests. */
export const MAX_RULE_DOMAIN_CHARS = 16 * 1024;
/** Maximum total length of the domains of a model's active rules, which are part of every statement on the model. */
export const MAX_MODEL_RULE_CHARS = 64 * 1024;

interface RuleRow {
  id: number;
  model_id: number;
  active: boolean;
  fault: string | null;
  model: string;
  domain: string | null;
  used: boolean;
}

async function checkRules(ctx: Ctx, ids: number[]): Promise<void> {
  const rows = await ctx.db.rows<RuleRow>(
    sql`select r.id, r.active, r.fault, r.model_id, m.model, r.domain_force as domain,
       (perm_read or perm_write or perm_create or perm_unlink) as used
     from ir_rule r join (
       select id, model from ir_model_stock
       union all
       select id, model from ir_model where workspace_id = ${ctx.workspace.id}) m on m.id = r.model_id
     where r.workspace_id = ${ctx.workspace.id} and r.id = any(${ids})`,
  );
  const activeRows = rows.filter(({ active }) => active);
  for (const { domain } of activeRows) assertDomainSize(domain ?? '');
  await assertModelBudget(ctx, activeRows);
  const faults: RuleFault[] = [];
  for (const { id, active, fault: before, model, domain, used } of rows) {
    if (!used) throw errors.validation('A rule must have at least one checked access right.');
    if (model === 'ir.rule') throw errors.validation('Rules can not be applied on the Record Rules model.');
    const ruleModel = ctx.catalog.registry.get(model);
    // Otherwise an administrator could hide platform records from other administrators.
    if (ruleModel?.options.ceiling === 'r')
      throw errors.validation(
        `Rules cannot be applied to ${ruleModel.label} (${model}), which is a system model.`,
      );
    // The fields of a model added in the same transaction are not checked, because it is not in the registry yet.
    const fault = findRuleFault(ctx, ruleModel, domain ?? '', ctx.catalog.registry);
    if (fault !== null && active)
      throw errors.validation(`Invalid domain in the field 'domain_force': ${fault}`);
    if (fault !== before) faults.push({ id, fault });
  }
  await storeRuleFaults(ctx, faults);
  announceCatalogChange(ctx);
}

function assertDomainSize({ length }: string): void {
  if (length > MAX_RULE_DOMAIN_CHARS)
    throw errors.validation(
      `The domain of a rule has ${length} characters, but at most ${MAX_RULE_DOMAIN_CHARS} are allowed: ` +
        'compare a field of the records instead of listing values.',
    );
}

/** Counts only active rules, so that an administrator can deactivate rules of an earlier version. */
async function assertModelBudget({ db, workspace }: Ctx, rows: RuleRow[]): Promise<void> {
  const [excess] = await db.rows<{ model_id: number; chars: number }>(
    sql`select model_id, sum(length(domain_force))::int as chars from ir_rule
     where workspace_id = ${workspace.id} and active and model_id = any(${rows.map((row) => row.model_id)})
     group by 1 having sum(length(domain_force)) > ${MAX_MODEL_RULE_CHARS} limit 1`,
  );
  if (!excess) return;
  const { model } = rows.find((row) => row.model_id === excess.model_id)!;
  throw errors.validation(
    `The domains of the active rules of ${model} have ${excess.chars} characters in total, but at most ` +
      `${MAX_MODEL_RULE_CHARS} are allowed: deactivate or shorten some of them first.`,
  );
}

const ANONYMOUS_SUBJECT: RuleSubject = {
  userId: null,
  partnerId: null,
  companyId: null,
  companyIds: [],
  login: '',
  name: '',
  lang: 'en_US',
  tz: 'UTC',
};

/** Returns the reason why a rule's domain is invalid, or null. Does not check fields if `model` is undefined. */
export function findRuleFault(
  ctx: Ctx,
  model: Model | undefined,
  domain: string,
  registry: Registry,
): string | null {
  try {
    const evaluatedDomain = evaluateRule(parseRuleText(domain), ctx.principal ?? ANONYMOUS_SUBJECT);
    if (model) parseDomain(evaluatedDomain, model, registry);
    return null;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

/** `fault` is null if the rule is valid. */
interface RuleFault {
  id: number;
  fault: string | null;
}

export async function storeRuleFaults({ db, workspace }: Ctx, faults: RuleFault[]): Promise<void> {
  if (faults.length === 0) return;
  await db.rows(
    sql`update ir_rule r set fault = c.fault
     from unnest(${faults.map(({ id }) => id)}::int[], ${faults.map(({ fault }) => fault)}::text[]) c(id, fault)
     where r.workspace_id = ${workspace.id} and r.id = c.id`,
  );
}
