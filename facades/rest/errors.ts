import { AppError, type ErrorKind, errors } from '../../src/errors.ts';

export const REST_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

/** Codes in the contract's error table, by kind. The contract's clients also recognize METHOD_NOT_ALLOWED. */
const CODES: Record<ErrorKind, [status: number, code: string]> = {
  UNAUTHENTICATED: [401, 'UNAUTHORIZED'],
  ACCESS_DENIED: [403, 'FORBIDDEN'],
  ACCESS_ERROR: [403, 'FORBIDDEN'],
  FORBIDDEN: [403, 'FORBIDDEN'],
  FEATURE_OFF: [403, 'FORBIDDEN'],
  MISSING: [404, 'NOT_FOUND'],
  NOT_FOUND: [404, 'NOT_FOUND'],
  NOT_FOUND_MODEL: [404, 'NOT_FOUND'],
  NOT_FOUND_METHOD: [404, 'NOT_FOUND'],
  BAD_REQUEST: [400, 'BAD_REQUEST'],
  BAD_VALUE: [400, 'BAD_REQUEST'],
  BAD_SIGNATURE: [400, 'BAD_REQUEST'],
  USER_ERROR: [400, 'BAD_REQUEST'],
  VALIDATION: [400, 'BAD_REQUEST'],
  STALE: [409, 'BAD_REQUEST'],
  NOT_UNIQUE: [409, 'NOT_UNIQUE'],
  BUSY: [503, 'INTERNAL_SERVER_ERROR'],
  INTERNAL: [500, 'INTERNAL_SERVER_ERROR'],
};

export class WrongMethodError extends AppError {
  readonly allowed: string;
  constructor(allowed: string[]) {
    super('BAD_REQUEST', `This path supports ${allowed.join(' and ')} only.`);
    this.allowed = allowed.join(', ');
  }
}

export const createUnknownPathError = () => errors.notFound('Address');

/** HTTP statuses for a request body that timed out or is too large. */
const BODY_STATUSES = new Set([408, 413]);

/**
 * Builds the contract's error envelope. The code and the message are repeated at the top level, because the Node
 * library treats the whole body as the error.
 */
export function buildRestErrorResponse(error: AppError, requestId: string): Response {
  const [rpcName, code] = CODES[error.kind];
  const wrongMethod = error instanceof WrongMethodError;
  const status = wrongMethod ? 405 : BODY_STATUSES.has(error.status) ? error.status : rpcName;
  const fields = { code: wrongMethod ? 'METHOD_NOT_ALLOWED' : code, message: error.message };
  const headers: Record<string, string> = { ...REST_HEADERS, 'x-request-id': requestId };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (wrongMethod) headers.allow = error.allowed;
  return new Response(JSON.stringify({ error: fields, ...fields }), { status, headers });
}
