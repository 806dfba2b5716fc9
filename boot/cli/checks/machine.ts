import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Config } from '../../../src/config.ts';
import { describeFailure } from '../../../src/describe-failure.ts';
import { createTransport } from '../../../src/email/create-transport.ts';
import type { ProviderLimits } from '../../../src/email/transport.ts';
import { describeUnreachableLinks } from '../../../src/net/public-links.ts';
import {
  buildFailureFinding,
  buildOkFinding,
  buildWarningFinding,
  type Finding,
  runCheck,
} from './finding.ts';

export const checkMachine = async (config: Config): Promise<Finding[]> => [
  ...(await runCheck('disk', 'Set DATA_DIR to a readable folder.', () => checkDisk(config.dataDir))),
  ...(await runCheck('provider', PROVIDER_ADVICE, () => checkProvider(config))),
  buildLinksFinding(config),
];

const PROVIDER_ADVICE =
  'Check MAIL_TRANSPORT, AWS_REGION and the AWS credentials, and that this machine can reach the provider.';

export function buildLinksFinding(config: Pick<Config, 'mailTransport' | 'publicUrl'>): Finding {
  const linkProblem = describeUnreachableLinks(config);
  return linkProblem
    ? buildWarningFinding(
        'links',
        `${linkProblem} Campaigns are not sent`,
        'Set PUBLIC_URL to an address that recipients can reach.',
      )
    : buildOkFinding('links', `links point to ${config.publicUrl} (PUBLIC_URL)`);
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(findExistingFolder(dataDir));
  return buildSpaceFinding(bavail * bsize, dataDir);
}

/** With an external database, DATA_DIR may not exist. */
function findExistingFolder(folder: string): string {
  return existsSync(folder) ? folder : findExistingFolder(dirname(folder));
}

const MB = 2 ** 20;
const LOW_SPACE_BYTES = 1_024 * MB;
const MIN_SPACE_BYTES = 128 * MB;

export function buildSpaceFinding(freeBytes: number, folder: string): Finding {
  const description = `${Math.floor(freeBytes / MB)} MB free in ${folder} (DATA_DIR)`;
  if (freeBytes < MIN_SPACE_BYTES)
    return buildFailureFinding(
      'disk',
      description,
      'Free up disk space now: PostgreSQL stops when it cannot write.',
    );
  if (freeBytes < LOW_SPACE_BYTES)
    return buildWarningFinding('disk', description, 'Free up disk space, or move DATA_DIR to a larger disk.');
  return buildOkFinding('disk', description);
}

async function checkProvider(config: Config): Promise<Finding> {
  if (config.mailTransport === 'smtp') return checkSmtpRelay(config.smtpUrl!);
  const transport = await createTransport(config, { keep: async () => undefined });
  try {
    return buildQuotaFinding(transport.name, await transport.limits());
  } finally {
    await transport.close();
  }
}

async function checkSmtpRelay(url: string): Promise<Finding> {
  const { verifyRelay } = await import('../../../src/email/smtp.ts');
  const { host, username } = new URL(url);
  const signedIn = username ? ' and accepts the user and password' : '';
  try {
    await verifyRelay(url);
    return buildOkFinding(
      'provider',
      `smtp: ${host} responds${signedIn}; to check delivery, run \`email send\``,
    );
  } catch (error) {
    const { code = '' } = error as { code?: string };
    return buildFailureFinding(
      'provider',
      `smtp: ${host}: ${describeFailure(error).split('\n')[0]}`,
      RELAY_ADVICE[code] ?? 'Check the host and port in SMTP_URL, and that this machine can reach the relay.',
    );
  }
}

const RELAY_ADVICE: Record<string, string> = {
  EAUTH: 'Correct the user and password in SMTP_URL.',
  ETLS: "Check that the relay's certificate matches the host in SMTP_URL.",
};

/** @param checkQuota null only for the transport `local` */
export function buildQuotaFinding(name: Config['mailTransport'], checkQuota: ProviderLimits | null): Finding {
  if (!checkQuota)
    return buildWarningFinding(
      'provider',
      'local: mail is stored in the outbox and is not sent',
      'To send mail, set MAIL_TRANSPORT to ses or smtp.',
    );
  const { perDay, perSecond, sentLast24h } = checkQuota;
  const quota = perDay < 0 ? 'any number' : perDay;
  const description = `${name}: ${sentLast24h} of ${quota} sent in 24 hours, ${perSecond} per second`;
  if (perDay >= 0 && sentLast24h >= perDay)
    return buildFailureFinding(
      'provider',
      description,
      'Emails wait until the quota allows more. Ask the provider to raise the quota.',
    );
  if (perDay >= 0 && sentLast24h > perDay * QUOTA_WARNING_RATIO)
    return buildWarningFinding(
      'provider',
      description,
      'The daily quota is nearly exhausted. Ask the provider to raise it.',
    );
  return buildOkFinding('provider', description);
}

const QUOTA_WARNING_RATIO = 0.9;
