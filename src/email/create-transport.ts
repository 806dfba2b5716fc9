import type { OutboxMessage } from './local.ts';
import type { Tracking, Transport } from './transport.ts';

export interface TransportConfig {
  mailTransport: 'local' | 'ses' | 'smtp';
  awsRegion?: string | null;
  awsSesEndpoint?: string | null;
  sesConfigurationSet?: string | null;
  sesTrackingSets?: Partial<Record<Tracking, string>>;
  smtpUrl?: string | null;
}

/** Returns the SES account options. Configurations with the transport `ses` have a region. */
export const getSesAccount = ({ awsRegion, awsSesEndpoint }: TransportConfig) => ({
  region: awsRegion!,
  endpoint: awsSesEndpoint,
});

/**
 * Loads the configured transport and only its library (the AWS SDK alone takes 30 MB).
 * @param host `keep` stores a message in the outbox; used only by `local`
 * @throws if the transport `smtp` has no URL
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
  if (!config.smtpUrl) throw new Error('MAIL_TRANSPORT=smtp requires SMTP_URL');
  const { createSmtpTransport } = await import('./smtp.ts');
  return createSmtpTransport({ url: config.smtpUrl });
}
