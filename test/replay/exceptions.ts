/** Exchanges that differ on purpose, one entry per cause. `website-*` matches a whole group. */
export interface Exception {
  ids: string[];
  reason: string;
}

export const EXCEPTIONS: Exception[] = [
  {
    ids: ['misc-020', 'misc-021', 'misc-022', 'write-074'],
    reason:
      'Odoo clears or stores unknown properties, invalid property values and inactive languages. Atrium rejects them.',
  },
  {
    ids: ['misc-012'],
    reason: 'A bearer key can read files, like all other data of its user.',
  },
  {
    ids: ['custom-008', 'custom-009', 'domain-339'],
    reason: 'Administrators can use a custom model without adding an access right first, as Odoo requires.',
  },
  {
    ids: ['custom-054', 'custom-055', 'custom-056'],
    reason: 'Binary content is read only if the field is named, which keeps reads of all fields small.',
  },
  {
    ids: ['domain-256', 'domain-314', 'domain-326'],
    reason:
      'child_of on a model without a hierarchy matches the records themselves. In Odoo, it is a server error.',
  },
  {
    ids: ['write-058', 'write-059'],
    reason: 'Only false clears a many2one. Atrium rejects 0, which is not a record id.',
  },
  {
    ids: ['write-013', 'write-227'],
    reason: 'An empty string does not satisfy a required field.',
  },
  {
    ids: ['website-*', 'multidb-015', 'multidb-016'],
    reason: 'Pages, menus and redirects belong to the website app, which is not part of the data API.',
  },
  {
    ids: ['ir-014', 'ir-035', 'ir-036', 'access-093'],
    reason: 'Menus, views and wizards are for the web client of Odoo and not part of the data API.',
  },
  {
    ids: ['ir-017', 'ir-020', 'ir-021', 'ir-024', 'fields_get-014', 'custom-041'].concat([
      'write-194',
      'write-195',
    ]),
    reason:
      'Atrium does not run Python code stored in records, as in server actions and computed custom fields.',
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
    reason: 'Odoo silently clears a many2one with an invalid value. Atrium rejects or converts the value.',
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
      'Odoo silently changes values (3.9 to 3, "false" to true, truncation, invalid base64). Atrium rejects them.',
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
    reason: 'Odoo stores objects, lists and booleans as Python text. Atrium rejects them or stores JSON.',
  },
  {
    ids: ['custom-018', 'domain-280', 'domain-347', 'write-193', 'x2many-008', 'x2many-031', 'x2many-039'],
    reason: 'Odoo silently ignores arguments that have no effect. Atrium applies or rejects them.',
  },
  {
    ids: ['write-241'],
    reason: 'In Odoo, the superuser is a user. Atrium has no such user.',
  },
  {
    ids: ['read-048', 'read-087', 'http-041', 'common-011', 'write-003', 'write-025'],
    reason: 'Atrium accepts shorter and older forms of calls that fail in Odoo.',
  },
  {
    ids: ['read-037', 'read-042', 'read-052'],
    reason: 'Atrium can sort by related and computed fields.',
  },
  {
    ids: ['write-154', 'write-155', 'write-157', 'write-160', 'write-161', 'write-163'],
    reason: 'Atrium accepts ISO 8601 times and fractions of seconds.',
  },
  {
    ids: ['write-177'],
    reason: 'The sanitizer removes the attribute of an unsafe URL instead of leaving it empty.',
  },
  {
    ids: ['xmlrpc-037'],
    reason: 'In Odoo, a method that returns nothing is a fault. In Atrium, it returns false.',
  },
  {
    ids: ['xmlrpc-062'],
    reason: 'In Odoo, Base64 in a request is a Python error. In Atrium, it is a binary value.',
  },
  {
    ids: ['xmlrpc-047'],
    reason: 'Odoo distinguishes an invalid user id from an invalid password.',
  },
  {
    ids: ['http-009', 'jsonrpc-030', 'misc-064', 'misc-066', 'misc-067', 'misc-068'],
    reason: "Behavior of Odoo's HTTP server: OPTIONS, GET, chunked and oversized bodies, and invalid HTTP.",
  },
  {
    ids: ['http-035'],
    reason: '/json/1 reads the views of Odoo, which also disables it by default.',
  },
  {
    ids: ['auth-028', 'auth-029', 'jsonrpc-033'],
    reason:
      'JSON-RPC responses must contain the id of the request. Odoo omits it if it rejects the request early.',
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
    reason: 'Databases are workspaces. A key or a host identifies its workspace and reveals no other one.',
  },
  {
    ids: ['auth-012'],
    reason: 'Atrium rejects a key that may only send email with 403 instead of 401.',
  },
  {
    ids: ['method-040', 'method-041', 'method-042', 'method-048'],
    reason: 'Abstract models and class methods exist only in the code of Odoo.',
  },
  {
    ids: [27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 38].map((n) => `throttle-0${n}`),
    reason: 'Atrium limits failed sign-ins by address and login, in all protocols and after fewer attempts.',
  },
  {
    ids: ['doc-006'],
    reason: 'Each key can read the descriptions of accessible models. In Odoo, only administrators can.',
  },
];

export const EXCUSED_KEYS: { key: string; reason: string }[] = [
  { key: 'x_double', reason: 'A custom field that is computed by Python code in a record.' },
];

export function findException(id: string): Exception | undefined {
  return EXCEPTIONS.find(({ ids }) =>
    ids.some((exceptionId) => exceptionId === id || exceptionId === `${getGroup(id)}-*`),
  );
}

const getGroup = (id: string): string => id.replace(/-[^-]*$/, '');
