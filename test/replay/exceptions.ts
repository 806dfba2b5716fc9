/** Exchanges that are not meant to agree, one entry a cause. `website-*` stands for a whole group. */
export interface Exception {
  ids: string[];
  reason: string;
}

export const EXCEPTIONS: Exception[] = [
  {
    ids: ['website-*'],
    reason: 'Pages, menus and redirects belong to the website app, which is not part of the data API.',
  },
  {
    ids: ['ir-014', 'ir-015', 'misc-026', 'misc-027'],
    reason: 'Menus, views and onchange serve the peer’s own web client; no part of the data API.',
  },
  {
    ids: ['ir-017', 'ir-020', 'ir-021', 'ir-024'],
    reason: 'Server actions are Python code in a record; nothing here runs code from a record.',
  },
  {
    ids: ['http-009'],
    reason: 'OPTIONS runs the method there; here it does not.',
  },
  {
    ids: ['http-035'],
    reason: '/json/1 reads the peer’s views, and is off by default there too.',
  },
  {
    ids: ['write-040', 'write-041', 'write-043', 'write-044', 'write-046', 'write-047', 'write-049']
      .concat(['write-050', 'write-052', 'write-053', 'write-055', 'write-056', 'write-064', 'write-065'])
      .concat(['write-067', 'write-068']),
    reason: 'A many2one given in a wrong form is cleared without a word there; here it is refused, or taken.',
  },
  {
    ids: ['write-088', 'write-108', 'write-109', 'write-110', 'write-111'],
    reason: 'Objects and lists are stored as their Python text (or 0) there; here they are refused.',
  },
  {
    ids: ['write-182', 'write-183', 'misc-009'],
    reason: 'Base64 that is none is stored as an empty binary there; here it is refused.',
  },
  {
    ids: ['domain-347'],
    reason: 'A condition on a binary is ignored there, so that every record matches.',
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
    ids: ['misc-064', 'misc-066', 'misc-067', 'misc-068'],
    reason: 'How that HTTP server treats chunked and oversized bodies, and what is no HTTP.',
  },
  {
    ids: ['common-019', 'jsonrpc-035', 'multidb-012', 'multidb-017'],
    reason:
      'Every database of the server is listed to anybody there; here a workspace’s address tells its own.',
  },
  {
    ids: ['multidb-001', 'multidb-002', 'multidb-006', 'multidb-009', 'multidb-010', 'multidb-014'],
    reason: 'A key names its workspace here, so that no header is needed.',
  },
  {
    ids: ['throttle-026', 'throttle-039'].concat(
      Array.from({ length: 10 }, (_, i) => `throttle-${String(27 + i).padStart(3, '0')}`),
    ),
    reason:
      'Sign-ins over RPC are never slowed down there; here failures count through every door, and sooner.',
  },
  {
    ids: ['auth-028', 'auth-029', 'jsonrpc-033'],
    reason:
      'JSON-RPC wants the id of the request in the answer; there it is lost when the request is refused early.',
  },
  {
    ids: ['jsonrpc-030'],
    reason: 'GET is no method of this door: 405, which that server says of its other doors too.',
  },
  {
    ids: ['common-011', 'read-087'],
    reason: 'Older and shorter forms of a call, which that version has dropped, are still taken here.',
  },
  {
    ids: ['xmlrpc-047'],
    reason: 'There a wrong user id is told apart from a wrong password.',
  },
  {
    ids: ['doc-006'],
    reason: 'There the description of models is for administrators; here every key reads what it may reach.',
  },
  {
    ids: ['multidb-015', 'multidb-016'],
    reason: 'Pages of the peer’s own web client.',
  },
];

/** Keys left out of every comparison. */
export const EXCUSED_KEYS: { key: string; reason: string }[] = [
  { key: 'x_double', reason: 'A custom field computed by Python code in a record; nothing here runs it.' },
];

export function exceptionOf(id: string): Exception | undefined {
  return EXCEPTIONS.find(({ ids }) => ids.some((known) => known === id || known === `${groupOf(id)}-*`));
}

const groupOf = (id: string): string => id.replace(/-[^-]*$/, '');
