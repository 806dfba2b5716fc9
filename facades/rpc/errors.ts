import type { AppError, ErrorKind } from '../../src/errors.ts';
import { getExceptionName } from '../../src/http/exceptions.ts';
import { toPublicError } from '../../src/http/http.ts';
import { RpcCallError, type RpcErrorKind, type RpcErrorLike } from './faults.ts';
import type { RpcRequest } from './request.ts';

const denied = 'odoo.exceptions.AccessDenied';

const createTypeError = (message: string): RpcCallError =>
  new RpcCallError('other', 'builtins.TypeError', message);

export const rpcCallErrors = {
  unknownDatabase: (name: string) =>
    new RpcCallError(
      'other',
      'builtins.LookupError',
      `database ${JSON.stringify(name.slice(0, 80))} does not exist`,
    ),
  /** Like `unknownDatabase`, for session routes. Clients search for "Database not found". */
  noDatabase: () =>
    new RpcCallError(
      'access_error',
      'odoo.exceptions.AccessError',
      'Database not found: there is no workspace with this name.',
    ),
  sessionExpired: () =>
    new RpcCallError('access_denied', 'odoo.http.SessionExpiredException', 'Session expired'),
  noSuchModel: (name: string) =>
    new RpcCallError(
      'missing',
      'werkzeug.exceptions.NotFound',
      `404 Not Found: the model '${name.slice(0, 80)}' does not exist`,
    ),
  missingAction: (name: string) =>
    new RpcCallError(
      'missing',
      'odoo.addons.web.controllers.action.MissingActionError',
      `The action “${name.slice(0, 80)}” does not exist`,
    ),
  missingParam: (name: string) => createTypeError(`missing a required argument: '${name}'`),
  unknownService: (name: string) => new RpcCallError('other', 'builtins.KeyError', `'${name.slice(0, 80)}'`),
  unknownCommonMethod: (name: string) =>
    new RpcCallError('other', 'builtins.Exception', `Method not found: ${name.slice(0, 80)}`),
  unknownObjectMethod: (name: string) =>
    new RpcCallError('other', 'builtins.NameError', `Method not available ${name.slice(0, 80)}`),
  accessDenied: () => new RpcCallError('access_denied', denied, 'Access Denied'),
  argumentCount: (method: string, expected: string, count: number) =>
    createTypeError(`${method}() takes ${expected} arguments, ${count} given`),
  argumentType: (method: string, name: string, expected: string) =>
    createTypeError(`${method}(): '${name}' must be ${expected}`),
  unknownModel: (name: string) =>
    new RpcCallError('user', 'odoo.exceptions.UserError', `Object ${name.slice(0, 80)} doesn't exist`),
  noIds: (model: string, method: string) =>
    createTypeError(`${model}.${method}() needs the ids of the records as its first argument`),
  tooManyArguments: (model: string, method: string) =>
    createTypeError(`too many positional arguments for ${model}.${method}()`),
  givenTwice: (name: string) => createTypeError(`got multiple values for argument '${name}'`),
};

/** Legacy kind and exception, keyed by error kind. Unlisted error kinds become `other`. */
const SHAPES: Partial<Record<ErrorKind, [RpcErrorKind, string?]>> = {
  UNAUTHENTICATED: ['access_denied', denied],
  ACCESS_DENIED: ['access_denied'],
  ACCESS_ERROR: ['access_error'],
  FORBIDDEN: ['access_error'],
  FEATURE_OFF: ['access_error'],
  MISSING: ['missing'],
  NOT_FOUND: ['missing', 'odoo.exceptions.MissingError'],
  NOT_FOUND_MODEL: ['user', 'odoo.exceptions.UserError'],
  NOT_FOUND_METHOD: ['other', 'builtins.AttributeError'],
  BAD_REQUEST: ['other', 'builtins.ValueError'],
  BAD_SIGNATURE: ['other', 'builtins.TypeError'],
  USER_ERROR: ['user'],
  VALIDATION: ['validation'],
  STALE: ['user'],
  NOT_UNIQUE: ['validation'],
  BUSY: ['lock'],
};

/** Converts an error for both protocols. Unexpected errors are masked. */
export function toRpcError(visit: RpcRequest, error: unknown): RpcErrorLike {
  return error instanceof RpcCallError
    ? error
    : toRpcErrorShape(toPublicError(visit.runtime, error, visit.requestId));
}

function toRpcErrorShape(error: AppError): RpcErrorLike {
  const [kind, name] = SHAPES[error.kind] ?? ['other'];
  return { kind, exception: name ?? getExceptionName(error), message: error.message };
}
