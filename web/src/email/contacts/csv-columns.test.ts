import { expect, it } from 'vitest';
import { getPropertyTargets, guessTarget } from './csv-columns.ts';

it('columns of known names are taken for what they are, others for properties', () => {
  expect(['E-Mail', 'First name', 'created_at', 'Plan', 'constructor'].map(guessTarget)).toEqual([
    'email',
    'firstName',
    '',
    'Plan',
    'constructor',
  ]);
});

it('names of other programs, German ones too, are taken for the same, and can be properties all the same', () => {
  const names = ['Surname', 'Given name', 'Vorname', 'Nachname', 'E-Mail-Adresse'];
  expect(names.map(guessTarget)).toEqual(['lastName', 'firstName', 'firstName', 'lastName', 'email']);
  expect(getPropertyTargets('Surname', ['city'])).toEqual(['Surname', 'city']);
});

it('a column can become a property of its name or of a variable, but not under a name with another meaning', () => {
  expect(getPropertyTargets('Plan', ['city'])).toEqual(['Plan', 'city']);
  expect(getPropertyTargets('mail', ['city'])).toEqual(['city']);
  expect(getPropertyTargets('', ['city'])).toEqual(['city']);
});
