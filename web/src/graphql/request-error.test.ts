import { CombinedError } from '@urql/core';
import { GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import { toRequestFailure } from './request-error.ts';

it('a request error includes the invalid argument', () => {
  const extensions = { code: 'BAD_VALUE', argument: 'name', requestId: 'r-1' };
  const error = new CombinedError({ graphQLErrors: [new GraphQLError('Not a domain.', { extensions })] });
  expect(toRequestFailure(error)).toEqual({
    code: 'BAD_VALUE',
    message: 'Not a domain.',
    argument: 'name',
    requestId: 'r-1',
  });
});

it.each([
  ['email: must be a single email address', 'email', 'Must be a single email address'],
  ['html: unbalanced braces (line 7).', 'template.html', 'Unbalanced braces (line 7).'],
  ['to[2]: must be an email address', 'input.to[2]', 'Must be an email address'],
  ["Invalid value for the argument 'name': too long", 'name', 'Too long'],
  ['must be an email address.', 'to', 'Must be an email address.'],
  ['smtp: 550 no such user', 'email', 'smtp: 550 no such user'],
  ['Note: this is no argument', undefined, 'Note: this is no argument'],
  ['Not a domain: x', 'domain', 'Not a domain: x'],
])('converts the message %j for the argument %j to %j', (message, argument, text) => {
  const extensions = { code: 'BAD_VALUE', argument };
  const error = new CombinedError({ graphQLErrors: [new GraphQLError(message, { extensions })] });
  expect(toRequestFailure(error)).toMatchObject({ message: text, argument: argument ?? null });
});

it('parses the argument from the message if the error does not contain it', () => {
  const error = new CombinedError({
    graphQLErrors: [
      new GraphQLError('url: must begin with https://', { extensions: { code: 'BAD_REQUEST' } }),
    ],
  });
  expect(toRequestFailure(error)).toMatchObject({ message: 'Must begin with https://', argument: 'url' });
});

it("reports OFFLINE in the page's language if there is no response", () => {
  const error = new CombinedError({ networkError: new Error('Failed to fetch') });
  expect(toRequestFailure(error)).toMatchObject({
    code: 'OFFLINE',
    message: expect.stringContaining("Can't reach the server."),
  });
});
