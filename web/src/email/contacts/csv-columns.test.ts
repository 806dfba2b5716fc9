import { expect, it } from 'vitest';
import { getPropertyTargets, guessTarget } from './csv-columns.ts';

it('maps columns with well-known names to fields, and others to properties', () => {
  expect(['E-Mail', 'First name', 'created_at', 'Plan', 'constructor'].map(guessTarget)).toEqual([
    'email',
    'firstName',
    '',
    'Plan',
    'constructor',
  ]);
});

it('maps the column names of other programs, including German ones', () => {
  const names = ['Surname', 'Given name', 'Vorname', 'Nachname', 'E-Mail-Adresse'];
  expect(names.map(guessTarget)).toEqual(['lastName', 'firstName', 'firstName', 'lastName', 'email']);
  expect(getPropertyTargets('Surname', ['city'])).toEqual(['Surname', 'city']);
});

it("offers the book's variables, and a property named after the column unless the name is reserved", () => {
  expect(getPropertyTargets('Plan', ['city'])).toEqual(['Plan', 'city']);
  expect(getPropertyTargets('mail', ['city'])).toEqual(['city']);
  expect(getPropertyTargets('', ['city'])).toEqual(['city']);
});
