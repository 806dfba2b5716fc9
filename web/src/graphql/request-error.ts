import type { CombinedError } from '@urql/core';

/** A rejected request, or a server that could not be reached. */
export interface RequestFailure {
  /** Value of `extensions.code`. OFFLINE if there was no response. */
  code: string;
  message: string;
  /** The invalid argument, used to show the error at its field. */
  argument: string | null;
  /** Identifies an unexpected error in the server log. */
  requestId: string | null;
}

export function toRequestFailure(
  error: Pick<CombinedError, 'graphQLErrors' | 'networkError' | 'message'>,
): RequestFailure {
  const [first] = error.graphQLErrors;
  if (!first)
    return {
      code: 'OFFLINE',
      message: error.networkError?.message ?? error.message,
      argument: null,
      requestId: null,
    };
  const { code, argument, requestId } = first.extensions as Partial<Record<string, string>>;
  return {
    code: code ?? 'INTERNAL',
    message: removeArgumentName(first.message, argument),
    argument: argument ?? null,
    requestId: requestId ?? null,
  };
}

/** Removes the argument that an error message starts with, because people know the label of a field and not its name. */
function removeArgumentName(message: string, argument: string | undefined): string {
  const reason = /^Wrong value for the argument '[^']+': (.+)$/s.exec(message)?.[1];
  const [, name, rest] = /^([\w.[\]]+): (.+)$/s.exec(message) ?? [];
  const isNamed = name !== undefined && argument !== undefined && getLastName(name) === getLastName(argument);
  const text = reason ?? (isNamed ? rest! : message);
  return text === message ? message : text.charAt(0).toUpperCase() + text.slice(1);
}

const getLastName = (path: string): string | undefined =>
  path
    .replace(/\[\d+\]/g, '')
    .split('.')
    .at(-1);

/** Thrown when the server rejects a request. */
export class RequestError extends Error {
  failure: RequestFailure;

  constructor(refusal: RequestFailure) {
    super(refusal.message);
    this.failure = refusal;
  }
}
