import { request } from 'node:http';
import { pipeline } from 'node:stream';

const APPLICATION = /^\/app(?=[/?]|$)/;

/**
 * Routes paths below `/app` to Vite, and all other paths to the server.
 * @param server the server process; `address` is its host and port
 * @param vite a promise of Vite's server, or null if the application is off
 */
export function routeRequests(front, { server, address, vite }) {
  // Uploads can take arbitrarily long.
  front.requestTimeout = 0;
  front.on('request', async (incoming, outgoing) => {
    if (!vite || !APPLICATION.test(incoming.url)) return forwardRequest(incoming, outgoing, server, address);
    incoming.url = incoming.url.replace(/^\/app(?=\?|$)/, '/app/');
    (await vite).middlewares(incoming, outgoing);
  });
}

async function forwardRequest(incoming, outgoing, server, address) {
  if (!(await server.isUp()))
    return sendUnavailable(outgoing, 'The server is not running. The terminal shows why.');
  if (outgoing.destroyed) return;
  const { method, url: path } = incoming;
  const sources = [incoming.headers['x-forwarded-for'], incoming.socket.remoteAddress];
  const headers = {
    ...incoming.headers,
    'x-forwarded-for': sources.filter(Boolean).join(', '),
    // With `close`, the server would disconnect a client that is still sending before the client reads the response.
    connection: 'keep-alive',
  };
  // Connections are not reused, because a restart could close one just as the next request is sent.
  const onward = request({ ...address, method, path, headers, agent: false }, (response) => {
    const { connection: _, ...responseHeaders } = response.headers;
    outgoing.writeHead(response.statusCode, response.statusMessage, responseHeaders);
    pipeline(response, outgoing, () => {});
  });
  // A response can arrive before the whole body is sent. It is forwarded, and the rest of the body is discarded.
  onward.on('error', ({ code, message }) => {
    if (outgoing.headersSent) return;
    // The server stopped before it received the request, so the request waits for the next start.
    const isSafe = method === 'GET' || method === 'HEAD';
    if (isSafe && (code === 'ECONNREFUSED' || code === 'ECONNRESET'))
      return void forwardRequest(incoming, outgoing, server, address);
    sendUnavailable(outgoing, `The server did not respond: ${message}`);
  });
  outgoing.once('close', () => {
    onward.destroy();
    incoming.unpipe(onward).resume();
  });
  incoming.pipe(onward);
}

function sendUnavailable(outgoing, text) {
  outgoing.writeHead(503, { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '1' });
  outgoing.end(`${text}\n`);
}
