import { expect, it } from 'vitest';
import { buildField } from './field-fixture.ts';
import { splitFormFields } from './fields.ts';
import type { ModelDescription } from './model.ts';

it('separates technical fields from the fields that people enter', () => {
  const fields = ['name', 'partner_latitude', 'customer_rank', 'rank'].map((name) =>
    buildField(name, name === 'name' ? 'CHAR' : 'FLOAT'),
  );
  const { short, technical } = splitFormFields({ fields, displayField: 'name' } as ModelDescription);
  expect(short.map(({ name }) => name)).toEqual(['name', 'rank']);
  expect(technical.map(({ name }) => name)).toEqual(['partner_latitude', 'customer_rank']);
});
