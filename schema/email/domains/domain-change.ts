import { GraphQLBoolean, GraphQLString } from 'graphql';
import { assertNodesUp } from '../../../src/db/citus/nodes.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { getDomainIdentities } from '../../../src/email/provider-identities.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { emitEvent, onEvent } from '../../../src/engine/work/events.ts';
import { errors } from '../../../src/errors.ts';
import { DeletedRecord } from '../../settings/deleted.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { parseRowId } from '../../settings/where.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { cancel } from '../state/cancel.ts';
import { IS_QUEUED } from '../state/state-sql.ts';
import { buildOwnerTag } from './domain-check.ts';
import { domainResource, SendingDomain } from './domain-shape.ts';
import { DOMAIN_EVENT_JSON } from './domains.ts';

export const domainTracking = defineOperation('domainTracking', {
  effects: ['writes'],
  policy: { auth: ['ADMIN'], scope: 'write', feature: 'email', audit: 'domain.tracking' },
  description:
    'Turns click and open tracking on or off for a sending domain, and returns the domain. Tracking is ' +
    'performed by the provider.',
  args: (arg) => ({
    id: arg.recordId({ required: true, description: 'Domain id.' }),
    clickTracking: arg.boolean({ description: 'True to track clicks. Unchanged if omitted.' }),
    openTracking: arg.boolean({ description: 'True to track opens. Unchanged if omitted.' }),
  }),
  type: SendingDomain,
  returns: GraphQLBoolean,
  run: (ctx, { id, clickTracking, openTracking }) =>
    setTracking(ctx, parseRowId(id), clickTracking ?? null, openTracking ?? null),
  answer: (ctx, _done, { id }, info) => returnResource(ctx, domainResource, id, info),
});

async function setTracking(
  ctx: Ctx,
  id: number,
  click: boolean | null,
  openTracking: boolean | null,
): Promise<boolean> {
  return ctx.tx(async (tx) => {
    const [row] = await tx.db.rows<{ name: string; status: string; click: boolean; open: boolean }>(
      sql`update svc_domain set click_tracking = coalesce(${click}, click_tracking),
         open_tracking = coalesce(${openTracking}, open_tracking), write_date = now()
       where workspace_id = ${tx.workspace.id} and id = ${id}
       returning name, status, click_tracking as click, open_tracking as open, workspace_id`,
    );
    if (!row) throw errors.notFound('Domain');
    rejectUnsupportedTracking(tx, row.click, row.open);
    await emitEvent(tx, 'domain.updated', { id, name: row.name, status: row.status });
    return true;
  });
}

function rejectUnsupportedTracking(ctx: Ctx, click: boolean, openTracking: boolean): void {
  const { mailTransport, sesTrackingSets } = ctx.runtime.config;
  const sort = click && openTracking ? 'full' : click ? 'click' : openTracking ? 'open' : null;
  if (mailTransport === 'ses' && sort && !sesTrackingSets[sort])
    throw errors.badRequest(
      `The operator has not configured this kind of tracking (SES_TRACKING_SETS, ${sort}).`,
    );
}

export const domainDelete = defineOperation('domainDelete', {
  effects: ['writes', 'deletes'],
  policy: { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email', audit: 'domain.delete', waits: true },
  description:
    'Deletes a sending domain from the workspace and at the provider. Cancels queued emails from the ' +
    'domain and revokes API keys bound to it.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Domain id.' }) }),
  type: DeletedRecord,
  returns: GraphQLString,
  run(ctx, { id }) {
    const number = parseRowId(id);
    const boundDomain = getBoundDomain(ctx);
    if (boundDomain !== null && boundDomain !== number)
      throw errors.notAllowed('This API key is restricted to another domain.');
    return deleteDomain(ctx, number);
  },
  answer: (_ctx, _name, { id }) => ({ id }),
});

/**
 * Deletes the domain at the provider first: while the row exists, no other workspace can claim the name, and an
 * interrupted deletion can be repeated.
 * @throws NOT_FOUND
 * @throws BUSY, before any change, if the provider is unavailable
 */
async function deleteDomain(ctx: Ctx, id: number): Promise<string> {
  await assertNodesUp(ctx.runtime.db);
  await deleteIdentity(ctx, await resetDomainCheck(ctx, id));
  const name = await ctx.tx(async (tx) => {
    const [domain] = await tx.db.rows<{ name: string; event: Record<string, unknown> }>(
      sql`with deleted as (
         delete from svc_domain where workspace_id = ${tx.workspace.id} and id = ${id} returning *
       )
       select name, ${DOMAIN_EVENT_JSON} as event from deleted`,
    );
    if (!domain) throw errors.notFound('Domain');
    await tx.db.rows(
      sql`delete from domain_claim where workspace_id = ${tx.workspace.id} and name = ${domain.name}`,
    );
    await tx.db.rows(
      sql`update svc_api_key set revoked_at = now()
       where workspace_id = ${tx.workspace.id} and domain_id = ${id} and revoked_at is null`,
    );
    await emitEvent(tx, 'domain.deleted', domain.event);
    tx.afterCommit(() => tx.runtime.identity.invalidate());
    return domain.name;
  });
  await cancelQueuedEmails(ctx.db, ctx.workspace.id, id);
  return name;
}

/** Requests an early check, which detects an interrupted deletion. @returns the domain name */
async function resetDomainCheck(ctx: Ctx, id: number): Promise<string> {
  const [domain] = await ctx.db.rows<{ name: string }>(
    sql`update svc_domain set checked_at = null
     where workspace_id = ${ctx.workspace.id} and id = ${id} returning name, workspace_id`,
  );
  if (!domain) throw errors.notFound('Domain');
  return domain.name;
}

const cancelQueuedEmails = (db: Db, workspaceId: number, domainId: number) =>
  cancel(
    db,
    workspaceId,
    sql`m.workspace_id = ${workspaceId} and m.domain_id = ${domainId} and ${IS_QUEUED}`,
    'Its domain was deleted.',
  );

/** Cancels again, because a concurrent send may still have seen the domain, or the process may have died. */
onEvent('domain.deleted', async ({ workspaceId, payload }, { db }) => {
  await cancelQueuedEmails(db, workspaceId, Number(payload.id));
});

async function deleteIdentity(ctx: Ctx, name: string): Promise<void> {
  const identities = await getDomainIdentities(ctx.runtime.config);
  try {
    await identities?.remove(name, buildOwnerTag(ctx.runtime.config, ctx.workspace.id));
  } catch (error) {
    ctx.log.warn({ err: error, domain: name }, 'could not delete a domain from the provider');
    throw errors.busy(`The provider could not be reached, so ${name} was not deleted. Try again later.`);
  }
}
