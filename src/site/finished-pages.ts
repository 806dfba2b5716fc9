import { createLoadingCache, type LoadingCache, memoizePerObject } from '../cache.ts';
import { limits } from '../limits.ts';

/** A page of a website, ready to be sent to anyone. */
export interface FinishedPage {
  workspaceId: number;
  status: number;
  headers: Record<string, string>;
  /** The bytes as text, one character each (latin1): with the head, which is text, they are one write. */
  body: string;
}

/** Who listens here forgets the finished pages of a workspace, which is the payload. */
export const SITE_INVALIDATION_CHANNEL = 'atrium_site';

/** The finished pages that the process of a database connection keeps, by host and path. */
export const getFinishedPages: (process: object) => LoadingCache<string, FinishedPage> = memoizePerObject(
  () =>
    createLoadingCache<string, FinishedPage>({
      entries: limits.site.entries,
      age: limits.site.age,
      weight: { most: limits.site.finished, of: ({ body }) => body.length + 500 },
    }),
);
