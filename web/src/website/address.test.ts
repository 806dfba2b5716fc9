import { expect, it } from 'vitest';
import { parseSiteListView, parseSitePageView } from './address.ts';

it('keeps valid URL parameters, and drops others', () => {
  expect(parseSiteListView({ site: 2, q: 'about', more: 1 })).toEqual({ site: '2', q: 'about' });
  expect(parseSiteListView({ site: 'x', q: '' })).toEqual({ site: undefined, q: undefined });
  expect(parseSitePageView({ tab: 'versions', width: 'phone', lang: 'sr_RS@latin', version: '7' })).toEqual({
    site: undefined,
    tab: 'versions',
    width: 'phone',
    lang: 'sr_RS@latin',
    version: '7',
  });
  const nothing = { site: undefined, tab: undefined, width: undefined, lang: undefined, version: undefined };
  expect(parseSitePageView({ tab: 'markup', width: 'wide', lang: '<b>', version: -1 })).toEqual(nothing);
});
