import { expect, test } from 'vitest';
import { classify } from '../../src/delivery/classify.ts';
import { classifySmtp } from '../../src/delivery/smtp-answer.ts';

const ses = (name: string, status: number, message = 'm') => ({
  name,
  message,
  $metadata: { httpStatusCode: status },
});
const socket = (code: string) => Object.assign(new Error(code), { code, $metadata: {} });
const timeout = (message: string) =>
  Object.assign(new Error(message), { name: 'TimeoutError', $metadata: {} });

test.each([
  ['MessageRejected', ses('MessageRejected', 400), 'refused', 'MessageRejected'],
  [
    'MailFromDomainNotVerified',
    ses('MailFromDomainNotVerifiedException', 400),
    'refused',
    'MailFromDomainNotVerifiedException',
  ],
  ['AccountSuspended', ses('AccountSuspendedException', 400), 'refused', 'AccountSuspendedException'],
  ['SendingPaused', ses('SendingPausedException', 400), 'refused', 'SendingPausedException'],
  ['BadRequest', ses('BadRequestException', 400), 'refused', 'BadRequestException'],
  ['NotFound', ses('NotFoundException', 404), 'refused', 'NotFoundException'],
  [
    'a proxy page',
    { name: 'SyntaxError', message: 'x', $response: { statusCode: 404 } },
    'refused',
    'HTTP_404',
  ],
  ['rate by message', ses('ThrottlingException', 429, 'Maximum sending rate exceeded.'), 'throttled', 'rate'],
  ['rate with a 400', ses('Throttling', 400, 'Maximum sending rate exceeded.'), 'throttled', 'rate'],
  ['too many requests', ses('TooManyRequestsException', 429, 'Too many requests'), 'throttled', 'rate'],
  ['a bare 429', ses('UnknownError', 429, ''), 'throttled', 'rate'],
  [
    'daily by message',
    ses('ThrottlingException', 429, 'Daily message quota exceeded.'),
    'throttled',
    'daily',
  ],
  [
    'daily as a limit',
    ses('LimitExceededException', 400, 'Daily sending quota exceeded'),
    'throttled',
    'daily',
  ],
  ['limit', ses('LimitExceededException', 400), 'throttled', 'rate'],
  ['wrong key', ses('UnrecognizedClientException', 403), 'throttled', 'unreachable'],
  ['wrong signature', ses('InvalidSignatureException', 403), 'throttled', 'unreachable'],
  ['no credentials', { name: 'CredentialsProviderError', message: 'none' }, 'throttled', 'unreachable'],
  ['refused connection', socket('ECONNREFUSED'), 'throttled', 'unreachable'],
  ['unknown host', socket('ENOTFOUND'), 'throttled', 'unreachable'],
  [
    'connection time-out',
    timeout('Socket timed out without establishing a connection within 3000 ms'),
    'throttled',
    'unreachable',
  ],
  ['reset', socket('ECONNRESET'), 'unknown', undefined],
  ['broken pipe', socket('EPIPE'), 'unknown', undefined],
  ['request time-out', timeout('Request did not complete within 15000 ms'), 'unknown', undefined],
  ['abort', { name: 'AbortError', message: 'Request aborted' }, 'unknown', undefined],
  ['500', ses('InternalServiceErrorException', 500), 'unknown', undefined],
  ['503', ses('UnknownError', 503), 'unknown', undefined],
  ['408', ses('UnknownError', 408), 'unknown', undefined],
  [
    'unreadable success',
    { name: 'SyntaxError', message: 'x', $response: { statusCode: 200 } },
    'unknown',
    undefined,
  ],
  ['no error at all', undefined, 'unknown', undefined],
])('SES: %s', (_name, error, kind, detail) => {
  const outcome = classify(error);
  const seen =
    outcome.kind === 'refused' ? outcome.code : outcome.kind === 'throttled' ? outcome.scope : undefined;
  expect([outcome.kind, seen]).toEqual([kind, detail]);
});

test('a rate limit waits about a second, a daily quota much longer', () => {
  const rate = classify(ses('ThrottlingException', 429, 'Maximum sending rate exceeded.'));
  const daily = classify(ses('ThrottlingException', 429, 'Daily message quota exceeded.'));
  expect(rate).toMatchObject({ retryAfterMs: 1000 });
  expect(daily).toMatchObject({ retryAfterMs: 900_000 });
});

const smtp = (code: string, responseCode?: number) => ({ code, responseCode, response: 'r' });

test.each([
  ['4xx at RCPT', smtp('EENVELOPE', 451), false, 'throttled'],
  ['4xx after DATA', smtp('EMESSAGE', 452), true, 'throttled'],
  ['5xx at RCPT', smtp('EENVELOPE', 550), false, 'refused'],
  ['5xx after DATA', smtp('EMESSAGE', 554), true, 'refused'],
  ['wrong password', smtp('EAUTH', 535), false, 'throttled'],
  ['refused connection', smtp('ESOCKET'), false, 'throttled'],
  ['closed before DATA', smtp('ECONNECTION'), false, 'throttled'],
  ['closed after DATA', smtp('ECONNECTION'), true, 'unknown'],
  ['silence after DATA', smtp('ETIMEDOUT'), true, 'unknown'],
])('SMTP: %s', (_name, error, started, kind) => {
  expect(classifySmtp(error, started).kind).toBe(kind);
});
