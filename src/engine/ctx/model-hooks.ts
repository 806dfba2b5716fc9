import type { Sql } from '../../db/sql.ts';
import type { Ctx } from './ctx.ts';

export type DefaultValue = string | number | boolean | null | unknown[] | ((ctx: Ctx) => unknown);

/** Rows that every workspace gets when it first uses the model. Their external ids are not stored. */
export interface FirstUse {
  /** Creates the rows with system rights, in the current transaction. */
  add(ctx: Ctx): Promise<void>;
  /** Pattern of the rows' external ids, without the prefix `base.`. */
  names: RegExp;
  /** Finds record ids by external id. Unknown external ids are omitted. */
  find(ctx: Ctx, names: string[]): Promise<Map<string, number>>;
  /** Finds external ids by record id. Records without one are omitted. */
  findNames(ctx: Ctx, ids: number[]): Promise<Map<number, string>>;
}

// Options that refer to a ctx. They are declared here because `model` must not import `ctx`.
declare module '../model/model.ts' {
  interface ModelOptions {
    defaults?: Record<string, DefaultValue>;
    /** Domains by many2one field. A board shows the matching records as groups even if they are empty. */
    expands?: Record<string, (ctx: Ctx) => unknown[]>;
    /**
     * Completes values before validation. Must not write to the database. For a create, `ids` is null and `list` has
     * one item per new record. For a write, `list` has a single item.
     */
    prepare?(ctx: Ctx, list: Values[], ids: number[] | null): Promise<void> | void;
    /**
     * Returns SQL for a key of the row `t`, or null. Records with different keys are written separately, so that
     * `prepare` can add different values to them.
     */
    preparesBy?(ctx: Ctx, values: Values): Sql | null;
    /** This hook and the following ones run in the call's transaction. */
    beforeCreate?(ctx: Ctx, list: Values[]): Promise<void> | void;
    afterCreate?(ctx: Ctx, ids: number[], list: Values[]): Promise<void> | void;
    /** Completes copies. `copies` is in the order of `ids`. The caller set `values`, so they were not copied. */
    afterCopy?(ctx: Ctx, ids: number[], copies: number[], values: Values): Promise<void>;
    beforeWrite?(ctx: Ctx, values: Values, ids: number[]): Promise<void> | void;
    afterWrite?(ctx: Ctx, ids: number[], values: Values): Promise<void> | void;
    beforeUnlink?(ctx: Ctx, ids: number[]): Promise<void> | void;
    /**
     * Lets `onchange` preview the result of saving the form. `follows` lists the fields to recompute when a field
     * changes, except for fields that `keeps` returns for the form's values. `adjust` returns values that a change sets
     * in the form, but not when a record is stored. `ignores` lists fields that are set only on saving.
     */
    preview?: {
      follows?: Record<string, string[]>;
      keeps?(values: Values, changed: string[]): string[];
      adjust?(ctx: Ctx, values: Values, changed: string[]): Promise<Values>;
      ignores?: string[];
    };
    firstUse?: FirstUse;
  }
}
