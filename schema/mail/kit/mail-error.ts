import { AppError, type ErrorKind } from '../../../src/errors.ts';

/** Why a method of the mail platform does not do what was asked: `{ok: false, error}` at every door. */
export class MailError extends Error {
  /** What else the answer holds, such as a stable `code`. */
  readonly more: Record<string, unknown>;
  constructor(message: string, more: Record<string, unknown> = {}) {
    super(message);
    this.name = 'MailRefusal';
    this.more = more;
  }
}

/** An answer of a method that may refuse. */
export type MailResult<T extends object = object> = ({ ok: true } & T) | { ok: false; error: string };

/** What is wrong with a value is a refusal too, wherever it is found. */
const VALUE_ERRORS: ReadonlySet<ErrorKind> = new Set([
  'BAD_VALUE',
  'BAD_REQUEST',
  'VALIDATION',
  'NOT_UNIQUE',
]);

/**
 * Runs a method that may throw a `MailRefusal`. Nothing of what it did in a transaction within stays. An access error
 * is no refusal: it is thrown on.
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
