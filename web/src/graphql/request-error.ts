import type { CombinedError } from '@urql/core';

/** Why the server did not do what was asked, or that it could not be reached. */
export interface RequestFailure {
  /** As in `extensions.code`; OFFLINE where there was no answer. */
  code: string;
  message: string;
  /** The argument that is wrong, for the field that it was typed into. */
  argument: string | null;
  /** The name under which the operator finds an unexpected one in the log. */
  requestId: string | null;
}

/** Pure. */
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
    message: first.message,
    argument: argument ?? null,
    requestId: requestId ?? null,
  };
}

/** Thrown by `change` for the part that asked. */
export class RequestError extends Error {
  failure: RequestFailure;

  constructor(refusal: RequestFailure) {
    super(refusal.message);
    this.failure = refusal;
  }
}
