import { createLoadingCache, type LoadingCache, memoizePerObject } from '../cache.ts';
import { limits } from '../limits.ts';

const MAX_FINISHED_BYTES = 64 * 1024 * 1024;

/** A cached page that may be sent to anyone. */
export interface FinishedPage {
  workspaceId: number;
  status: number;
  headers: Record<string, string>;
  /** Bytes as a latin1 string, so that head and body can be sent in one write. */
  body: string;
}

/** Notification channel that invalidates the cached pages of a workspace. The payload is the workspace id. */
export const SITE_INVALIDATION_CHANNEL = 'atrium_site';

/**
 * Returns the cached pages of a process, by host and path.
 * @param process the process's database connection
 */
export const getFinishedPages: (process: object) => LoadingCache<string, FinishedPage> = memoizePerObject(
  () =>
    createLoadingCache<string, FinishedPage>({
      entries: limits.site.entries,
      age: limits.site.age,
      weight: { max: MAX_FINISHED_BYTES, measure: ({ body }) => body.length + 500 },
    }),
);
