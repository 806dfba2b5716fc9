import { Resolver } from 'node:dns/promises';

/** Timeout of the first attempt in milliseconds, and number of attempts. */
const RESOLVER_OPTIONS = { timeout: 2_000, tries: 2 };

/** Creates a resolver for these name servers, or the system's. Queries are bounded in time and use no thread. */
export function createResolver(servers: readonly string[] | null): Resolver {
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (servers) resolver.setServers(servers);
  return resolver;
}

/** A negative DNS response counts as an empty result. @throws any other error of the query */
export async function resolveOrEmpty<T>(promise: Promise<T[]>): Promise<T[]> {
  try {
    return await promise;
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
