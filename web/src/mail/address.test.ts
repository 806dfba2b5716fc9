import { expect, it } from 'vitest';
import { folderAt, folderName, foldersOf, mailView, writeView } from './address.ts';

const folder = (id: string, accountId: string, type: string | null) => ({
  id,
  accountId,
  type,
  name: type ?? 'Own',
  total: 0,
  unread: 0,
});

const FOLDERS = [
  folder('1', '7', 'inbox'),
  folder('2', '7', 'drafts'),
  folder('3', '7', null),
  folder('4', '8', 'inbox'),
];

it('what means nothing in an address is left out', () => {
  expect(mailView({ q: ' from:ann ', m: '12' })).toEqual({ q: 'from:ann', m: 12 });
  expect(mailView({ q: 2026, m: 12 })).toEqual({ q: '2026', m: 12 });
  expect(mailView({ q: '', m: 'x' })).toEqual({ q: undefined, m: undefined });
  expect(mailView({ q: ['a'], m: { a: 1 } })).toEqual({ q: undefined, m: undefined });
});

it('a folder is found by what it is, or by its id, in its own mailbox alone', () => {
  expect(folderAt(FOLDERS, '7', 'inbox')?.id).toBe('1');
  expect(folderAt(FOLDERS, '8', 'inbox')?.id).toBe('4');
  expect(folderAt(FOLDERS, '7', '3')?.id).toBe('3');
  expect(folderAt(FOLDERS, '8', '3')).toBeUndefined();
  expect(FOLDERS.map(folderName)).toEqual(['inbox', 'drafts', '3', 'inbox']);
});

it('a mailbox has its own folders', () => {
  expect(foldersOf(FOLDERS, '7').map(({ id }) => id)).toEqual(['1', '2', '3']);
});

it('an address begins a message with recipients and a subject, or opens a draft', () => {
  expect(writeView({ to: 'ann@b.org', subject: 'Hi', draft: 3 })).toEqual({
    to: 'ann@b.org',
    subject: 'Hi',
    draft: 3,
  });
  expect(writeView({ to: '', draft: 'x' })).toEqual({ to: undefined, subject: undefined, draft: undefined });
});
