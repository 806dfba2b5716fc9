import { createChoiceParser, createViewParser, parseId, parseText } from '../ui/input/search-params.ts';

/** Defaults to the first website. */
const SITE_PARSERS = { site: parseId };

export const parseSiteView = createViewParser(SITE_PARSERS);

export const parseSiteListView = createViewParser({ ...SITE_PARSERS, q: parseText });

export type SiteListView = ReturnType<typeof parseSiteListView>;

export const SITE_PAGE_TABS = ['markup', 'properties', 'versions'] as const;

const SITE_PAGE_WIDTHS = ['desk', 'phone'] as const;
export type SitePageWidth = (typeof SITE_PAGE_WIDTHS)[number];

/** Defaults to the markup in the default language, previewed at screen width. */
export const parseSitePageView = createViewParser({
  ...SITE_PARSERS,
  tab: (value) => SITE_PAGE_TABS.find((tab) => tab === value && tab !== 'markup'),
  width: createChoiceParser(SITE_PAGE_WIDTHS),
  lang: (value) =>
    /^[a-z]{2,3}(?:_[A-Za-z]{2,4})*(?:@[a-z]+)?$/.test(String(value)) ? String(value) : undefined,
  version: parseId,
});

export type SitePageView = ReturnType<typeof parseSitePageView>;
