import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { getSesAccount } from '../../../src/email/create-transport.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { errors } from '../../../src/errors.ts';
import { toCsvCell } from '../contacts/csv-cell.ts';
import { ADMIN_READ_POLICY, ADMIN_WRITE_POLICY } from '../kit/policies.ts';
import { resolveRecordsById } from '../kit/resolve-records.ts';
import { suppress } from '../state/suppress.ts';
import { isInForce } from './is-suppressed.ts';
import { parseBareAddress } from './suppressions.ts';

const MAX_ADDRESSES_PER_CALL = 1_000;
const MAX_EXPORTED_SUPPRESSIONS = 100_000;

const MODEL = 'svc.suppression';

const buildSuppressionPolicy = (audit: string): Policy => ({ ...ADMIN_WRITE_POLICY, audit });

/** Must match the values of the field `svc.suppression.reason`. */
const REASONS = ['HARD_BOUNCE', 'SOFT_BOUNCE', 'COMPLAINT', 'MANUAL'] as const;

const SuppressionReason = builder.enumType('SuppressionReason', {
  description: 'Why an address is suppressed.',
  values: {
    HARD_BOUNCE: { description: 'An email to the address bounced permanently.' },
    SOFT_BOUNCE: { description: 'Several emails to the address soft-bounced. The entry expires.' },
    COMPLAINT: { description: 'The recipient reported an email as spam.' },
    MANUAL: { description: 'The address was added manually or by import.' },
  } as const,
});

type SuppressionReason = (typeof REASONS)[number];

interface AddedEntries {
  added: number;
  ids: number[];
}

const AddedSuppressionsShape = builder.objectRef<AddedEntries>('AddedSuppressions').implement({
  description: 'Result of adding addresses to the suppression list.',
  fields: (t) => ({
    added: t.exposeInt('added', {
      description: 'Number of entries that were added or made permanent.',
    }),
    suppressions: t.field({
      type: [getRecordRef(MODEL)],
      description: 'New or existing entries for the given addresses, without duplicates.',
      resolve: ({ ids }, _args, ctx, info) => resolveRecordsById(ctx, MODEL, ids, info),
    }),
  }),
});

const reasonArg = { type: SuppressionReason, description: 'Reason for the suppression.' } as const;

export const suppressionAdd = defineOperation('suppressionAdd', {
  effects: ['writes'],
  policy: buildSuppressionPolicy('suppression.add'),
  description:
    'Adds an address to the suppression list, ignoring its display name, and returns the entry. An existing ' +
    'permanent entry is not changed.',
  args: (arg) => ({
    email: arg.string({ required: true, description: 'Address to add.' }),
    reason: arg({ ...reasonArg, defaultValue: 'MANUAL' }),
  }),
  type: getRecordRef('svc.suppression'),
  run: async (ctx, { email, reason }) => (await add(ctx, [parseBareAddress('email', email)], reason)).ids[0]!,
  answer: async (ctx, id, _args, info) => (await resolveRecordsById(ctx, MODEL, [id], info))[0],
});

export const suppressionsAdd = defineOperation('suppressionsAdd', {
  effects: ['writes'],
  policy: buildSuppressionPolicy('suppression.add'),
  description:
    `Adds up to ${MAX_ADDRESSES_PER_CALL} addresses to the suppression list. If any address is ` +
    'invalid, none is added. Display names are ignored. Existing permanent entries are not changed.',
  args: (arg) => ({
    emails: arg.stringList({ required: true, description: 'Addresses to add.' }),
    reason: arg({ ...reasonArg, defaultValue: 'MANUAL' }),
  }),
  type: AddedSuppressionsShape,
  run(ctx, { emails, reason }) {
    if (emails.length === 0 || emails.length > MAX_ADDRESSES_PER_CALL)
      throw errors.badRequest(`emails: must contain 1 to ${MAX_ADDRESSES_PER_CALL} addresses.`);
    return add(
      ctx,
      emails.map((email) => parseBareAddress('emails', email)),
      reason,
    );
  },
});

/** Existing permanent entries stay unchanged. */
async function add(
  ctx: Ctx,
  addresses: string[],
  reason: SuppressionReason | null | undefined,
): Promise<AddedEntries> {
  if (reason === 'SOFT_BOUNCE')
    throw errors.badRequest('reason: SOFT_BOUNCE is reserved for entries that expire. Use another reason.');
  const uniqueAddresses = [...new Set(addresses)];
  const suppressions = uniqueAddresses.map((email) => ({
    email,
    reason: reason ?? 'MANUAL',
    source: null,
    days: null,
  }));
  const added = await suppress(ctx.db, ctx.workspace.id, suppressions);
  // A separate statement, so that it sees entries added concurrently.
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select s.id from unnest(${uniqueAddresses}::text[]) with ordinality w(email, place)
     join svc_suppression s on s.workspace_id = ${ctx.workspace.id} and s.email = w.email order by w.place`,
  );
  return { added, ids: rows.map((row) => row.id) };
}

export const suppressionRemove = defineOperation('suppressionRemove', {
  effects: ['writes', 'deletes'],
  policy: buildSuppressionPolicy('suppression.remove'),
  description:
    'Removes an address from the suppression lists of the workspace and the provider. Returns the id ' +
    'of the removed entry.',
  args: (arg) => ({ email: arg.string({ required: true, description: 'Address to remove.' }) }),
  type: 'ID',
  run: (ctx, { email }) =>
    ctx.tx(async (tx) => {
      const address = parseBareAddress('email', email);
      await tx.db.rows(
        sql`delete from svc_soft_bounce where workspace_id = ${tx.workspace.id} and email = ${address}`,
      );
      const [row] = await tx.db.rows<{ id: number }>(
        sql`delete from svc_suppression where workspace_id = ${tx.workspace.id} and email = ${address} returning id`,
      );
      if (!row) throw errors.notFound('Suppressed address');
      if (tx.runtime.config.mailTransport === 'ses')
        await tx.runtime.jobs.enqueue(tx, UNSUPPRESS_JOB, { address });
      return row.id;
    }),
});

const UNSUPPRESS_JOB = 'provider-unsuppress';

/**
 * Removes the address from the provider account's suppression list. Otherwise, the provider would still reject it. Does
 * not affect other workspaces' lists.
 */
defineJob({
  name: UNSUPPRESS_JOB,
  run: async ({ config }, data) => {
    const { removeSesSuppression } = await import('../../../src/email/ses-suppression.ts');
    const { address } = data as { address: string };
    await removeSesSuppression(getSesAccount(config), address);
  },
});

const StatisticsShape = defineTypedShape(
  'SuppressionStatistics',
  'Number of suppressed addresses by reason.',
  {
    hardBounce: { type: 'Int', description: 'Addresses that bounced permanently.' },
    softBounce: { type: 'Int', description: 'Addresses with several soft bounces.' },
    complaint: { type: 'Int', description: 'Addresses whose owner reported an email as spam.' },
    manual: { type: 'Int', description: 'Addresses added manually or by import.' },
    total: { type: 'Int', description: 'All addresses on the suppression list.' },
  },
);

export const suppressionStatistics = defineOperation('suppressionStatistics', {
  effects: ['reads'],
  policy: ADMIN_READ_POLICY,
  description: 'Returns the number of suppressed addresses by reason, and their total.',
  args: () => ({}),
  type: StatisticsShape.ref,
  async run(ctx) {
    const [row] = await ctx.db.rows<Record<string, number>>(
      sql`select ${sql.join(
        REASONS.map(
          (reason) => sql`count(*) filter (where reason = ${sql.literal(reason)})::int
         as ${sql.id(toCamelCase(reason.toLowerCase()))}`,
        ),
      )}, count(*)::int as total
       from svc_suppression s where s.workspace_id = ${ctx.workspace.id} and ${isInForce()}`,
    );
    return row!;
  },
});

function filter(
  ctx: Ctx,
  search: string | null | undefined,
  reason: SuppressionReason | null | undefined,
): Sql {
  const part = search?.trim().toLowerCase();
  return sql`workspace_id = ${ctx.workspace.id} and ${isInForce()}
    and ${part ? sql`strpos(email, ${part}) > 0` : sql`true`} and ${reason ? sql`reason = ${reason}` : sql`true`}`;
}

export const suppressionsExport = defineOperation('suppressionsExport', {
  effects: ['reads'],
  policy: ADMIN_READ_POLICY,
  description: `Returns up to ${MAX_EXPORTED_SUPPRESSIONS} entries of the suppression list as CSV, newest first.`,
  args: (arg) => ({
    search: arg.string({ description: 'Only addresses that contain this text.' }),
    reason: arg({ type: SuppressionReason, description: 'Only addresses with this reason.' }),
  }),
  type: 'String',
  async run(ctx, { search, reason }) {
    const rows = await ctx.db.rows<Record<string, string | null>>(
      sql`select email, reason, source, ${toIsoSql(sql`create_date`)} as created,
        ${toIsoSql(sql`expires_at`)} as expires
       from svc_suppression s where ${filter(ctx, search, reason)}
       order by s.id desc limit ${MAX_EXPORTED_SUPPRESSIONS}`,
    );
    const lines = rows.map(({ email, reason: suppressionReason, source, created, expires }) =>
      [email, suppressionReason, source, created, expires].map((text) => toCsvCell(text ?? '')).join(','),
    );
    return ['email,reason,source,createdAt,expiresAt', ...lines, ''].join('\r\n');
  },
});
