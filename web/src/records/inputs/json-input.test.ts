import { expect, it } from 'vitest';
import { findJsonError, formatJson } from './json-input.tsx';

it('reports invalid JSON, and accepts empty text', () => {
  expect([findJsonError(''), findJsonError(' {"a": [1]} '), findJsonError('"x"')]).toEqual([
    null,
    null,
    null,
  ]);
  expect(findJsonError('{a: 1}')).toContain('JSON');
  expect([formatJson(null), formatJson({ a: 1 })]).toEqual(['', '{\n  "a": 1\n}']);
});
