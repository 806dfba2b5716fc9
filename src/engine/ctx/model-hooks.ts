import type { Values } from '../model/model.ts';
import type { Ctx } from './ctx.ts';

/** A value that a new record starts with: constant, or found when it is needed. */
export type DefaultValue = string | number | boolean | null | unknown[] | ((ctx: Ctx) => unknown);

/** Rows that every workspace has, from when one first asks for the model; their external ids have no row. */
export interface FirstUse {
  /** Adds them: by the platform, in the transaction of the call. */
  add(ctx: Ctx): Promise<void>;
  /** What their external ids look like, after `base.`. */
  names: RegExp;
  /** Ids of records by such a name; those of names that lead nowhere are left out. */
  find(ctx: Ctx, names: string[]): Promise<Map<string, number>>;
  /** Such names of records by id, for those that have one. */
  findNames(ctx: Ctx, ids: number[]): Promise<Map<number, string>>;
}

// What a model does, beside what it is: these need a ctx, of which its shape knows nothing.
declare module '../model/model.ts' {
  interface ModelOptions {
    defaults?: Record<string, DefaultValue>;
    /** By many2one: a domain of the records whose groups a board shows even when they are empty. */
    expands?: Record<string, (ctx: Ctx) => unknown[]>;
    /**
     * Completes values before they are checked; reads at most. For new records `ids` is null and the list has them all;
     * for a write it has the one set of values.
     */
    prepare?(ctx: Ctx, list: Values[], ids: number[] | null): Promise<void> | void;
    /** These run in the transaction of the call. */
    beforeCreate?(ctx: Ctx, list: Values[]): Promise<void> | void;
    afterCreate?(ctx: Ctx, ids: number[], list: Values[]): Promise<void> | void;
    /** Completes copies, in the order of the records they are of; what `given` names is no copy. */
    afterCopy?(ctx: Ctx, ids: number[], copies: number[], given: Values): Promise<void>;
    beforeWrite?(ctx: Ctx, values: Values, ids: number[]): Promise<void> | void;
    afterWrite?(ctx: Ctx, ids: number[], values: Values): Promise<void> | void;
    beforeUnlink?(ctx: Ctx, ids: number[]): Promise<void> | void;
    firstUse?: FirstUse;
  }
}
