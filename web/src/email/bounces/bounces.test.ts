import { expect, test } from 'vitest';
import { isRepeated, parseBounces } from './bounces.ts';

const buildBounce = (bounceType: string, ...bouncedRecipients: object[]) => ({
  status: 'BOUNCED',
  data: { bounceType, bouncedRecipients },
});

test("returns each address's last server response, and whether its bounce is permanent", () => {
  const events = [
    { status: 'SENT', data: {} },
    buildBounce('Transient', {
      emailAddress: 'ann@example.org',
      diagnosticCode: 'smtp; 452 4.2.2 mailbox full',
    }),
    buildBounce('Permanent', {
      emailAddress: 'bob@example.org',
      diagnosticCode: 'smtp;550 5.1.1 user unknown',
    }),
    buildBounce('Permanent', { emailAddress: 'ann@example.org', status: '5.1.1' }),
  ];
  events.push({ status: 'BOUNCED', data: { ...buildBounce('Transient').data, autoReply: true } as object });
  expect(parseBounces(events)).toEqual([
    { address: 'ann@example.org', answer: '5.1.1', isPermanent: true },
    { address: 'bob@example.org', answer: '550 5.1.1 user unknown', isPermanent: true },
  ]);
});

test.for([null, {}, { bouncedRecipients: 7 }, { bouncedRecipients: [null, {}, { emailAddress: 1 }] }])(
  'ignores a report without an address: %j',
  (data) => {
    expect(parseBounces([{ status: 'BOUNCED', data }])).toEqual([]);
  },
);

test.for([
  ['Not delivered: a@x.test: 550 no mailbox; b@x.test: 552 full', ['550 no mailbox', '552 full'], true],
  ['Not delivered: a@x.test: 550 no mailbox; b@x.test: 552 full', ['550 no mailbox', '451 later'], false],
  ['The relay is unavailable.', ['550 no mailbox'], false],
  ['The relay is unavailable.', [''], false],
  ['The relay is unavailable.', [], false],
] as const)('compares the reason %j with the bounces %j', ([reason, answers, expected]) => {
  const bounces = answers.map((answer) => ({ address: 'a@x.test', answer, isPermanent: true }));
  expect(isRepeated(reason, bounces)).toBe(expected);
});
