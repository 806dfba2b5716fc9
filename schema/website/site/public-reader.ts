import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { createWorkspacePrincipal, type Principal } from '../../../src/engine/model/principal.ts';
import { searchRead } from '../../../src/engine/read/records.ts';
import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import { AppError } from '../../../src/errors.ts';
import type { RecordList } from '../../../src/qweb/compile.ts';
import type { MarkupValue } from '../../../src/qweb/expression.ts';

const PUBLIC_GROUP = 'base.group_public';

/** Creates a principal for an anonymous visitor, limited to the public group's access rights. */
const createPublicPrincipal = (ctx: Ctx): Principal => ({
  ...createWorkspacePrincipal(ctx.workspace.slug, 'Public user'),
  kind: 'user',
  groups: new Set([PUBLIC_GROUP]),
  companyIds: [...ctx.catalog.companies],
  scopes: ['read'],
});

/**
 * Loads the records that a page lists, limited to those that anonymous visitors may read. Empty if the public group has
 * no access to the model.
 */
export async function loadListedRecords(ctx: Ctx, query: RecordList): Promise<MarkupValue[]> {
  const publicCtx = ctx.with({ principal: createPublicPrincipal(ctx), mask: true });
  const { model, domain, fields, order, limit } = query;
  try {
    const rows = await searchRead(publicCtx, {
      model,
      domain,
      fields,
      page: { limit, ...(order && { order }) },
    });
    return (rows as RawJson).value<MarkupValue[]>().map(nameRelations);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'BUSY') throw error;
    ctx.log.info({ reason: error.message, model }, 'a page lists records that the public cannot read');
    return [];
  }
}

const nameRelations = (row: MarkupValue): MarkupValue =>
  Object.fromEntries(
    Object.entries(row as Record<string, MarkupValue>).map(([name, value]) => [
      name,
      Array.isArray(value) &&
      value.length === 2 &&
      typeof value[0] === 'number' &&
      typeof value[1] === 'string'
        ? { id: value[0], name: value[1] }
        : value,
    ]),
  );
