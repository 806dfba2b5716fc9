import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { ShapeParts } from '../../../src/engine/operation/shape.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import type { SearchPage } from '../search/search-page.ts';
import { loadEntryRows } from './entry-row.ts';

export const SEARCH_SHAPE: ShapeParts = {
  countIsAtLeast: {
    type: 'Boolean',
    nullable: true,
    optional: true,
    description: 'True if a search has more matches than `count`.',
  },
  notes: {
    type: ['String'],
    nullable: true,
    optional: true,
    description: 'Explanations of parts of the search that could not be applied as written.',
  },
};

export async function buildSearchResponse(ctx: Ctx, page: SearchPage): Promise<RawJson> {
  const workspace = sql.param(ctx.workspace.id);
  const { json, n } = await loadEntryRows(
    ctx,
    workspace,
    sql`select e.id, e.date from svc_mail_entry e
      where e.workspace_id = ${workspace} and e.id = any(${page.ids}::int8[])`,
  );
  const more = page.isCountAtLeast ? ',"count_is_at_least":true' : '';
  return new RawJson(
    `{"entries":${json},"count":${page.count}${more},"notes":${JSON.stringify(page.notes)}}`,
    n,
  );
}
