import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { write } from '../../src/engine/write/write.ts';
import { formatNow } from '../kit/dates.ts';
import { isSet, linkId } from '../kit/values.ts';
import { findOpenStage, isStageFor, loadHelpdeskSetup } from './setup.ts';
import { fillCustomers } from './ticket-customer.ts';

export async function prepareTicketChange(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const now = formatNow();
  await fillCustomers(ctx, [values]);
  if ('user_id' in values) setHookValues(values, { assign_date: isSet(values.user_id) ? now : false });
  if (isSet(values.stage_id)) await applyStage(ctx, values, now);
  else if (isSet(values.team_id)) await resetForeignStages(ctx, values, ids, now);
}

async function applyStage(ctx: Ctx, values: Values, now: string): Promise<void> {
  const [stage] = await ctx.db.rows<{ is_close: boolean }>(
    sql`select is_close from helpdesk_stage where workspace_id = ${ctx.workspace.id} and id = ${values.stage_id}`,
  );
  if (!stage) return;
  setHookValues(values, { date_last_stage_update: now, close_date: stage.is_close ? now : false });
  if (!stage.is_close) setHookValues(values, { closed_by_partner: false });
}

/**
 * Moves tickets to the initial stage if their new team does not use the current one. If only some of the tickets are
 * moved, writes them separately.
 */
async function resetForeignStages(ctx: Ctx, values: Values, ids: number[], now: string): Promise<void> {
  const team = linkId(values.team_id)!;
  const setup = await loadHelpdeskSetup(ctx);
  const fittingIds = setup.stages.filter((stage) => isStageFor(stage, team)).map(({ id }) => id);
  const first = findOpenStage(setup, team);
  if (!first) return;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from helpdesk_ticket where workspace_id = ${ctx.workspace.id} and id = any(${ids})
     and stage_id <> all(${fittingIds}::int[])`,
  );
  if (rows.length === 0) return;
  const leavingIds = rows.map(({ id }) => id);
  if (leavingIds.length < ids.length)
    return void (await write(ctx, 'helpdesk.ticket', leavingIds, { stage_id: first.id }));
  values.stage_id = first.id;
  await applyStage(ctx, values, now);
}
