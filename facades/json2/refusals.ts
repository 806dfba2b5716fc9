import { AppError } from '../../src/errors.ts';

export const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

const ACCEPTED = 'application/json';

/** A refusal that only this door knows: its status and the exception's name are not those of its kind. */
class HttpRefusal extends AppError {
  readonly #status: number;
  readonly #name: string;
  constructor(status: number, name: string, message: string) {
    super('BAD_REQUEST', message);
    this.#status = status;
    this.#name = name;
  }
  override get status(): number {
    return this.#status;
  }
  override get odooName(): string {
    return this.#name;
  }
}

export const wrongType = (): AppError =>
  new HttpRefusal(
    415,
    'werkzeug.exceptions.UnsupportedMediaType',
    `The body must be JSON, sent with Content-Type: ${ACCEPTED}.`,
  );
export const wrongAddress = (): AppError =>
  new AppError('NOT_FOUND', 'Did you mean POST /json/2/<model>/<method>?');
export const unknownDatabase = (): AppError =>
  new AppError('NOT_FOUND', 'No such database here; the header X-Odoo-Database names a workspace.');

/** A session alone is for people who look at an answer in their browser. */
export const noSecHeaders = (): AppError =>
  new AppError(
    'UNAUTHENTICATED',
    'Missing "Authorization" or Sec-headers: a session counts here only for a browser that navigates.',
  );
export const otherUser = (): AppError =>
  new AppError('ACCESS_DENIED', "The session is not that of the key's user: send only one of them.");
export const otherDatabase = (): AppError =>
  new HttpRefusal(
    403,
    'werkzeug.exceptions.Forbidden',
    'The session_id cookie and the X-Odoo-Database header name different databases: send only one of them.',
  );
export const keyUsed = (): AppError =>
  new HttpRefusal(
    422,
    'werkzeug.exceptions.UnprocessableEntity',
    'This Idempotency-Key was used with another request.',
  );
export const keyRunning = (): AppError =>
  new HttpRefusal(
    409,
    'odoo.exceptions.LockError',
    'A request with this Idempotency-Key is still running: try again in a moment.',
  );

/**
 * The five keys of an error, in the order clients know. A value that must be unique is the caller's mistake like any
 * other here (422), and no trace ever leaves the server.
 */
export function refusal(error: AppError, requestId: string): Response {
  const status = error.kind === 'NOT_UNIQUE' ? 422 : error.status;
  const isHttp = error.odooName.startsWith('werkzeug.');
  const body = {
    name: error.odooName,
    message: error.message,
    arguments: isHttp ? [error.message, status] : [error.message],
    context: {},
    debug: '',
  };
  const headers: Record<string, string> = { ...HEADERS, 'x-request-id': requestId };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (status === 415) headers.accept = ACCEPTED;
  if (status === 409 || status === 503) headers['retry-after'] = '1';
  return new Response(JSON.stringify(body), { status, headers });
}
