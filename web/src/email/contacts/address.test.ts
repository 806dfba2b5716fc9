import { expect, it } from 'vitest';
import { getContactStatus, parseContactsView, toContactsVariables } from './address.ts';

it('drops invalid URL parameters', () => {
  expect(parseContactsView({ q: '', status: 'BORED', id: 7 })).toEqual({
    q: undefined,
    status: undefined,
    id: '7',
  });
});

it('filters contacts by the displayed status', () => {
  expect(toContactsVariables({ q: 'ann' })).toEqual({ q: 'ann' });
  expect(toContactsVariables({ status: 'SUBSCRIBED' })).toEqual({ subscribed: true });
  expect(toContactsVariables({ status: 'PENDING' })).toEqual({ subscribed: false, isPending: true });
  expect(toContactsVariables({ status: 'BOUNCED' })).toEqual({ subscribed: false, reason: ['BOUNCED'] });
  expect(getContactStatus({ subscribed: false, unsubscribeReason: null })).toBe('PENDING');
  expect(getContactStatus({ subscribed: true, unsubscribeReason: null })).toBe('SUBSCRIBED');
});
