import { parseChoice, parseText, type SearchParams } from '../../ui/input/search-params.ts';
import type { ContactsQueryVariables } from './generated.ts';

/** PENDING means that the contact has not confirmed the subscription. */
export const CONTACT_STATUSES = ['SUBSCRIBED', 'PENDING', 'UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

export interface ContactsView {
  /** Part of an address or name. */
  q?: string;
  status?: ContactStatus;
  id?: string;
}

export const parseContactsView = ({ q, status, id }: SearchParams): ContactsView => ({
  q: parseText(q),
  status: parseChoice(CONTACT_STATUSES, status),
  id: parseText(id),
});

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
