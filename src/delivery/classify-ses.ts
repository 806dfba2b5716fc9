import { findRejectionScope } from './ses-rejection.ts';
import type { SendResult, ThrottledResult } from './transport.ts';

/** What the AWS SDK hangs on an error; every field may be absent. */
interface ProviderError {
  name?: string;
  message?: string;
  code?: string;
  $metadata?: { httpStatusCode?: number };
  $response?: { statusCode?: number };
}

/** SES moves its 24-hour window all the time; a quarter of an hour keeps the queue alive without hammering. */
const DAILY_RETRY_MS = 15 * 60_000;
const RATE_RETRY_MS = 1000;
const RECONNECT_RETRY_MS = 5000;
/** Until a person has mended it. */
const ACCOUNT_RETRY_MS = 60_000;

/** Raised while no connection stood, so not a byte of the message can have left. */
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

/** Refusals of the caller's key, not of the message: the message waits until an operator mends the key. */
const CREDENTIAL_NAMES = new RegExp(
  `^(${[
    'CredentialsProviderError|UnrecognizedClient|InvalidClientTokenId|InvalidSignature|SignatureDoesNotMatch',
    'ExpiredToken|RequestExpired|MissingAuthenticationToken|IncompleteSignature|AccessDenied',
  ].join('|')})`,
);

/** Without a name of SES: said by what stands before it, such as a proxy, or by somebody else's endpoint. */
const MISDIRECTED_STATUSES = new Set([401, 403, 404, 405, 407]);

/**
 * What an error of SendEmail says about the message. A named 4xx is a definite no, unless it is about the account, the
 * configuration or the sender; throttling is recognised by its text (SES answers both limits with the same name); a
 * reset, a time-out or a 5xx leaves the message unknown, because SendEmail has no client token and asking again could
 * send twice.
 * @param from address of the sender
 */
export function classifySesError(error: unknown, from: string): SendResult {
  const fault = toFault(error);
  const status = fault.$metadata?.httpStatusCode ?? fault.$response?.statusCode;
  const reason = describeFault(fault, status);
  if (THROTTLE_NAMES.test(fault.name ?? '') || status === 429)
    return classifyThrottling(fault.message ?? '', reason);
  const scope = findRejectionScope(fault.name ?? '', fault.message ?? '', from);
  if (scope) return buildThrottled(scope, ACCOUNT_RETRY_MS, reason);
  if (CREDENTIAL_NAMES.test(fault.name ?? '')) return buildThrottled('unreachable', ACCOUNT_RETRY_MS, reason);
  if (status === undefined && hasNeverConnected(fault))
    return buildThrottled('unreachable', RECONNECT_RETRY_MS, reason);
  if (status === undefined || status < 400 || status >= 500 || status === 408)
    return { kind: 'unknown', reason };
  if (isUnnamed(fault) && MISDIRECTED_STATUSES.has(status))
    return buildThrottled('unreachable', ACCOUNT_RETRY_MS, reason);
  return { kind: 'refused', code: isUnnamed(fault) ? `HTTP_${status}` : fault.name!, reason };
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
    ? buildThrottled('daily', DAILY_RETRY_MS, reason)
    : buildThrottled('rate', RATE_RETRY_MS, reason);
}

function buildThrottled(
  scope: ThrottledResult['scope'],
  retryAfterMs: number,
  reason: string,
): ThrottledResult {
  return { kind: 'throttled', scope, retryAfterMs, reason };
}

/** The SDK calls both its time-outs TimeoutError; only the text of the first one says that no connection was made. */
function hasNeverConnected(fault: ProviderError): boolean {
  return (
    NOT_CONNECTED_CODES.has(fault.code ?? '') || /without establishing a connection/.test(fault.message ?? '')
  );
}

/** An answer that is not the provider's JSON (a proxy's page, an unknown operation) has no error name to show. */
const isUnnamed = ({ name }: ProviderError): boolean =>
  !name || /^(Error|SyntaxError|Unknown|UnknownError|SESv2ServiceException)$/.test(name);
