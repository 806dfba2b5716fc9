import { iso } from '../../../src/db/iso.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { sesAccount } from '../../../src/delivery/create-transport.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { RawJson } from '../../../src/engine/read/records.ts';
import { jsonRow } from '../../../src/engine/sql/json-row.ts';
import type { Policy } from '../../../src/engine/verb/policy.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { csvCell } from '../contacts/csv-cell.ts';
import { pageNumber } from '../kit/json-list.ts';
import { adminReads, adminWrites } from '../kit/policies.ts';
import { bareArgument } from './suppressions.ts';

const changes = (audit: string): Policy => ({ ...adminWrites, audit });

const REASONS = ['HARD_BOUNCE', 'COMPLAINT', 'MANUAL'];

verb('suppressionsAdd', {
  kind: 'mutation',
  policy: changes('suppression.add'),
  description:
    `Adds up to ${limits.suppression.batch} addresses to the suppression list, all or none; ` +
    `display names are ignored. Existing entries keep their reason. Returns the number added.`,
  args: (arg) => ({
    emails: arg.stringList({ required: true, description: 'Addresses to add.' }),
    reason: arg.string({ defaultValue: 'MANUAL', description: `One of ${REASONS.join(', ')}.` }),
  }),
  type: 'Int',
  async run(ctx, { emails, reason }) {
    if (emails.length === 0 || emails.length > limits.suppression.batch)
      throw errors.badRequest(`emails: from 1 to ${limits.suppression.batch} addresses.`);
    const addresses = emails.map((email) => bareArgument('emails', email));
    const rows = await ctx.db.rows(
      sql`insert into svc_suppression (workspace_id, email, reason)
       select ${ctx.workspace.id}, e, ${checkedReason(reason ?? 'MANUAL')}
       from (select distinct unnest(${addresses}::text[]) as e order by 1) e
       on conflict (workspace_id, email) do nothing returning id`,
    );
    return rows.length;
  },
});

verb('suppressionRemove', {
  kind: 'mutation',
  policy: changes('suppression.remove'),
  description: 'Removes an address from the suppression list and from that of the provider account.',
  args: (arg) => ({ email: arg.string({ required: true, description: 'Address to remove.' }) }),
  type: 'Boolean',
  run: (ctx, { email }) =>
    ctx.tx(async (tx) => {
      const address = bareArgument('email', email);
      const rows = await tx.db.rows(
        sql`delete from svc_suppression where workspace_id = ${tx.workspace.id} and email = ${address} returning id`,
      );
      if (rows.length === 0) throw errors.notFound('Suppressed address');
      if (tx.runtime.config.mailTransport === 'ses') await tx.runtime.jobs.enqueue(tx, FORGET, { address });
      return true;
    }),
});

const FORGET = 'provider-unsuppress';

/** An account's own list would go on refusing the address; the other workspaces have theirs. */
defineJob({
  name: FORGET,
  run: async ({ config }, data) => {
    const { unsuppress } = await import('../../../src/delivery/ses-suppression.ts');
    const { address } = data as { address: string };
    await unsuppress(sesAccount(config), address);
  },
});

/** The suppressions with this part of an address and this reason. @throws BAD_REQUEST for a reason that is none */
function filter(ctx: Ctx, search: string | null | undefined, reason: string | null | undefined): Sql {
  const part = search?.trim().toLowerCase();
  return sql`workspace_id = ${ctx.workspace.id} and ${part ? sql`strpos(email, ${part}) > 0` : sql`true`}
    and ${reason ? sql`reason = ${checkedReason(reason)}` : sql`true`}`;
}

verb('suppressionList', {
  kind: 'query',
  policy: adminReads,
  description: 'Returns a page of the suppression list, newest first, with the number of matching addresses.',
  args: (arg) => ({
    search: arg.string({ description: 'Text in the address.' }),
    reason: arg.string({ description: `Only addresses with this reason: ${REASONS.join(', ')}.` }),
    page: arg.int({ defaultValue: 1, description: 'Page number, starting at 1.' }),
    limit: arg.int({ defaultValue: 50, description: 'Addresses per page.' }),
  }),
  async run(ctx, { search, reason, page, limit }) {
    const size = limit ?? 50;
    if (size < 1 || size > limits.suppression.page)
      throw errors.badRequest(`limit must be from 1 to ${limits.suppression.page}.`);
    const where = filter(ctx, search, reason);
    const row = await jsonRow<{ json: string; n: number; count: number }>(
      ctx.db,
      sql`select coalesce(json_agg(s), '[]')::text as json, count(*)::int as n,
         (select count(*)::int from svc_suppression where ${where}) as count
       from (
         select id, email, reason, source, ${iso(sql`create_date`)} as "createdAt" from svc_suppression m
         where ${where} order by m.id desc limit ${size} offset ${(pageNumber(page) - 1) * size}
       ) s`,
      ['n', 'count'],
    );
    return new RawJson(`{"data":${row!.json},"count":${row!.count}}`, row!.n);
  },
});

verb('suppressionStats', {
  kind: 'query',
  policy: adminReads,
  description: 'Returns the number of suppressed addresses by reason, and their total.',
  args: () => ({}),
  async run(ctx) {
    const rows = await ctx.db.rows<{ reason: string; n: number }>(
      sql`select reason, count(*)::int as n from svc_suppression
       where workspace_id = ${ctx.workspace.id} group by reason`,
    );
    const counts = Object.fromEntries(REASONS.map((reason) => [reason, 0]));
    for (const { reason, n } of rows) counts[reason] = n;
    return { ...counts, total: rows.reduce((sum, { n }) => sum + n, 0) };
  },
});

verb('suppressionExport', {
  kind: 'query',
  policy: adminReads,
  description: `Returns the suppression list as CSV, newest first, at most ${limits.suppression.export} rows.`,
  args: (arg) => ({
    search: arg.string({ description: 'Text in the address.' }),
    reason: arg.string({ description: `Only addresses with this reason: ${REASONS.join(', ')}.` }),
  }),
  type: 'String',
  async run(ctx, { search, reason }) {
    const rows = await ctx.db.rows<Record<string, string | null>>(
      sql`select email, reason, source, ${iso(sql`create_date`)} as created from svc_suppression m
       where ${filter(ctx, search, reason)} order by m.id desc limit ${limits.suppression.export}`,
    );
    const lines = rows.map(({ email, reason: why, source, created }) =>
      [email, why, source, created].map((text) => csvCell(text ?? '')).join(','),
    );
    return ['email,reason,source,createdAt', ...lines, ''].join('\r\n');
  },
});

function checkedReason(reason: string): string {
  if (!REASONS.includes(reason)) throw errors.badRequest(`reason: one of ${REASONS.join(', ')}.`);
  return reason;
}
