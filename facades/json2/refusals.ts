import { AppError } from '../../src/errors.ts';

export const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
};

const ACCEPTED = 'application/json';

/** 415; HTTP has the answer say in `Accept` what would have been taken (RFC 9110 section 15.5.16). */
class WrongType extends AppError {
  constructor() {
    super('BAD_REQUEST', `The body must be JSON, sent with Content-Type: ${ACCEPTED}.`);
  }
  override get status(): number {
    return 415;
  }
  override get odooName(): string {
    return 'werkzeug.exceptions.UnsupportedMediaType';
  }
}

export const wrongType = (): AppError => new WrongType();
export const wrongAddress = (): AppError =>
  new AppError('NOT_FOUND', 'Did you mean POST /json/2/<model>/<method>?');
export const unknownDatabase = (): AppError =>
  new AppError('NOT_FOUND', 'No such database here; the header X-Odoo-Database names a workspace.');

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
  return new Response(JSON.stringify(body), { status, headers });
}
