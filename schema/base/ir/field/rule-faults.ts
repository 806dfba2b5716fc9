import { sql } from '../../../../src/db/sql.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { Registry } from '../../../../src/engine/model/model.ts';
import { loadCatalog } from '../catalog-load.ts';
import { findRuleFault, storeRuleFaults } from '../rule.ts';

// A rule that refers to a removed app's models or fields matches no records, because ignoring the rule would give
// access to all records. Administrators see the reason.

interface InvalidRule {
  id: number;
  name: string;
  fault: string | null;
}

interface RuleRow {
  id: number;
  name: string | null;
  model: string;
  domain: string | null;
  fault: string | null;
}

/** Returns the rules whose fault with `registry` differs from the stored one. */
export async function findChangedFaults(ctx: Ctx, registry: Registry): Promise<InvalidRule[]> {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<RuleRow>(
    sql`select r.id, r.name, m.model, r.domain_force as domain, r.fault
     from ir_rule r join (
       select id, model from ir_model_stock
       union all
       select id, model from ir_model where workspace_id = ${workspace}) m on m.id = r.model_id
     where r.workspace_id = ${workspace} order by r.id`,
  );
  return rows.flatMap(({ id, name, model, domain, fault: before }) => {
    const fault = findRuleFault(ctx, registry.get(model), domain ?? '', registry);
    return fault === before ? [] : { id, name: name ?? '', fault };
  });
}

export async function recordRuleFaults(ctx: Ctx): Promise<void> {
  await storeRuleFaults(ctx, await findChangedFaults(ctx, ctx.catalog.registry));
}

/** Rechecks invalid rules, which a new field can make valid. */
export async function recheckRuleFaults(ctx: Ctx): Promise<void> {
  const [faulty] = await ctx.db.rows(
    sql`select 1 from ir_rule where workspace_id = ${ctx.workspace.id} and fault is not null limit 1`,
  );
  if (!faulty) return;
  const { registry } = await loadCatalog(ctx.db, ctx.runtime.registry, ctx.workspace.id);
  await storeRuleFaults(ctx, await findChangedFaults(ctx, registry));
}
