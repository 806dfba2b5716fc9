import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';

// Contract, "Service accounts": every active internal user occupies a seat, except service accounts.

const Seats = defineTypedShape('WorkspaceSeats', 'Seats that a workspace has and uses.', {
  used: { type: 'Int', description: 'Number of active internal users, without service accounts.' },
  limit: {
    type: 'Int',
    nullable: true,
    description: 'Maximum number of seats, set by the operator. Null if unlimited.',
  },
  serviceAccounts: { type: 'Int', description: 'Number of active service accounts, which do not use seats.' },
  invited: { type: 'Int', description: 'Number of pending invitations that would use a seat.' },
});

type SeatCount = ValueOf<typeof Seats>;

export const workspaceSeats = defineOperation('workspaceSeats', {
  effects: ['reads'],
  policy: { auth: ['ADMIN'], scope: 'read' },
  description: 'Returns how many seats the workspace has and uses.',
  args: () => ({}),
  type: Seats.ref as object,
  run: (ctx) => countSeats(ctx),
});

export async function countSeats(ctx: Ctx): Promise<SeatCount> {
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<SeatCount>(
    sql`with recursive up(id) as (
       select id from res_groups where workspace_id = ${workspace} and external_id = 'base.group_user'
       union
       select r.gid from res_groups_implied_rel r join up on up.id = r.hid where r.workspace_id = ${workspace}
     ), members as (
       select u.is_svc_agent from res_users u
       where u.workspace_id = ${workspace} and u.active and u.id in (
         select m.uid from res_groups_users_rel m join up on up.id = m.gid where m.workspace_id = ${workspace})
     ) select (count(*) filter (where not is_svc_agent))::int as used,
       (count(*) filter (where is_svc_agent))::int as "serviceAccounts",
       (select count(*)::int from svc_user_invitation i
         where i.workspace_id = ${workspace} and i.state = 'waiting' and i.expires_at > ${NOW} and exists (
           select 1 from svc_user_invitation_group_rel r join up on up.id = r.group_id
           where r.workspace_id = ${workspace} and r.invitation_id = i.id)) as invited,
       (select w.seats from workspace w where w.id = ${workspace}) as "limit" from members`,
  );
  return row!;
}

/** @throws USER_ERROR if more seats are used than available */
export async function rejectTooManySeats(ctx: Ctx): Promise<void> {
  const { used, limit } = await countSeats(ctx);
  if (limit !== null && used > limit)
    throw errors.user(
      `The workspace has ${limit} seats, but ${used} users need a seat. Deactivate a user first, or ask the ` +
        'operator for more seats.',
    );
}

/**
 * @param seats null for unlimited seats
 * @throws BAD_REQUEST if the number is invalid, USER_ERROR if more seats are in use
 */
export async function setSeats(ctx: Ctx, seats: number | null): Promise<SeatCount> {
  if (seats !== null && !(Number.isInteger(seats) && seats >= 1 && seats <= MAX_SEATS))
    throw errors.badRequest(`Seats must be a whole number from 1 to ${MAX_SEATS}.`);
  await ctx.db.rows(sql`update workspace set seats = ${seats} where id = ${ctx.workspace.id}`);
  await rejectTooManySeats(ctx);
  return countSeats(ctx);
}

const MAX_SEATS = 1_000_000;
