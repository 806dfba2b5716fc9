import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { isAutoReplyEvent } from '../state/auto-reply-event.ts';
import type { EmailStatus } from '../state/email-status.ts';
import { COUNTER_FIELDS, PUBLIC_COUNTERS } from './analytics-shapes.ts';

const MAX_BREAKDOWN_EMAILS = 20_000;
const MAX_BREAKDOWN_GROUPS = 200;

const BreakdownByEnum = builder.enumType('EmailBreakdownBy', {
  description: 'Property to group emails by.',
  values: {
    HOUR: { value: 'hour', description: 'Hour (UTC) when the emails were created.' },
    KEY: { value: 'key', description: 'API key that the emails were sent with.' },
    CAMPAIGN: { value: 'campaign', description: 'Campaign of the emails.' },
    TEMPLATE: { value: 'template', description: 'Template of the emails.' },
    SENDER: { value: 'sender', description: 'Sender of the emails, as given in the request.' },
    TAG: { value: 'tag', description: 'Value of the tag that `tag` specifies.' },
  } as const,
});

type BreakdownKey = 'hour' | 'key' | 'campaign' | 'template' | 'sender' | 'tag';

const BreakdownGroupShape = defineTypedShape(
  'EmailBreakdownGroup',
  'Emails that share a value, counted by outcome.',
  {
    key: {
      type: 'String',
      nullable: true,
      description:
        'Value that all emails in the group share, such as `2026-11-24T09:00:00Z` for an hour or the ' +
        'id of an API key. Null for emails without a value.',
    },
    label: {
      type: 'String',
      nullable: true,
      description:
        'Name of the key, campaign or template. Null if it was deleted, or if the emails are grouped ' +
        'by another property.',
    },
    emails: { type: 'Int', description: 'Number of emails, including queued ones.' },
    ...COUNTER_FIELDS,
  },
);

const Breakdown = defineTypedShape('EmailBreakdown', 'Email counts of a time range, grouped by a property.', {
  groups: {
    type: [BreakdownGroupShape],
    description:
      `Up to ${MAX_BREAKDOWN_GROUPS} groups. Hours are in chronological order. Other groups are ` +
      'sorted by number of emails, largest first.',
  },
  isComplete: {
    type: 'Boolean',
    description:
      `False if emails or groups were omitted because the range contains more than ${MAX_BREAKDOWN_EMAILS} emails or ` +
      `${MAX_BREAKDOWN_GROUPS} groups.`,
  },
});

interface GroupRow {
  key: string | null;
  total: number;
}

export const emailBreakdown = defineOperation('emailBreakdown', {
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Counts emails by hour, key, campaign, template, sender or tag. Each email counts at most once ' +
    'per event type. Unlike `emailStatistics`, the operation counts only the newest emails.',
  args: (arg) => ({
    by: arg({ type: BreakdownByEnum, required: true, description: 'Property to group by.' }),
    tag: arg.string({ description: 'Name of the tag. Required with `by: TAG`.' }),
    days: arg.int({ defaultValue: 7, description: 'Days before today to include, 0 to 366.' }),
    domainId: arg.recordId({ description: 'Only emails sent from this domain.' }),
  }),
  type: Breakdown.ref,
  async run(ctx, { by, tag, days, domainId }) {
    const span = days ?? 7;
    if (span < 0 || span > 366) throw errors.badRequest('days must be from 0 to 366.');
    if (by === 'tag' ? !tag : tag != null)
      throw errors.badRequest('tag is required if by is TAG, and not allowed otherwise.');
    const rows = await ctx.db.rows<GroupRow>(
      sql`with e as materialized (${selectNewest(ctx, span, getBoundDomain(ctx) ?? domainId ?? null)}),
         g as (select ${KEYS[by](tag ?? '')} as key, ${counters}, count(*)::int as emails from e group by 1
           order by ${by === 'hour' ? sql`1 desc` : sql`count(*) desc, 1`} limit ${MAX_BREAKDOWN_GROUPS + 1})
       select g.*, ${buildLabelSql(ctx, by)} as label, (select count(*)::int from e) as total from g
       order by ${by === 'hour' ? sql`g.key` : sql`g.emails desc, g.key`}`,
    );
    const isComplete = rows.length <= MAX_BREAKDOWN_GROUPS && (rows[0]?.total ?? 0) <= MAX_BREAKDOWN_EMAILS;
    // Drops the extra row: the oldest hour or the smallest group.
    const groups =
      rows.length <= MAX_BREAKDOWN_GROUPS ? rows : by === 'hour' ? rows.slice(1) : rows.slice(0, -1);
    return { groups, isComplete };
  },
});

const selectNewest = ({ workspace }: Ctx, days: number, domain: number | null): Sql => sql`
  select m.create_date, m.api_key_id, m.campaign_id, m.template_id, m."from", m.tags, m.state, h.happened
  from svc_email m
  cross join lateral (${selectStatuses(workspace.id)}) h
  where m.workspace_id = ${workspace.id} and m.mailbox_id is null
    and m.create_date >= current_date - ${days}::int
    ${domain === null ? sql`` : sql`and m.domain_id = ${domain}`}
  order by m.create_date desc, m.id desc limit ${MAX_BREAKDOWN_EMAILS + 1}`;

/**
 * If an email's latest status is in this list, no other counted status precedes it, and its events need not be read.
 */
const FIRST_STATUSES = ['SCHEDULED', 'QUEUED', 'SENT', 'DELIVERY_DELAYED', 'DELIVERED'];

/** Selects the statuses that email `m` has had. Automatic replies do not count as bounces. */
const selectStatuses = (workspace: number): Sql => sql`
  select case when m.latest_status = any(${FIRST_STATUSES}::text[]) then array[m.latest_status]
    else (select array_agg(distinct v.status) from svc_email_event v
      where v.workspace_id = ${workspace} and v.email_id = m.id
        and not ${isAutoReplyEvent(sql`v.data`)}) end as happened`;

const KEYS: Record<BreakdownKey, (tag: string) => Sql> = {
  hour: () => sql`to_char(date_trunc('hour', e.create_date), 'YYYY-MM-DD"T"HH24:00:00"Z"')`,
  key: () => sql`e.api_key_id::text`,
  campaign: () => sql`e.campaign_id::text`,
  template: () => sql`e.template_id`,
  sender: () => sql`e."from"`,
  tag: (name) => sql`e.tags->>${name}::text`,
};

function buildLabelSql({ workspace }: Ctx, breakdownKey: BreakdownKey): Sql {
  if (breakdownKey === 'key')
    return sql`(select k.name from svc_api_key k where k.workspace_id = ${workspace.id} and k.id = g.key::int)`;
  if (breakdownKey === 'campaign')
    return sql`(select c.name from svc_campaign c where c.workspace_id = ${workspace.id} and c.id = g.key::int)`;
  if (breakdownKey === 'template')
    return sql`(select t.name from svc_template t where t.workspace_id = ${workspace.id} and t.public_id = g.key)`;
  return sql`null::text`;
}

/** Must match the counters in `svc_daily_usage`. */
const COUNTER_CONDITIONS: Record<(typeof PUBLIC_COUNTERS)[number], Sql> = {
  sent: sql`e.state = 'sent'`,
  delivered: buildHappenedSql('DELIVERED'),
  opened: buildHappenedSql('OPENED'),
  clicked: buildHappenedSql('CLICKED'),
  bounced: buildHappenedSql('BOUNCED'),
  complained: buildHappenedSql('COMPLAINED'),
};

function buildHappenedSql(status: EmailStatus): Sql {
  return sql`${sql.literal(status)} = any(e.happened)`;
}

const counters = sql.join(
  PUBLIC_COUNTERS.map(
    (counter) => sql`(count(*) filter (where ${COUNTER_CONDITIONS[counter]}))::int as ${sql.id(counter)}`,
  ),
);
