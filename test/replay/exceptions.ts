/** Exchanges that differ on purpose, one entry per cause. `website-*` matches a whole group. */
export interface Exception {
  ids: string[];
  reason: string;
}

export const EXCEPTIONS: Exception[] = [
  {
    ids: ['misc-020', 'misc-021', 'misc-022', 'write-074'],
    reason:
      'An unknown property, a value that does not fit one, a language nobody uses: cleared or stored there, refused here.',
  },
  {
    ids: ['misc-012'],
    reason: 'A bearer key opens a file as it opens everything else of its user.',
  },
  {
    ids: ['custom-008', 'custom-009', 'domain-339'],
    reason:
      'Administrators may use a custom model at once, without an access row made by hand; so a record is made that was refused there.',
  },
  {
    ids: ['custom-054', 'custom-055', 'custom-056'],
    reason: 'Binary content is read only when it is named: a list of records with all fields stays small.',
  },
  {
    ids: ['domain-256', 'domain-314', 'domain-326'],
    reason:
      'child_of on a model without a hierarchy is a server error there; here it means the records themselves.',
  },
  {
    ids: ['write-058', 'write-059'],
    reason: 'The number 0 is no record: a many2one is cleared with false, and refused otherwise.',
  },
  {
    ids: ['write-013', 'write-227'],
    reason: 'An empty text is no value for a field that is required.',
  },
  {
    ids: ['website-*', 'multidb-015', 'multidb-016'],
    reason: 'Pages, menus and redirects belong to the website app, which is not part of the data API.',
  },
  {
    ids: ['ir-014', 'ir-035', 'ir-036', 'access-093'],
    reason: 'Menus, views and wizards serve the peer’s own web client; no part of the data API.',
  },
  {
    ids: ['ir-017', 'ir-020', 'ir-021', 'ir-024', 'fields_get-014', 'custom-041'].concat([
      'write-194',
      'write-195',
    ]),
    reason:
      'Python code in a record: server actions, computed custom fields. Nothing here runs code from a record.',
  },
  {
    ids: [
      'write-040',
      'write-041',
      'write-043',
      'write-044',
      'write-046',
      'write-047',
      'write-049',
      'write-050',
    ]
      .concat(['write-052', 'write-053', 'write-055', 'write-056', 'write-064', 'write-065'])
      .concat(['write-068']),
    reason: 'A many2one given in a wrong form is cleared without a word there; here it is refused, or taken.',
  },
  {
    ids: ['write-080', 'write-081', 'write-092', 'write-126', 'write-127', 'write-130'].concat([
      'write-131',
      'write-136',
      'write-182',
      'write-183',
      'misc-009',
      'read-018',
    ]),
    reason:
      'Values are bent or cut without a word there (3.9 to 3, "false" to true, over the size, bad base64); here they are refused.',
  },
  {
    ids: [
      'write-088',
      'write-105',
      'write-108',
      'write-109',
      'write-110',
      'write-111',
      'domain-074',
      'domain-075',
    ],
    reason:
      'Objects, lists and booleans become their Python text there; here they are refused, or their JSON text.',
  },
  {
    ids: ['custom-018', 'domain-280', 'domain-347', 'write-193', 'x2many-008', 'x2many-031', 'x2many-039'],
    reason: 'What has no effect is accepted without a word there; here it is refused, or has its effect.',
  },
  {
    ids: ['write-241'],
    reason: 'The superuser is a user there; here it is none, and its id is unknown.',
  },
  {
    ids: ['read-048', 'read-087', 'http-041', 'common-011', 'write-003', 'write-025'],
    reason: 'Shorter and older forms of a call that fail there are taken here.',
  },
  {
    ids: ['read-037', 'read-042', 'read-052'],
    reason: 'Ordering by related and computed fields is possible here.',
  },
  {
    ids: ['write-154', 'write-155', 'write-157', 'write-160', 'write-161', 'write-163'],
    reason: 'Times in the ISO form and with parts of seconds are taken here.',
  },
  {
    ids: ['write-177'],
    reason: 'The sanitizer takes an unsafe address away with its attribute, instead of leaving an empty one.',
  },
  {
    ids: ['xmlrpc-037'],
    reason: 'A method that returns nothing is a fault there; here it answers false.',
  },
  {
    ids: ['xmlrpc-062'],
    reason: 'Base64 in a request is a Python error there; here it is a binary value.',
  },
  {
    ids: ['xmlrpc-047'],
    reason: 'There a wrong user id is told apart from a wrong password.',
  },
  {
    ids: ['http-009', 'jsonrpc-030', 'misc-064', 'misc-066', 'misc-067', 'misc-068'],
    reason:
      'That HTTP server: OPTIONS runs the method, GET is a wrong type, chunked and oversized bodies, no HTTP.',
  },
  {
    ids: ['http-035'],
    reason: '/json/1 reads the peer’s views, and is off by default there too.',
  },
  {
    ids: ['auth-028', 'auth-029', 'jsonrpc-033'],
    reason:
      'JSON-RPC wants the id of the request in the answer; there it is lost when the request is refused early.',
  },
  {
    ids: [
      'auth-026',
      'xmlrpc-054',
      'multidb-001',
      'multidb-002',
      'multidb-006',
      'multidb-010',
      'multidb-012',
    ].concat(['multidb-014', 'multidb-017']),
    reason: 'Databases are workspaces: a key or an address names its own, and no other is told of.',
  },
  {
    ids: ['auth-012'],
    reason: 'A key for e-mail only is known here, and refused (403) instead of unknown (401).',
  },
  {
    ids: ['method-040', 'method-041', 'method-042', 'method-048'],
    reason:
      'Abstract models and class methods are matters of the peer’s code; here they are no models or methods.',
  },
  {
    ids: [27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38].map((n) => `throttle-0${n}`),
    reason: 'Failed sign-ins are counted by address and login here, through every door, and sooner.',
  },
  {
    ids: ['doc-006'],
    reason: 'There the description of models is for administrators; here every key reads what it may reach.',
  },
];

export const EXCUSED_KEYS: { key: string; reason: string }[] = [
  { key: 'x_double', reason: 'A custom field computed by Python code in a record; nothing here runs it.' },
];

export function findException(id: string): Exception | undefined {
  return EXCEPTIONS.find(({ ids }) =>
    ids.some((exceptionId) => exceptionId === id || exceptionId === `${getGroup(id)}-*`),
  );
}

const getGroup = (id: string): string => id.replace(/-[^-]*$/, '');
