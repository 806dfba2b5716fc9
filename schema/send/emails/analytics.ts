import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { jsonList } from '../kit/json-list.ts';
import { teamReads } from '../kit/policies.ts';
import { COUNTERS, type Counter } from '../state/usage.ts';

/** Counters shown to clients. The series counts all bounces, the metrics only permanent ones. */
const SHOWN = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const;

const sums = (counters: readonly Counter[], shown = (counter: Counter): string => counter): Sql =>
  sql.join(
    counters.map(
      (counter) => sql`coalesce(sum(${sql.id('u', counter)}), 0)::int as ${sql.id(shown(counter))}`,
    ),
  );

/** The usage of the caller's workspace, of one domain or of all. */
const usageOf = (ctx: Ctx, wanted: number | null | undefined): Sql => {
  const domain = sql.param(domainOf(ctx, wanted));
  return sql`u.workspace_id = ${ctx.workspace.id} and (${domain}::int is null or u.domain_id = ${domain})`;
};

verb('emailTimeSeries', {
  kind: 'query',
  policy: teamReads,
  description:
    'Returns email counts by day (UTC) for today and the 7 or 30 days before, and totals. Each email counts at ' +
    'most once per kind of event, on the day it first happened.',
  args: (arg) => ({
    days: arg.int({ defaultValue: 30, description: 'Days before today to include: 7 or 30.' }),
    domainId: arg.int({ description: 'Only emails sent from this domain.' }),
  }),
  async run(ctx, { days, domainId }) {
    if (days !== 7 && days !== 30) throw errors.badRequest('days must be 7 or 30.');
    const rows = await ctx.db.rows<Record<string, string | number>>(
      sql`select to_char(d, 'Mon DD') as date, ${sums(SHOWN)}
       from generate_series(current_date - ${days}::int, current_date, interval '1 day') d
       left join svc_daily_usage u on u.day = d::date and ${usageOf(ctx, domainId)}
       group by d order by d`,
    );
    const total = (counter: string) => rows.reduce((sum, row) => sum + (row[counter] as number), 0);
    return {
      result: rows,
      totalCounts: Object.fromEntries(SHOWN.map((counter) => [counter, total(counter)])),
    };
  },
});

verb('reputationMetrics', {
  kind: 'query',
  policy: teamReads,
  description:
    'Returns all-time counts of delivered, permanently bounced and reported emails, with bounce and complaint ' +
    'rates in percent.',
  args: (arg) => ({ domainId: arg.int({ description: 'Only emails sent from this domain.' }) }),
  async run(ctx, { domainId }) {
    const [row] = await ctx.db.rows<Record<'delivered' | 'hard_bounced' | 'complained', number>>(
      sql`select ${sums(['delivered', 'hard_bounced', 'complained'])} from svc_daily_usage u
       where ${usageOf(ctx, domainId)}`,
    );
    const { delivered, hard_bounced, complained } = row!;
    const rate = (part: number) => (delivered > 0 ? (part / delivered) * 100 : 0);
    return {
      delivered,
      hardBounced: hard_bounced,
      complained,
      bounceRate: rate(hard_bounced),
      complaintRate: rate(complained),
    };
  },
});

verb('usage', {
  kind: 'query',
  policy: teamReads,
  description:
    'Returns email counts by day (UTC) and domain. Days and domains without emails are omitted; `domainId` is ' +
    'null for emails without a domain.',
  args: (arg) => ({
    days: arg.int({ defaultValue: 30, description: 'Days before today to include, 0 to 366.' }),
    domainId: arg.int({ description: 'Only emails sent from this domain.' }),
  }),
  async run(ctx, { days, domainId }) {
    const span = days ?? 30;
    if (span < 0 || span > 366) throw errors.badRequest('days must be from 0 to 366.');
    return jsonList(
      ctx.db,
      sql`select to_char(u.day, 'YYYY-MM-DD') as day, nullif(u.domain_id, 0) as "domainId", ${sums(COUNTERS, camel)}
       from svc_daily_usage u where ${usageOf(ctx, domainId)} and u.day >= current_date - ${span}::int
       group by u.day, u.domain_id order by u.day desc, u.domain_id`,
    );
  },
});

const camel = (counter: Counter): string => (counter === 'hard_bounced' ? 'hardBounced' : counter);

/** The domain to count for; null for all. A key of one domain sees that one, whatever it asks for. */
const domainOf = ({ principal }: Ctx, wanted: number | null | undefined): number | null =>
  principal?.domainId ?? wanted ?? null;
