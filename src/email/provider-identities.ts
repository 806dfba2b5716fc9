import { getSesAccount, type TransportConfig } from './create-transport.ts';
import type { DomainIdentities } from './identities.ts';

const identitiesByConfig = new WeakMap<TransportConfig, Promise<DomainIdentities>>();

/** Null for transports without domain management. */
export async function getDomainIdentities(config: TransportConfig): Promise<DomainIdentities | null> {
  if (config.mailTransport !== 'ses') return null;
  const identities = identitiesByConfig.get(config) ?? loadIdentities(config);
  identitiesByConfig.set(config, identities);
  return identities;
}

async function loadIdentities(config: TransportConfig): Promise<DomainIdentities> {
  const { createSesIdentities } = await import('./ses-identity.ts');
  return createSesIdentities(getSesAccount(config));
}
