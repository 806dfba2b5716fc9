import { type Kept, localTransport } from './local.ts';
import { sesTransport } from './ses.ts';
import { smtpTransport } from './smtp.ts';
import type { Transport } from './transport.ts';

/** The part of the configuration that chooses and addresses the provider. */
export interface TransportConfig {
  mailTransport: 'local' | 'ses' | 'smtp';
  awsRegion?: string | null;
  awsSesEndpoint?: string | null;
  sesConfigurationSet?: string | null;
  smtpUrl?: string | null;
}

/** The configured transport. `keep` stores a message in the outbox and is used by `local` alone. Throws when `smtp` has no address. */
export function createTransport(
  config: TransportConfig,
  host: { keep: (message: Kept) => Promise<void> },
): Transport {
  if (config.mailTransport === 'local') return localTransport(host.keep);
  if (config.mailTransport === 'ses') {
    return sesTransport({
      region: config.awsRegion || 'us-east-1',
      endpoint: config.awsSesEndpoint,
      configurationSet: config.sesConfigurationSet,
    });
  }
  if (!config.smtpUrl) throw new Error('MAIL_TRANSPORT=smtp needs SMTP_URL');
  return smtpTransport({ url: config.smtpUrl });
}
