import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getReadableModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import { allocateIds } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { getThreadModel } from './thread.ts';

/** Maximum product of records and contacts in one call. */
export const MAX_NEW_FOLLOWERS = 100_000;

defineModel('mail.followers', {
  group: 'data',
  graph: { type: 'MailFollower', one: 'mailFollower', many: 'mailFollowers' },
  display: 'partner_id',
  order: 'id',
  access: { 'base.group_user': 'r', 'base.group_system': 'crwu' },
  follows: {
    model: 'res_model',
    id: 'res_id',
    also: ({ partnerId }) => [['partner_id', '=', partnerId ?? 0]],
  },
});

const policy: Policy = { auth: ['USER'], scope: 'write' };

export const recordMessageSubscribe = defineOperation('recordMessageSubscribe', {
  effects: ['writes'],
  address: '*/message_subscribe',
  needs: 'message_follower_ids',
  policy,
  description:
    'Adds followers to records. Anyone who can read a record can follow it; adding others requires write access.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    partnerIds: arg.recordIds({ description: 'Contacts to add.' }),
    subtypeIds: arg.recordIds({
      description: 'Message subtypes to follow. Defaults to the standard subtypes.',
    }),
  }),
  type: 'Boolean',
  run: (ctx, { model: name, ids, partnerIds: partners, subtypeIds: subtypes }) =>
    ctx.tx(async (tx) => {
      const model = getThreadModel(tx, name, 'message_subscribe');
      assertFewFollowers(ids, partners ?? []);
      await checkCanFollow(tx, model, ids, partners ?? []);
      await checkCanSeeContacts(tx, partners ?? []);
      await subscribe(tx, model.name, ids, partners ?? [], subtypes ?? null);
      return true;
    }),
});

export const recordMessageUnsubscribe = defineOperation('recordMessageUnsubscribe', {
  effects: ['writes', 'deletes'],
  address: '*/message_unsubscribe',
  needs: 'message_follower_ids',
  policy,
  description: 'Removes followers from records.',
  args: (arg) => ({
    model: arg.string({ required: true }),
    ids: arg.recordIds({ required: true }),
    partnerIds: arg.recordIds({ description: 'Contacts to remove.' }),
  }),
  type: 'Boolean',
  run: (ctx, { model: name, ids, partnerIds: partners }) =>
    ctx.tx(async (tx) => {
      const model = getThreadModel(tx, name, 'message_unsubscribe');
      await checkCanFollow(tx, model, ids, partners ?? []);
      await tx.db.rows(
        sql`delete from mail_followers where workspace_id = ${tx.workspace.id} and res_model = ${model.name}
         and res_id = any(${ids}) and partner_id = any(${partners ?? []})`,
      );
      return true;
    }),
});

async function checkCanFollow(ctx: Ctx, model: Model, ids: number[], partners: number[]): Promise<void> {
  const isOwn = partners.every((id) => id === ctx.principal?.partnerId);
  assertModelAccess(ctx, model, isOwn ? 'read' : 'write');
  await assertRowsExist(ctx, model, ids, isOwn ? 'read' : 'write');
}

/** Requires read access to the contacts, because followers' names are visible. @throws ACCESS_ERROR, MISSING */
async function checkCanSeeContacts(ctx: Ctx, partners: number[]): Promise<void> {
  const otherIds = [...new Set(partners)].filter((id) => id !== ctx.principal?.partnerId);
  if (otherIds.length === 0) return;
  const contacts = getReadableModel(ctx, 'res.partner');
  await assertRowsExist(ctx, contacts, otherIds, 'read');
}

/** @throws USER_ERROR for more than `MAX_NEW_FOLLOWERS` */
function assertFewFollowers(ids: number[], partners: number[]): void {
  if (new Set(ids).size * new Set(partners).size > MAX_NEW_FOLLOWERS)
    throw errors.user(`At most ${MAX_NEW_FOLLOWERS} followers can be added in one call.`);
}

/**
 * Adds missing followers with the given or the default subtypes. Does not check access.
 * @throws USER_ERROR for more than `MAX_NEW_FOLLOWERS`
 */
export async function subscribe(
  ctx: Ctx,
  model: string,
  ids: number[],
  partners: number[],
  subtypes: number[] | null,
): Promise<void> {
  assertFewFollowers(ids, partners);
  const [records, contacts] = [[...new Set(ids)], [...new Set(partners)]];
  const workspace = sql.param(ctx.workspace.id);
  const numbers = await allocateIds(ctx, 'mail_followers', records.length * contacts.length);
  await ctx.db.rows(
    sql`insert into mail_followers (workspace_id, id, res_model, res_id, partner_id)
     select p.workspace_id, (${numbers}::int8[])[row_number() over ()], ${model}, r.id, p.id
     from res_partner p cross join unnest(${records}::int8[]) r(id)
     where p.workspace_id = ${workspace} and p.id = any(${contacts})
     on conflict (workspace_id, res_model, res_id, partner_id) do nothing`,
  );
  await ctx.db.rows(
    sql`insert into mail_followers_subtype_rel (workspace_id, follower_id, subtype_id)
     select f.workspace_id, f.id, s.id from mail_followers f
     join mail_message_subtype s on s.workspace_id = ${workspace}
       and case when ${subtypes}::int[] is null then s."default" and (s.res_model is null or s.res_model = ${model})
         else s.id = any(${subtypes}) end
     where f.workspace_id = ${workspace} and f.res_model = ${model}
       and f.res_id = any(${records}) and f.partner_id = any(${contacts})
     on conflict do nothing`,
  );
}
