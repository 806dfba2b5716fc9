import { expect, it } from 'vitest';
import { findFolder, getFolderSlug, getFolders, parseMailView, parseWriteView } from './address.ts';

const buildFolder = (id: string, accountId: string, type: string | null) => ({
  id,
  accountId,
  type,
  name: type ?? 'Own',
  total: 0,
  unread: 0,
});

const FOLDERS = [
  buildFolder('1', '7', 'inbox'),
  buildFolder('2', '7', 'drafts'),
  buildFolder('3', '7', null),
  buildFolder('4', '8', 'inbox'),
];

it('drops invalid URL parameters', () => {
  expect(parseMailView({ q: ' from:ann ', m: '12' })).toEqual({ q: 'from:ann', m: 12 });
  expect(parseMailView({ q: 2026, m: 12 })).toEqual({ q: '2026', m: 12 });
  expect(parseMailView({ q: '', m: 'x' })).toEqual({ q: undefined, m: undefined });
  expect(parseMailView({ q: ['a'], m: { a: 1 } })).toEqual({ q: undefined, m: undefined });
});

it('finds a folder in a mailbox by its role or id', () => {
  expect(findFolder(FOLDERS, '7', 'inbox')?.id).toBe('1');
  expect(findFolder(FOLDERS, '8', 'inbox')?.id).toBe('4');
  expect(findFolder(FOLDERS, '7', '3')?.id).toBe('3');
  expect(findFolder(FOLDERS, '8', '3')).toBeUndefined();
  expect(FOLDERS.map(getFolderSlug)).toEqual(['inbox', 'drafts', '3', 'inbox']);
});

it('returns the folders of a mailbox', () => {
  expect(getFolders(FOLDERS, '7').map(({ id }) => id)).toEqual(['1', '2', '3']);
});

it('parses the recipients, subject and draft of the composer URL', () => {
  expect(parseWriteView({ to: 'ann@b.org', subject: 'Hi', draft: 3 })).toEqual({
    to: 'ann@b.org',
    subject: 'Hi',
    draft: 3,
  });
  expect(parseWriteView({ to: '', draft: 'x' })).toEqual({
    to: undefined,
    subject: undefined,
    draft: undefined,
  });
});
