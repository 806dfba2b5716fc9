import { type Ctx, errors, linkId, sql } from '../kit/surface.ts';

/** Returns true if the caller is the user, an administrator or the platform. */
export const canActFor = ({ sudo, principal }: Ctx, userId: number): boolean =>
  sudo || principal?.userId === userId || (principal?.groups.has('base.group_system') ?? false);

/**
 * Rejects another user as organizer, because invitations are sent in the organizer's name.
 * @param now the current organizer
 * @throws FORBIDDEN
 */
export function checkOrganizer(ctx: Ctx, organizer: unknown, now: number | null = null): void {
  const userId = linkId(organizer);
  if (userId !== null && userId !== now && !canActFor(ctx, userId))
    throw errors.notAllowed('Only administrators can make another user the organizer (user_id) of an event.');
}

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
