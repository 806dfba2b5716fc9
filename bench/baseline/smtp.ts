import { createServer } from 'node:http';
import pg from 'pg';
import { SMTPServer } from 'smtp-server';

// Baseline for the MX port: smtp-server, which inserts the message before it replies.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
await pool.query(
  'create table if not exists bench_mail (id bigserial primary key, sender text, recipients text[], raw bytea)',
);

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  size: 40 * 1024 * 1024,
  onData(stream, session, callback) {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope;
      pool
        .query({
          name: 'keep',
          text: 'insert into bench_mail (sender, recipients, raw) values ($1, $2, $3)',
          values: [
            mailFrom ? mailFrom.address : '',
            rcptTo.map(({ address }) => address),
            Buffer.concat(chunks),
          ],
        })
        .then(
          () => callback(),
          (error) => callback(error),
        );
    });
  },
});
server.listen(Number(process.env.SMTP_PORT), '127.0.0.1');
createServer((_request, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1');
