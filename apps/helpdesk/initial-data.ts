import { addRecords, type Ctx } from '../kit/surface.ts';

export async function addHelpdeskInitialData(ctx: Ctx): Promise<void> {
  await addRecords(ctx, 'helpdesk', 'ir.sequence', {
    sequence_helpdesk_ticket: { name: 'Helpdesk Ticket', code: 'helpdesk.ticket', padding: 5 },
  });
  await addRecords(ctx, 'helpdesk', 'helpdesk.stage', {
    stage_new: { name: 'New', sequence: 1 },
    stage_in_progress: { name: 'In Progress', sequence: 2 },
    stage_on_hold: { name: 'On Hold', sequence: 3 },
    stage_solved: { name: 'Solved', sequence: 4, fold: true, is_close: true },
    stage_cancelled: { name: 'Cancelled', sequence: 5, fold: true, is_close: true },
  });
  await addRecords(ctx, 'helpdesk', 'helpdesk.ticket.type', {
    type_question: { name: 'Question', sequence: 1 },
    type_incident: { name: 'Issue', sequence: 2 },
  });
  await addRecords(ctx, 'helpdesk', 'helpdesk.team', {
    helpdesk_team1: { name: 'Customer Care', sequence: 1 },
  });
  await addRecords(ctx, 'helpdesk', 'ir.actions.act_window', {
    helpdesk_ticket_action_main_tree: {
      name: 'Tickets',
      res_model: 'helpdesk.ticket',
      view_mode: 'kanban,list,form,activity',
    },
  });
}
