import type { Node } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import type { Row, Update } from './row.ts';
import { areMany, shapeOf } from './row-sql.ts';

/** How a change is carried out, and what made it so. */
export interface Plan<Way extends string> {
  way: Way;
  why: string;
}

/**
 * How values that are not complete yet are created or written. `transaction`: what completes them has to run in the
 * transaction of the change; `rows`: they are completed first, and planInsert or planUpdate decides.
 */
export type Start = Plan<'nothing' | 'transaction' | 'rows'>;

/**
 * How rows that are complete go in. `statement`: rules and change are one; `steps`: other steps follow, all or none.
 */
export type Finish = Plan<'statement' | 'steps'>;

/** @param list the values of the new records, as they were given */
export function planCreate(model: Model, list: unknown[]): Start {
  if (list.length === 0) return { way: 'nothing', why: 'there are no records' };
  // A transaction that is tried again must not find what the hooks of the first try left in the values.
  if (model.options.beforeCreate) return { way: 'transaction', why: 'beforeCreate' };
  if (list.some((values) => hasProperties(model, values))) return { way: 'transaction', why: 'properties' };
  return { way: 'rows', why: 'nothing has to come before' };
}

export function planWrite(model: Model, given: Values, ids: number[]): Start {
  if (ids.length === 0) return { way: 'nothing', why: 'there are no records' };
  if (model.options.beforeWrite) return { way: 'transaction', why: 'beforeWrite' };
  if (isPlaced(model, given)) return { way: 'transaction', why: 'a place in the tree' };
  if (hasProperties(model, given)) return { way: 'transaction', why: 'properties' };
  // What completes the values of several may have to write some of them by itself.
  if (model.options.prepare && ids.length > 1) return { way: 'transaction', why: 'prepare, of several' };
  return { way: 'rows', why: 'nothing has to come before' };
}

/** @param rule what binds the new rows, or null */
export function planInsert(model: Model, rows: Row[], rule: Node | null): Finish {
  if (model.options.afterCreate) return { way: 'steps', why: 'afterCreate' };
  if (areMany(rows)) return { way: 'steps', why: 'rows of several statements' };
  if (new Set(rows.map(shapeOf)).size > 1) return { way: 'steps', why: 'rows of several shapes' };
  const step = rows.map((row) => nextStep(row)).find((each) => each !== null);
  if (step) return { way: 'steps', why: step };
  if (rule && !isOwn(rule, model)) return { way: 'steps', why: 'a rule that looks beyond the row' };
  return { way: 'statement', why: 'nothing has to follow' };
}

export function planUpdate({ model, ids, values, row }: Update): Finish {
  if (ids.length > 1) return { way: 'steps', why: 'several records' };
  if (model.options.afterWrite) return { way: 'steps', why: 'afterWrite' };
  const step = nextStep(row);
  if (step) return { way: 'steps', why: step };
  if (isMoved(model, values)) return { way: 'steps', why: 'another record to hang on' };
  return { way: 'statement', why: 'nothing has to follow' };
}

const fieldsOf = new WeakMap<Model, Field[]>();

/** Fields of the model with properties, or with definitions of some; looked for once. */
export function propertyFields(model: Model): Field[] {
  let fields = fieldsOf.get(model);
  if (!fields) {
    fields = [...model.fields.values()].filter(
      (field) => field.type.startsWith('properties') && !field.related,
    );
    fieldsOf.set(model, fields);
  }
  return fields;
}

/**
 * Whether properties or definitions of some are among the values: the former may change the latter too, and no caller
 * learns what is defined for records out of reach.
 */
const hasProperties = (model: Model, values: unknown): boolean =>
  propertyFields(model).some((field) => field.name in Object(values));

/** What has to follow the insert or update of such a row; null for nothing. */
function nextStep(row: Row): string | null {
  if (row.lists.length > 0) return 'lists';
  if (row.indexed) return 'an indexed field';
  if (row.files.size > 0) return 'files of custom fields';
  if (row.loose.size > 0) return 'links without a foreign key';
  return row.fractional ? 'amounts to round' : null;
}

/** Whether values put records below another one. What is new has nothing below it yet. */
export const isPlaced = ({ options: { tree } }: Model, values: Values): boolean =>
  tree !== undefined && Boolean(values[tree.parent]);

/** What hangs on a record may not be hung on one that the caller may not change. */
export function isMoved({ options: { follows } }: Model, values: Values): boolean {
  return follows !== undefined && (follows.model in values || follows.id in values);
}

/**
 * Whether what a statement returns of a row is all that the rule looks at, apart from other tables: then the rule can
 * be part of the statement that writes the row.
 */
function isOwn(node: Node, model: Model): boolean {
  switch (node.kind) {
    case 'const':
      return true;
    case 'and':
    case 'or':
      return node.items.every((item) => isOwn(item, model));
    case 'not':
      return isOwn(node.item, model);
    case 'column':
      return !node.field.computed && !node.field.related;
    case 'exists':
      return (
        node.field.type === 'many2one' && !reaches(node.where, model) && node.model.table !== model.table
      );
    default:
      return false;
  }
}

/** Whether the condition comes back to the table of `model`. */
function reaches(node: Node, model: Model): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.items.some((item) => reaches(item, model));
  if (node.kind === 'not') return reaches(node.item, model);
  if (node.kind === 'exists') return node.model.table === model.table || reaches(node.where, model);
  return node.kind !== 'const' && node.kind !== 'column';
}
