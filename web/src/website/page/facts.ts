import type { SitePageMarkupQuery, SitePageQuery } from './generated.ts';

/** A page, without its markup. */
export type PageFacts = NonNullable<SitePageQuery['websitePage']>;

/** The markup of a page in one language. */
export type PageMarkup = SitePageMarkupQuery['websitePageMarkup'];

/** Groups whose members a page can be for. */
export type PageGroups = SitePageQuery['groups']['nodes'];
