export type RpcErrorKind =
  | 'access_denied'
  | 'access_error'
  | 'missing'
  | 'user'
  | 'validation'
  | 'lock'
  | 'redirect'
  | 'other';

/** `exception` is `<module>.<Class>`. */
export interface RpcErrorLike {
  kind: RpcErrorKind;
  exception: string;
  message: string;
  context?: object;
}

interface RpcFault {
  code: number;
  text: string;
}

/** Fault of `/xmlrpc`, whose code is a string for older clients. */
interface LegacyFault {
  code: string;
  text: string;
}

const CODES: Record<RpcErrorKind, number> = {
  other: 1,
  redirect: 2,
  user: 2,
  validation: 2,
  missing: 2,
  lock: 2,
  access_denied: 3,
  access_error: 4,
};

const LEGACY_CLASS: Partial<Record<RpcErrorKind, string>> = {
  redirect: 'Warning',
  missing: 'MissingError',
  access_error: 'AccessError',
  user: 'UserError',
  validation: 'UserError',
  lock: 'UserError',
};

/**
 * Converts an error to an integer fault (codes of Odoo 19): 1 other errors, 2 business errors, 3 not signed in, 4 no
 * access.
 */
export function toRpcFault(error: RpcErrorLike): RpcFault {
  return { code: CODES[error.kind], text: getFaultText(error) };
}

/** Converts an error to a string fault (Odoo 19). The code of a business error contains its whole text. */
export function toLegacyFault(error: RpcErrorLike): LegacyFault {
  if (error.kind === 'access_denied')
    return { code: 'AccessDenied', text: getAccessDeniedText(error.message) };
  const className = LEGACY_CLASS[error.kind];
  if (className) return { code: `warning -- ${className}\n\n${error.message}`, text: '' };
  return { code: error.message, text: getLastTraceLine(error) };
}

function getFaultText(error: RpcErrorLike): string {
  if (error.kind === 'access_denied') return getAccessDeniedText(error.message);
  return error.kind === 'other' ? getLastTraceLine(error) : error.message;
}

/** Adds "access denied", which clients search for. */
function getAccessDeniedText(message: string): string {
  if (/access denied/i.test(message)) return message;
  return message === '' ? 'Access Denied' : `Access Denied: ${message}`;
}

/** Returns the last line of a traceback. Clients parse the class from it. The server sends no other line. */
function getLastTraceLine(error: RpcErrorLike): string {
  return `${error.exception.replace(/^builtins\./, '')}: ${error.message}`;
}

/** Thrown for a call that its service does not accept. */
export class RpcCallError extends Error implements RpcErrorLike {
  readonly kind: RpcErrorKind;
  readonly exception: string;

  constructor(kind: RpcErrorKind, exception: string, message: string) {
    super(message);
    this.name = new.target.name;
    this.kind = kind;
    this.exception = exception;
  }
}

/** An XML-RPC call that is invalid or exceeds a limit. `tooLarge` selects HTTP status 413. */
export class RpcParseError extends RpcCallError {
  readonly tooLarge: boolean;

  constructor(message: string, tooLarge = false) {
    super('other', 'xml.parsers.expat.ExpatError', message);
    this.tooLarge = tooLarge;
  }
}

/** A result that XML-RPC cannot represent. */
export class MarshalError extends RpcCallError {
  constructor(message: string) {
    super('other', 'builtins.TypeError', message);
  }
}
