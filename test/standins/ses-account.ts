import { type Identity, routeIdentity } from './ses-identities.ts';
import { createModes, createQuota, type Modes, type Quota } from './ses-modes.ts';
import { buildOkReply, fault, type Reply } from './ses-reply.ts';

export interface Account {
  modes: Modes;
  quota: Quota;
  identities: Map<string, Identity>;
  suppressed: Map<string, 'BOUNCE' | 'COMPLAINT'>;
  sets: Map<string, object[]>;
  /** Counts recipients. Returns an error if an enforced limit is reached. */
  throttle(recipients: number): Reply | null;
  unverified(from: string, recipients: string[]): string[];
  hasConfigurationSet(name: string): boolean;
}

/** A production account in good standing. Limits are enforced only if enabled in the modes. */
export function createAccount(): Account {
  let window = { second: 0, taken: 0 };
  const account: Account = {
    modes: createModes(),
    quota: createQuota(),
    identities: new Map(),
    suppressed: new Map(),
    sets: new Map(),
    throttle(recipients) {
      const { enforceDaily, enforcePerSecond } = account.modes;
      if (enforceDaily && account.quota.SentLast24Hours + recipients > account.quota.Max24HourSend) {
        return fault(429, 'ThrottlingException', 'Daily message quota exceeded.');
      }
      const second = Math.floor(Date.now() / 1000);
      if (second !== window.second) window = { second, taken: 0 };
      if (enforcePerSecond > 0 && window.taken + recipients > enforcePerSecond) {
        return fault(429, 'ThrottlingException', 'Maximum sending rate exceeded.');
      }
      window.taken += recipients;
      account.quota.SentLast24Hours += recipients;
      return null;
    },
    unverified(from, recipients) {
      const { requireVerified, sandbox } = account.modes;
      const checked = [
        ...(requireVerified || sandbox ? [from] : []),
        ...(sandbox ? recipients.filter(isOrdinary) : []),
      ];
      return checked.filter((address) => !isKnown(account, address));
    },
    hasConfigurationSet: (name) => account.sets.size === 0 || account.sets.has(name),
  };
  return account;
}

const isOrdinary = (address: string) => !address.toLowerCase().endsWith('@simulator.amazonses.com');

function isKnown(account: Account, address: string): boolean {
  return [address, address.split('@').at(-1) ?? ''].some(
    (name) => account.identities.get(name)?.status === 'SUCCESS',
  );
}

/** Handles routes other than SendEmail. `path` follows `/v2/email/`. Returns null if the route does not exist. */
export function routeAccount(account: Account, method: string, path: string, body: Buffer): Reply | null {
  const [area = '', ...rest] = path.split('/').map(decodeURIComponent);
  if (area === 'account' && method === 'GET') return buildAccountReply(account);
  if (area === 'identities') return routeIdentity(account, method, rest, body);
  if (area === 'suppression') return handleSuppression(account, method, rest.slice(1), body);
  if (area === 'configuration-sets') return handleConfigurationSets(account, method, rest, body);
  return null;
}

function buildAccountReply(account: Account): Reply {
  return buildOkReply({
    DedicatedIpAutoWarmupEnabled: false,
    EnforcementStatus: 'HEALTHY',
    ProductionAccessEnabled: !account.modes.sandbox,
    SendQuota: account.quota,
    SendingEnabled: true,
    SuppressionAttributes: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
  });
}

const buildNotFound = (subject: string) => fault(404, 'NotFoundException', `${subject} does not exist.`);

function handleSuppression(
  account: Account,
  method: string,
  [address]: string[],
  body: Buffer,
): Reply | null {
  if (!address && method === 'PUT') {
    const entry = JSON.parse(body.toString()) as { EmailAddress: string; Reason: 'BOUNCE' | 'COMPLAINT' };
    account.suppressed.set(entry.EmailAddress, entry.Reason);
    return buildOkReply();
  }
  const buildSummary = (email: string) => ({
    EmailAddress: email,
    Reason: account.suppressed.get(email),
    LastUpdateTime: Date.now() / 1000,
  });
  if (!address && method === 'GET')
    return buildOkReply({ SuppressedDestinationSummaries: [...account.suppressed.keys()].map(buildSummary) });
  if (!address) return null;
  if (!account.suppressed.has(address)) return buildNotFound(`Email address ${address}`);
  if (method === 'GET') return buildOkReply({ SuppressedDestination: buildSummary(address) });
  if (method !== 'DELETE') return null;
  account.suppressed.delete(address);
  return buildOkReply();
}

function handleConfigurationSets(
  account: Account,
  method: string,
  [name, part]: string[],
  body: Buffer,
): Reply | null {
  if (!name && method === 'GET') return buildOkReply({ ConfigurationSets: [...account.sets.keys()] });
  if (!name && method === 'POST') {
    account.sets.set(
      (JSON.parse(body.toString()) as { ConfigurationSetName: string }).ConfigurationSetName,
      [],
    );
    return buildOkReply();
  }
  const destinations = account.sets.get(name ?? '');
  if (!name || !destinations) return buildNotFound(`Configuration set <${name}>`);
  if (part === 'event-destinations') {
    if (method === 'POST') destinations.push(JSON.parse(body.toString()) as object);
    return buildOkReply(method === 'GET' ? { EventDestinations: destinations } : {});
  }
  if (method === 'GET') return buildOkReply({ ConfigurationSetName: name });
  if (method !== 'DELETE') return null;
  account.sets.delete(name);
  return buildOkReply();
}
