import { expect, it } from 'vitest';
import { EMPTY_IMAP_FORM, getImapErrorField, reduceImapForm } from './imap-form.ts';

const success = { ok: true, error: null, code: null };
const failure = { ok: false, error: 'No connection.', code: 'connect_failed' };
const folders = [
  { folder: 'INBOX', name: 'Inbox', kind: 'inbox', messages: 3 },
  { folder: 'Projects', name: 'Projects', kind: 'folder', messages: null },
  { folder: 'Junk', name: 'Junk', kind: 'spam', messages: 9 },
  { folder: 'Bin', name: 'Bin', kind: 'trash', messages: 1 },
];
const probed = reduceImapForm(EMPTY_IMAP_FORM, { kind: 'probe', outcome: { ...success, folders } });

it('initially selects all folders except for spam and trash', () => {
  expect(probed.folders).toEqual(folders);
  expect([...probed.selected]).toEqual(['INBOX', 'Projects']);
});

it.each([
  ['Junk', true, ['INBOX', 'Projects', 'Junk']],
  ['INBOX', false, ['Projects']],
  ['INBOX', true, ['INBOX', 'Projects']],
])('selects folders: %s (%s) results in %j', (folder, isOn, expected) => {
  expect([...reduceImapForm(probed, { kind: 'select', folder, isOn }).selected]).toEqual(expected);
});

it('drops the folders when the connection settings change', () => {
  const changed = reduceImapForm(probed, { kind: 'edit-connection', changes: { username: 'ann' } });
  expect(changed).toMatchObject({ conn: { provider: 'gmail', username: 'ann' }, folders: undefined });
});

it('clears the error after a successful start', () => {
  const failed = reduceImapForm(probed, { kind: 'start', outcome: failure });
  expect(failed.error).toEqual({ message: 'No connection.', code: 'connect_failed' });
  expect(reduceImapForm(failed, { kind: 'start', outcome: success }).error).toBeNull();
});

it.each([
  ['custom', 'Wrong.', 'auth_failed', 'password'],
  ['custom', 'No connection.', 'timeout', 'host'],
  ['gmail', 'No connection.', 'timeout', null],
  ['custom', 'conn.port: Too large.', null, 'port'],
  ['gmail', 'username: Required.', null, 'username'],
  ['gmail', 'Something else.', null, null],
])('for %s, shows the error %j with code %s at the field %s', (provider, message, code, field) => {
  const conn = { ...EMPTY_IMAP_FORM.conn, provider };
  expect(getImapErrorField({ ...EMPTY_IMAP_FORM, conn, error: { message, code } })).toBe(field);
});
