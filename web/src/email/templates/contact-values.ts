import type { SampleContactsQuery } from './generated.ts';

export type SampleContact = SampleContactsQuery['contacts']['nodes'][number];

/**
 * Values of variables as a campaign fills them in for a contact, by the names that the template has for them; empty
 * where the contact has none. Pure.
 */
export function getContactValues(contact: SampleContact, names: readonly string[]): Record<string, string> {
  const { email, firstName, lastName, properties } = contact;
  const known = new Map(
    Object.entries({ ...(properties as object), email, firstName, lastName }).map(([name, value]) => [
      name.toLowerCase(),
      value === null ? '' : String(value),
    ]),
  );
  return Object.fromEntries(names.map((name) => [name, known.get(name.toLowerCase()) ?? '']));
}
