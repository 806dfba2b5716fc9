import type { Node } from '../domain/node.ts';
import type { Model } from '../model/model.ts';
import { wordsOf } from './columns.ts';
import { propertySql } from './property-sql.ts';
import { alias, param, type Statement } from './statement.ts';

/** Stored forms that count as unset. */
const UNSET = `array['null', 'false', '""', '[]', '0']::jsonb[]`;

/** The condition on the row. */
export function propertyWhere(
  statement: Statement,
  { field, name, operator, value }: Node & { kind: 'property' },
  row: string,
  model: Model,
): string {
  const held = propertySql(wordsOf(statement, model, row), model, field, name, row);
  if (operator === 'in') return amongSql(statement, held, value as unknown[]);
  const each = alias(statement);
  const text = `${each}.v #>> '{}'`;
  const from = `from (select ${held} as v) ${each}`;
  if (operator.endsWith('like')) {
    const like = operator.includes('ilike') ? 'ilike' : 'like';
    return `(select ${text} ${like} ${param(statement, value)} ${from})`;
  }
  const isNumber = typeof value === 'number';
  const compared = `case when jsonb_typeof(${each}.v) = '${isNumber ? 'number' : 'string'}' then (${text})${isNumber ? '::numeric' : ''} end`;
  return `coalesce((select ${compared} ${operator} ${param(statement, value)}${isNumber ? '::numeric' : ''} ${from}), false)`;
}

/** A list of tags or records holds each of its items: `@>` is equality for what is no list. */
function amongSql(statement: Statement, held: string, values: unknown[]): string {
  const each = alias(statement);
  const set = values.filter((v) => v !== null).map((v) => JSON.stringify(v));
  const parts: string[] = [];
  if (set.length) parts.push(`${each}.v @> any(${param(statement, set)}::jsonb[])`);
  if (values.some((v) => v === null || v === 0 || v === ''))
    parts.push(`${each}.v is null or ${each}.v = any(${UNSET})`);
  return `coalesce((select ${parts.join(' or ')} from (select ${held} as v) ${each}), false)`;
}
