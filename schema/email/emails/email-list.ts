import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { buildShapeColumnsSql } from '../../../src/engine/operation/shape.ts';
import { readJsonRow } from '../../../src/engine/sql/json-row.ts';
import { PageText } from '../../../src/engine/value/page-text.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { parsePageNumber } from '../kit/json-list.ts';
import { definePage } from '../kit/pages.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { listedEmailShape } from './email-shapes.ts';
import {
  EMAILS_PER_CHECKPOINT,
  type EmailListing,
  findCheckpointBefore,
  findCheckpointFrom,
  isInListing,
  loadCheckpoints,
  type PageCheckpoint,
  toDatabaseTime,
} from './page-checkpoints.ts';

const EmailPageType = definePage('EmailPage', {
  model: 'svc.email',
  item: listedEmailShape,
  description: 'One page of emails.',
  data: 'Emails on this page, newest first.',
  counts: { count: 'Number of matching emails on all pages.' },
});

export const emailPage = defineOperation('emailPage', {
  effects: ['reads'],
  deprecated: 'For the email REST API. Use `emails`.',
  policy: TEAM_READ_POLICY,
  description:
    'Returns the page of emails with the given number, newest first. For cursor pagination and more ' +
    'filters, use `emails`.',
  args: (arg) => ({
    page: arg.int({ defaultValue: 1, description: 'Page number, starting at 1.' }),
    limit: arg.int({ defaultValue: limits.email.page, description: 'Emails per page.' }),
    startDate: arg({ type: 'DateTime', description: 'Created at or after this time.' }),
    endDate: arg({ type: 'DateTime', description: 'Created at or before this time.' }),
    domainIds: arg.recordIds({ description: 'Only emails sent from these domains.' }),
  }),
  type: EmailPageType,
  run(ctx, { page, limit, startDate, endDate, domainIds }) {
    const size = limit ?? limits.email.page;
    if (size < 1 || size > limits.email.page)
      throw errors.badRequest(`limit must be from 1 to ${limits.email.page}`);
    const boundDomain = getBoundDomain(ctx);
    const domains = boundDomain === null ? [...new Set(domainIds ?? [])] : [boundDomain];
    const range: ListRange = {
      from: startDate ? toDatabaseTime(new Date(String(startDate)).toISOString()) : '-infinity',
      to: endDate ? toDatabaseTime(new Date(String(endDate)).toISOString()) : 'infinity',
      size,
      offset: (parsePageNumber(page) - 1) * size,
    };
    if (domains.length > 1) return loadDomainsPage(ctx, domains, range);
    return loadPage(ctx, { workspaceId: ctx.workspace.id, domainId: domains[0] ?? null }, range);
  },
});

/** Requested range of a list. Both times are inclusive and in the database's format. */
interface ListRange {
  from: string;
  to: string;
  size: number;
  offset: number;
}

interface Ranks {
  /** `upper` counts the emails up to the end of the range, `lower` the emails before its start. */
  upper: number;
  lower: number;
}

interface PageRow extends Ranks {
  json: string;
  n: number;
}

const MAX_SKIPPED_ROWS = EMAILS_PER_CHECKPOINT * 2;

/**
 * Loads a page. A page near the top takes one statement. For a distant page, computes the ranks first and starts at the
 * nearest checkpoint.
 */
async function loadPage(ctx: Ctx, listing: EmailListing, range: ListRange): Promise<PageText> {
  const marks = await loadCheckpoints(ctx.runtime.db, listing);
  const top = { at: range.to, id: MAX_ID };
  if (range.offset <= MAX_SKIPPED_ROWS) {
    const page = await queryPage(ctx, listing, marks, range, top);
    return buildPageText(page.json, countBetween(page), page.n);
  }
  const ranks = await queryRanks(ctx, listing, marks, range);
  const count = countBetween(ranks);
  if (range.offset >= count) return buildPageText('[]', count, 0);
  const rank = ranks.upper - range.offset;
  const mark = findCheckpointFrom(marks, rank);
  const shiftedRange = mark ? { ...range, offset: mark.rank - rank } : range;
  const page = await queryPage(ctx, listing, marks, shiftedRange, mark ?? top);
  return buildPageText(page.json, count, page.n);
}

const MAX_ID = 2_147_483_647;

const countBetween = ({ upper, lower }: Ranks): number => Math.max(0, upper - lower);

const buildPageText = (json: string, count: number, n: number) =>
  new PageText(new RawJson(json, n), { count });

async function queryPage(
  ctx: Ctx,
  listing: EmailListing,
  marks: PageCheckpoint[],
  range: ListRange,
  top: Pick<PageCheckpoint, 'at' | 'id'>,
): Promise<PageRow> {
  const knownRanks = findKnownRanks(marks, range);
  const statement = buildPageSql(listing, range, buildRanksSql(listing, marks, range), top);
  const row = (await readJsonRow<{ json: string } & PageRow>(ctx.db, statement, ['n', 'upper', 'lower']))!;
  return {
    json: row.json,
    n: row.n,
    upper: row.upper + knownRanks.upper,
    lower: row.lower + knownRanks.lower,
  };
}

async function queryRanks(
  ctx: Ctx,
  listing: EmailListing,
  marks: PageCheckpoint[],
  range: ListRange,
): Promise<Ranks> {
  const knownRanks = findKnownRanks(marks, range);
  const [row] = await ctx.db.rows<Ranks>(sql`select ${buildRanksSql(listing, marks, range)}`);
  return { upper: row!.upper + knownRanks.upper, lower: row!.lower + knownRanks.lower };
}

const findKnownRanks = (marks: PageCheckpoint[], { from, to }: ListRange): Ranks => ({
  upper: findCheckpointBefore(marks, to).rank,
  lower: findCheckpointBefore(marks, from).rank,
});

/** Counts the emails between each end of the range and the checkpoint before it. */
function buildRanksSql(listing: EmailListing, marks: PageCheckpoint[], { from, to }: ListRange): Sql {
  const [last, first] = [findCheckpointBefore(marks, to), findCheckpointBefore(marks, from)];
  const buildAfterMarkSql = (mark: PageCheckpoint) =>
    sql`select count(*)::int from svc_email m
      where ${isInListing(listing)} and (m.create_date, m.id) > (${toInstantSql(mark.at)}, (select ${mark.id}::int8))`;
  return sql`
    (${buildAfterMarkSql(last)} and m.create_date <= ${toInstantSql(to)}) as upper,
    (${buildAfterMarkSql(first)} and m.create_date < ${toInstantSql(from)}) as lower`;
}

/**
 * Hides the time from the planner. Otherwise, PostgreSQL prefers a custom plan and replans every call, which takes as
 * long as loading the page.
 */
const toInstantSql = (value: string): Sql => sql`(select ${value}::timestamp)`;

/**
 * Builds the page query with a single upper bound, so that the scan starts there. The size and a zero offset are
 * literals, because PostgreSQL would replan every call if they were parameters.
 */
function buildPageSql(
  listing: EmailListing,
  { from, size, offset }: ListRange,
  ranks: Sql,
  top: Pick<PageCheckpoint, 'at' | 'id'>,
): Sql {
  const skippedSql = offset > 0 ? sql`offset ${offset}::int` : sql.empty;
  const page = sql`select m.create_date, m.id from svc_email m
    where ${isInListing(listing)} and m.create_date >= ${toInstantSql(from)}
      and (m.create_date, m.id) <= (${toInstantSql(top.at)}, (select ${top.id}::int8))
    order by m.create_date desc, m.id desc limit ${sql.literal(size)} ${skippedSql}`;
  return sql`select coalesce(json_agg(e), '[]')::text as json, count(*)::int as n, ${ranks}
    from (select ${buildShapeColumnsSql(listedEmailShape)} from (${page}) p
      join svc_email m on m.workspace_id = ${listing.workspaceId} and m.id = p.id
      order by p.create_date desc, p.id desc) e`;
}

async function loadDomainsPage(
  ctx: Ctx,
  domains: number[],
  { from, to, size, offset }: ListRange,
): Promise<PageText> {
  const condition = sql`m.workspace_id = ${ctx.workspace.id} and m.mailbox_id is null
    and m.domain_id = any(${domains}::int[])
    and m.create_date between ${from}::timestamp and ${to}::timestamp`;
  const row = await readJsonRow<{ json: string; n: number; count: number }>(
    ctx.db,
    sql`select coalesce(json_agg(e), '[]')::text as json, count(*)::int as n,
       (select count(*)::int from svc_email m where ${condition}) as count
     from (select ${buildShapeColumnsSql(listedEmailShape)} from svc_email m where ${condition}
       order by m.create_date desc, m.id desc limit ${size} offset ${offset}) e`,
    ['n', 'count'],
  );
  return buildPageText(row!.json, row!.count, row!.n);
}
