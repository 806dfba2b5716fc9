import { sql } from '../../../src/db/sql.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import { OPERATIONS, parseOperationLetters } from '../../../src/engine/ctx/catalog.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { AccessKind } from '../../../src/engine/model/access-kind.ts';
import type { Model } from '../../../src/engine/model/model.ts';

/** Decides whether to add an access right or rule. `group` is null for a rule without a group. */
type AccessFilter = (model: Model, group: string | null) => boolean;

/**
 * Creates the models' initial access rights and rules, which the workspace can change afterwards. Skips those of groups
 * that the workspace does not have.
 */
export async function addInitialRights(
  ctx: Ctx,
  models: Model[],
  filter: AccessFilter = () => true,
): Promise<void> {
  await addAccess(ctx, models, filter);
  await addRules(ctx, models, filter);
}

const toAccessFlags = (operations: ReadonlySet<AccessKind>): Record<string, boolean> =>
  Object.fromEntries(OPERATIONS.map((operation) => [`perm_${operation}`, operations.has(operation)]));

async function addAccess(ctx: Ctx, models: Model[], filter: AccessFilter): Promise<void> {
  const rows = models.flatMap((model) =>
    Object.entries(model.options.access)
      .filter(([group]) => filter(model, group))
      .map(([group, letters]) => ({
        name: `${model.name} ${group.split('.').at(-1)}`,
        model: model.name,
        group,
        ...toAccessFlags(parseOperationLetters(letters)),
      })),
  );
  await ctx.db.rows(
    sql`insert into ir_model_access (workspace_id, id, name, model_id, group_id, perm_read, perm_write, perm_create,
       perm_unlink)
     select ${ctx.workspace.id},
       (${await allocateIds(ctx, 'ir_model_access', rows.length)}::int[])[row_number() over ()],
       r.name, m.id, g.id, r.perm_read, r.perm_write, r.perm_create, r.perm_unlink
     from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(name text, model text, "group" text,
       perm_read boolean, perm_write boolean, perm_create boolean, perm_unlink boolean)
     join ir_model_stock m on m.model = r.model
     join res_groups g on g.workspace_id = ${ctx.workspace.id} and g.external_id = r."group"`,
  );
}

async function addRules(ctx: Ctx, models: Model[], filter: AccessFilter): Promise<void> {
  const rows = models.flatMap((model) =>
    (model.options.rules ?? [])
      .filter(({ group = null }) => filter(model, group))
      .map((rule) => ({
        name: rule.name,
        model: model.name,
        group: rule.group ?? null,
        domain: rule.domain,
        ...toAccessFlags(new Set(rule.operations ?? OPERATIONS)),
      })),
  );
  const ids = await allocateIds(ctx, 'ir_rule', rows.length);
  const list = sql`jsonb_to_recordset(${JSON.stringify(rows.map((row, index) => ({ ...row, id: ids[index] })))}::jsonb)
       as r(id int, name text, model text, "group" text, domain text, perm_read boolean, perm_write boolean,
         perm_create boolean, perm_unlink boolean)`;
  const workspace = sql.param(ctx.workspace.id);
  await ctx.db.rows(
    sql`insert into ir_rule (workspace_id, id, name, model_id, domain_force, perm_read, perm_write, perm_create,
       perm_unlink)
     select ${workspace}, r.id, r.name, m.id, r.domain, r.perm_read, r.perm_write, r.perm_create, r.perm_unlink
     from ${list} join ir_model_stock m on m.model = r.model
     where r."group" is null or exists (
       select 1 from res_groups g where g.workspace_id = ${workspace} and g.external_id = r."group")`,
  );
  await ctx.db.rows(
    sql`insert into rule_group_rel (workspace_id, rule_group_id, group_id)
     select ${workspace}, x.id, g.id from ${list}
     join ir_rule x on x.workspace_id = ${workspace} and x.id = r.id
     join res_groups g on g.workspace_id = ${workspace} and g.external_id = r."group"`,
  );
}
