import { AppError, errors } from '../../src/errors.ts';

/** What may not be read is not there. */
export const throwNotFound =
  (label: string) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.kind === 'ACCESS_ERROR' ? errors.notFound(label) : error;
  };

/** A number that stands in a path. @throws NOT_FOUND for what is none */
export function parsePathNumber(text: string | undefined, label: string): number {
  if (!text || !/^\d{1,15}$/.test(text)) throw errors.notFound(label);
  return Number(text);
}
