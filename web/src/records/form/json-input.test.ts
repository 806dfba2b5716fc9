import { expect, it } from 'vitest';
import { findJsonError, formatJson } from './json-input.tsx';

it('what is no JSON has a fault, and what is empty has none', () => {
  expect([findJsonError(''), findJsonError(' {"a": [1]} '), findJsonError('"x"')]).toEqual([
    null,
    null,
    null,
  ]);
  expect(findJsonError('{a: 1}')).toContain('JSON');
  expect([formatJson(null), formatJson({ a: 1 })]).toEqual(['', '{\n  "a": 1\n}']);
});
