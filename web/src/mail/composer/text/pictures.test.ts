import { expect, it } from 'vitest';
import { toStoredHtml } from './pictures.ts';

it('a text is kept with pictures by their ids, and with those of other servers where they were', () => {
  const shown = new Map([['7', 'blob:x/1']]);
  expect(
    toStoredHtml('<img data-staged="7" src="blob:x/1" alt="a"><img alt="b" data-held-src="cid:8">', shown),
  ).toBe('<img src="cid:7" alt="a"><img alt="b" src="cid:8">');
});
