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

/** The region is always set if the transport is `ses`. */
export const getSesAccount = ({ awsRegion, awsSesEndpoint }: TransportConfig) => ({
  region: awsRegion!,
  endpoint: awsSesEndpoint,
});

/**
 * Loads only the library of the configured transport (the AWS SDK alone takes 30 MB).
 * @param host `keep` stores a message in the outbox of the transport `local`
 * @throws Error if the transport `smtp` has no URL
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
