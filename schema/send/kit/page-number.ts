import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';

/** The number of a page, from 1 on, which is the first one when it is not said. @throws BAD_REQUEST */
export function pageNumber(given: number | null | undefined): number {
  const page = given ?? 1;
  if (page < 1 || page > limits.pages) throw errors.badRequest('page is a number from 1 on');
  return page;
}
