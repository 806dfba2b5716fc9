import type { ContactsQueryVariables } from './generated.ts';

/** Whether campaigns are sent to a contact, and why not; PENDING: it has not confirmed yet. */
export const CONTACT_STATUSES = ['SUBSCRIBED', 'PENDING', 'UNSUBSCRIBED', 'BOUNCED', 'COMPLAINED'] as const;
export type ContactStatus = (typeof CONTACT_STATUSES)[number];

/** What a contact book shows, as it stands behind `?`. */
export interface ContactsView {
  /** Part of an address or a name. */
  q?: string;
  status?: ContactStatus;
  /** The contact that is open beside the list. */
  id?: string;
}

const parseText = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

/** Pure. */
export const parseContactsView = ({ q, status, id }: Record<string, unknown>): ContactsView => ({
  q: parseText(q),
  status: CONTACT_STATUSES.find((each) => each === status),
  id: parseText(id),
});

type ContactFilters = Omit<ContactsQueryVariables, 'book' | 'first' | 'offset'>;

/** What the view asks of the server. Pure. */
export function toContactsVariables({ q, status }: ContactsView): ContactFilters {
  if (status === undefined) return { q };
  if (status === 'SUBSCRIBED') return { q, subscribed: true };
  if (status === 'PENDING') return { q, subscribed: false, isPending: true };
  return { q, subscribed: false, reason: [status] };
}

/** Pure. */
export const getContactStatus = (contact: {
  subscribed: boolean;
  unsubscribeReason: 'UNSUBSCRIBED' | 'BOUNCED' | 'COMPLAINED' | null;
}): ContactStatus => (contact.subscribed ? 'SUBSCRIBED' : (contact.unsubscribeReason ?? 'PENDING'));
