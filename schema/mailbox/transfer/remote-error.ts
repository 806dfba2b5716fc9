import { NoAddressError } from '../../../src/net/lookup.ts';
import { NonPublicAddressError } from '../../../src/net/public-address.ts';

/** Error codes of IMAP imports, which clients rely on. */
export type ImapCode =
  | 'bad_value'
  | 'not_allowed'
  | 'private_address'
  | 'connect_failed'
  | 'tls_failed'
  | 'auth_failed'
  | 'timeout'
  | 'folder_missing'
  | 'unsupported'
  | 'protocol_error';

/** A failure of the connection to a remote server. */
export class RemoteError extends Error {
  readonly code: ImapCode;
  constructor(code: ImapCode, message: string) {
    super(message);
    this.code = code;
  }
}

export const createTimeoutError = () => new RemoteError('timeout', 'The server did not respond in time.');

interface ConnectionFailure extends Error {
  code?: string;
  authenticationFailed?: boolean;
  tlsFailed?: boolean;
  serverResponseCode?: string;
}

const TIMEOUT_CODES = new Set([
  'ETIMEDOUT',
  'ETIMEOUT',
  'CONNECT_TIMEOUT',
  'GREETING_TIMEOUT',
  'UPGRADE_TIMEOUT',
]);
const UNREACHABLE_CODE_PATTERN =
  /^(?:E(?:CONN|HOST|NET|PIPE|NOTFOUND|AI_)|NoConnection|EConnectionClosed|ClosedAfter)/;

/** Converts an error to one of our messages, because a server's text may contain anything. */
export function toRemoteError(error: ConnectionFailure): RemoteError {
  return error instanceof RemoteError ? error : new RemoteError(...classifyError(error));
}

function classifyError(error: ConnectionFailure): [ImapCode, string] {
  const { code = '' } = error;
  if (error instanceof NonPublicAddressError)
    return ['private_address', 'The server has a private address, which is not allowed here.'];
  if (error instanceof NoAddressError) return ['connect_failed', 'The server has no address.'];
  if (error.authenticationFailed) return classifySignInError(error.serverResponseCode);
  if (TIMEOUT_CODES.has(code)) return ['timeout', 'The server did not respond in time.'];
  if (error.tlsFailed || isTlsError(code))
    return ['tls_failed', 'A trusted TLS connection to the server could not be established.'];
  if (UNREACHABLE_CODE_PATTERN.test(code))
    return ['connect_failed', 'The server could not be reached, or it closed the connection.'];
  if (/^(?:Missing|Unsupported)/.test(code))
    return ['unsupported', 'The server lacks a feature that an import requires.'];
  return ['protocol_error', 'The server sent a response that is not understood.'];
}

const isTlsError = (code: string): boolean =>
  /^(?:ERR_SSL|ERR_TLS|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|STARTTLS|HOSTNAME)/.test(code);

const classifySignInError = (responseCode = ''): [ImapCode, string] =>
  responseCode === 'UNAVAILABLE' || responseCode === 'INUSE' || responseCode === 'LIMIT'
    ? ['connect_failed', 'The server does not accept sign-ins at the moment.']
    : [
        'auth_failed',
        'The server rejected the user name or the password. Some providers require an app password.',
      ];
