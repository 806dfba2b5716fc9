import { expect, it } from 'vitest';
import { getModelChoices } from './model-choices.ts';

it('sorts business models by name, followed by platform models', () => {
  const models = [
    { model: 'ir.rule', name: 'Record Rule', module: 'base' },
    { model: 'ir.attachment', name: 'Attachment', module: 'base' },
    { model: 'x_visit', name: 'Visit', module: null },
    { model: 'crm.lead', name: 'Lead', module: 'crm' },
    { model: 'res.users', name: 'User', module: 'base' },
    { model: 'res.partner', name: 'Contact', module: 'base' },
  ];
  const apps = [{ name: 'crm', label: 'CRM', state: 'INSTALLED' as const }];
  expect(getModelChoices({ models, apps }).map(({ options }) => options.map(([, name]) => name))).toEqual([
    ['Contact', 'Lead', 'User', 'Visit'],
    ['Attachment', 'Record Rule'],
  ]);
});
