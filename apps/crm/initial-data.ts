import { addRecords, type Ctx } from '../kit/surface.ts';

export async function addCrmInitialData(ctx: Ctx): Promise<void> {
  await addRecords(ctx, 'sales_team', 'crm.team', { team_sales_department: { name: 'Sales', sequence: 0 } });
  await addRecords(ctx, 'crm', 'crm.stage', {
    stage_lead1: { name: 'New', sequence: 1, color: 11 },
    stage_lead2: { name: 'Qualified', sequence: 2, color: 5 },
    stage_lead3: { name: 'Proposition', sequence: 3, color: 8 },
    stage_lead4: { name: 'Won', sequence: 70, is_won: true, color: 10 },
  });
  await addRecords(ctx, 'sales_team', 'crm.tag', {
    categ_oppor1: { name: 'Product', color: 1 },
    categ_oppor2: { name: 'Software', color: 2 },
    categ_oppor3: { name: 'Services', color: 3 },
    categ_oppor4: { name: 'Information', color: 4 },
    categ_oppor5: { name: 'Design', color: 5 },
    categ_oppor6: { name: 'Training', color: 6 },
    categ_oppor7: { name: 'Consulting', color: 7 },
    categ_oppor8: { name: 'Other', color: 8 },
  });
  await addRecords(ctx, 'crm', 'crm.lost.reason', {
    lost_reason_1: { name: 'Too expensive' },
    lost_reason_2: { name: "We don't have people/skills" },
    lost_reason_3: { name: 'Not enough stock' },
  });
  await addRecords(ctx, 'crm', 'crm.recurring.plan', {
    crm_recurring_plan_monthly: { name: 'Monthly', number_of_months: 1 },
    crm_recurring_plan_yearly: { name: 'Yearly', number_of_months: 12 },
    crm_recurring_plan_over_3_years: { name: 'Over 3 years', number_of_months: 36 },
    crm_recurring_plan_over_5_years: { name: 'Over 5 years', number_of_months: 60 },
  });
  await addUtm(ctx);
  await addRecords(ctx, 'crm', 'ir.actions.act_window', {
    crm_lead_action_pipeline: {
      name: 'Pipeline',
      res_model: 'crm.lead',
      view_mode: 'kanban,list,graph,pivot,form,calendar,activity',
      domain: "[('type', '=', 'opportunity')]",
      context: "{'default_type': 'opportunity'}",
    },
  });
}

async function addUtm(ctx: Ctx): Promise<void> {
  await addRecords(ctx, 'utm', 'utm.medium', {
    utm_medium_website: { name: 'Website' },
    utm_medium_phone: { name: 'Phone' },
    utm_medium_direct: { name: 'Direct' },
    utm_medium_email: { name: 'Email' },
    utm_medium_banner: { name: 'Banner' },
  });
  await addRecords(ctx, 'utm', 'utm.source', {
    utm_source_search_engine: { name: 'Search engine' },
    utm_source_mailing: { name: 'Lead Recall' },
    utm_source_newsletter: { name: 'Newsletter' },
  });
}
