import { expect, it } from 'vitest';
import { getErrorText, parseErrorPosition } from './markup-error.ts';

it('parses the position and reason of a markup error', () => {
  const message = 'arch: Unclosed element <p> (line 3, column 17)';
  expect(parseErrorPosition(message)).toEqual({ line: 3, column: 17 });
  expect(getErrorText(message)).toBe('Unclosed element <p>');
  expect(parseErrorPosition('arch: unknown view x.y (t-call).')).toBeNull();
});
