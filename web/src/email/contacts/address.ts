import type { ContactsQueryVariables } from './generated.ts';

/** Subscription status of a contact. PENDING: the contact has not confirmed yet. */
export const CONTACT_STATUSES = ['SUBSCRIBED', 'PENDING', 'UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** Search parameters of a contact book. */
export interface ContactsView {
  /** Part of an address or a name. */
  q?: string;
  status?: ContactStatus;
  id?: string;
}

const parseText = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

export const parseContactsView = ({ q, status, id }: Record<string, unknown>): ContactsView => ({
  q: parseText(q),
  status: CONTACT_STATUSES.find((contactStatus) => contactStatus === status),
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
