import { createServer, type IncomingMessage } from 'node:http';
import { UseSend } from 'usesend-js';

// Receives webhook calls, checks their signatures and prints one line per event.
//
// WEBHOOK_SECRET=whsec_… RECEIVER_PORT=4000 node_modules/.bin/node examples/webhook-receiver.ts

const { WEBHOOK_SECRET: secret, RECEIVER_PORT: port = '4000' } = process.env;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret that webhookCreate returned.');
// The SDK requires a key, although checking a signature sends nothing.
const webhooks = new UseSend('us_unused').webhooks(secret);

/** IDs of handled events. A call may arrive more than once, so store these in your database. */
const handled = new Set<string>();

const server = createServer(async (request, response) => {
  try {
    // The signature covers the exact bytes, so read the body as text and parse it only after the check.
    const event = webhooks.constructEvent(await getText(request), { headers: request.headers });
    if (!handled.has(event.id)) {
      handled.add(event.id);
      console.log(event.type, JSON.stringify(event.data));
    }
    response.writeHead(200).end('ok');
  } catch (error) {
    response.writeHead(400).end((error as Error).message);
  }
});

server.listen(Number(port), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') console.log(`listening on http://127.0.0.1:${address.port}`);
});

async function getText(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
