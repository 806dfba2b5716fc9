import { request } from 'node:http';
import { pipeline } from 'node:stream';

const APPLICATION = /^\/app(?=[/?]|$)/;

/**
 * Answers the requests at the one address: Vite those below `/app`, the server all others.
 * @param server the process, and `place` where it listens
 * @param vite a promise of Vite's server, null if the application is off
 */
export function answerAt(front, { server, place, vite }) {
  // As long as an upload takes.
  front.requestTimeout = 0;
  front.on('request', async (incoming, outgoing) => {
    if (!vite || !APPLICATION.test(incoming.url)) return forward(incoming, outgoing, server, place);
    incoming.url = incoming.url.replace(/^\/app(?=\?|$)/, '/app/');
    (await vite).middlewares(incoming, outgoing);
  });
}

async function forward(incoming, outgoing, server, place) {
  if (!(await server.isUp())) return refuse(outgoing, 'The server does not run. The terminal says why.');
  if (outgoing.destroyed) return;
  const { method, url: path } = incoming;
  const sources = [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress];
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': sources.filter(Boolean).join(', '),
    // A server that is to close the connection cuts off who still sends, before the answer is read.
    connection: 'keep-alive',
  };
  // Without an agent no connection is used twice: a restart would close it just when the next request is sent.
  const onward = request({ ...place, method, path, headers, agent: false }, (answer) => {
    const { connection: _, ...kept } = answer.headers;
    outgoing.writeHead(answer.statusCode, answer.statusMessage, kept);
    pipeline(answer, outgoing, () => {});
  });
  // An answer may come before all of the body is sent. Then the answer counts, and the rest of the body is discarded.
  onward.on('error', ({ code, message }) => {
    if (outgoing.headersSent) return;
    // The server stopped before it received the request, so the request waits for the next start.
    const isSafe = method === 'GET' || method === 'HEAD';
    if (isSafe && (code === 'ECONNREFUSED' || code === 'ECONNRESET'))
      return void forward(incoming, outgoing, server, place);
    refuse(outgoing, `The server did not answer: ${message}`);
  });
  outgoing.once('close', () => {
    onward.destroy();
    incoming.unpipe(onward).resume();
  });
  incoming.pipe(onward);
}

function refuse(outgoing, text) {
  outgoing.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' });
  outgoing.end(`${text}\n`);
}
