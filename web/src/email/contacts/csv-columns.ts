/** What columns of a file can become without being properties, as the server names them. */
export const OWN_COLUMNS = ['email', 'firstName', 'lastName', 'subscribed'] as const;
export type OwnColumn = (typeof OWN_COLUMNS)[number];

/** Other names that the server reads as the same, and those that it leaves out. */
const READ_AS = new Map<string, OwnColumn | ''>([
  ['email', 'email'],
  ['emailaddress', 'email'],
  ['mail', 'email'],
  ['firstname', 'firstName'],
  ['lastname', 'lastName'],
  ['subscribed', 'subscribed'],
  ['id', ''],
  ['unsubscribereason', ''],
  ['createdat', ''],
  ['updatedat', ''],
  ['contactbookid', ''],
]);

/** What other programs call them. The server takes these for properties, so they are a choice to begin with. */
const USUAL = new Map<string, OwnColumn>([
  ['emailadresse', 'email'],
  ['mailadresse', 'email'],
  ['givenname', 'firstName'],
  ['forename', 'firstName'],
  ['vorname', 'firstName'],
  ['surname', 'lastName'],
  ['familyname', 'lastName'],
  ['nachname', 'lastName'],
  ['familienname', 'lastName'],
]);

const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

/** What a column of this name is taken for: one of a contact's own, none, or a property of this name. Pure. */
export const takenFor = (name: string): string => READ_AS.get(plain(name)) ?? USUAL.get(plain(name)) ?? name;

/** Names of properties that a column can become. Pure. */
export const propertyTargets = (name: string, variables: readonly string[]): string[] => [
  ...new Set([name, ...variables].filter((each) => each !== '' && !READ_AS.has(plain(each)))),
];
