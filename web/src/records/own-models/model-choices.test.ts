import { expect, it } from 'vitest';
import { getModelChoices } from './model-choices.ts';

it('sorts business models by name, followed by platform models', () => {
  const models = [
    { model: 'ir.rule', name: 'Record Rule', pluralName: 'Record Rules', module: 'base' },
    { model: 'ir.attachment', name: 'Attachment', pluralName: 'Attachments', module: 'base' },
    { model: 'x_visit', name: 'Visit', pluralName: 'Visits', module: null },
    { model: 'crm.lead', name: 'Lead', pluralName: 'Leads', module: 'crm' },
    { model: 'res.users', name: 'User', pluralName: 'Users', module: 'base' },
    { model: 'res.partner', name: 'Contact', pluralName: 'Contacts', module: 'base' },
  ];
  const apps = [{ name: 'crm', label: 'CRM', state: 'INSTALLED' as const }];
  expect(getModelChoices({ models, apps }).map(({ options }) => options.map(([, name]) => name))).toEqual([
    ['Contact', 'Lead', 'User', 'Visit'],
    ['Attachment', 'Record Rule'],
  ]);
});
