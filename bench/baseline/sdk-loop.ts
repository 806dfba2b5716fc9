import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import { buildMimeMessage } from '../../src/message/compose.ts';
import { emailBody } from '../lib/email-body.ts';

// The AWS SDK alone: sends one message, composed once, `total` times with the worker's concurrency.

const [url, total, concurrency] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
const client = new SESv2Client({ region: 'eu-west-1', endpoint: url, maxAttempts: 1, cacheMiddleware: true });
const raw = buildMimeMessage({
  emailId: 'baseline',
  messageId: 'baseline@main.localhost',
  date: new Date(),
  from: 'Bench <bench@main.localhost>',
  to: ['someone@example.org'],
  subject: 'A message',
  ...emailBody,
});

await sendEmails(Math.min(total, 500));
const startTime = performance.now();
await sendEmails(total);
process.stdout.write(
  `${JSON.stringify({ perSecond: Math.round((total / (performance.now() - startTime)) * 1000) })}\n`,
);

async function sendEmails(count: number): Promise<void> {
  let remainingCount = count;
  const runSender = async () => {
    while (remainingCount-- > 0) {
      await client.send(
        new SendEmailCommand({
          FromEmailAddress: 'bench@main.localhost',
          Destination: { ToAddresses: ['someone@example.org'] },
          Content: { Raw: { Data: raw } },
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runSender));
}
