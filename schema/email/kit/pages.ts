import { builder } from '../../../src/engine/operation/builder.ts';
import { getRecordRef } from '../../../src/engine/operation/record-ref.ts';
import { defineFacadeShape, type ObjectShape } from '../../../src/engine/operation/shape.ts';
import type { PageText } from '../../../src/engine/value/page-text.ts';
import { resolveRecords } from './resolve-records.ts';

interface PageOptions {
  /** Model whose records have public ids. */
  model: string;
  item: ObjectShape;
  description: string;
  data: string;
  counts: Record<string, string>;
}

/** Declares a numbered page of records for the email REST API. */
export function definePage(name: string, { model, item, description, data, counts }: PageOptions) {
  const countEntries = Object.entries(counts);
  defineFacadeShape(name, description, {
    data: { type: [item], description: data },
    ...Object.fromEntries(
      countEntries.map(([key, text]) => [key, { type: 'Int', description: text } as const]),
    ),
  });
  return builder.objectRef<PageText>(name).implement({
    description,
    fields: (t) => ({
      data: t.field({
        type: [getRecordRef(model)],
        description: data,
        resolve: ({ list }, _args, ctx, info) =>
          resolveRecords(
            ctx,
            model,
            list.value<{ id: string }[]>().map(({ id }) => id),
            info,
          ),
      }),
      ...Object.fromEntries(
        countEntries.map(([key, text]) => [
          key,
          t.int({ description: text, resolve: (page) => page.counts[key]! }),
        ]),
      ),
    }),
  });
}
