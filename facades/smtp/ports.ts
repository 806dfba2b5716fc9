import type { AddressInfo, Server } from 'node:net';
import type { SMTPServer, SMTPServerSession } from 'smtp-server';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { AppError } from '../../src/errors.ts';
import { toPublicError } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { SmtpReply, smtpReplies } from './replies.ts';

const PURPOSES = { smtp: 'SMTP submission', mx: 'incoming mail' };

export type SmtpPorts = ReturnType<typeof createSmtpPorts>;

/**
 * @param facade label in metrics and in the log
 * @param reject converts an error for the caller
 */
export function createSmtpPorts(
  runtime: Runtime,
  facade: keyof typeof PURPOSES,
  reject: (error: AppError) => SmtpReply,
) {
  const { log, config, metrics } = runtime;
  const opened: { listener: Server; server: SMTPServer }[] = [];
  let running = 0;
  let isClosing = false;
  const connections = () => opened.flatMap(({ server }) => [...server.connections]);
  const toReply = (error: unknown): SmtpReply => {
    if (error instanceof SmtpReply) return error;
    // `toPublicError` logs the error with a new reference.
    return reject(error instanceof AppError ? error : toPublicError(runtime, error, crypto.randomUUID()));
  };
  return {
    connections,
    isClosing: () => isClosing,
    toReply,
    /** @returns the port, or 0 if `portNumber` is null */
    async open(
      portNumber: number | null,
      create: () => SMTPServer,
      listen: (server: SMTPServer) => Server = ({ server }) => server,
    ): Promise<number> {
      if (portNumber === null) return 0;
      const server = create();
      // Client disconnects and failed handshakes are not server errors.
      server.on('error', (error) => log.debug({ err: error, facade }, 'an SMTP session failed'));
      const listener = listen(server);
      await new Promise<void>((listening, failed) => {
        listener.once('error', failed);
        listener.listen(portNumber, config.host, listening);
      });
      opened.push({ listener, server });
      const { port } = listener.address() as AddressInfo;
      const { lmtp, secure: tls } = server.options;
      log.info({ port, lmtp, tls }, `listening for ${PURPOSES[facade]}`);
      return port;
    },
    /** Measures and logs the receipt of a message. */
    async receive<T>(session: SMTPServerSession, run: () => Promise<T>): Promise<T> {
      running++;
      const startTime = performance.now();
      let status = '250';
      try {
        return await run();
      } catch (error) {
        status = String(toReply(error).responseCode);
        throw error;
      } finally {
        running--;
        metrics.requests.observe({ facade, status }, (performance.now() - startTime) / 1000);
        log.info({ requestId: session.id, facade, status }, 'request');
      }
    },
    /** Stops accepting mail, finishes messages in progress within the drain time, and closes the connections. */
    async close(): Promise<void> {
      isClosing = true;
      const closedPorts = opened.map(
        ({ listener }) => new Promise<void>((resolve) => listener.close(() => resolve())),
      );
      const end = Date.now() + limits.http.drainTime;
      while (running > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
      // Lets the last replies be sent before the connections are closed.
      await new Promise((resolve) => setImmediate(resolve));
      for (const connection of connections()) connection.send(421, smtpReplies.shuttingDown().message);
      await Promise.all(closedPorts);
    },
  };
}
