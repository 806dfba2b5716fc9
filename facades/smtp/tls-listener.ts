import { createServer, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { limits } from '../../src/limits.ts';
import type { CertificatePair } from './self-signed.ts';

/**
 * Accepts implicit TLS and starts a session after the handshake. Handshakes are limited like unauthenticated sessions:
 * in total, per address, and in duration.
 */
export function createTlsListener(pair: CertificatePair, begin: (socket: TLSSocket) => void): Server {
  const secureContext = createSecureContext(pair);
  const openSockets = new Set<Socket>();
  return createServer((raw) => {
    raw.on('error', () => undefined);
    const connections = [...openSockets].filter(({ remoteAddress }) => remoteAddress === raw.remoteAddress);
    if (
      connections.length >= limits.submission.strangersOfOne ||
      openSockets.size >= limits.submission.clients
    ) {
      raw.destroy();
      return;
    }
    openSockets.add(raw);
    const socket = new TLSSocket(raw, { isServer: true, secureContext });
    // Destroys the TLS socket, because destroying the underlying one would break the handshake.
    const timer = setTimeout(() => socket.destroy(), limits.submission.signInTime).unref();
    const cleanUp = () => {
      clearTimeout(timer);
      openSockets.delete(raw);
    };
    const hangUp = () => socket.destroy();
    socket.on('error', hangUp).on('_tlsError', hangUp).once('close', cleanUp);
    socket.once('secure', () => {
      cleanUp();
      begin(socket);
    });
  });
}
