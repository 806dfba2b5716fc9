import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import type { UnsafeValue } from './html.ts';
import type { ReturnedRows } from './returned-rows.ts';

/** A list field with the caller's commands: `[0,0,vals] [1,id,vals] [2,id] [3,id] [4,id] [5] [6,0,ids]`. */
export interface ListFieldValue {
  field: Field;
  value: unknown;
}

export interface WritableRow {
  /** Values in the format of their columns. */
  columns: Map<Field, unknown>;
  /** Values of custom fields, as stored in JSON. */
  custom: Record<string, unknown>;
  /** Files of custom fields. Null clears a file. */
  files: Map<Field, Buffer | null>;
  lists: ListFieldValue[];
  loose: Map<Field, number>;
  /** True if an amount may have more decimals than its currency. */
  fractional: boolean;
  indexed: boolean;
  pending: UnsafeValue[];
}

/** Expected versions by record id. */
export type RecordVersions = ReadonlyMap<number, number>;

/** An update that sets the same values on several records. `row` is the SQL form of the caller's `values`. */
export interface RecordUpdate {
  model: Model;
  ids: number[];
  values: Values;
  row: WritableRow;
  returned?: ReturnedRows;
  versions?: RecordVersions;
}

/** Record operations. write.ts passes them to the modules that it imports, to avoid import cycles. */
export interface RecordWriter {
  create(ctx: Ctx, name: string, list: Values[]): Promise<number[]>;
  write(ctx: Ctx, name: string, ids: number[], values: Values): Promise<true>;
  unlink(ctx: Ctx, name: string, ids: number[]): Promise<true>;
}
