import type { OutboxMessage } from './local.ts';
import type { Tracking, Transport } from './transport.ts';

/** The part of the configuration that chooses and addresses the provider. */
export interface TransportConfig {
  mailTransport: 'local' | 'ses' | 'smtp';
  awsRegion?: string | null;
  awsSesEndpoint?: string | null;
  sesConfigurationSet?: string | null;
  sesTrackingSets?: Partial<Record<Tracking, string>>;
  smtpUrl?: string | null;
}

/** The account at SES; a configuration that says `ses` names its region. */
export const getSesAccount = ({ awsRegion, awsSesEndpoint }: TransportConfig) => ({
  region: awsRegion!,
  endpoint: awsSesEndpoint,
});

/**
 * The configured transport; only its own library is loaded (the AWS SDK alone takes 30 MB). `keep` stores a message in
 * the outbox and is used by `local` alone. Throws when `smtp` has no address.
 */
export async function createTransport(
  config: TransportConfig,
  host: { keep: (message: OutboxMessage) => Promise<void> },
): Promise<Transport> {
  if (config.mailTransport === 'local') return (await import('./local.ts')).createLocalTransport(host.keep);
  if (config.mailTransport === 'ses') {
    const { createSesTransport } = await import('./ses.ts');
    return createSesTransport({
      ...getSesAccount(config),
      configurationSet: config.sesConfigurationSet,
      ...(config.sesTrackingSets && { trackingSets: config.sesTrackingSets }),
    });
  }
  if (!config.smtpUrl) throw new Error('MAIL_TRANSPORT=smtp needs SMTP_URL');
  const { createSmtpTransport } = await import('./smtp.ts');
  return createSmtpTransport({ url: config.smtpUrl });
}
