import { GraphQLString } from 'graphql';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { encryptText } from '../../../src/encryption.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { recordEventRow } from '../../../src/engine/work/events.ts';
import { errors } from '../../../src/errors.ts';
import { returnResource } from '../../settings/read-resource.ts';
import { parseRowId } from '../../settings/where.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import type { DnsObservation } from './domain-dns.ts';
import { createKeyPair, getNextSelector } from './domain-key.ts';
import { domainResource, SendingDomain } from './domain-shape.ts';

const FORMER_KEY_DAYS = 7;

export const domainRotateKey = defineOperation('domainRotateKey', {
  effects: ['writes'],
  policy: {
    auth: ['TEAM', 'ADMIN'],
    scope: 'write',
    feature: 'email',
    audit: 'domain.rotate_key',
    waits: true,
  },
  description:
    'Creates a new DKIM key for a sending domain (SMTP relay) and returns the domain. Publish the record ' +
    'that is added to `dnsRecords`. Once it is found, mail is signed with the new key, and the record of ' +
    `the former key stays listed for ${FORMER_KEY_DAYS} days. Repeated calls have no effect until the new ` +
    'record is found.',
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Domain id.' }) }),
  type: SendingDomain,
  returns: GraphQLString,
  run: (ctx, { id }) => addNextKey(ctx, parseRowId(id)),
  answer: (ctx, _selector, { id }, info) => returnResource(ctx, domainResource, id, info),
});

/**
 * @returns the selector of the new key
 * @throws NOT_FOUND, BAD_REQUEST if the provider signs
 */
async function addNextKey(ctx: Ctx, id: number): Promise<string> {
  const { config } = ctx.runtime;
  const boundDomain = getBoundDomain(ctx);
  if (boundDomain !== null && id !== boundDomain) throw errors.notFound('Domain');
  const [row] = await ctx.db.rows<{ selector: string | null; next: string | null }>(
    sql`select dkim_selector as selector, dkim_next_selector as next from svc_domain
     where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  if (!row) throw errors.notFound('Domain');
  if (config.mailTransport !== 'smtp' || !row.selector)
    throw errors.badRequest(
      "A key can be replaced only if this server signs the domain's mail, which requires an SMTP relay.",
    );
  if (row.next) return row.next;
  const { publicKey, privateKey } = await createKeyPair();
  const next = getNextSelector(row.selector);
  // Of several keys created concurrently, the first is kept. All have the same selector.
  await ctx.db.rows(
    sql`update svc_domain set dkim_next_selector = ${next}, dkim_next_public = ${publicKey},
       dkim_next_private = ${encryptText(config.secretKey, privateKey)}, checked_at = null, write_date = now()
     where workspace_id = ${ctx.workspace.id} and id = ${id} and dkim_selector = ${row.selector}
       and dkim_next_selector is null`,
  );
  return next;
}

/**
 * Activates the next key once its record is published, and removes the former key after its grace period.
 * @param next selector of the key that was looked up; null for none
 */
export async function rotateDomainKeys(
  db: Db,
  { workspace_id, id, name, status }: { workspace_id: number; id: number; name: string; status: string },
  next: string | null,
  observation: DnsObservation,
): Promise<void> {
  await db.rows(
    sql`update svc_domain set dkim_former_selector = null, dkim_former_public = null, dkim_former_until = null
     where workspace_id = ${workspace_id} and id = ${id} and dkim_former_until < ${computeTime(0)}::timestamp`,
  );
  if (next === null || observation.next !== 'SUCCESS') return;
  const { next: _found, ...others } = observation;
  const rotatedObservation: DnsObservation = { ...others, dkim: 'SUCCESS', former: observation.dkim };
  await db.transaction(async (tx) => {
    const turnedRows = await tx.rows(
      sql`update svc_domain set dkim_former_selector = dkim_selector, dkim_former_public = public_key,
         dkim_former_until = ${computeTime(FORMER_KEY_DAYS)}::timestamp,
         dkim_selector = dkim_next_selector, public_key = dkim_next_public, dkim_private = dkim_next_private,
         dkim_next_selector = null, dkim_next_public = null, dkim_next_private = null,
         dns_seen = ${JSON.stringify(rotatedObservation)}::jsonb, dkim_status = 'SUCCESS', write_date = now()
       where workspace_id = ${workspace_id} and id = ${id} and dkim_next_selector = ${next} returning workspace_id`,
    );
    if (turnedRows.length > 0) await recordEventRow(tx, workspace_id, 'domain.updated', { id, name, status });
  });
}

const computeTime = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();
