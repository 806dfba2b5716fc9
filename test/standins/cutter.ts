import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy in front of PostgreSQL that loses responses. */
export interface Cutter {
  url: string;
  end(): Promise<void>;
}

/** Marks a statement whose connection is closed when its response arrives, after the server has run it. */
export const CUT_MARKER = 'to be cut';

export async function startCutter(database: string): Promise<Cutter> {
  const behindUrl = new URL(database);
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    const server = connect(Number(behindUrl.port || 5432), behindUrl.hostname);
    let isCut = false;
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (data) => {
      isCut ||= data.includes(CUT_MARKER);
      server.write(data);
    });
    server.on('data', (data) => {
      if (isCut) client.destroy();
      else client.write(data);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(database);
  url.hostname = '127.0.0.1';
  url.port = String((listener.address() as AddressInfo).port);
  return {
    url: url.href,
    async end() {
      for (const socket of open) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
