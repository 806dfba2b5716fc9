import { sesAccount, type TransportConfig } from './create-transport.ts';
import type { Identities } from './identities.ts';

const known = new WeakMap<TransportConfig, Promise<Identities>>();

/** The provider that decides about domains; null with a transport that has none. */
export async function identitiesOf(config: TransportConfig): Promise<Identities | null> {
  if (config.mailTransport !== 'ses') return null;
  const identities = known.get(config) ?? load(config);
  known.set(config, identities);
  return identities;
}

/** Its library is loaded when it is first needed. */
async function load(config: TransportConfig): Promise<Identities> {
  const { sesIdentities } = await import('./ses-identity.ts');
  return sesIdentities(sesAccount(config));
}
