export interface ContactFields {
  email: string;
  first_name: string | null;
  last_name: string | null;
  properties: Record<string, string>;
}

/** Returns a contact's values by lower-case name: its fields, and the properties that its book declares. */
export function buildContactValues(
  contact: ContactFields,
  variables: readonly string[],
): Map<string, string> {
  const properties = new Map(
    Object.entries(contact.properties).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const values = new Map(
    variables.map((name) => [name.toLowerCase(), properties.get(name.toLowerCase()) ?? '']),
  );
  return values
    .set('email', contact.email)
    .set('firstname', contact.first_name ?? '')
    .set('lastname', contact.last_name ?? '');
}
