import { expect, it } from 'vitest';
import { contactStatus, contactsAsked, contactsView } from './address.ts';

it('what means nothing is left out of the view', () => {
  expect(contactsView({ q: '', status: 'BORED', id: 7 })).toEqual({
    q: undefined,
    status: undefined,
    id: '7',
  });
});

it('each status asks for those contacts alone that show it', () => {
  expect(contactsAsked({ q: 'ann' })).toEqual({ q: 'ann' });
  expect(contactsAsked({ status: 'SUBSCRIBED' })).toEqual({ subscribed: true });
  expect(contactsAsked({ status: 'PENDING' })).toEqual({ subscribed: false, isPending: true });
  expect(contactsAsked({ status: 'BOUNCED' })).toEqual({ subscribed: false, reason: ['BOUNCED'] });
  expect(contactStatus({ subscribed: false, unsubscribeReason: null })).toBe('PENDING');
  expect(contactStatus({ subscribed: true, unsubscribeReason: null })).toBe('SUBSCRIBED');
});
