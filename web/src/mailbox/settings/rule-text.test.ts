import { expect, it } from 'vitest';
import { describeActions, describeConditions } from './rule-text.ts';

const TARGETS = {
  folders: [
    { id: '7', name: 'Reports', role: null },
    { id: '8', name: 'INBOX', role: 'inbox' },
  ],
  labels: [{ id: '9', name: 'Later', color: 1 }],
};

it.each([
  ['all', 'From contains “ann” and Has no attachments'],
  ['any', 'From contains “ann” or Has no attachments'],
])('describes the conditions of a rule that matches %s', (matchType, text) => {
  const conditions = [
    { field: 'from', operator: 'contains', value: 'ann' },
    { field: 'has_attachment', operator: 'contains', value: 'false' },
  ];
  expect(describeConditions({ matchType, conditions })).toBe(text);
});

it('describes the actions of a rule with the names of folders and labels', () => {
  const actions = [
    { action: 'move_to_folder', folderId: '7', labelId: null },
    { action: 'add_label', folderId: null, labelId: '9' },
    { action: 'mark_read', folderId: null, labelId: null },
  ];
  expect(describeActions({ actions }, TARGETS)).toBe(
    'Move to folder: Reports, Add label: Later, and Mark as read',
  );
});

it('describes an action whose folder was deleted, and unknown names', () => {
  const actions = [{ action: 'move_to_folder', folderId: '99', labelId: null }];
  expect(describeActions({ actions }, TARGETS)).toBe('Move to folder');
  const conditions = [{ field: 'header', operator: 'matches', value: 'x' }];
  expect(describeConditions({ matchType: 'all', conditions })).toBe('header matches “x”');
});
