import { expect, it } from 'vitest';
import { jsonFault, jsonText } from './json-input.tsx';

it('what is no JSON has a fault, and what is empty has none', () => {
  expect([jsonFault(''), jsonFault(' {"a": [1]} '), jsonFault('"x"')]).toEqual([null, null, null]);
  expect(jsonFault('{a: 1}')).toContain('JSON');
  expect([jsonText(null), jsonText({ a: 1 })]).toEqual(['', '{\n  "a": 1\n}']);
});
