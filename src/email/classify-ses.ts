import { findRejectionScope } from './ses-rejection.ts';
import type { SendResult, ThrottledResult } from './transport.ts';

interface ProviderError {
  name?: string;
  message?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number };
}

/** SES uses a sliding 24-hour window, so part of the quota is available again soon. */
const DAILY_RETRY_MS = 15 * 60_000;
const RATE_RETRY_MS = 1000;
const RECONNECT_RETRY_MS = 5000;
/** Gives an operator time to fix the problem. */
const ACCOUNT_RETRY_MS = 60_000;

/** Error codes that occur before a connection exists, so no byte of the message was sent. */
const NOT_CONNECTED_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EADDRNOTAVAIL',
]);

const THROTTLE_NAMES =
  /^(TooManyRequests|Throttling|ThrottledException|RequestLimitExceeded|LimitExceeded|SlowDown)/;

/** Error names for rejected credentials. The message waits until an operator fixes the credentials. */
const CREDENTIAL_NAMES = new RegExp(
  `^(${[
    'CredentialsProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch',
    'ExpiredToken|RequestExpired|MissingAuthenticationToken|IncompleteSignature|AccessDenied',
  ].join('|')})`,
);

/** If the response lacks an SES error name, these status codes come from a proxy or another server. */
const MISDIRECTED_STATUSES = new Set([401, 403, 404, 405, 407]);

/**
 * Classifies an error of SendEmail. A named 4xx is final, unless it concerns the account, the configuration or the
 * sender. Throttling is recognized by its text, because SES uses the same name for both limits. After a reset, a
 * timeout or a 5xx, the outcome is unknown: SendEmail has no client token, so a retry could send the message twice.
 * @param from the sender's address
 */
export function classifySesError(error: unknown, from: string): SendResult {
  const fault = toFault(error);
  const status = fault.$metadata?.httpStatusCode ?? fault.$response?.statusCode;
  const reason = describeFault(fault, status);
  if (THROTTLE_NAMES.test(fault.name ?? '') || status === 429)
    return classifyThrottling(fault.message ?? '', reason);
  const scope = findRejectionScope(fault.name ?? '', fault.message ?? '', from);
  if (scope) return buildThrottledResult(scope, ACCOUNT_RETRY_MS, reason);
  if (CREDENTIAL_NAMES.test(fault.name ?? ''))
    return buildThrottledResult('unreachable', ACCOUNT_RETRY_MS, reason);
  if (status === undefined && hasNeverConnected(fault))
    return buildThrottledResult('unreachable', RECONNECT_RETRY_MS, reason);
  if (status === undefined || status < 400 || status >= 500 || status === 408)
    return { kind: 'unknown', reason };
  if (hasGenericName(fault) && MISDIRECTED_STATUSES.has(status))
    return buildThrottledResult('unreachable', ACCOUNT_RETRY_MS, reason);
  return { kind: 'refused', code: hasGenericName(fault) ? `HTTP_${status}` : fault.name!, reason };
}

function toFault(error: unknown): ProviderError {
  return typeof error === 'object' && error !== null ? error : { message: String(error) };
}

function describeFault(fault: ProviderError, status: number | undefined): string {
  const name = fault.code ?? fault.name ?? 'Error';
  const text = `${name}: ${fault.message ?? 'no message'}`.replace(/\s+/g, ' ').slice(0, 500);
  return status === undefined ? text : `${text} (HTTP ${status})`;
}

function classifyThrottling(message: string, reason: string): ThrottledResult {
  const daily = /daily|24.?hour|sending quota|message quota/i.test(message);
  return daily
    ? buildThrottledResult('daily', DAILY_RETRY_MS, reason)
    : buildThrottledResult('rate', RATE_RETRY_MS, reason);
}

function buildThrottledResult(
  scope: ThrottledResult['scope'],
  retryAfterMs: number,
  reason: string,
): ThrottledResult {
  return { kind: 'throttled', scope, retryAfterMs, reason };
}

/**
 * The SDK uses TimeoutError for both of its timeouts. Only the connection timeout's message says that no connection was
 * made.
 */
function hasNeverConnected(fault: ProviderError): boolean {
  return (
    NOT_CONNECTED_CODES.has(fault.code ?? '') || /without establishing a connection/.test(fault.message ?? '')
  );
}

/** Returns true for errors without a name from SES, such as a proxy's page or an unknown operation. */
const hasGenericName = ({ name }: ProviderError): boolean =>
  !name || /^(Error|SyntaxError|Unknown|UnknownError|SESv2ServiceException)$/.test(name);
