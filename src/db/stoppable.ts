import { connect } from 'node:net';
import type pg from 'pg';
import { errors } from '../errors.ts';
import { limits } from '../limits.ts';

/** A statement or transaction that is canceled if its client disconnects. */
export interface StoppableWork {
  isStopped: boolean;
  stop?: (() => void) | undefined;
  /** Settles once the cancel request has been delivered. */
  stopping?: Promise<void>;
}

/** Makes the work on `client` cancelable until `clearStoppable` is called. */
export function makeStoppable(stoppable: StoppableWork, client: pg.PoolClient): void {
  stoppable.stop = () => {
    stoppable.stop = undefined;
    stoppable.isStopped = true;
    stoppable.stopping = cancelStatement(client);
  };
}

/** @throws BUSY if the work was canceled */
export function clearStoppable(stoppable: StoppableWork): void {
  stoppable.stop = undefined;
  if (stoppable.isStopped) throw createClientGoneError();
}

export const createClientGoneError = (): Error => errors.busy('The client has disconnected.');

export const runOnConnection = <T>(
  pool: pg.Pool,
  stoppable: StoppableWork,
  run: (client: pg.PoolClient) => Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    pool.connect((failure, client, release) => {
      if (failure || !client) return reject(failure);
      makeStoppable(stoppable, client);
      const end = (error?: Error) => {
        stoppable.stop = undefined;
        if (stoppable.stopping) releaseConnection(client, stoppable.stopping);
        else release(error && !isStatementError(error) ? error : undefined);
      };
      run(client).then(
        (result) => {
          end();
          resolve(result);
        },
        (error) => {
          end(error);
          reject(error);
        },
      );
    });
  });

/**
 * Error classes after which the connection remains usable (PostgreSQL, "Error Codes"). Replacing a connection is slow.
 */
const STATEMENT_ERROR_CODES = /^(22|23|40|42(?!P05)|54|53400$|57014$)/;

const isStatementError = (error: Error): boolean =>
  STATEMENT_ERROR_CODES.test((error as { code?: string }).code ?? '');

/** Releases a connection once a late cancel request can no longer hit the next statement. */
export async function releaseConnection(client: pg.PoolClient, pendingStop: Promise<void>): Promise<void> {
  try {
    await pendingStop;
    await client.query('select 1').catch(() => client.query('select 1'));
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
}

/** Parts of the driver's client that its type declarations omit. */
interface ConnectedClient {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
}

/** Code of a cancel request (PostgreSQL, "Message Formats", CancelRequest). */
const CANCEL_REQUEST_CODE = 80_877_102;

/**
 * Cancels the running statement through the PostgreSQL protocol, which poolers forward and which needs no pooled
 * connection. There is no response, and a lost request has no effect.
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
  // PostgreSQL closes the connection once the signal has been sent.
  await new Promise((resolve) => socket.once('close', resolve));
}
