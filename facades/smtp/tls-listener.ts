import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { limits } from '../../src/limits.ts';
import type { CertificatePair } from './self-signed.ts';

/**
 * Speaks TLS from the first byte, and begins a session once the handshake has ended. Handshakes are bounded as sessions
 * without a key are: all of them, those of one address, and the time of each, whatever it says.
 */
export function createTlsListener(pair: CertificatePair, begin: (socket: TLSSocket) => void): Server {
  const secureContext = createSecureContext(pair);
  const open = new Set<Socket>();
  return createServer((raw) => {
    raw.on('error', () => undefined);
    const near = [...open].filter(({ remoteAddress }) => remoteAddress === raw.remoteAddress);
    if (near.length >= limits.submission.strangersOfOne || open.size >= limits.submission.clients) {
      raw.destroy();
      return;
    }
    open.add(raw);
    const socket = new TLSSocket(raw, { isServer: true, secureContext });
    // Never the socket below it, which would go from under the handshake.
    const late = setTimeout(() => socket.destroy(), limits.submission.signInTime).unref();
    const cleanUp = () => {
      clearTimeout(late);
      open.delete(raw);
    };
    const hangUp = () => socket.destroy();
    socket.on('error', hangUp).on('_tlsError', hangUp).once('close', cleanUp);
    socket.once('secure', () => {
      cleanUp();
      begin(socket);
    });
  });
}
