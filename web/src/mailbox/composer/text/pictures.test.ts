import { expect, it } from 'vitest';
import { toStoredHtml } from './pictures.ts';

it('stores inline images by id, and restores the URL of remote images', () => {
  const urls = new Map([['7', 'blob:x/1']]);
  expect(
    toStoredHtml('<img data-staged="7" src="blob:x/1" alt="a"><img alt="b" data-held-src="cid:8">', urls),
  ).toBe('<img src="cid:7" alt="a"><img alt="b" src="cid:8">');
});
