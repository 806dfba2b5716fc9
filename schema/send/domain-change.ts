import type { Db } from '../../src/db/pool.ts';
import { identitiesOf } from '../../src/delivery/identities.ts';
import type { Ctx } from '../../src/engine/ctx.ts';
import { emit, onEvent } from '../../src/engine/events.ts';
import { verb } from '../../src/engine/verb.ts';
import { errors } from '../../src/errors.ts';
import { boundDomain } from './bound-domain.ts';
import { ownerOf } from './domain-check.ts';
import { callsOf } from './webhooks/emit.ts';

verb('domainTracking', {
  kind: 'mutation',
  policy: { auth: ['ADMIN'], scope: 'write', feature: 'email', audit: 'domain.tracking' },
  description:
    'Switches the tracking of clicks and opens in mail of a sending domain; what is left out stays as it is. The provider does the tracking.',
  args: (arg) => ({
    id: arg.int({ required: true }),
    clickTracking: arg.boolean(),
    openTracking: arg.boolean(),
  }),
  type: 'Boolean',
  run: (ctx, { id, clickTracking, openTracking }) =>
    setTracking(ctx, id, clickTracking ?? null, openTracking ?? null),
});

async function setTracking(
  ctx: Ctx,
  id: number,
  click: boolean | null,
  open: boolean | null,
): Promise<boolean> {
  return ctx.tx(async (tx) => {
    const [row] = await tx.db.rows<{ name: string; status: string; click: boolean; open: boolean }>(
      `update svc_domain set click_tracking = coalesce($3, click_tracking), open_tracking = coalesce($4, open_tracking), write_date = now()
       where workspace_id = $1 and id = $2 returning name, status, click_tracking as click, open_tracking as open, workspace_id`,
      [tx.workspace.id, id, click, open],
    );
    if (!row) throw errors.notFound('Domain');
    refuseUntracked(tx, row.click, row.open);
    await emit(tx, 'domain.updated', { id, name: row.name, status: row.status });
    return true;
  });
}

/** @throws BAD_REQUEST when the provider has not been told how to do this */
function refuseUntracked(ctx: Ctx, click: boolean, open: boolean): void {
  const { mailTransport, sesTrackingSets } = ctx.runtime.config;
  const sort = click && open ? 'full' : click ? 'click' : open ? 'open' : null;
  if (mailTransport === 'ses' && sort && !sesTrackingSets[sort])
    throw errors.badRequest(
      `The operator has named no configuration set for this (SES_TRACKING_SETS, ${sort}).`,
    );
}

verb('domainDelete', {
  kind: 'mutation',
  policy: { auth: ['TEAM', 'ADMIN'], scope: 'write', feature: 'email', audit: 'domain.delete' },
  description:
    'Deletes a sending domain, also at the provider. Its waiting emails are cancelled, keys that are bound to it are revoked. Answers with its name.',
  args: (arg) => ({ id: arg.int({ required: true }) }),
  type: 'String',
  run(ctx, { id }) {
    const bound = boundDomain(ctx);
    if (bound !== null && bound !== id) throw errors.notAllowed('This key is bound to another domain.');
    return deleteDomain(ctx, id);
  },
});

/** @throws NOT_FOUND; BUSY when the provider cannot be asked, and then nothing is changed */
async function deleteDomain(ctx: Ctx, id: number): Promise<string> {
  return ctx.tx(async (tx) => {
    const [domain] = await tx.db.rows<{ name: string; status: string }>(
      `delete from svc_domain where workspace_id = $1 and id = $2 returning name, status, workspace_id`,
      [tx.workspace.id, id],
    );
    if (!domain) throw errors.notFound('Domain');
    await tx.db.rows(`delete from domain_claim where workspace_id = $1 and name = $2`, [
      tx.workspace.id,
      domain.name,
    ]);
    await tx.db.rows(
      `update svc_api_key set revoked_at = now() where workspace_id = $1 and domain_id = $2 and revoked_at is null`,
      [tx.workspace.id, id],
    );
    await cancelWaiting(tx.db, tx.workspace.id, id);
    await emit(tx, 'domain.deleted', { id, name: domain.name, status: domain.status });
    // Last, because it cannot be taken back.
    await forget(tx, domain.name);
    tx.afterCommit(() => tx.runtime.identity.forget());
    return domain.name;
  });
}

/** Nothing may go out under a name that is given up. */
const cancelWaiting = (db: Db, workspaceId: number, domainId: number) =>
  db.rows(
    `with ended as (
       update svc_email set state = 'cancelled', latest_status = 'CANCELLED', reason = 'Its domain was deleted.', write_date = now()
       where workspace_id = $1 and domain_id = $2 and state = 'queued'
       returning workspace_id, id as email_id, domain_id, 'CANCELLED' as status, jsonb_build_object('error', reason) as data
     ), called as (${callsOf('ended')})
     insert into svc_email_event (workspace_id, email_id, status, data)
     select workspace_id, email_id, status, data from ended`,
    [workspaceId, domainId],
  );

/** Once more afterwards: a send that was being accepted meanwhile saw the domain still there. */
onEvent('domain.deleted', async ({ workspaceId, payload }, { db }) => {
  await cancelWaiting(db, workspaceId, Number(payload.id));
});

async function forget(ctx: Ctx, name: string): Promise<void> {
  const identities = await identitiesOf(ctx.runtime.config);
  try {
    await identities?.remove(name, ownerOf(ctx.runtime.config, ctx.workspace.id));
  } catch (error) {
    ctx.log.warn({ err: error, domain: name }, 'the provider could not be told of a deleted domain');
    throw errors.busy(`The provider cannot be told about ${name} now; try again later.`);
  }
}
