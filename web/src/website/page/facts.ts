import type { SitePageMarkupQuery, SitePageQuery } from './generated.ts';

export type PageFacts = NonNullable<SitePageQuery['websitePage']>;

export type PageMarkup = SitePageMarkupQuery['websitePageMarkup'];

export type PageGroups = SitePageQuery['groups']['nodes'];
