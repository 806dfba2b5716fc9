/** What columns of a file can become without being properties, as the server names them. */
export const OWN_COLUMNS = ['email', 'firstName', 'lastName', 'subscribed'] as const;
export type OwnColumn = (typeof OWN_COLUMNS)[number];

/** Other names that the server reads as the same, and those that it leaves out. */
const READ_AS: Record<string, OwnColumn | ''> = {
  email: 'email',
  emailaddress: 'email',
  mail: 'email',
  firstname: 'firstName',
  lastname: 'lastName',
  subscribed: 'subscribed',
  id: '',
  unsubscribereason: '',
  createdat: '',
  updatedat: '',
  contactbookid: '',
};

/** What the server takes a column of this name for: one of its own, none, or a property of this name. Pure. */
export const takenFor = (name: string): string => READ_AS[name.toLowerCase().replace(/[\s_-]+/g, '')] ?? name;

/** Names of properties that a column can become. Pure. */
export const propertyTargets = (name: string, variables: readonly string[]): string[] => [
  ...new Set([name, ...variables].filter((each) => each !== '' && takenFor(each) === each)),
];
