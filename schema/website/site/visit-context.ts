import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SiteLanguage } from './languages.ts';
import type { Site } from './load-site.ts';

export interface VisitRequest {
  websiteId: number | null;
  /** Host name of the request. Null if the path names the workspace. */
  host: string | null;
  /** URL of the site without a trailing slash, such as `https://www.example.org`. */
  root: string;
  path: string;
}

export interface SiteResponse {
  status: number;
  location: string | null;
  contentType: string;
  body: string;
  scripts: boolean;
  /**
   * Time until which the response is the same for all visitors, as a Unix timestamp in milliseconds. Null if it may not
   * be cached.
   */
  keptUntil: number | null;
  /** True if the website has a visible page. */
  live: boolean;
}

export interface VisitContext {
  ctx: Ctx;
  site: Site;
  request: VisitRequest;
  lang: SiteLanguage;
  languages: SiteLanguage[];
  /** Path without the language prefix. */
  path: string;
  now: Date;
}
