import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** How records of a model are searched by text: `matches` among its conditions. */
export interface TextSearch {
  /** What the text may be. */
  about: string;
  /**
   * Numbers of the records that match, in any order.
   * @param where the conditions beside it, which may narrow where to look
   * @throws USER_ERROR where they are too many
   */
  find(ctx: Ctx, text: string, where: Readonly<Record<string, unknown>>): Promise<number[]>;
}

const searches = new Map<string, TextSearch>();

/** Gives lists of a model the condition `matches`. */
export function defineTextSearch(model: string, search: TextSearch): void {
  searches.set(model, search);
}

export const findTextSearch = (model: string): TextSearch | undefined => searches.get(model);
