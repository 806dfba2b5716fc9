import { AppError, errors } from '../../src/errors.ts';

/** Converts an access error to a not-found error, which does not reveal whether the record exists. */
export const throwNotFound =
  (label: string) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.kind === 'ACCESS_ERROR' ? errors.notFound(label) : error;
  };

/** Parses a number in a path. @throws NOT_FOUND if it is not a number */
export function parsePathNumber(text: string | undefined, label: string): number {
  if (!text || !/^\d{1,15}$/.test(text)) throw errors.notFound(label);
  return Number(text);
}
