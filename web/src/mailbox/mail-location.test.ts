import { expect, it } from 'vitest';
import { buildSearch, findLocation } from './mail-location.ts';

const buildFolder = (id: string, accountId: string, type: string | null) =>
  ({ id, accountId, type, name: id, total: 0, unread: 0 }) as const;
const contents = {
  folders: [buildFolder('1', '7', 'inbox'), buildFolder('2', '7', null), buildFolder('3', '8', 'inbox')],
  labels: [{ id: '5', accountId: '7', name: 'Work', color: 1, total: 3 }],
};

it('finds a folder, starred messages, a label or all mailboxes', () => {
  expect(findLocation(contents, '7', '2')).toMatchObject({
    kind: 'folder',
    folder: { id: '2' },
    allFolders: false,
  });
  expect(findLocation(contents, '7', 'starred')).toMatchObject({
    kind: 'starred',
    folder: { id: '1' },
    allFolders: true,
  });
  expect(findLocation(contents, '7', 'label', '5')).toMatchObject({
    kind: 'label',
    label: { name: 'Work' },
    name: '5',
  });
  expect(findLocation(contents, 'all', 'inbox')).toMatchObject({ kind: 'all', mailbox: null, within: null });
  expect(findLocation(contents, 'all', 'sent')).toMatchObject({
    kind: 'all',
    allFolders: true,
    within: 'in:sent',
  });
});

it('returns undefined for an unknown location', () => {
  for (const [mailbox, name, label] of [
    ['9', 'inbox'],
    ['8', '2'],
    ['8', 'label', '5'],
    ['7', 'label', '6'],
    ['all', '2'],
  ] as const)
    expect(findLocation(contents, mailbox, name, label)).toBeUndefined();
  expect(findLocation({ folders: [], labels: [] }, 'all', 'inbox')).toBeUndefined();
});

it("combines the user's search with the search of the list", () => {
  expect(buildSearch({ within: null }, undefined)).toBeNull();
  expect(buildSearch({ within: null }, 'a')).toBe('a');
  expect(buildSearch({ within: 'is:starred' }, undefined)).toBe('is:starred');
  expect(buildSearch({ within: 'is:starred' }, 'a OR b')).toBe('is:starred a OR b');
});
