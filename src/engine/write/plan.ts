import { memoizePerObject } from '../../cache.ts';
import type { DomainNode } from '../domain/node.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import type { RecordUpdate, WritableRow } from './row.ts';
import { exceedsOneStatement, getRowShape } from './row-sql.ts';

interface ChangePlan<Mode extends string> {
  mode: Mode;
  reason: string;
}

/**
 * Plan for the incomplete values of a create or write. `transaction`: the values must be completed in the transaction
 * of the change. `rows`: the values are completed first, and then planInsert or planUpdate decides how to write them.
 */
type InitialPlan = ChangePlan<'nothing' | 'transaction' | 'rows'>;

/**
 * Plan for complete rows. `statement`: one statement checks the rules and makes the change. `steps`: the change takes
 * several statements in a transaction.
 */
type FinalPlan = ChangePlan<'statement' | 'steps'>;

/** @param list values of the new records, as sent by the caller */
export function planCreate(model: Model, list: unknown[]): InitialPlan {
  if (list.length === 0) return { mode: 'nothing', reason: 'there are no records' };
  // A retried transaction must not see values that hooks changed in the first attempt.
  if (model.options.beforeCreate) return { mode: 'transaction', reason: 'beforeCreate' };
  if (list.some((values) => hasProperties(model, values)))
    return { mode: 'transaction', reason: 'properties' };
  return { mode: 'rows', reason: 'no preparation needed' };
}

export function planWrite(model: Model, values: Values, ids: number[]): InitialPlan {
  if (ids.length === 0) return { mode: 'nothing', reason: 'there are no records' };
  if (model.options.beforeWrite) return { mode: 'transaction', reason: 'beforeWrite' };
  if (setsTreeParent(model, values)) return { mode: 'transaction', reason: 'a new tree parent' };
  if (hasProperties(model, values)) return { mode: 'transaction', reason: 'properties' };
  // For several records, `prepare` may write some of them separately.
  if (model.options.prepare && ids.length > 1)
    return { mode: 'transaction', reason: 'prepare with several records' };
  return { mode: 'rows', reason: 'no preparation needed' };
}

export function planInsert(model: Model, rows: WritableRow[], rule: DomainNode | null): FinalPlan {
  if (model.options.afterCreate) return { mode: 'steps', reason: 'afterCreate' };
  if (exceedsOneStatement(rows)) return { mode: 'steps', reason: 'too many rows for one statement' };
  if (new Set(rows.map(getRowShape)).size > 1)
    return { mode: 'steps', reason: 'rows with different columns' };
  const step = rows.map((row) => findNextStep(row)).find((item) => item !== null);
  if (step) return { mode: 'steps', reason: step };
  if (rule && !isRowCondition(rule, model)) return { mode: 'steps', reason: 'a rule about other records' };
  return { mode: 'statement', reason: 'no further steps' };
}

export function planUpdate({ model, ids, values, row }: RecordUpdate): FinalPlan {
  if (ids.length > 1) return { mode: 'steps', reason: 'several records' };
  if (model.options.afterWrite) return { mode: 'steps', reason: 'afterWrite' };
  const step = findNextStep(row);
  if (step) return { mode: 'steps', reason: step };
  if (changesFollowedRecord(model, values)) return { mode: 'steps', reason: 'a new followed record' };
  return { mode: 'statement', reason: 'no further steps' };
}

export const getPropertyFields = memoizePerObject(({ fields }: Model): Field[] =>
  [...fields.values()].filter((field) => field.type.startsWith('properties') && !field.related),
);

/** Writing properties may change their definitions, and must not reveal the definitions of inaccessible records. */
const hasProperties = (model: Model, values: unknown): boolean =>
  getPropertyFields(model).some((field) => field.name in Object(values));

function findNextStep(row: WritableRow): string | null {
  if (row.lists.length > 0) return 'lists';
  if (row.indexed) return 'indexed custom fields';
  if (row.files.size > 0) return 'files of custom fields';
  if (row.loose.size > 0) return 'links without a foreign key';
  return row.fractional ? 'amounts that need rounding' : null;
}

/** Returns true if the values place records below another record, which may create a cycle. */
export const setsTreeParent = ({ options: { tree } }: Model, values: Values): boolean =>
  tree !== undefined && Boolean(values[tree.parent]);

/** A record must not be attached to a record that the caller may not change. */
export function changesFollowedRecord({ options: { follows } }: Model, values: Values): boolean {
  return follows !== undefined && (follows.model in values || follows.id in values);
}

/**
 * Returns true if the rule depends only on values that the statement returns for the row, and on other tables. The
 * statement that writes the row can then check the rule.
 */
function isRowCondition(node: DomainNode, model: Model): boolean {
  switch (node.kind) {
    case 'const':
      return true;
    case 'and':
    case 'or':
      return node.items.every((item) => isRowCondition(item, model));
    case 'not':
      return isRowCondition(node.item, model);
    case 'column':
      return !node.field.computed && !node.field.related;
    case 'exists':
      return (
        node.field.type === 'many2one' && !reachesTable(node.where, model) && node.model.table !== model.table
      );
    default:
      return false;
  }
}

/** Returns true if the condition may read the table of `model`. */
function reachesTable(node: DomainNode, model: Model): boolean {
  if (node.kind === 'and' || node.kind === 'or') return node.items.some((item) => reachesTable(item, model));
  if (node.kind === 'not') return reachesTable(node.item, model);
  if (node.kind === 'exists') return node.model.table === model.table || reachesTable(node.where, model);
  return node.kind !== 'const' && node.kind !== 'column';
}
