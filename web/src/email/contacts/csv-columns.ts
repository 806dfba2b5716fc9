/** What columns of a file can become without being properties, as the server names them. */
export const OWN_COLUMNS = ['email', 'firstName', 'lastName', 'subscribed'] as const;
export type OwnColumn = (typeof OWN_COLUMNS)[number];

/** Other names that the server reads as the same, and those that it leaves out. */
const SERVER_ALIASES = new Map<string, OwnColumn | ''>([
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
const COMMON_NAMES = new Map<string, OwnColumn>([
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

const normalizeName = (name: string): string => name.toLowerCase().replace(/[\s_-]+/g, '');

/** What a column of this name is taken for: one of a contact's own, none, or a property of this name. Pure. */
export const guessTarget = (name: string): string =>
  SERVER_ALIASES.get(normalizeName(name)) ?? COMMON_NAMES.get(normalizeName(name)) ?? name;

/** Names of properties that a column can become. Pure. */
export const getPropertyTargets = (name: string, variables: readonly string[]): string[] => [
  ...new Set([name, ...variables].filter((each) => each !== '' && !SERVER_ALIASES.has(normalizeName(each)))),
];
