import { parseChoice, parseId, parseText, type SearchParams } from '../ui/input/search-params.ts';

/** Defaults to the first website. */
interface SiteView {
  site?: string;
}

export interface SiteListView extends SiteView {
  q?: string;
}

export const parseSiteView = ({ site }: SearchParams): SiteView => ({ site: parseId(site) });

export const parseSiteListView = (params: SearchParams): SiteListView => ({
  ...parseSiteView(params),
  q: parseText(params.q),
});

export const SITE_PAGE_TABS = ['markup', 'properties', 'versions'] as const;
type SitePageTab = (typeof SITE_PAGE_TABS)[number];

const SITE_PAGE_WIDTHS = ['desk', 'phone'] as const;
export type SitePageWidth = (typeof SITE_PAGE_WIDTHS)[number];

/** Defaults to the markup in the default language, previewed at screen width. */
export interface SitePageView extends SiteView {
  tab?: SitePageTab;
  width?: SitePageWidth;
  lang?: string;
  version?: string;
}

export const parseSitePageView = (params: SearchParams): SitePageView => ({
  ...parseSiteView(params),
  tab: SITE_PAGE_TABS.find((tab) => tab === params.tab && tab !== 'markup'),
  width: parseChoice(SITE_PAGE_WIDTHS, params.width),
  lang: /^[a-z]{2,3}(?:_[A-Za-z]{2,4})*(?:@[a-z]+)?$/.test(String(params.lang))
    ? String(params.lang)
    : undefined,
  version: parseId(params.version),
});
