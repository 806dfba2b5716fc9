import { simpleParser } from 'mailparser';
import { readMail } from '../../schema/mailbox/messages/read-content.ts';
import { toRawMail } from '../../src/message/parse/raw.ts';
import { buildMail } from '../lib/mail.ts';

// `node bench/baseline/parser.ts COUNT` measures the baseline for filing and imports: it parses whole 20 kB messages
// with their text and attachments, and discards the result. It runs mailparser and the application's parser, which also
// extracts search words and threading data. Prints both rates and the CPU milliseconds per message as JSON.

const COUNT = Number(process.argv[2] ?? 2_000);
const mails = Array.from({ length: 200 }, (_, i) => buildMail(`parser-${i}`, i, 'box@example.com'));

async function measureRate(
  parse: (mail: Buffer) => Promise<unknown>,
): Promise<{ perSecond: number; cpu: number }> {
  for (const mail of mails) await parse(mail);
  const before = process.cpuUsage();
  const startTime = performance.now();
  for (let i = 0; i < COUNT; i++) await parse(mails[i % mails.length]!);
  const perSecond = Math.round((COUNT * 1000) / (performance.now() - startTime));
  const { user, system } = process.cpuUsage(before);
  return { perSecond, cpu: Math.round((user + system) / COUNT / 10) / 100 };
}

const ours = await measureRate(async (mail) => {
  const parsedMail = await readMail(toRawMail(mail), 'hash', 1);
  return [parsedMail.threads, parsedMail.words()];
});
const lean = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true };
const mailparser = await measureRate((mail) => simpleParser(mail, lean));
process.stdout.write(`${JSON.stringify({ ours, mailparser })}\n`);
process.exit(0);
