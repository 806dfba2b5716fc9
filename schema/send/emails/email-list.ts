import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { RawJson } from '../../../src/engine/read/records.ts';
import { jsonRow } from '../../../src/engine/sql/json-row.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { boundDomain } from '../kit/bound-domain.ts';
import { pageNumber } from '../kit/json-list.ts';
import { teamReads } from '../kit/policies.ts';
import { ITEM } from './emails.ts';
import {
  asWritten,
  inListing,
  type Listing,
  type Mark,
  markBefore,
  markFrom,
  marksOf,
} from './page-marks.ts';

verb('sentEmails', {
  kind: 'query',
  policy: teamReads,
  description:
    'A page of the sent emails in the shape of the email REST API, newest first, with the count of all that match.',
  args: (arg) => ({
    page: arg.int({ defaultValue: 1 }),
    limit: arg.int({ defaultValue: limits.emailPage }),
    startDate: arg({ type: 'DateTime' }),
    endDate: arg({ type: 'DateTime' }),
    domainIds: arg.intList(),
  }),
  run(ctx, { page, limit, startDate, endDate, domainIds }) {
    const size = limit ?? limits.emailPage;
    if (size < 1 || size > limits.emailPage)
      throw errors.badRequest(`limit goes from 1 to ${limits.emailPage}`);
    const bound = boundDomain(ctx);
    const domains = bound === null ? [...new Set(domainIds ?? [])] : [bound];
    const range: Range = {
      from: startDate ? asWritten(new Date(String(startDate)).toISOString()) : '-infinity',
      to: endDate ? asWritten(new Date(String(endDate)).toISOString()) : 'infinity',
      size,
      offset: (pageNumber(page) - 1) * size,
    };
    if (domains.length > 1) return pageOfSome(ctx, domains, range);
    return pageOf(ctx, { workspaceId: ctx.workspace.id, domainId: domains[0] ?? null }, range);
  },
});

/** Which part of a list is wanted: times as the database writes them, both included. */
interface Range {
  from: string;
  to: string;
  size: number;
  offset: number;
}

interface Ranks {
  /** Emails up to the end of the range, and before its beginning. */
  upper: number;
  lower: number;
}

interface PageRow extends Ranks {
  json: string;
  n: number;
}

/** Rows that are skipped one by one. */
const NEAR = limits.emailMarkEvery * 2;

/** A page near the top in one question; for one far down the ranks are asked first and the page from the next mark. */
async function pageOf(ctx: Ctx, listing: Listing, range: Range): Promise<RawJson> {
  const marks = await marksOf(ctx.runtime.db, listing);
  const top = { at: range.to, id: MOST };
  if (range.offset <= NEAR) {
    const page = await askPage(ctx, listing, marks, range, top);
    return answer(page.json, between(page), page.n);
  }
  const ranks = await askRanks(ctx, listing, marks, range);
  const count = between(ranks);
  if (range.offset >= count) return answer('[]', count, 0);
  const rank = ranks.upper - range.offset;
  const mark = markFrom(marks, rank);
  const far = mark ? { ...range, offset: mark.rank - rank } : range;
  const page = await askPage(ctx, listing, marks, far, mark ?? top);
  return answer(page.json, count, page.n);
}

const MOST = 2_147_483_647;

/** The number of a range; one that ends before it begins holds none. */
const between = ({ upper, lower }: Ranks): number => Math.max(0, upper - lower);

const answer = (json: string, count: number, n: number) =>
  new RawJson(`{"data":${json},"count":${count}}`, n);

/** A page from a place down, with the ranks. */
async function askPage(
  ctx: Ctx,
  listing: Listing,
  marks: Mark[],
  range: Range,
  top: Pick<Mark, 'at' | 'id'>,
): Promise<PageRow> {
  const { params, ...known } = ranked(listing, marks, range);
  const skipped = range.offset > 0 ? [range.offset] : [];
  const row = (await jsonRow<{ json: string } & PageRow>(
    ctx.db,
    pageSql(listing, range),
    [...params, top.at, top.id, ...skipped],
    ['n', 'upper', 'lower'],
  ))!;
  return { json: row.json, n: row.n, upper: row.upper + known.upper, lower: row.lower + known.lower };
}

async function askRanks(ctx: Ctx, listing: Listing, marks: Mark[], range: Range): Promise<Ranks> {
  const { params, ...known } = ranked(listing, marks, range);
  const [row] = await ctx.db.rows<Ranks>(`select ${ranksSql(inListing(listing, 'm'))}`, params);
  return { upper: row!.upper + known.upper, lower: row!.lower + known.lower };
}

/** What the marks know of the ranks, and what the rest is asked with. */
function ranked({ workspaceId, domainId }: Listing, marks: Mark[], { from, to }: Range) {
  const [last, first] = [markBefore(marks, to), markBefore(marks, from)];
  const params = [workspaceId, domainId, from, to, last.at, last.id, first.at, first.id];
  return { upper: last.rank, lower: first.rank, params };
}

const ranksSql = (among: string): string => `
  (select count(*)::int from svc_email m where ${among} and (m.create_date, m.id) > ($5::timestamp, $6::int) and m.create_date <= $4::timestamp) as upper,
  (select count(*)::int from svc_email m where ${among} and (m.create_date, m.id) > ($7::timestamp, $8::int) and m.create_date < $3::timestamp) as lower`;

/**
 * The scan begins at the place because nothing else bounds it from above. The size, and an offset of none, stand in the
 * text: with parameters for them Postgres would plan each call anew.
 */
function pageSql(listing: Listing, { size, offset }: Range): string {
  const among = inListing(listing, 'm');
  const page = `select m.create_date, m.id from svc_email m
    where ${among} and m.create_date >= $3::timestamp and (m.create_date, m.id) <= ($9::timestamp, $10::int)
    order by m.create_date desc, m.id desc limit ${size} ${offset > 0 ? 'offset $11::int' : ''}`;
  return `select coalesce(json_agg(e), '[]')::text as json, count(*)::int as n, ${ranksSql(among)}
    from (select ${ITEM} from (${page}) p join svc_email m on m.workspace_id = $1 and m.id = p.id
      order by p.create_date desc, p.id desc) e`;
}

/** Of several domains together: counted row by row. */
async function pageOfSome(ctx: Ctx, domains: number[], { from, to, size, offset }: Range): Promise<RawJson> {
  const where = `m.workspace_id = $1 and m.domain_id = any($2::int[]) and m.create_date between $3::timestamp and $4::timestamp`;
  const row = await jsonRow<{ json: string; n: number; count: number }>(
    ctx.db,
    `select coalesce(json_agg(e), '[]')::text as json, count(*)::int as n, (select count(*)::int from svc_email m where ${where}) as count
     from (select ${ITEM} from svc_email m where ${where} order by m.create_date desc, m.id desc limit $5 offset $6) e`,
    [ctx.workspace.id, domains, from, to, size, offset],
    ['n', 'count'],
  );
  return answer(row!.json, row!.count, row!.n);
}
