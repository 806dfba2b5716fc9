import { Resolver } from 'node:dns/promises';

/** `timeout` applies to the first attempt, in milliseconds. */
const RESOLVER_OPTIONS = { timeout: 2_000, tries: 2 };

/**
 * Creates a resolver that limits the time of each query and uses no threads.
 * @param servers DNS servers to query; null for the system's servers
 */
export function createResolver(servers: readonly string[] | null): Resolver {
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (servers) resolver.setServers(servers);
  return resolver;
}

/**
 * Returns an empty list for a negative DNS response.
 * @throws any other error of the query
 */
export async function resolveOrEmpty<T>(promise: Promise<T[]>): Promise<T[]> {
  try {
    return await promise;
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
