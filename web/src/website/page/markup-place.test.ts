import { expect, it } from 'vitest';
import { markupMistake, markupPlace } from './markup-place.ts';

it('reads where markup is wrong, and what', () => {
  const message = 'arch: Unclosed element <p> (line 3, column 17)';
  expect(markupPlace(message)).toEqual({ line: 3, column: 17 });
  expect(markupMistake(message)).toBe('Unclosed element <p>');
  expect(markupPlace('arch: there is no view x.y (t-call).')).toBeNull();
});
