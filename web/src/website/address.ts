type SearchParams = Record<string, unknown>;

/** Which website is shown; without a name, the first one. */
export interface SiteView {
  /** Id of the website. */
  site?: string;
}

/** What a list of a website shows, as it stands behind `?`. */
export interface SiteListView extends SiteView {
  /** Part of a name or an address. */
  q?: string;
}

const parseId = (value: unknown): string | undefined =>
  /^\d{1,15}$/.test(String(value)) ? String(value) : undefined;

const parseText = (value: unknown): string | undefined =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined;

/** Pure. */
export const parseSiteView = ({ site }: SearchParams): SiteView => ({ site: parseId(site) });

/** Pure. */
export const parseSiteListView = (given: SearchParams): SiteListView => ({
  ...parseSiteView(given),
  q: parseText(given.q),
});

export const SITE_PAGE_TABS = ['markup', 'properties', 'versions'] as const;
export type SitePageTab = (typeof SITE_PAGE_TABS)[number];

export const SITE_PAGE_WIDTHS = ['desk', 'phone'] as const;
export type SitePageWidth = (typeof SITE_PAGE_WIDTHS)[number];

/** How one page is shown; what is not named: its markup, as wide as the screen, in the language of the website. */
export interface SitePageView extends SiteView {
  tab?: SitePageTab;
  width?: SitePageWidth;
  /** Code of a language. */
  lang?: string;
  /** Id of the version that is looked at. */
  version?: string;
}

/** Pure. */
export const parseSitePageView = (given: SearchParams): SitePageView => ({
  ...parseSiteView(given),
  tab: SITE_PAGE_TABS.find((tab) => tab === given.tab && tab !== 'markup'),
  width: SITE_PAGE_WIDTHS.find((width) => width === given.width),
  lang: /^[a-z]{2,3}(?:_[A-Za-z]{2,4})*(?:@[a-z]+)?$/.test(String(given.lang))
    ? String(given.lang)
    : undefined,
  version: parseId(given.version),
});
