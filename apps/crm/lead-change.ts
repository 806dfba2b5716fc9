import { type Sql, sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { write } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { formatNow } from '../kit/dates.ts';
import { isSet, linkId } from '../kit/values.ts';
import { CUSTOMER_FIELDS, fillFromPartners, normalizeContact } from './lead-contact.ts';
import { findTeam, loadPipeline, type PipelineStage } from './pipeline.ts';
import { changeTeam } from './team-change.ts';

export async function prepareLeadChange(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  checkProbability(values);
  const now = formatNow();
  let stage: PipelineStage | undefined;
  if (isSet(values.stage_id)) {
    stage = (await loadPipeline(ctx)).stages.find(({ id }) => id === values.stage_id);
    if (stage && !stage.isWon && values.probability === undefined)
      await applyStageProbability(ctx, values, ids, stage);
  }
  setHookValues(values, computeClosing(values, stage, now));
  if ('user_id' in values) setHookValues(values, { date_open: isSet(values.user_id) ? now : false });
  await followSalesperson(ctx, values, ids);
  if (values.type === 'opportunity') setHookValues(values, { date_conversion: now });
  if (isSet(values.partner_id)) await fillGaps(ctx, values, ids);
  normalizeContact(values);
}

export function checkProbability({ probability }: Values): void {
  if (typeof probability === 'number' && (probability < 0 || probability > 100))
    throw errors.validation('The probability of closing the deal must be between 0% and 100% (probability).');
}

/**
 * Returns the values of a change that closes or reopens a lead. A won stage sets probability 100, and archiving closes
 * a lead. Another stage, a positive probability or restoring reopens it.
 */
export function computeClosing(values: Values, stage: PipelineStage | undefined, now: string): Values {
  const result: Values = {};
  if (stage) Object.assign(result, { automated_probability: stage.progress, date_last_stage_update: now });
  if (stage?.isWon) return { ...result, probability: 100, date_closed: now };
  const probability = Number(values.probability ?? 0);
  if (probability >= 100 || values.active === false) return { ...result, date_closed: now };
  if (stage || probability > 0 || values.active === true) return { ...result, date_closed: false };
  return result;
}

/**
 * Applies the stage's probability to leads whose probability no user has set. If only some of the leads qualify, writes
 * them separately.
 */
async function applyStageProbability(
  ctx: Ctx,
  values: Values,
  ids: number[],
  stage: PipelineStage,
): Promise<void> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from crm_lead where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and active
     and coalesce(probability, 0) = coalesce(automated_probability, 0)`,
  );
  if (rows.length === ids.length) values.probability = stage.progress;
  else if (rows.length > 0)
    await write(
      ctx,
      'crm.lead',
      rows.map((row) => row.id),
      { probability: stage.progress },
    );
}

async function followSalesperson(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const user = linkId(values.user_id);
  if (user === null || values.team_id !== undefined) return;
  const pipeline = await loadPipeline(ctx);
  const team = findTeam(pipeline, user);
  if (team) await changeTeam(ctx, values, { model: 'crm.lead', ids, user, team, pipeline });
}

const FILLED_FIELDS = ['name', ...CUSTOMER_FIELDS];

/** Builds SQL for the key of leads with the same empty fields. */
export const buildGapsKeySql = (): Sql =>
  sql.join(FILLED_FIELDS.map((name) => sql`nullif(${sql.id('t', name)}::text, '') is null`));

/** Fills the empty fields from the new customer. All leads have the same empty fields (see `preparesBy`). */
async function fillGaps(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const [lead] = await ctx.db.rows<Values>(
    sql`select ${sql.join(FILLED_FIELDS.map((name) => sql.id(name)))}
     from crm_lead where workspace_id = ${ctx.workspace.id} and id = ${ids[0]}`,
  );
  if (!lead) return;
  const filledValues: Values = { ...pickSetValues(lead), ...values };
  await fillFromPartners(ctx, [filledValues]);
  for (const [name, value] of Object.entries(filledValues))
    if (!(name in values) && !isSet(lead[name])) values[name] = value;
}

const pickSetValues = (lead: Values): Values =>
  Object.fromEntries(Object.entries(lead).filter(([, value]) => isSet(value)));
