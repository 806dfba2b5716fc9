import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { fromWallClock, parseTimestamp } from '../../../src/engine/value/instant.ts';
import { parseSearch } from '../../../src/message/search/grammar.ts';
import { loadFeatures } from '../settings/features.ts';
import type { SearchContext } from './conditions.ts';

export interface ResolvedSearch extends ReturnType<typeof parseSearch> {
  meaning: SearchContext;
}

/**
 * Parses a search in mailboxes. Operators are supported if the feature is on for all of the mailboxes' companies. Uses
 * the mailboxes' folders and labels, and the time zone of an owner, or of the caller if no owner has one.
 */
export async function resolveSearch(
  ctx: Ctx,
  accounts: readonly number[],
  text: string,
): Promise<ResolvedSearch> {
  const workspace = ctx.workspace.id;
  const owners = await ctx.db.rows<{ company_id: number | null; tz: string | null }>(
    sql`select a.company_id, u.tz from svc_mail_account a
     left join res_users u on u.workspace_id = ${workspace} and u.id = a.owner_id
     where a.workspace_id = ${workspace} and a.id = any(${accounts}::int[]) order by a.id`,
  );
  const companies = [...new Set(owners.map(({ company_id }) => company_id))];
  const features = await Promise.all(companies.map((company) => loadFeatures(ctx, company)));
  const operators = features.every((feature) => feature['mail.search']);
  const folders =
    operators && /\bin:/i.test(text)
      ? await ctx.db.rows<Folder>(
          sql`select id, role, name from svc_mail_folder
           where workspace_id = ${workspace} and account_id = any(${accounts}::int[])`,
        )
      : [];
  const labels =
    operators && /\blabel:/i.test(text)
      ? await ctx.db.rows<Label>(
          sql`select id, name from svc_mail_label
           where workspace_id = ${workspace} and account_id = any(${accounts}::int[])`,
        )
      : [];
  const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
  const search = parseSearch(text, { operators, folders: names(folders), labels: names(labels) });
  const tz = owners.find((owner) => owner.tz)?.tz ?? ctx.principal?.tz ?? 'UTC';
  const clock = {
    now: new Date(),
    startOfDay: (day: string) => new Date(fromWallClock(parseTimestamp(day), tz)),
  };
  return { ...search, meaning: { workspace: sql.param(workspace), clock, folders, labels } };
}

type Folder = SearchContext['folders'][number];
type Label = SearchContext['labels'][number];
