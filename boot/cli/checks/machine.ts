import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../../src/config.ts';
import { createTransport } from '../../../src/delivery/create-transport.ts';
import type { ProviderLimits } from '../../../src/delivery/transport.ts';
import { describeUnreachableLinks } from '../../../src/net/public-links.ts';
import { describeFailure } from '../../../src/reason.ts';
import { type Finding, fault, ok, tried, warning } from './finding.ts';

/** The checks that need no database. */
export const checkMachine = async (config: Config): Promise<Finding[]> => [
  ...(await tried('disk', 'Set DATA_DIR to a folder that can be read.', () => disk(config.dataDir))),
  ...(await tried('provider', PROVIDER_ADVICE, () => provider(config))),
  linksFinding(config),
];

const PROVIDER_ADVICE =
  'Check MAIL_TRANSPORT, AWS_REGION and the credentials of AWS, and that this machine reaches the provider.';

/** Pure. */
export function linksFinding(config: Pick<Config, 'mailTransport' | 'publicUrl'>): Finding {
  const found = describeUnreachableLinks(config);
  return found
    ? warning('links', `${found} Campaigns are not sent`, 'Set PUBLIC_URL to the address that readers reach.')
    : ok('links', `links lead to ${config.publicUrl} (PUBLIC_URL)`);
}

async function disk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(thatExists(dataDir));
  return spaceFinding(bavail * bsize, dataDir);
}

/** A database of one's own needs no folder. */
function thatExists(folder: string): string {
  return existsSync(folder) ? folder : thatExists(dirname(folder));
}

const MB = 2 ** 20;
const SCARCE = 1_024 * MB;
const FULL = 128 * MB;

/** @param free bytes. Pure. */
export function spaceFinding(free: number, folder: string): Finding {
  const found = `${Math.floor(free / MB)} MB are free for ${folder} (DATA_DIR)`;
  if (free < FULL) return fault('disk', found, 'Free space now: PostgreSQL stops when it cannot write.');
  if (free < SCARCE) return warning('disk', found, 'Free space, or move DATA_DIR to a larger disk.');
  return ok('disk', found);
}

async function provider(config: Config): Promise<Finding> {
  if (config.mailTransport === 'smtp') return relay(config.smtpUrl!);
  const transport = await createTransport(config, { keep: async () => undefined });
  try {
    return quotaFinding(transport.name, await transport.limits());
  } finally {
    await transport.close();
  }
}

async function relay(url: string): Promise<Finding> {
  const { verifyRelay } = await import('../../../src/delivery/smtp.ts');
  const { host, username } = new URL(url);
  const signedIn = username ? ' and accepts the user and password' : '';
  try {
    await verifyRelay(url);
    return ok('provider', `smtp: ${host} answers${signedIn}; \`email send\` shows whether it delivers`);
  } catch (error) {
    const { code = '' } = error as { code?: string };
    return fault(
      'provider',
      `smtp: ${host}: ${describeFailure(error).split('\n')[0]}`,
      RELAY_ADVICE[code] ??
        'Check host and port in SMTP_URL, and that the relay runs and this machine reaches it.',
    );
  }
}

const RELAY_ADVICE: Record<string, string> = {
  EAUTH: 'Correct the user and password in SMTP_URL.',
  ETLS: 'Check the certificate of the relay and that SMTP_URL has the host it is for.',
};

/** Pure. @param quota null for `local` alone */
export function quotaFinding(name: Config['mailTransport'], quota: ProviderLimits | null): Finding {
  if (!quota)
    return warning(
      'provider',
      'local: mail is kept in the outbox, and none leaves',
      'Set MAIL_TRANSPORT to ses or smtp to send.',
    );
  const { perDay, perSecond, sentLast24h } = quota;
  const most = perDay < 0 ? 'any number' : perDay;
  const found = `${name}: ${sentLast24h} of ${most} sent in 24 hours, ${perSecond} a second`;
  if (perDay >= 0 && sentLast24h >= perDay)
    return fault('provider', found, 'Emails wait until the quota allows more: ask the provider to raise it.');
  if (perDay >= 0 && sentLast24h > perDay * NEARLY)
    return warning('provider', found, 'The daily quota is nearly used: ask the provider to raise it.');
  return ok('provider', found);
}

const NEARLY = 0.9;
