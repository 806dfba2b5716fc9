import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Node } from '../domain/node.ts';
import { type Field, isList } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { fieldByGraphName, isPropertyName } from '../model/naming.ts';
import { columnSql, scopeSql, tableOf, wordsOf } from './columns.ts';
import { propertySql } from './property-sql.ts';
import { alias, type Statement } from './statement.ts';
import { whereSql } from './where.ts';

const TERM =
  /^\s*([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)(?:\s+(asc|desc))?(?:\s+nulls\s+(first|last))?\s*$/i;

/** One term of an order: an expression, its direction, where nulls go (Postgres' default when empty). */
export interface OrderTerm {
  sql: string;
  down: boolean;
  nulls: '' | 'first' | 'last';
  /** The expression is never null. */
  set: boolean;
}

/** An `order by` list from a specification such as `name desc, id`; the id makes it total. */
export function orderSql(statement: Statement, model: Model, specification: string, row: string): string {
  return orderTerms(statement, model, specification, row).map(termSql).join(', ');
}

const termSql = ({ sql, down, nulls }: OrderTerm): string =>
  `${sql}${down ? ' desc' : ''}${nulls ? ` nulls ${nulls}` : ''}`;

/** The terms of a specification. @throws USER_ERROR for one that is no order of the model */
export function orderTerms(
  statement: Statement,
  model: Model,
  specification: string,
  row: string,
): OrderTerm[] {
  const parts = specification.split(',').filter((part) => part.trim() !== '');
  if (parts.length > limits.orderTerms) throw errors.badOrder(`${specification.slice(0, 80)}…`);
  const terms = parts.flatMap((part) => termsOf(statement, model, part, specification, row));
  if (!parts.some((part) => /^\s*id\b/i.test(part)))
    terms.push({ sql: `${row}.id`, down: false, nulls: '', set: true });
  return terms;
}

function termsOf(
  statement: Statement,
  model: Model,
  part: string,
  specification: string,
  row: string,
): OrderTerm[] {
  const match = TERM.exec(part);
  if (!match) throw errors.badOrder(specification);
  const [, path, direction, nulls] = match;
  const steps = path!.split('.');
  if (steps.length > limits.pathSteps) throw errors.badOrder(specification);
  const term = {
    down: direction?.toLowerCase() === 'desc',
    nulls: (nulls?.toLowerCase() ?? '') as OrderTerm['nulls'],
  };
  // The order that a model has by itself is the same for everybody.
  const isOwn = specification === model.order;
  return along(statement, model, steps, row, term, { text: specification, isOwn });
}

/** A specification, and whether it is the one that the model has by itself. */
interface Specification {
  text: string;
  isOwn: boolean;
}

/**
 * A path is followed from record to record, a caller's only over those it may read: what sorts tells of the others. A
 * relation at its end is in the order its records have among themselves.
 */
function along(
  statement: Statement,
  model: Model,
  [name, ...rest]: string[],
  row: string,
  term: Pick<OrderTerm, 'down' | 'nulls'>,
  specification: Specification,
): OrderTerm[] {
  const field = model.fields.get(name!) ?? model.fields.get(name!.toLowerCase());
  if (!field || isUnsortable(field))
    throw errors.badOrder(specification.text, fieldByGraphName(model, name!));
  statement.checkField(model, field);
  if (field.definition && rest.length === 1 && isPropertyName(rest[0]!)) {
    const sql = propertySql(wordsOf(statement, model, row), model, field, rest[0]!, row);
    return [{ sql, ...term, set: false }];
  }
  if (field.type !== 'many2one') {
    if (rest.length) throw errors.badOrder(specification.text);
    const set = field.required && !field.custom && !field.related && !field.computed;
    return [{ sql: sortable(field, columnSql(statement, model, field, row)), ...term, set }];
  }
  if (rest.length === 1 && rest[0] === 'id')
    return [{ sql: columnSql(statement, model, field, row), ...term, set: false }];
  const target = statement.registry.get(field.relation!)!;
  const link = columnSql(statement, model, field, row);
  if (rest.length) {
    if (!specification.isOwn) statement.checkModel(target);
    const rule = specification.isOwn ? null : statement.rule(target);
    const terms = (far: string) => along(statement, target, rest, far, term, specification);
    return beyond(statement, target, link, rule, terms);
  }
  return target.order.split(',').flatMap((each) => {
    const [own, direction] = each.trim().split(/\s+/);
    const down = term.down !== (direction?.toLowerCase() === 'desc');
    return beyond(statement, target, link, null, (far) => [
      {
        sql: columnSql(statement, target, target.fields.get(own!)!, far),
        down,
        nulls: term.nulls,
        set: false,
      },
    ]);
  });
}

/** Terms on the record that `link` leads to, as terms of the row itself: unset where `rule` hides that record. */
function beyond(
  statement: Statement,
  target: Model,
  link: string,
  rule: Node | null,
  terms: (far: string) => OrderTerm[],
): OrderTerm[] {
  const far = alias(statement);
  const allowed = rule ? ` and ${whereSql(statement, rule, far, target)}` : '';
  return terms(far).map((term) => ({
    ...term,
    set: false,
    sql: `(select ${term.sql} from ${tableOf(target)} ${far} where ${scopeSql(target, far)} and ${far}.id = ${link}${allowed})`,
  }));
}

const UNSORTABLE: ReadonlySet<string> = new Set(['json', 'binary', 'properties_definition']);
const isUnsortable = (field: Field): boolean => field.secret || isList(field) || UNSORTABLE.has(field.type);

/** Unset booleans are false. */
const sortable = (field: Field, column: string): string =>
  field.type === 'boolean' && (!field.required || field.custom) ? `coalesce(${column}, false)` : column;
