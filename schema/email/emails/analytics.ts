import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { errors } from '../../../src/errors.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { type Counter, EMAIL_COUNTERS } from '../state/usage.ts';
import { EmailStatistics, PUBLIC_COUNTERS, Reputation, UsageDay } from './analytics-shapes.ts';

const buildSums = (counters: readonly Counter[], render = (counter: Counter): string => counter): Sql =>
  sql.join(
    counters.map(
      (counter) => sql`coalesce(sum(${sql.id('u', counter)}), 0)::int as ${sql.id(render(counter))}`,
    ),
  );

type DomainFilter = number | null | undefined;

const buildUsageCondition = (ctx: Ctx, domainFilter: DomainFilter): Sql => {
  const domain = sql.param(getDomainFilter(ctx, domainFilter));
  return sql`u.workspace_id = ${ctx.workspace.id} and (${domain}::int is null or u.domain_id = ${domain})`;
};

const domainArg = { description: 'Only emails sent from this domain.' };

const StatisticsByEnum = builder.enumType('StatisticsBy', {
  description: 'Length of a statistics period.',
  values: {
    DAY: { value: 'day', description: 'Days (UTC).' },
    WEEK: { value: 'week', description: 'Weeks, Monday to Sunday (UTC).' },
    MONTH: { value: 'month', description: 'Calendar months (UTC).' },
  } as const,
});

export const emailStatistics = defineOperation('emailStatistics', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns email counts per day, week or month (UTC) up to and including today, and their totals. ' +
    'Each email counts at most once per event type, on the day of the first such event.',
  args: (arg) => ({
    days: arg.int({ defaultValue: 30, description: 'Days before today to include, 0 to 366.' }),
    domainId: arg.recordId(domainArg),
    by: arg({ type: StatisticsByEnum, defaultValue: 'day', description: 'Length of a period.' }),
  }),
  type: EmailStatistics.ref,
  async run(ctx, { days, domainId, by }) {
    const span = parseDays(days);
    const periods = await ctx.db.rows<PeriodRow>(
      sql`select to_char(date_trunc(${by ?? 'day'}, d), 'YYYY-MM-DD') as date, ${buildSums(PUBLIC_COUNTERS)}
       from generate_series(current_date - ${span}::int, current_date, interval '1 day') d
       left join svc_daily_usage u on u.day = d::date and ${buildUsageCondition(ctx, domainId)}
       group by 1 order by 1`,
    );
    const sumCounter = (counter: (typeof PUBLIC_COUNTERS)[number]) =>
      periods.reduce((sum, row) => sum + row[counter], 0);
    return {
      periods,
      totals: Object.fromEntries(PUBLIC_COUNTERS.map((counter) => [counter, sumCounter(counter)])),
    };
  },
});

export const reputation = defineOperation('reputation', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns all-time counts of emails that were sent, delivered, permanently bounced and reported ' +
    'as spam, with bounce and complaint rates as percentages of sent emails.',
  args: (arg) => ({ domainId: arg.recordId(domainArg) }),
  type: Reputation.ref,
  async run(ctx, { domainId }) {
    const [row] = await ctx.db.rows<Record<'sent' | 'delivered' | 'hard_bounced' | 'complained', number>>(
      sql`select ${buildSums(['sent', 'delivered', 'hard_bounced', 'complained'])} from svc_daily_usage u
       where ${buildUsageCondition(ctx, domainId)}`,
    );
    const { sent, delivered, hard_bounced, complained } = row!;
    // Rates are relative to sent mail, because a relay does not report deliveries.
    const computePercentage = (part: number) => (sent > 0 ? (part / sent) * 100 : 0);
    return {
      sent,
      delivered,
      hardBounced: hard_bounced,
      complained,
      bounceRate: computePercentage(hard_bounced),
      complaintRate: computePercentage(complained),
    };
  },
});

export const usage = defineOperation('usage', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns email counts by day (UTC) and domain, newest first. Days and domains without emails are omitted.',
  args: (arg) => ({
    days: arg.int({ defaultValue: 30, description: 'Days before today to include, 0 to 366.' }),
    domainId: arg.recordId(domainArg),
  }),
  type: [UsageDay.ref],
  run: (ctx, { days, domainId }) =>
    ctx.db.rows(
      sql`select to_char(u.day, 'YYYY-MM-DD') as day, nullif(u.domain_id, 0) as "domainId",
        ${buildSums(EMAIL_COUNTERS, toCamelCase)}
       from svc_daily_usage u where ${buildUsageCondition(ctx, domainId)}
         and u.day >= current_date - ${parseDays(days)}::int
       group by u.day, u.domain_id order by u.day desc, u.domain_id`,
    ),
});

type PeriodRow = { date: string } & Record<(typeof PUBLIC_COUNTERS)[number], number>;

function parseDays(days: number | null | undefined): number {
  const span = days ?? 30;
  if (span < 0 || span > 366) throw errors.badRequest('days must be from 0 to 366.');
  return span;
}

const toCamelCase = (counter: Counter): string => (counter === 'hard_bounced' ? 'hardBounced' : counter);

/** Returns the domain to count; null for all. A key bound to a domain always counts that domain. */
const getDomainFilter = ({ principal }: Ctx, domainFilter: DomainFilter): number | null =>
  principal?.domainId ?? domainFilter ?? null;
