import type { AppError, ErrorKind } from '../errors.ts';

// Odoo clients distinguish errors by the dotted names of Odoo's exceptions.

const EXCEPTIONS_BY_KIND: Record<ErrorKind, string> = {
  UNAUTHENTICATED: 'werkzeug.exceptions.Unauthorized',
  ACCESS_DENIED: 'odoo.exceptions.AccessDenied',
  ACCESS_ERROR: 'odoo.exceptions.AccessError',
  FORBIDDEN: 'odoo.exceptions.AccessError',
  FEATURE_OFF: 'odoo.exceptions.AccessError',
  MISSING: 'odoo.exceptions.MissingError',
  NOT_FOUND: 'werkzeug.exceptions.NotFound',
  NOT_FOUND_MODEL: 'werkzeug.exceptions.NotFound',
  NOT_FOUND_METHOD: 'werkzeug.exceptions.NotFound',
  BAD_REQUEST: 'werkzeug.exceptions.BadRequest',
  BAD_VALUE: 'builtins.ValueError',
  BAD_SIGNATURE: 'werkzeug.exceptions.UnprocessableEntity',
  USER_ERROR: 'odoo.exceptions.UserError',
  VALIDATION: 'odoo.exceptions.ValidationError',
  STALE: 'odoo.exceptions.UserError',
  NOT_UNIQUE: 'odoo.exceptions.ValidationError',
  BUSY: 'odoo.exceptions.LockError',
  INTERNAL: 'builtins.Exception',
};

/** Exceptions for bad requests whose HTTP status is more specific than 400. */
const EXCEPTIONS_BY_STATUS: Record<number, string> = {
  403: 'werkzeug.exceptions.Forbidden',
  409: 'odoo.exceptions.LockError',
  415: 'werkzeug.exceptions.UnsupportedMediaType',
  422: 'werkzeug.exceptions.UnprocessableEntity',
};

export const getExceptionName = ({ kind, status }: Pick<AppError, 'kind' | 'status'>): string =>
  (kind === 'BAD_REQUEST' ? EXCEPTIONS_BY_STATUS[status] : undefined) ?? EXCEPTIONS_BY_KIND[kind];
