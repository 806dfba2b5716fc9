import { AppError } from '../../src/errors.ts';
import { JSON_MEDIA_TYPE } from '../../src/http/json-api.ts';

// Some HTTP statuses differ from the default of the error kind.

export const createWrongTypeError = (): AppError =>
  new AppError('BAD_REQUEST', `The body must be JSON, sent with Content-Type: ${JSON_MEDIA_TYPE}.`, 415);
export const createWrongAddressError = (): AppError =>
  new AppError('NOT_FOUND', 'Did you mean POST /json/2/<model>/<method>?');
export const createUnknownDatabaseError = (): AppError =>
  new AppError('NOT_FOUND', 'Unknown database. The header X-Odoo-Database must name a workspace.');

export const createNoSecHeadersError = (): AppError =>
  new AppError(
    'UNAUTHENTICATED',
    'Missing "Authorization" or Sec-headers: a session is only accepted for browser navigation.',
  );
export const createOtherUserError = (): AppError =>
  new AppError('ACCESS_DENIED', 'The session and the key belong to different users: send only one of them.');
export const createOtherDatabaseError = (): AppError =>
  new AppError(
    'BAD_REQUEST',
    'The session_id cookie and the X-Odoo-Database header name different databases: send only one of them.',
    403,
  );
export const createKeyUsedError = (): AppError =>
  new AppError('BAD_REQUEST', 'This Idempotency-Key has already been used with another request.', 422);
export const createKeyRunningError = (): AppError =>
  new AppError(
    'BAD_REQUEST',
    'A request with this Idempotency-Key is still running: try again in a moment.',
    409,
  );
export const createKeyForSecretError = (): AppError =>
  new AppError(
    'BAD_REQUEST',
    'This method returns a new secret, which is shown only once and not stored: call it without Idempotency-Key.',
  );
