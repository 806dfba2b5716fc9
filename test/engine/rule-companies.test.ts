import { expect, test } from 'vitest';
import '../../schema/base/roles.ts';
import { and, type DomainNode, or } from '../../src/engine/domain/node.ts';
import { removeIdleCompanies } from '../../src/engine/domain/rule-companies.ts';
import type { Field } from '../../src/engine/model/field.ts';

const field = (name: string, relation?: string) => ({ name, type: 'many2one', relation }) as Field;
const company = field('company_id', 'res.company');
const other = field('other_company_id', 'res.company');
const user = field('user_id', 'res.users');
const among = (on: Field, ...value: unknown[]): DomainNode => ({
  kind: 'column',
  field: on,
  operator: 'in',
  value,
});
const all = new Set([1, 2]);

test.each<[string, DomainNode, DomainNode]>([
  ['of none or of all', or([among(company, null), among(company, 1, 2)]), { kind: 'const', value: true }],
  ['in one list', among(company, null, 2, 1), { kind: 'const', value: true }],
  [
    'of none or of one',
    or([among(company, null), among(company, 1)]),
    or([among(company, null), among(company, 1)]),
  ],
  ['of all, but not of none', among(company, 1, 2), among(company, 1, 2)],
  [
    'another field is another question',
    or([among(company, null), among(other, 1, 2)]),
    or([among(company, null), among(other, 1, 2)]),
  ],
  [
    'a user is no company',
    or([among(user, null), among(user, 1, 2)]),
    or([among(user, null), among(user, 1, 2)]),
  ],
  [
    'beside another condition',
    and([or([among(company, null), among(company, 1, 2)]), among(user, 7)]),
    among(user, 7),
  ],
  [
    'inside of an or',
    or([and([or([among(company, null), among(company, 1, 2)]), among(user, 7)]), among(user, 8)]),
    or([among(user, 7), among(user, 8)]),
  ],
])('%s', (_name, rule, wanted) => {
  expect(removeIdleCompanies(rule, all)).toEqual(wanted);
});
