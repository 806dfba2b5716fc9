import { CombinedError } from '@urql/core';
import { GraphQLError } from 'graphql';
import { expect, it } from 'vitest';
import { toRequestFailure } from './request-error.ts';

it('names the wrong argument', () => {
  const extensions = { code: 'BAD_VALUE', argument: 'name', requestId: 'r-1' };
  const error = new CombinedError({ graphQLErrors: [new GraphQLError('Not a domain.', { extensions })] });
  expect(toRequestFailure(error)).toEqual({
    code: 'BAD_VALUE',
    message: 'Not a domain.',
    argument: 'name',
    requestId: 'r-1',
  });
});

it('reports OFFLINE without a response', () => {
  const error = new CombinedError({ networkError: new Error('Failed to fetch') });
  expect(toRequestFailure(error)).toMatchObject({ code: 'OFFLINE', message: 'Failed to fetch' });
});
