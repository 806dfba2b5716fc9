import { type MailExchangeServer, startMailExchange } from '../../facades/smtp/mx/facade.ts';
import { createMailIntake } from '../../schema/mailbox/intake/mail-intake.ts';
import type { App } from '../harness/app.ts';

export const openExchange = ({ runtime }: App): Promise<MailExchangeServer> =>
  startMailExchange(runtime, createMailIntake(runtime), { port: 0, lmtpPort: 0 });
