import { expect, it } from 'vitest';
import { createRuleForm, toRuleForm, toRuleInput } from './rule-form.ts';

it('names a rule for similar messages after the sender that it matches', () => {
  const rule = createRuleForm({ name: 'Ann Lee', email: 'ann@example.org' });
  expect(rule.name).toBe('Ann Lee');
  expect(rule.conditions).toEqual([{ field: 'from', operator: 'equals', value: 'ann@example.org' }]);
});

it('round-trips an unchanged rule', () => {
  const rule = {
    id: '4',
    name: 'Reports',
    active: false,
    editable: true,
    version: 1,
    matchType: 'any',
    conditions: [
      { field: 'has_attachment', operator: 'contains', value: 'false' },
      { field: 'subject', operator: 'startswith', value: 'Report' },
    ],
    actions: [
      { action: 'move_to_folder', folderId: '7', labelId: null },
      { action: 'add_label', folderId: null, labelId: '9' },
      { action: 'star', folderId: null, labelId: null },
    ],
  };
  expect(toRuleInput(toRuleForm(rule), rule)).toEqual({
    id: '4',
    active: false,
    name: 'Reports',
    matchType: 'any',
    conditions: [
      { field: 'has_attachment', value: 'false' },
      { field: 'subject', operator: 'startswith', value: 'Report' },
    ],
    actions: [
      { action: 'move_to_folder', folderId: '7' },
      { action: 'add_label', labelId: '9' },
      { action: 'star' },
    ],
  });
});
