import { decodeUriOrKeep } from '../../src/decode-uri.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { defineModel } from '../../src/engine/model/registry.ts';
import { errors } from '../../src/errors.ts';
import { DESIGNER_GROUP } from './designer.ts';
import { siteInvalidationHooks } from './invalidate-site.ts';
import { parseLink, parsePagePath } from './url.ts';

/** Redirects, which apply only if there is no page at the URL. */
defineModel('website.rewrite', {
  group: 'website',
  order: 'sequence, id',
  access: { [DESIGNER_GROUP]: 'crwu' },
  graph: {
    type: 'WebsiteRewrite',
    one: 'websiteRewrite',
    many: 'websiteRewrites',
    names: { url_from: 'urlFrom', url_to: 'urlTo' },
  },
  prepare: (_ctx, list) => {
    for (const values of list) prepareRewrite(values);
  },
  ...siteInvalidationHooks,
});

/** Compares decoded paths case-insensitively, as page requests do. */
const isSamePath = (from: string, to: string): boolean =>
  from.toLowerCase() === decodeUriOrKeep(to).toLowerCase();

function prepareRewrite(values: Values): void {
  if (values.url_from) values.url_from = parsePagePath(String(values.url_from), 'url_from');
  if (values.url_to) values.url_to = parseLink(String(values.url_to), 'url_to');
  if (values.url_from && isSamePath(String(values.url_from), String(values.url_to)))
    throw errors
      .validation('A URL cannot be redirected to itself (url_to).')
      .withDetails({ argument: 'url_to' });
  if (typeof values.url_to === 'string' && !/^(\/|https?:)/i.test(values.url_to))
    throw errors
      .validation(
        'The target of a redirect must be a path, or a URL that begins with https:// or http:// (url_to).',
      )
      .withDetails({ argument: 'url_to' });
}
