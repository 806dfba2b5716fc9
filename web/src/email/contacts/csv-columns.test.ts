import { expect, it } from 'vitest';
import { propertyTargets, takenFor } from './csv-columns.ts';

it('columns of known names are taken for what they are, others for properties', () => {
  expect(['E-Mail', 'First name', 'created_at', 'Plan'].map(takenFor)).toEqual([
    'email',
    'firstName',
    '',
    'Plan',
  ]);
});

it('a column can become a property of its name or of a variable, but not under a name with another meaning', () => {
  expect(propertyTargets('Plan', ['city'])).toEqual(['Plan', 'city']);
  expect(propertyTargets('mail', ['city'])).toEqual(['city']);
  expect(propertyTargets('', ['city'])).toEqual(['city']);
});
