import { getLoader } from '../../../src/engine/ctx/loader.ts';
import { type Ctx, sql } from '../../kit/surface.ts';

export interface MailTeam {
  id: number;
  mailbox: number;
  address: string;
  acknowledges: boolean;
  acknowledgement: string | null;
}

/** Loads the active team of a mailbox. Null if none exists. Concurrent messages share one query. */
export const loadMailTeam = (ctx: Ctx, mailbox: number): Promise<MailTeam | null> =>
  getLoader<MailTeam | null>(ctx, 'helpdesk teams of mailboxes', (ids) => loadTeams(ctx, ids), null).load(
    mailbox,
  );

async function loadTeams(ctx: Ctx, mailboxes: readonly number[]): Promise<Map<number, MailTeam>> {
  const teams = await ctx.db.rows<MailTeam>(
    sql`select h.id, a.id as mailbox, a.address, h.auto_acknowledge as acknowledges, h.acknowledgement
     from helpdesk_team h join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = h.mailbox_id
     where h.workspace_id = ${ctx.workspace.id} and h.mailbox_id = any(${mailboxes}) and h.active`,
  );
  return new Map(teams.map((team) => [team.mailbox, team]));
}
