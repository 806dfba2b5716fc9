import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** Implements the condition `matches` for a model. */
export interface TextSearch {
  about: string;
  /**
   * Finds the numeric ids of the matching records, in any order.
   * @param where other conditions at the same level, which can narrow the search
   * @throws USER_ERROR if there are too many matches
   */
  find(ctx: Ctx, text: string, where: Readonly<Record<string, unknown>>): Promise<number[]>;
}

const searches = new Map<string, TextSearch>();

export function defineTextSearch(model: string, search: TextSearch): void {
  searches.set(model, search);
}

export const findTextSearch = (model: string): TextSearch | undefined => searches.get(model);
