import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import type { UnsafeValue } from './html.ts';
import type { ReturnedRows } from './returned-rows.ts';

/** A list field with the commands a caller gave for it: `[0,0,vals] [1,id,vals] [2,id] [3,id] [4,id] [5] [6,0,ids]`. */
export interface ListFieldValue {
  field: Field;
  value: unknown;
}

/** A row about to be written. */
export interface WritableRow {
  /** In the form their columns take. */
  columns: Map<Field, unknown>;
  /** Values of custom fields, as JSON keeps them. */
  custom: Record<string, unknown>;
  /** Files of custom fields; null for none. */
  files: Map<Field, Buffer | null>;
  lists: ListFieldValue[];
  /** Links that no foreign key guards. */
  loose: Map<Field, number>;
  /** An amount may have more decimals than its currency. */
  fractional: boolean;
  /** A custom field with a look-up index is among the values. */
  indexed: boolean;
  /** HTML that has still to be made safe. */
  pending: UnsafeValue[];
}

/** The same values for some records, as they were given and as a row. */
export interface RecordUpdate {
  model: Model;
  ids: number[];
  values: Values;
  row: WritableRow;
  returned?: ReturnedRows;
}

/** The three ways in which records change, handed to what a change entails: lines, links and definitions of others. */
export interface RecordWriter {
  create(ctx: Ctx, name: string, list: Values[]): Promise<number[]>;
  write(ctx: Ctx, name: string, ids: number[], values: Values): Promise<true>;
  unlink(ctx: Ctx, name: string, ids: number[]): Promise<true>;
}
