import { AppError, type ErrorKind } from '../../../src/errors.ts';

/** An expected error of a mail operation, which facades return as `{ok: false, error}`. */
export class MailError extends Error {
  /** Additional result fields, such as a stable `code`. */
  readonly more: Record<string, unknown>;
  constructor(message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.name = 'MailError';
    this.more = extra;
  }
}

export type MailResult<T extends object = object> = ({ ok: true } & T) | { ok: false; error: string };

/** Errors about argument values. They count as rejections, no matter where they are detected. */
const VALUE_ERRORS: ReadonlySet<ErrorKind> = new Set([
  'BAD_VALUE',
  'BAD_REQUEST',
  'VALIDATION',
  'NOT_UNIQUE',
]);

/**
 * Runs an operation and returns a rejection as its result. Rolls back transactions that it started. Rethrows other
 * errors, such as access errors.
 */
export async function catchMailError<T extends object>(fn: () => Promise<T>): Promise<MailResult<T>> {
  try {
    return { ok: true, ...(await fn()) };
  } catch (error) {
    if (error instanceof MailError) return { ...error.more, ok: false, error: error.message };
    if (error instanceof AppError && VALUE_ERRORS.has(error.kind)) return { ok: false, error: error.message };
    throw error;
  }
}
