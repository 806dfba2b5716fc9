import type { Values } from '../model/model.ts';
import type { Ctx } from './ctx.ts';

/** Default value of a new record: a constant, or computed when needed. */
export type DefaultValue = string | number | boolean | null | unknown[] | ((ctx: Ctx) => unknown);

/** Rows that every workspace has, created when it first uses the model. Their external ids are not stored. */
export interface FirstUse {
  /** Creates the rows with system rights, in the transaction of the call. */
  add(ctx: Ctx): Promise<void>;
  /** Pattern of the rows' external ids, without the prefix `base.`. */
  names: RegExp;
  /** Finds record ids by these names. Unknown names are omitted. */
  find(ctx: Ctx, names: string[]): Promise<Map<string, number>>;
  /** Finds these names by record id. Records without one of these names are omitted. */
  findNames(ctx: Ctx, ids: number[]): Promise<Map<number, string>>;
}

// Model behavior that needs a ctx, in addition to the model's shape.
declare module '../model/model.ts' {
  interface ModelOptions {
    defaults?: Record<string, DefaultValue>;
    /** Domains by many2one field: records that a board shows as groups even if they are empty. */
    expands?: Record<string, (ctx: Ctx) => unknown[]>;
    /**
     * Completes values before validation; may only read. For new records, `ids` is null and the list contains the
     * values of all of them. For a write, the list contains the one set of values.
     */
    prepare?(ctx: Ctx, list: Values[], ids: number[] | null): Promise<void> | void;
    /** The following hooks run in the transaction of the call. */
    beforeCreate?(ctx: Ctx, list: Values[]): Promise<void> | void;
    afterCreate?(ctx: Ctx, ids: number[], list: Values[]): Promise<void> | void;
    /**
     * Completes copies, in the order of the copied records. The `values` were set by the caller and not copied.
     */
    afterCopy?(ctx: Ctx, ids: number[], copies: number[], values: Values): Promise<void>;
    beforeWrite?(ctx: Ctx, values: Values, ids: number[]): Promise<void> | void;
    afterWrite?(ctx: Ctx, ids: number[], values: Values): Promise<void> | void;
    beforeUnlink?(ctx: Ctx, ids: number[]): Promise<void> | void;
    firstUse?: FirstUse;
  }
}
