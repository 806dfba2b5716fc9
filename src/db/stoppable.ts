import { connect } from 'node:net';
import type pg from 'pg';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';

/** A statement or transaction that can be stopped while it runs, because no one waits for it any more. */
export interface Stoppable {
  isStopped: boolean;
  /** Stops it; absent while there is nothing to stop. */
  stop?: (() => void) | undefined;
  /** Settles when the request to stop has been handed on. */
  stopping?: Promise<void>;
}

/** From here on `running`, which uses `client`, can be stopped, until `unstoppable`. */
export function makeStoppable(running: Stoppable, client: pg.PoolClient): void {
  running.stop = () => {
    running.stop = undefined;
    running.isStopped = true;
    running.stopping = cancelStatement(client);
  };
}

/** @throws when it has been stopped */
export function clearStoppable(running: Stoppable): void {
  running.stop = undefined;
  if (running.isStopped) throw clientGone();
}

/** Heard by the code that was on its way alone. */
export const clientGone = (): Error => errors.busy('The client has gone.');

/** Runs `ask` on a connection of the pool; it can be stopped. */
export const runOnConnection = <T>(
  pool: pg.Pool,
  running: Stoppable,
  ask: (client: pg.PoolClient) => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    pool.connect((failure, client, release) => {
      if (failure || !client) return reject(failure);
      makeStoppable(running, client);
      const end = (error?: Error) => {
        running.stop = undefined;
        if (running.stopping) releaseConnection(client, running.stopping);
        else release(error && !isStatementError(error) ? error : undefined);
      };
      ask(client).then(
        (answer) => {
          end();
          resolve(answer);
        },
        (error) => {
          end(error);
          reject(error);
        },
      );
    });
  });

/** Classes of errors that leave the connection as it was (PostgreSQL, "Error Codes"); a new one takes long. */
const STATEMENT_ERROR_CODES = /^(22|23|40|42(?!P05)|54|53400$|57014$)/;

const isStatementError = (error: Error): boolean =>
  STATEMENT_ERROR_CODES.test((error as { code?: string }).code ?? '');

/** Gives a connection back once no request to stop can come late and hit what is next. */
export async function releaseConnection(client: pg.PoolClient, stopping: Promise<void>): Promise<void> {
  try {
    await stopping;
    await client.query('select 1').catch(() => client.query('select 1'));
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
}

/** What the driver knows of its connection, which its declarations lack. */
interface ConnectedClient {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
}

/** The code of a request to cancel (PostgreSQL, "Message Formats", CancelRequest). */
const CANCEL_REQUEST_CODE = 80_877_102;

/**
 * Asks Postgres to stop the statement that runs on a connection, in the way of the protocol, which poolers pass on and
 * which needs no connection of the pool. There is no answer; a request that is lost is as if it had not been made.
 */
export async function cancelStatement(client: pg.PoolClient): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as ConnectedClient;
  const request = Buffer.alloc(16);
  for (const [index, value] of [request.length, CANCEL_REQUEST_CODE, processID, secretKey].entries())
    request.writeInt32BE(value, index * 4);
  const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
  socket.setTimeout(limits.sql.connectTime, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.resume().end(request);
  // Postgres closes it when the signal has been sent.
  await new Promise((resolve) => socket.once('close', resolve));
}
