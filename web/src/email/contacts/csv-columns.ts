/** Contact fields other than properties, named as on the server. */
export const OWN_COLUMNS = ['email', 'firstName', 'lastName', 'subscribed'] as const;
type OwnColumn = (typeof OWN_COLUMNS)[number];

/** Column names that the server recognizes. It ignores columns that map to an empty string. */
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

/**
 * Common column names in other programs' files. The form preselects their targets, because the server would import
 * these columns as properties.
 */
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

/** Returns a column's default target: a contact field, an empty string to ignore it, or a property. */
export const guessTarget = (name: string): string =>
  SERVER_ALIASES.get(normalizeName(name)) ?? COMMON_NAMES.get(normalizeName(name)) ?? name;

export const getPropertyTargets = (name: string, variables: readonly string[]): string[] => [
  ...new Set(
    [name, ...variables].filter(
      (variable) => variable !== '' && !SERVER_ALIASES.has(normalizeName(variable)),
    ),
  ),
];
