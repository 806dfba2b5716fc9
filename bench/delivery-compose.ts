/**
 * Measures the CPU time per message in the sending process: the AWS SDK alone (the baseline), our transport, our
 * composer, and the library's composer. The SES stub runs in another process, so the figures contain only the client's
 * CPU time. Usage: node bench/delivery-compose.ts [messages per run] [runs]
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2';
import MailComposer from 'nodemailer/lib/mail-composer';
import { createSesTransport } from '../src/email/ses.ts';
import { buildMimeMessage, type ComposeInput } from '../src/message/compose.ts';
import { computeMedian } from './lib/process.ts';

const messages = Number(process.argv[2] ?? 4000);
const runs = Number(process.argv[3] ?? 3);
const concurrency = 16;

interface Sample {
  perSecond: number;
  cpuMicros: number;
}

const paragraph = 'This is a paragraph of an ordinary mail, with a name like Jörg in it now and then.\n';

function buildInput(index: number): ComposeInput {
  return {
    emailId: `em${index}`,
    messageId: `em${index}@example.com`,
    date: new Date(),
    from: 'Jörg Mayer <joerg@example.com>',
    to: ['Ann Lee <ann@example.com>'],
    subject: 'Your order n° 4711 has left',
    text: paragraph.repeat(20),
    html: `<html><body>${`<p>${paragraph}</p>`.repeat(20)}</body></html>`,
    headers: { 'X-Campaign': 'spring' },
  };
}

async function measureRate(run: (index: number) => unknown): Promise<Sample> {
  let index = 0;
  const runLoop = async () => {
    while (index < messages) {
      index += 1;
      await run(index);
    }
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, runLoop));
  const elapsedMs = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (messages / elapsedMs) * 1000, cpuMicros: (user + system) / messages };
}

process.env.AWS_ACCESS_KEY_ID = 'standin';
process.env.AWS_SECRET_ACCESS_KEY = 'standin-secret';
const verify = process.env.VERIFY ? [] : ['--no-verify'];
const child = fork(new URL('../test/standins/ses.ts', import.meta.url), [...verify, '--no-raw'], {
  stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
});
const [line] = (await once(child.stdout!, 'data')) as [Buffer];
const { url } = JSON.parse(line.toString()) as { url: string };

const client = new SESv2Client({ region: 'us-east-1', endpoint: url, maxAttempts: 1 });
const transport = createSesTransport({ region: 'us-east-1', endpoint: url });
const raw = buildMimeMessage(buildInput(0));
const envelope = { from: 'joerg@example.com', recipients: ['ann@example.com'] };

const works: Record<string, (index: number) => unknown> = {
  'AWS SDK alone, same bytes': () =>
    client.send(
      new SendEmailCommand({
        FromEmailAddress: envelope.from,
        Destination: { ToAddresses: envelope.recipients },
        Content: { Raw: { Data: raw } },
      }),
    ),
  'our transport, same bytes': () => transport.send({ ...envelope, emailId: 'em0', raw }),
  'compose + our transport': (index) =>
    transport.send({ ...envelope, emailId: `em${index}`, raw: buildMimeMessage(buildInput(index)) }),
  'compose alone': (index) => buildMimeMessage(buildInput(index)),
  'nodemailer MailComposer alone': (index) => {
    const { from, to, subject, text, html, headers } = buildInput(index);
    const mail = {
      from,
      to: [...to],
      subject,
      text: text ?? '',
      html: html ?? '',
      headers: { ...headers },
      newline: 'win',
    };
    return new MailComposer(mail).compile().build();
  },
};

const samples = new Map(Object.keys(works).map((name) => [name, [] as Sample[]]));
for (const run of Object.values(works)) await measureRate(run);
const readCounts = async () =>
  (await (await fetch(`${url}/standin/counts`)).json()) as { accepted: number; cpuMs: number };
const before = await readCounts();
for (let run = 0; run < runs; run += 1) {
  for (const [name, work] of Object.entries(works)) samples.get(name)?.push(await measureRate(work));
}
const after = await readCounts();

const baseline = computeMedian(samples.get('AWS SDK alone, same bytes')!.map((item) => item.cpuMicros));
console.log(
  `${messages} messages of ${raw.length} bytes, ${concurrency} at once, medians of ${runs} alternating runs`,
);
for (const [name, list] of samples) {
  const cpu = computeMedian(list.map((item) => item.cpuMicros));
  const rate = computeMedian(list.map((item) => item.perSecond));
  console.log(
    `${name.padEnd(30)} ${rate.toFixed(0).padStart(7)}/s ${cpu.toFixed(0).padStart(5)} us CPU ${(cpu / baseline).toFixed(2).padStart(5)} x SDK`,
  );
}
const served = ((after.cpuMs - before.cpuMs) * 1000) / (after.accepted - before.accepted);
console.log(`stand-in: ${served.toFixed(0)} us CPU a send (${Math.round(1e6 / served)}/s on one core)`);
await transport.close();
client.destroy();
child.kill();
