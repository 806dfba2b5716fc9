import { sql } from '../../../../src/db/sql.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { Registry } from '../../../../src/engine/model/model.ts';
import { loadCatalog } from '../catalog-load.ts';
import { findRuleFault, storeRuleFaults } from '../rule.ts';

// A rule that names what has gone with an app allows no records, because it cannot be known which it would have
// allowed; to leave it out would allow all. Administrators see why.

/** A rule, and what would be said of it. */
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

/** The rules whose fault would be another one, or none, if `registry` were the workspace's. */
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

/** Says of each rule of the workspace whether it still works. */
export async function recordRuleFaults(ctx: Ctx): Promise<void> {
  await storeRuleFaults(ctx, await findChangedFaults(ctx, ctx.catalog.registry));
}

/** A field that is there again may be what a rule lacks. */
export async function recheckRuleFaults(ctx: Ctx): Promise<void> {
  const [faulty] = await ctx.db.rows(
    sql`select 1 from ir_rule where workspace_id = ${ctx.workspace.id} and fault is not null limit 1`,
  );
  if (!faulty) return;
  const { registry } = await loadCatalog(ctx.db, ctx.runtime.registry, ctx.workspace.id);
  await storeRuleFaults(ctx, await findChangedFaults(ctx, registry));
}
