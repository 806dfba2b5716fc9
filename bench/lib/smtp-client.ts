import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { buildMail } from './mail.ts';
import { run } from './process.ts';

// A separate process that sends messages over persistent SMTP connections, which wait for their replies.

export interface SmtpJob {
  port: number;
  /** Mailboxes `box<n>@domain`, which receive the messages in rotation. */
  from: number;
  mailboxes: number;
  domain: string;
  connections: number;
  /** Stops after this number of messages. */
  count?: number;
  /** Stops after this number of milliseconds. */
  ms?: number;
  /** Messages per second. Unlimited if unset. */
  rate?: number;
}

export interface SmtpResult {
  accepted: number;
  perSecond: number;
  rejectedReplies: string[];
}

/** Messages built before the measurement starts. Each send replaces the id. */
const PREBUILT_MESSAGES = 200;
const FILLER = 'X'.repeat(32);

export async function sendMessages(job: SmtpJob): Promise<SmtpResult> {
  const client = run('bench/lib/smtp-client.ts', [JSON.stringify(job)]);
  await new Promise((resolve) => client.child.once('close', resolve));
  return JSON.parse(client.output().trim().split('\n').at(-1)!) as SmtpResult;
}

/** Sends one message. @throws Error with the reply if the server rejects it */
export function sendOneMessage(port: number, to: string, raw: Buffer): Promise<void> {
  const lines = ['EHLO bench.example.org', 'MAIL FROM:<sender@example.org>', `RCPT TO:<${to}>`, 'DATA'];
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let isSent = false;
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const code = /(?:^|\n)(\d{3}) [^\n]*\n$/.exec(text)?.[1];
      if (!code) return;
      if (!/^[23]/.test(code)) return void socket.destroy(new Error(text));
      text = '';
      const line = lines.shift();
      if (line) socket.write(`${line}\r\n`);
      else if (isSent) socket.end('QUIT\r\n', () => resolve());
      else {
        isSent = true;
        socket.write(raw);
        socket.write('.\r\n');
      }
    });
    socket.on('error', reject);
  });
}

async function measureLoad(job: SmtpJob): Promise<SmtpResult> {
  const messages = Array.from({ length: PREBUILT_MESSAGES }, (_, i) =>
    buildMail(FILLER, i, `box@${job.domain}`),
  );
  const places = messages.map((mail) => mail.indexOf(FILLER));
  const startTime = performance.now();
  const end = startTime + (job.ms ?? Number.POSITIVE_INFINITY);
  const rejectedReplies: string[] = [];
  let startedCount = 0;
  let acceptedCount = 0;
  await Promise.all(Array.from({ length: job.connections }, runSession));
  return {
    accepted: acceptedCount,
    perSecond: Math.round(acceptedCount / ((performance.now() - startTime) / 1000)),
    rejectedReplies,
  };

  /** Waits until the next message is due and returns it, or null after the last one. */
  async function next(): Promise<{ to: string; raw: Buffer } | null> {
    if (startedCount >= (job.count ?? Number.POSITIVE_INFINITY) || performance.now() >= end) return null;
    const i = startedCount++;
    const wait = job.rate ? startTime + (i * 1000) / job.rate - performance.now() : 0;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const raw = messages[i % PREBUILT_MESSAGES]!;
    raw.write(randomBytes(16).toString('hex'), places[i % PREBUILT_MESSAGES]!);
    return { to: `box${job.from + (i % job.mailboxes)}@${job.domain}`, raw: Buffer.from(raw) };
  }

  function runSession(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect(job.port, '127.0.0.1').setNoDelay(true);
      let mail: { to: string; raw: Buffer } | null = null;
      const begin = async () => {
        mail = await next();
        socket.write(mail ? 'MAIL FROM:<sender@example.org>\r\n' : 'QUIT\r\n');
        step = mail ? 2 : 6;
      };
      const steps: ((code: string) => void)[] = [
        () => socket.write('EHLO bench.example.org\r\n'),
        () => void begin(),
        () => socket.write(`RCPT TO:<${mail!.to}>\r\n`),
        () => socket.write('DATA\r\n'),
        () => socket.write(Buffer.concat([mail!.raw, Buffer.from('.\r\n')])),
        () => {
          acceptedCount++;
          void begin();
        },
        () => socket.end(),
      ];
      let step = 0;
      let text = '';
      socket.on('data', (data) => {
        text += data.toString('latin1');
        const reply = /(?:^|\n)(\d{3}) [^\n]*\n$/.exec(text);
        if (!reply) return;
        const code = reply[1]!;
        if (!/^[23]/.test(code)) {
          rejectedReplies.push(text);
          socket.end();
          return;
        }
        text = '';
        steps[step++]!(code);
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
  }
}

if (import.meta.main) {
  const result = await measureLoad(JSON.parse(process.argv[2]!) as SmtpJob);
  process.stdout.write(`${JSON.stringify({ ...result, refused: result.rejectedReplies.slice(0, 3) })}\n`);
}
