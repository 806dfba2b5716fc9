import { loadDemoPeople, pickInTurn } from '../kit/demo-people.ts';
import { addRecords, type Ctx, findRecordIds, type Values } from '../kit/surface.ts';

const TICKETS: [name: string, stage: string, priority: string][] = [
  ['Printer of the front office is offline', 'stage_new', '2'],
  ['How do I change the address of an invoice?', 'stage_new', '0'],
  ['Two of five chairs arrived damaged', 'stage_in_progress', '1'],
  ['Login fails after the update', 'stage_in_progress', '3'],
  ['Spare part for the desk lamp', 'stage_on_hold', '0'],
  ['Wrong color delivered', 'stage_solved', '1'],
  ['Copy of the contract', 'stage_solved', '0'],
];

export async function addHelpdeskDemoData(ctx: Ctx): Promise<void> {
  const idsByName = await findRecordIds(ctx, 'helpdesk', [
    ...new Set(TICKETS.map(([, stage]) => stage)),
    'helpdesk_team1',
  ]);
  const people = await loadDemoPeople(ctx);
  const records = TICKETS.map(([name, stage, priority], index): [string, Values] => [
    `demo_ticket_${index + 1}`,
    {
      name,
      priority,
      stage_id: idsByName.get(stage) ?? false,
      team_id: idsByName.get('helpdesk_team1') ?? false,
      partner_id: pickInTurn(people.companies, index)?.id ?? false,
      user_id: pickInTurn(people.users, index) ?? false,
    },
  ]);
  await addRecords(ctx, 'helpdesk', 'helpdesk.ticket', Object.fromEntries(records));
}
