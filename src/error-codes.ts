/**
 * All error codes, with their HTTP status in the JSON API and the REST API, and advice for clients. In GraphQL, they
 * are the values of the enum `ErrorCode`. A test compares this table with docs/guides/errors.md.
 */
export const errorCodes = {
  UNAUTHENTICATED: { status: 401, about: 'The credential is missing or invalid.' },
  ACCESS_DENIED: { status: 403, about: 'The sign-in failed, or there were too many attempts.' },
  ACCESS_ERROR: {
    status: 403,
    about: 'Access rights or record rules do not allow the caller to do this with these records or fields.',
  },
  FORBIDDEN: {
    status: 403,
    about: "The caller's role or the key's scope does not allow this operation.",
  },
  FEATURE_OFF: { status: 403, about: 'The feature is not enabled in this workspace.' },
  MISSING: { status: 404, about: 'A record does not exist, or has been deleted.' },
  NOT_FOUND: { status: 404, about: 'No object has this id or name, or the caller cannot see it.' },
  NOT_FOUND_MODEL: { status: 404, about: 'The model does not exist.' },
  NOT_FOUND_METHOD: { status: 404, about: 'The model has no such method.' },
  BAD_REQUEST: { status: 400, about: 'The request is malformed, or asks for something impossible.' },
  BAD_VALUE: {
    status: 422,
    about: 'A value has the wrong type or format. `argument` and `field` identify it.',
  },
  BAD_SIGNATURE: {
    status: 422,
    about: 'A required argument is missing, or the operation does not accept one of the arguments.',
  },
  USER_ERROR: {
    status: 422,
    about: 'The operation is currently not possible. The message is intended for people.',
  },
  VALIDATION: { status: 422, about: 'The values are well formed but violate a data constraint.' },
  STALE: {
    status: 409,
    about:
      'The data has changed since the caller read it. This call changed nothing. Read the data again before you retry.',
  },
  NOT_UNIQUE: { status: 409, about: 'The value must be unique, but is already in use.' },
  BUSY: { status: 503, about: 'The server or the record is busy. Try the same request again.' },
  INTERNAL: {
    status: 500,
    about: 'An unexpected error occurred on the server. The log contains the cause under `requestId`.',
  },
  GRAPHQL_PARSE_FAILED: { status: 400, about: 'The document is not valid GraphQL.' },
  GRAPHQL_VALIDATION_FAILED: {
    status: 400,
    about:
      'The document does not match the schema: it contains an unknown field, argument or type, or a value of the ' +
      'wrong type.',
  },
  TOO_COMPLEX: {
    status: 400,
    about: 'The document or its variables exceed a limit. Request less, or send several requests.',
  },
} as const satisfies Record<string, { status: number; about: string }>;

export type ErrorCode = keyof typeof errorCodes;
