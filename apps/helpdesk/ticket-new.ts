import { filterReadableIds } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { allocateNextNames } from '../../src/engine/write/sequence.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { forEachYielding } from '../../src/loop/yield.ts';
import { formatNow } from '../kit/dates.ts';
import { isSet, linkId } from '../kit/values.ts';
import { chooseAssignees } from './assign.ts';
import { findOpenStage, type HelpdeskSetup, loadHelpdeskSetup } from './setup.ts';
import { fillCustomers } from './ticket-customer.ts';

export async function prepareNewTickets(ctx: Ctx, list: Values[]): Promise<void> {
  const setup = await loadHelpdeskSetup(ctx);
  const callerTeam = list.some(({ team_id }) => team_id === undefined)
    ? await findCallerTeam(ctx, setup)
    : null;
  await fillCustomers(ctx, list);
  const numbers = await allocateNextNames(ctx, 'helpdesk.ticket', list.length, null);
  await forEachYielding(list, (values, index) => {
    // The workspace may have deleted the sequence.
    setHookValues(values, { ticket_ref: numbers?.[index] ?? false });
    fillTeamAndStage(values, setup, callerTeam);
  });
  await assignUsers(ctx, list, setup);
  const now = formatNow();
  await forEachYielding(list, (values) => {
    const stage = setup.stages.find(({ id }) => id === values.stage_id);
    setHookValues(values, {
      date_last_stage_update: now,
      assign_date: isSet(values.user_id) ? now : false,
      close_date: stage?.closes ? now : false,
    });
  });
}

/** Finds the caller's first team, or else the first team visible to the caller. */
async function findCallerTeam(ctx: Ctx, { teams }: HelpdeskSetup): Promise<number | null> {
  const user = ctx.principal?.userId;
  const ids = teams.map(({ id }) => id);
  const readableIds = new Set(await filterReadableIds(ctx, 'helpdesk.team', ids));
  const readableTeams = teams.filter(({ id }) => readableIds.has(id));
  return (
    (readableTeams.find(({ members }) => user && members.includes(user)) ?? readableTeams[0])?.id ?? null
  );
}

function fillTeamAndStage(values: Values, setup: HelpdeskSetup, callerTeam: number | null): void {
  if (values.team_id === undefined) values.team_id = callerTeam ?? false;
  const team = setup.teams.find(({ id }) => id === values.team_id);
  if (values.company_id === undefined) values.company_id = team?.companyId ?? false;
  if (values.stage_id === undefined)
    values.stage_id = findOpenStage(setup, linkId(values.team_id))?.id ?? false;
}

/** Assigns new tickets without an assignee if their team distributes tickets automatically. */
async function assignUsers(ctx: Ctx, list: Values[], { teams }: HelpdeskSetup): Promise<void> {
  for (const team of teams) {
    if (!team.assigns) continue;
    const unassignedTickets = list.filter(
      ({ team_id, user_id }) => team_id === team.id && user_id === undefined,
    );
    if (unassignedTickets.length === 0) continue;
    const users = await chooseAssignees(ctx, team, unassignedTickets.length);
    unassignedTickets.forEach((values, index) => {
      values.user_id = users[index] ?? false;
    });
  }
}
