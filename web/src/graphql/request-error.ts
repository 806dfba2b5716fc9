import type { CombinedError } from '@urql/core';
import { shellStrings } from '../i18n/shell-strings.ts';

export interface RequestFailure {
  /** Value of `extensions.code`. OFFLINE if there was no response. */
  code: string;
  message: string;
  /** The invalid argument. The error is shown next to its field. */
  argument: string | null;
  /** Actual number of records, if the expected number is wrong. */
  count?: number;
  /** Identifies an unexpected error in the server log. */
  requestId: string | null;
}

export function toRequestFailure(error: Pick<CombinedError, 'graphQLErrors'>): RequestFailure {
  const [first] = error.graphQLErrors;
  if (!first)
    return {
      code: 'OFFLINE',
      message: shellStrings.serverUnreachable,
      argument: null,
      requestId: null,
    };
  const { code, argument, requestId } = first.extensions as Partial<Record<string, string>>;
  const { count } = first.extensions as Pick<RequestFailure, 'count'>;
  const { name, text } = splitMessage(first.message);
  const isInvalid = code === 'BAD_REQUEST' || code === 'BAD_VALUE';
  // Users see a field's label, not the name of its argument.
  const isNamed = name !== null && (argument ? getLastName(name) === getLastName(argument) : isInvalid);
  return {
    code: code ?? 'INTERNAL',
    message: isNamed || name === null ? text.charAt(0).toUpperCase() + text.slice(1) : first.message,
    argument: argument ?? (isNamed ? name : null),
    requestId: requestId ?? null,
    ...(count !== undefined && { count }),
  };
}

/** Splits a message such as `email: must be a single email address` into the argument and the text about it. */
function splitMessage(message: string): { name: string | null; text: string } {
  const [, name = null, text = message] =
    /^Invalid value for the argument '([^']+)': (.+)$/s.exec(message) ??
    /^([a-z]\w*(?:\.\w+|\[\d+\])*): (.+)$/s.exec(message) ??
    [];
  return { name, text };
}

const getLastName = (path: string): string | undefined =>
  path
    .replace(/\[\d+\]/g, '')
    .split('.')
    .at(-1);

export class RequestError extends Error {
  failure: RequestFailure;

  constructor(error: RequestFailure) {
    super(error.message);
    this.failure = error;
  }
}

/** Returns true if the server rejected a change because the record has another version. */
export const isStale = (error: unknown): boolean =>
  error instanceof RequestError && error.failure.code === 'STALE';

/** Runs an action. Returns the failure if the server rejected it, or null. Rethrows other errors. */
export async function catchFailure(action: () => Promise<unknown>): Promise<RequestFailure | null> {
  try {
    await action();
    return null;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    return error.failure;
  }
}
