import { call } from '../../../src/engine/operation/call.ts';
import { inputSchema } from '../input-schema.ts';
import { defineTool, toToolResult } from '../tool.ts';
import { outputSchema, READING_TOOL } from './kit.ts';
import { DOMAIN_SCHEMA, MODEL_SCHEMA, OFFSET_SCHEMA } from './schemas.ts';

const MAX_GROUPS = 2_000;
const DEFAULT_GROUPS = 100;

export const aggregateTool = defineTool({
  name: 'aggregate',
  title: 'Group and aggregate records',
  description:
    'Groups all records that match a domain, counts each group and aggregates fields. With dates, the domain of ' +
    'each group selects its records.',
  inputSchema: inputSchema(
    {
      model: MODEL_SCHEMA,
      group_by: {
        type: 'array',
        items: { type: 'string' },
        description:
          'Field, such as stage_id, or date with day, week, month, quarter or year, such as create_date:month. ' +
          '[] makes one group.',
      },
      domain: DOMAIN_SCHEMA,
      aggregates: {
        type: 'array',
        items: { type: 'string' },
        default: [],
        description:
          'Field and function, such as amount_total:sum. Other functions: avg, min, max, count, count_distinct.',
      },
      order: { type: 'string', description: 'Such as "count desc, stage_id".' },
      limit: {
        type: 'integer',
        minimum: 1,
        default: DEFAULT_GROUPS,
        description: `Up to ${MAX_GROUPS}.`,
      },
      offset: OFFSET_SCHEMA,
    },
    ['model', 'group_by'],
  ),
  ...READING_TOOL,
  outputSchema: outputSchema(
    {
      groups: { type: 'array', items: { type: 'object' } },
    },
    ['groups'],
  ),
  group: 'data',
  method: 'formatted_read_group',
  async run({
    ctx,
    args: { model, group_by: groupBy, domain = [], aggregates, order, limit: requestedLimit, offset },
  }) {
    const limit = Math.min(requestedLimit, MAX_GROUPS);
    const groupRows = await call(ctx, 'recordFormattedReadGroup', {
      model,
      domain,
      groupby: groupBy,
      aggregates: [...new Set(['__count', ...aggregates])],
      order: order?.replace(/(^|,\s*)count\b(?!:)/g, '$1__count'),
      limit: limit + 1,
      offset,
    });
    const more = groupRows.length > limit && { has_more: true, next_offset: offset + limit };
    const hasPeriods = groupBy.some((spec) => spec.includes(':'));
    const groups = groupRows.slice(0, limit).map((row) => ({
      group: labelPeriods(pickValues(row, groupBy)),
      ...(hasPeriods && { domain: row.__extra_domain }),
      count: row.__count,
      values: pickValues(row, aggregates),
    }));
    return toToolResult({ groups, ...more }, groups.length);
  },
});

/** Replaces the value of a period, its first moment and label, with the label. */
const labelPeriods = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([spec, value]) => [
      spec,
      spec.includes(':') && Array.isArray(value) ? value[1] : value,
    ]),
  );

const pickValues = (row: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, row[name] ?? null]));
