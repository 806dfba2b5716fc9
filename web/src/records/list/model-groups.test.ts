import { expect, it } from 'vitest';
import { groupModels } from './model-groups.ts';

const models = [
  { model: 'crm.lead', name: 'Lead', module: 'crm' },
  { model: 'ir.rule', name: 'Record Rule', module: 'base' },
  { model: 'res.partner', name: 'Contact', module: 'base' },
  { model: 'sale.order', name: 'Sales Order', module: 'sale' },
  { model: 'x_visit', name: 'Visit', module: null },
];
const apps = [
  { name: 'crm', label: 'CRM', state: 'INSTALLED' as const },
  { name: 'sale', label: 'Sales', state: 'UNINSTALLED' as const },
];
const groupNames = (text: string) =>
  groupModels(models, apps, text, 'Contacts', 'Own').map(
    ({ label, models }) => `${label}: ${models.map(({ name }) => name).join()}`,
  );

it('groups lists by app, contacts first and custom models last, and omits internal models', () => {
  expect(groupNames('')).toEqual(['Contacts: Contact', 'CRM: Lead', 'Own: Visit']);
});

it('finds lists by label and technical name', () => {
  expect(groupNames('LEA')).toEqual(['CRM: Lead']);
  expect(groupNames('x_v')).toEqual(['Own: Visit']);
  expect(groupNames('none')).toEqual([]);
});
