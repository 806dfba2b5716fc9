import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { errors } from '../../src/errors.ts';
import { linkId } from '../kit/values.ts';

/** Who may write in the name of a user: that user, administrators and the platform. Pure. */
export const canSpeakFor = ({ sudo, principal }: Ctx, userId: number): boolean =>
  sudo || principal?.userId === userId || (principal?.groups.has('base.group_system') ?? false);

/**
 * Invitations leave in the name of the organizer, so that others cannot be made one.
 * @param now the organizer that the event has
 * @throws FORBIDDEN
 */
export function checkOrganizer(ctx: Ctx, given: unknown, now: number | null = null): void {
  const userId = linkId(given);
  if (userId !== null && userId !== now && !canSpeakFor(ctx, userId))
    throw errors.notAllowed(
      'Only administrators can make somebody else the organizer (user_id) of an event.',
    );
}

/** Whether an address is known as that of another user: the login, or the mailbox. */
export async function belongsToOtherUser(ctx: Ctx, email: string, userId: number): Promise<boolean> {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows(
    sql`select 1 from res_users u
     where u.workspace_id = ${workspace} and u.id <> ${userId} and lower(u.login) = ${email}
     union all
     select 1 from svc_mail_address d
     join svc_mail_account m on m.workspace_id = ${workspace} and m.id = d.account_id and m.owner_id <> ${userId}
     where d.workspace_id = ${workspace} and d.address = ${email}
     limit 1`,
  );
  return rows.length > 0;
}
