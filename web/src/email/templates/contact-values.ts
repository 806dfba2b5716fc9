import type { SampleContactsQuery } from './generated.ts';

type SampleContact = SampleContactsQuery['contacts']['nodes'][number];

/**
 * Returns the values that a campaign would insert for a contact, by variable name. A value that the contact lacks is an
 * empty string.
 */
export function getContactValues(contact: SampleContact, names: readonly string[]): Record<string, string> {
  const { email, firstName, lastName, properties } = contact;
  const valuesByName = new Map(
    Object.entries({ ...(properties as object), email, firstName, lastName }).map(([name, value]) => [
      name.toLowerCase(),
      value === null ? '' : String(value),
    ]),
  );
  return Object.fromEntries(names.map((name) => [name, valuesByName.get(name.toLowerCase()) ?? '']));
}
