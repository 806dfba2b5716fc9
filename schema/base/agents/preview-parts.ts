import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoader } from '../../../src/engine/ctx/loader.ts';
import {
  getRequestedLanguage,
  type LabelLanguage,
  labelsArgument,
} from '../../../src/engine/describe/labels.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { describePreview, Part, type PartValue } from './describe-preview.ts';

/** Cost in response values. */
const PARTS_COST = 100;

builder.objectField(getRecordRef('svc.agent.held'), 'parts', (t) =>
  t.field({
    type: [Part.ref],
    nullable: true,
    description:
      'The preview as a flat list. Names only records that you can read. Null for an action of an earlier version.',
    args: { lang: t.arg.string(labelsArgument) },
    extensions: { cost: PARTS_COST },
    resolve: ({ id }, { lang }, ctx) => loadParts(ctx, id, getRequestedLanguage(ctx, lang)) as never,
  }),
);

interface StoredPreview {
  id: number;
  model_name: string | null;
  preview_json: object | null;
}

/** Loads the previews of all actions in a list with one statement. Access was already checked. */
const getPreviewLoader = (ctx: Ctx) =>
  getLoader<StoredPreview | null>(
    ctx,
    'held previews',
    async (ids) => {
      const rows = await ctx.db.rows<StoredPreview>(
        sql`select id, model_name, preview_json from svc_agent_held
         where workspace_id = ${ctx.workspace.id} and id = any(${ids}::int[])`,
      );
      return new Map(rows.map((row) => [row.id, row]));
    },
    null,
  );

async function loadParts(ctx: Ctx, id: number, lang: LabelLanguage): Promise<PartValue[] | null> {
  const stored = await getPreviewLoader(ctx).load(id);
  if (!stored?.preview_json) return null;
  const target = ctx.catalog.registry.get(stored.model_name ?? '');
  return describePreview({ ctx, lang, target }, stored.preview_json);
}
