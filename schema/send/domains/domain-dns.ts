import type { Resolver } from 'node:dns/promises';
import type { Config } from '../../../src/config.ts';
import { MAIL_FROM } from '../../../src/delivery/identities.ts';
import { createResolver, known } from '../../../src/net/resolver.ts';
import { zoneDomain } from './zone.ts';

/** What a look-up of one record found: it as it should be, another one, or none. */
export type Found = 'SUCCESS' | 'FAILED' | 'NOT_STARTED';

/** The records of a domain as the world sees them. */
export interface Seen {
  dkim: Found;
  mx: Found;
  spf: Found;
  dmarc: Found;
  /** Of the key that is to replace the one that signs. */
  next?: Found;
  /** Of the key that was replaced. */
  former?: Found;
}

/** What of a domain its records are compared with. */
export interface LookedUp {
  name: string;
  subdomain: string | null;
  region: string;
  public_key: string;
  dkim_selector: string | null;
  dkim_tokens: readonly string[];
  dkim_next_selector?: string | null;
  dkim_next_public?: string | null;
  dkim_former_selector?: string | null;
  dkim_former_public?: string | null;
}

/** Looks the domain's records up. @returns null when the name servers could not be asked */
export async function lookUp(config: Config, domain: LookedUp): Promise<Seen | null> {
  const resolver = createResolver(config.dnsServers);
  const from = `${MAIL_FROM}.${domain.name}`;
  try {
    const [dkim, next, former, mx, spf, dmarc] = await Promise.all([
      dkimOf(resolver, domain),
      keyRecord(resolver, domain.name, domain.dkim_next_selector, domain.dkim_next_public),
      keyRecord(resolver, domain.name, domain.dkim_former_selector, domain.dkim_former_public),
      known(resolver.resolveMx(from)),
      texts(resolver, from),
      dmarcOf(resolver, domain),
    ]);
    const feedback = `feedback-smtp.${domain.region}.amazonses.com`;
    return {
      dkim,
      mx: found(mx, ({ exchange }) => exchange.toLowerCase() === feedback),
      spf: found(spf, (text) => /^v=spf1\b/i.test(text) && /\binclude:amazonses\.com\b/i.test(text)),
      dmarc: found(dmarc, (text) => /^v=DMARC1\b/i.test(text)),
      ...(next && { next }),
      ...(former && { former }),
    };
  } catch {
    return null;
  }
}

/** Where a subdomain has no policy of its own, that of the domain above it holds (RFC 7489 6.6.3). */
async function dmarcOf(resolver: Resolver, { name, subdomain }: LookedUp): Promise<string[]> {
  const own = await texts(resolver, `_dmarc.${name}`);
  return own.length > 0 || !subdomain ? own : texts(resolver, `_dmarc.${zoneDomain(name, subdomain)}`);
}

async function dkimOf(resolver: Resolver, domain: LookedUp): Promise<Found> {
  const { name, dkim_selector: selector, public_key: key, dkim_tokens: tokens } = domain;
  const own = await keyRecord(resolver, name, selector, key);
  if (own) return own;
  const each = await Promise.all(
    tokens.map((token) => known(resolver.resolveCname(`${token}._domainkey.${name}`))),
  );
  const all = each.map((names, at) => found(names, (to) => to === `${tokens[at]}.dkim.amazonses.com`));
  return all.find((one) => one !== 'SUCCESS') ?? (all.length ? 'SUCCESS' : 'NOT_STARTED');
}

/** Of a key of our own; null without one. */
async function keyRecord(
  resolver: Resolver,
  name: string,
  selector: string | null | undefined,
  key: string | null | undefined,
): Promise<Found | null> {
  if (!selector) return null;
  const keys = await texts(resolver, `${selector}._domainkey.${name}`);
  return found(keys, (text) => /(?:^|;)\s*p=([^;]*)/.exec(text)?.[1]?.replace(/\s/g, '') === key);
}

/** A long text comes in pieces. */
const texts = async (resolver: Resolver, name: string): Promise<string[]> =>
  (await known(resolver.resolveTxt(name))).map((pieces) => pieces.join(''));

const found = <T>(list: T[], fits: (one: T) => boolean): Found =>
  list.length === 0 ? 'NOT_STARTED' : list.some(fits) ? 'SUCCESS' : 'FAILED';
