import { RequestError } from './request-error.ts';

/** Returns true if the server rejected a change because the record has another version. */
export const isStale = (error: unknown): boolean =>
  error instanceof RequestError && error.failure.code === 'STALE';
