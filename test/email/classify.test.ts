import { expect, test } from 'vitest';
import { classifySesError } from '../../src/email/classify-ses.ts';
import { classifySmtpError } from '../../src/email/classify-smtp.ts';

const ses = (name: string, status: number, message = 'm') => ({
  name,
  message,
  $metadata: { httpStatusCode: status },
});
const buildUnverifiedMessage = (identities: string) =>
  `Email address is not verified. The following identities failed the check in region EU-WEST-1: ${identities}`;
const socket = (code: string) => Object.assign(new Error(code), { code, $metadata: {} });
const timeout = (message: string) =>
  Object.assign(new Error(message), { name: 'TimeoutError', $metadata: {} });

test.each([
  ['MessageRejected', ses('MessageRejected', 400), 'refused', 'MessageRejected'],
  ['MailFromDomainNotVerified', ses('MailFromDomainNotVerifiedException', 400), 'throttled', 'domain'],
  ['AccountSuspended', ses('AccountSuspendedException', 403), 'throttled', 'account'],
  [
    'SendingPaused',
    ses('SendingPausedException', 400, 'Sending paused for this account.'),
    'throttled',
    'account',
  ],
  [
    'SendingPaused of a set',
    ses('SendingPausedException', 400, 'Sending paused for configuration set a.'),
    'throttled',
    'set',
  ],
  [
    'a suspended account',
    ses('MessageRejected', 400, 'Sending suspended for this account.'),
    'throttled',
    'account',
  ],
  [
    'an unverified sender',
    ses('MessageRejected', 400, buildUnverifiedMessage('me@Main.test')),
    'throttled',
    'domain',
  ],
  [
    'an unverified sender with a name',
    ses('MessageRejected', 400, buildUnverifiedMessage('a@else.test, Me <me@main.test>')),
    'throttled',
    'domain',
  ],
  [
    'an unverified recipient in the sandbox',
    ses('MessageRejected', 400, buildUnverifiedMessage('a@else.test, b@sub.main.test')),
    'refused',
    'MessageRejected',
  ],
  [
    'no permission for an identity',
    ses('AccessDeniedException', 403, 'no permission on arn:aws:ses:eu-west-1:1:identity/main.test'),
    'throttled',
    'domain',
  ],
  ['no permission', ses('AccessDeniedException', 403), 'throttled', 'unreachable'],
  ['BadRequest', ses('BadRequestException', 400), 'refused', 'BadRequestException'],
  ['NotFound', ses('NotFoundException', 404), 'throttled', 'set'],
  [
    'a proxy page',
    { name: 'SyntaxError', message: 'x', $response: { statusCode: 404 } },
    'throttled',
    'unreachable',
  ],
  [
    "a proxy's limit",
    { name: 'SyntaxError', message: 'x', $response: { statusCode: 413 } },
    'refused',
    'HTTP_413',
  ],
  [
    'rate limit in the message',
    ses('ThrottlingException', 429, 'Maximum sending rate exceeded.'),
    'throttled',
    'rate',
  ],
  [
    'rate limit with status 400',
    ses('Throttling', 400, 'Maximum sending rate exceeded.'),
    'throttled',
    'rate',
  ],
  ['too many requests', ses('TooManyRequestsException', 429, 'Too many requests'), 'throttled', 'rate'],
  ['a bare 429', ses('UnknownError', 429, ''), 'throttled', 'rate'],
  [
    'daily quota in the message',
    ses('ThrottlingException', 429, 'Daily message quota exceeded.'),
    'throttled',
    'daily',
  ],
  [
    'daily quota as a limit error',
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
])('classifies an SES error: %s', (_name, error, kind, detail) => {
  const outcome = classifySesError(error, 'me@main.test');
  const outcomeCode =
    outcome.kind === 'refused' ? outcome.code : outcome.kind === 'throttled' ? outcome.scope : undefined;
  expect([outcome.kind, outcomeCode]).toEqual([kind, detail]);
});

test('waits about a second for a rate limit and much longer for a daily quota', () => {
  const rate = classifySesError(
    ses('ThrottlingException', 429, 'Maximum sending rate exceeded.'),
    'me@main.test',
  );
  const daily = classifySesError(
    ses('ThrottlingException', 429, 'Daily message quota exceeded.'),
    'me@main.test',
  );
  expect(rate).toMatchObject({ retryAfterMs: 1000 });
  expect(daily).toMatchObject({ retryAfterMs: 900_000 });
});

const smtp = (code: string, responseCode?: number, command = 'RCPT TO') => ({
  code,
  responseCode,
  response: 'r',
  command,
});

test.each([
  ['larger than the relay accepts', smtp('EMESSAGE'), false, 'refused'],
  ['4xx at RCPT', smtp('EENVELOPE', 451), false, 'throttled'],
  ['4xx after DATA', smtp('EMESSAGE', 452, 'DATA'), true, 'throttled'],
  ['5xx at RCPT', smtp('EENVELOPE', 550), false, 'refused'],
  ['5xx after DATA', smtp('EMESSAGE', 554, 'DATA'), true, 'refused'],
  ['wrong password', smtp('EAUTH', 535), false, 'throttled'],
  ['refused connection', smtp('ESOCKET'), false, 'throttled'],
  ['closed before DATA', smtp('ECONNECTION'), false, 'throttled'],
  ['closed after DATA', smtp('ECONNECTION'), true, 'unknown'],
  ['silence after DATA', smtp('ETIMEDOUT'), true, 'unknown'],
])('classifies an SMTP error: %s', (_name, error, hasStarted, kind) => {
  expect(classifySmtpError(error, hasStarted).kind).toBe(kind);
});

test.each([
  ['CONN', 554, '554 no SMTP service here', 'account'],
  ['EHLO', 550, '550 5.7.1 go away', 'account'],
  ['MAIL FROM', 530, '530 5.7.0 Authentication required', 'account'],
  ['MAIL FROM', 550, '550 5.7.0 not from here', 'account'],
  ['MAIL FROM', 550, '550 5.4.5 Daily user sending limit exceeded', 'daily'],
  ['DATA', 550, '550-5.4.5 Daily user sending limit exceeded', 'daily'],
  ['MAIL FROM', 553, '553 5.7.1 <me@main.test>: Sender address rejected: not owned by user x', 'sender'],
  ['MAIL FROM', 550, '550 no', 'sender'],
  ['MAIL FROM', 552, '552 5.3.4 Message size exceeds fixed limit', null],
  ['RCPT TO', 554, '554 5.7.1 <bob@example.com>: Relay access denied', 'account'],
  ['RCPT TO', 550, '550 5.7.54 Unable to relay recipient in non-accepted domain', 'account'],
  ['RCPT TO', 554, '554 5.7.1 <client[192.0.2.1]>: Client host rejected: Access denied', 'account'],
  ['RCPT TO', 530, '530 5.7.0 Must issue a STARTTLS command first', 'account'],
  ['RCPT TO', 553, '553 5.7.1 <me@main.test>: Sender address rejected: not logged in', 'sender'],
  ['RCPT TO', 550, '550 5.1.8 bad sender', 'sender'],
  [
    'RCPT TO',
    550,
    '550 5.1.1 <bob@example.com>: undeliverable: host mx said: 554 5.7.1 Relay access denied',
    null,
  ],
  ['RCPT TO', 550, '550 5.7.1 blocked', null],
  ['DATA', 552, '552 5.7.0 This message was blocked because of its content', null],
] as const)('classifies the SMTP response to %s: %i %s', (command, responseCode, response, scope) => {
  const result = classifySmtpError(
    { code: 'EENVELOPE', command, responseCode, response },
    command === 'DATA',
  );
  expect(result).toMatchObject(scope ? { kind: 'throttled', scope } : { kind: 'refused' });
});
