import { Resolver } from 'node:dns/promises';

/** Milliseconds for which a name server is waited for, the first time; and times that it is asked. */
const RESOLVER_OPTIONS = { timeout: 2_000, tries: 2 };

/** Asks these name servers, else those of the system, in bounded time and without a thread that waits. */
export function createResolver(servers: readonly string[] | null): Resolver {
  const resolver = new Resolver(RESOLVER_OPTIONS);
  if (servers) resolver.setServers(servers);
  return resolver;
}

/** An answer that there is nothing is an answer. @throws what hinders asking */
export async function resolveOrEmpty<T>(asked: Promise<T[]>): Promise<T[]> {
  try {
    return await asked;
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? '')) return [];
    throw error;
  }
}
