import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SiteLanguage } from './languages.ts';
import type { Site } from './load-site.ts';

/** What is asked for. */
export interface VisitRequest {
  websiteId: number | null;
  /** Host name of the request; null where the address names the workspace by a path. */
  host: string | null;
  /** Where the site is, without a slash at the end: `https://www.example.org`. */
  root: string;
  /** The path below it. */
  path: string;
}

/** What a visitor gets. */
export interface SiteResponse {
  status: number;
  /** Where a redirect leads. */
  location: string | null;
  contentType: string;
  body: string;
  scripts: boolean;
  /** Whether anyone gets the same, and until when (milliseconds since 1970). */
  keptUntil: number | null;
  /** Whether the site has anything to see. */
  live: boolean;
}

/** One visit, with all that is known of it. */
export interface VisitContext {
  ctx: Ctx;
  site: Site;
  request: VisitRequest;
  lang: SiteLanguage;
  languages: SiteLanguage[];
  /** Without the language. */
  path: string;
  now: Date;
}
