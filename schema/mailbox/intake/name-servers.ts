import type { Resolver } from 'node:dns/promises';
import type { DNSResolver } from 'mailauth';
import { createCache } from '../../../src/cache.ts';
import type { Config } from '../../../src/config.ts';
import { limits } from '../../../src/limits.ts';
import { createResolver } from '../../../src/net/resolver.ts';

const MAX_CACHED_ANSWERS = 5_000;
const MAX_CACHED_ANSWER_BYTES = 4 * 1024 * 1024;
const ANSWER_TTL_MS = 60_000;

/**
 * Runs one check with a resolver for a limited time. After that, every query fails, so that one domain cannot use up
 * the time of another check.
 */
export async function withNameServers<T>(
  { dnsServers }: Pick<Config, 'dnsServers'>,
  check: (resolver: DNSResolver) => Promise<T>,
): Promise<T> {
  let resolver: Resolver | null = null;
  let isOver = false;
  const end = setTimeout(() => {
    isOver = true;
    resolver?.cancel();
  }, limits.mx.dnsTime);
  const ask = (name: string, type: string): Promise<unknown> => {
    if (isOver) throw Object.assign(new Error('The DNS lookups timed out.'), { code: 'ETIMEOUT' });
    resolver ??= createResolver(dnsServers);
    return resolver.resolve(name, type as 'TXT');
  };
  try {
    return await check(
      (name, type) =>
        resolveCached(`${dnsServers ?? ''} ${type} ${name.toLowerCase()}`, async () =>
          ask(name, type),
        ) as Promise<never>,
    );
  } finally {
    clearTimeout(end);
  }
}

/** Cached, because most mail comes from a few domains. */
const dnsCache = createCache<string, { answer: unknown } | { error: unknown }>({
  entries: MAX_CACHED_ANSWERS,
  weight: { max: MAX_CACHED_ANSWER_BYTES, measure: (result) => 200 + JSON.stringify(result).length },
  age: ANSWER_TTL_MS,
});

/** @throws the DNS error, which is cached if the record does not exist */
async function resolveCached(question: string, run: () => Promise<unknown>): Promise<unknown> {
  const cachedAnswer = dnsCache.get(question);
  if (cachedAnswer && 'error' in cachedAnswer) throw cachedAnswer.error;
  if (cachedAnswer) return structuredClone(cachedAnswer.answer);
  try {
    const result = await run();
    dnsCache.set(question, { answer: structuredClone(result) });
    return result;
  } catch (error) {
    if (['ENODATA', 'ENOTFOUND'].includes((error as { code?: string }).code ?? ''))
      dnsCache.set(question, { error });
    throw error;
  }
}
