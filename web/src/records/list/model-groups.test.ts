import { expect, it } from 'vitest';
import { groupModels } from './model-groups.ts';

const models = [
  { model: 'crm.lead', name: 'Lead', pluralName: 'Leads', module: 'crm' },
  { model: 'ir.rule', name: 'Record Rule', pluralName: 'Record Rules', module: 'base' },
  { model: 'res.partner', name: 'Contact', pluralName: 'Contacts', module: 'base' },
  { model: 'sale.order', name: 'Sales Order', pluralName: 'Sales Orders', module: 'sale' },
  { model: 'x_visit', name: 'Visit', pluralName: 'Visit', module: null },
];
const apps = [
  { name: 'crm', label: 'CRM', state: 'INSTALLED' as const },
  { name: 'sale', label: 'Sales', state: 'UNINSTALLED' as const },
];
const groupNames = (text: string) =>
  groupModels(models, apps, text, 'Contacts', 'Own').map(
    ({ label, models }) => `${label}: ${models.map(({ pluralName }) => pluralName).join()}`,
  );

it('groups lists by app, contacts first and custom models last, and omits internal models', () => {
  expect(groupNames('')).toEqual(['Contacts: Contacts', 'CRM: Leads', 'Own: Visit']);
});

it('finds lists by singular, plural and technical name', () => {
  expect(groupNames('LEA')).toEqual(['CRM: Leads']);
  expect(groupNames('contacts')).toEqual(['Contacts: Contacts']);
  expect(groupNames('x_v')).toEqual(['Own: Visit']);
  expect(groupNames('none')).toEqual([]);
});
