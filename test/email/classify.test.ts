import { expect, test } from 'vitest';
import { classifySesError } from '../../src/email/classify-ses.ts';
import { classifySmtpError } from '../../src/email/classify-smtp.ts';

const buildSesError = (name: string, status: number, message = 'm') => ({
  name,
  message,
  $metadata: { httpStatusCode: status },
});
const buildUnverifiedMessage = (identities: string) =>
  `Email address is not verified. The following identities failed the check in region EU-WEST-1: ${identities}`;
const buildSocketError = (code: string) => Object.assign(new Error(code), { code, $metadata: {} });
const buildTimeout = (message: string) =>
  Object.assign(new Error(message), { name: 'TimeoutError', $metadata: {} });

test.each([
  ['MessageRejected', buildSesError('MessageRejected', 400), 'refused', 'MessageRejected'],
  [
    'MailFromDomainNotVerified',
    buildSesError('MailFromDomainNotVerifiedException', 400),
    'throttled',
    'domain',
  ],
  ['AccountSuspended', buildSesError('AccountSuspendedException', 403), 'throttled', 'account'],
  [
    'SendingPaused',
    buildSesError('SendingPausedException', 400, 'Sending paused for this account.'),
    'throttled',
    'account',
  ],
  [
    'SendingPaused of a set',
    buildSesError('SendingPausedException', 400, 'Sending paused for configuration set a.'),
    'throttled',
    'set',
  ],
  [
    'a suspended account',
    buildSesError('MessageRejected', 400, 'Sending suspended for this account.'),
    'throttled',
    'account',
  ],
  [
    'an unverified sender',
    buildSesError('MessageRejected', 400, buildUnverifiedMessage('me@Main.test')),
    'throttled',
    'domain',
  ],
  [
    'an unverified sender with a name',
    buildSesError('MessageRejected', 400, buildUnverifiedMessage('a@else.test, Me <me@main.test>')),
    'throttled',
    'domain',
  ],
  [
    'an unverified recipient in the sandbox',
    buildSesError('MessageRejected', 400, buildUnverifiedMessage('a@else.test, b@sub.main.test')),
    'refused',
    'MessageRejected',
  ],
  [
    'no permission for an identity',
    buildSesError(
      'AccessDeniedException',
      403,
      'no permission on arn:aws:ses:eu-west-1:1:identity/main.test',
    ),
    'throttled',
    'domain',
  ],
  ['no permission', buildSesError('AccessDeniedException', 403), 'throttled', 'unreachable'],
  ['BadRequest', buildSesError('BadRequestException', 400), 'refused', 'BadRequestException'],
  ['NotFound', buildSesError('NotFoundException', 404), 'throttled', 'set'],
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
    buildSesError('ThrottlingException', 429, 'Maximum sending rate exceeded.'),
    'throttled',
    'rate',
  ],
  [
    'rate limit with status 400',
    buildSesError('Throttling', 400, 'Maximum sending rate exceeded.'),
    'throttled',
    'rate',
  ],
  [
    'too many requests',
    buildSesError('TooManyRequestsException', 429, 'Too many requests'),
    'throttled',
    'rate',
  ],
  ['a bare 429', buildSesError('UnknownError', 429, ''), 'throttled', 'rate'],
  [
    'daily quota in the message',
    buildSesError('ThrottlingException', 429, 'Daily message quota exceeded.'),
    'throttled',
    'daily',
  ],
  [
    'daily quota as a limit error',
    buildSesError('LimitExceededException', 400, 'Daily sending quota exceeded'),
    'throttled',
    'daily',
  ],
  ['limit', buildSesError('LimitExceededException', 400), 'throttled', 'rate'],
  ['wrong key', buildSesError('UnrecognizedClientException', 403), 'throttled', 'unreachable'],
  ['wrong signature', buildSesError('InvalidSignatureException', 403), 'throttled', 'unreachable'],
  ['no credentials', { name: 'CredentialsProviderError', message: 'none' }, 'throttled', 'unreachable'],
  ['refused connection', buildSocketError('ECONNREFUSED'), 'throttled', 'unreachable'],
  ['unknown host', buildSocketError('ENOTFOUND'), 'throttled', 'unreachable'],
  [
    'connection time-out',
    buildTimeout('Socket timed out without establishing a connection within 3000 ms'),
    'throttled',
    'unreachable',
  ],
  ['reset', buildSocketError('ECONNRESET'), 'unknown', undefined],
  ['broken pipe', buildSocketError('EPIPE'), 'unknown', undefined],
  ['request time-out', buildTimeout('Request did not complete within 15000 ms'), 'unknown', undefined],
  ['abort', { name: 'AbortError', message: 'Request aborted' }, 'unknown', undefined],
  ['500', buildSesError('InternalServiceErrorException', 500), 'unknown', undefined],
  ['503', buildSesError('UnknownError', 503), 'unknown', undefined],
  ['408', buildSesError('UnknownError', 408), 'unknown', undefined],
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
    buildSesError('ThrottlingException', 429, 'Maximum sending rate exceeded.'),
    'me@main.test',
  );
  const daily = classifySesError(
    buildSesError('ThrottlingException', 429, 'Daily message quota exceeded.'),
    'me@main.test',
  );
  expect(rate).toMatchObject({ retryAfterMs: 1000 });
  expect(daily).toMatchObject({ retryAfterMs: 900_000 });
});

const buildSmtpError = (code: string, responseCode?: number, command = 'RCPT TO') => ({
  code,
  responseCode,
  response: 'r',
  command,
});

test.each([
  ['larger than the relay accepts', buildSmtpError('EMESSAGE'), false, 'refused'],
  ['4xx at RCPT', buildSmtpError('EENVELOPE', 451), false, 'throttled'],
  ['4xx after DATA', buildSmtpError('EMESSAGE', 452, 'DATA'), true, 'throttled'],
  ['5xx at RCPT', buildSmtpError('EENVELOPE', 550), false, 'refused'],
  ['5xx after DATA', buildSmtpError('EMESSAGE', 554, 'DATA'), true, 'refused'],
  ['wrong password', buildSmtpError('EAUTH', 535), false, 'throttled'],
  ['refused connection', buildSmtpError('ESOCKET'), false, 'throttled'],
  ['closed before DATA', buildSmtpError('ECONNECTION'), false, 'throttled'],
  ['closed after DATA', buildSmtpError('ECONNECTION'), true, 'unknown'],
  ['silence after DATA', buildSmtpError('ETIMEDOUT'), true, 'unknown'],
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
