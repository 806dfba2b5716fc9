import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { addRecords, findRecordIds } from '../../src/engine/write/first-records.ts';
import { formatDay, formatNow } from '../kit/dates.ts';
import { type DemoPeople, loadDemoPeople, pickInTurn } from '../kit/demo-people.ts';
import { DEMO_LEADS, type DemoLead } from './demo-leads.ts';

export async function addCrmDemoData(ctx: Ctx): Promise<void> {
  const names = [
    'stage_lead1',
    'stage_lead2',
    'stage_lead3',
    'stage_lead4',
    'lost_reason_1',
    'lost_reason_2',
  ];
  const idsByName = await findRecordIds(ctx, 'crm', names);
  const tags = await findRecordIds(
    ctx,
    'sales_team',
    Array.from({ length: 8 }, (_, index) => `categ_oppor${index + 1}`),
  );
  const people = await loadDemoPeople(ctx);
  const records = Object.fromEntries(
    DEMO_LEADS.map((lead, index) => [
      `demo_lead_${index + 1}`,
      toValues(lead, index, people, idsByName, tags),
    ]),
  );
  const ids = await addRecords(ctx, 'crm', 'crm.lead', records);
  await spreadCreation(ctx, Object.values(ids));
}

function toValues(
  lead: DemoLead,
  index: number,
  people: DemoPeople,
  idsByName: Map<string, number>,
  tags: Map<string, number>,
): Values {
  const [name, stage, priority, revenue, tag, days] = lead;
  const company = pickInTurn(people.companies, index);
  const isLead = stage === 0;
  const isLost = days < 0;
  return {
    name,
    type: isLead ? 'lead' : 'opportunity',
    // A lead has no customer yet.
    ...(isLead || !company
      ? {
          partner_name: company?.name ?? name,
          contact_name: company?.person,
          email_from: company?.email,
          city: company?.city,
        }
      : { partner_id: company.id }),
    user_id: isLead && index % 2 === 0 ? false : (pickInTurn(people.users, index) ?? false),
    stage_id: idsByName.get(`stage_lead${Math.max(1, stage)}`) ?? false,
    priority: String(priority),
    expected_revenue: revenue,
    tag_ids: [[6, 0, [tags.get(`categ_oppor${tag}`)].filter((id) => id !== undefined)]],
    date_deadline: isLead ? false : formatDay(Math.abs(days)),
    ...(isLost && {
      active: false,
      probability: 0,
      lost_reason_id: idsByName.get(`lost_reason_${(index % 2) + 1}`) ?? false,
    }),
  };
}

/** Backdates the leads, as if one had arrived every four days. Does not change older leads. */
async function spreadCreation(ctx: Ctx, ids: number[]): Promise<void> {
  const now = formatNow();
  await ctx.db.rows(
    sql`update crm_lead l
     set create_date = x.made, date_open = case when l.date_open is not null then x.made + interval '1 day' end,
       date_last_stage_update = x.made + interval '2 days'
     from (select id, ${now}::timestamp - n * interval '4 days' as made
       from unnest(${ids}::int[]) with ordinality i(id, n)) x
     where l.workspace_id = ${ctx.workspace.id} and l.id = x.id
       and l.create_date > ${now}::timestamp - interval '1 minute'`,
  );
}
