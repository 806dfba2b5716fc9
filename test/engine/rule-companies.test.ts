import { expect, test } from 'vitest';
import '../../schema/base/roles.ts';
import { and, type DomainNode, or } from '../../src/engine/domain/node.ts';
import { removeIneffectiveCompanies } from '../../src/engine/domain/rule-companies.ts';
import type { Field } from '../../src/engine/model/field.ts';

const buildField = (name: string, relation?: string) => ({ name, type: 'many2one', relation }) as Field;
const company = buildField('company_id', 'res.company');
const other = buildField('other_company_id', 'res.company');
const user = buildField('user_id', 'res.users');
const buildIn = (field: Field, ...value: unknown[]): DomainNode => ({
  kind: 'column',
  field,
  operator: 'in',
  value,
});
const all = new Set([1, 2]);

test.each<[string, DomainNode, DomainNode]>([
  [
    'no company or any of all companies',
    or([buildIn(company, null), buildIn(company, 1, 2)]),
    { kind: 'const', value: true },
  ],
  ['one list of companies', buildIn(company, null, 2, 1), { kind: 'const', value: true }],
  [
    'no company or one company',
    or([buildIn(company, null), buildIn(company, 1)]),
    or([buildIn(company, null), buildIn(company, 1)]),
  ],
  ['all companies, but not unset', buildIn(company, 1, 2), buildIn(company, 1, 2)],
  [
    'another field is unaffected',
    or([buildIn(company, null), buildIn(other, 1, 2)]),
    or([buildIn(company, null), buildIn(other, 1, 2)]),
  ],
  [
    'a user field is unaffected',
    or([buildIn(user, null), buildIn(user, 1, 2)]),
    or([buildIn(user, null), buildIn(user, 1, 2)]),
  ],
  [
    'combined with another condition',
    and([or([buildIn(company, null), buildIn(company, 1, 2)]), buildIn(user, 7)]),
    buildIn(user, 7),
  ],
  [
    'inside an OR',
    or([and([or([buildIn(company, null), buildIn(company, 1, 2)]), buildIn(user, 7)]), buildIn(user, 8)]),
    or([buildIn(user, 7), buildIn(user, 8)]),
  ],
])('%s', (_name, rule, expected) => {
  expect(removeIneffectiveCompanies(rule, all)).toEqual(expected);
});
