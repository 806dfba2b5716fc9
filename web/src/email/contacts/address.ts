import { createChoiceParser, createViewParser, parseText } from '../../ui/input/search-params.ts';
import type { ContactsQueryVariables } from './generated.ts';

/** PENDING means that the contact has not confirmed the subscription. */
export const CONTACT_STATUSES = ['SUBSCRIBED', 'PENDING', 'UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

export const parseContactsView = createViewParser({
  /** Part of an address or name. */
  q: parseText,
  status: createChoiceParser(CONTACT_STATUSES),
  id: parseText,
});

export type ContactsView = ReturnType<typeof parseContactsView>;

type ContactFilters = Omit<ContactsQueryVariables, 'book' | 'first' | 'offset'>;

export function toContactsVariables({ q, status }: ContactsView): ContactFilters {
  if (status === undefined) return { q };
  if (status === 'SUBSCRIBED') return { q, subscribed: true };
  if (status === 'PENDING') return { q, subscribed: false, isPending: true };
  return { q, subscribed: false, reason: [status] };
}

export const getContactStatus = (contact: {
  subscribed: boolean;
  unsubscribeReason: 'UNSUBSCRIBED' | 'BOUNCED' | 'COMPLAINED' | null;
}): ContactStatus => (contact.subscribed ? 'SUBSCRIBED' : (contact.unsubscribeReason ?? 'PENDING'));
