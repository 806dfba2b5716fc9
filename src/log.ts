import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';

/**
 * The log: readable on a terminal, JSON lines otherwise. `to` is 1 for servers, 2 for commands, whose output is
 * stdout's own, or a stream.
 */
export function createLog(level: string, to: 1 | 2 | DestinationStream = 1): Logger {
  const options = {
    level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: { err: serializeError },
  };
  if (typeof to !== 'number') return pino(options, to);
  const { isTTY } = to === 1 ? process.stdout : process.stderr;
  return isTTY
    ? pino(options, pretty({ destination: to, ignore: 'pid,hostname' }))
    : pino(options, destination(to));
}

/** What helps to find a fault. `detail` of Postgres is none of it: rows stand there. */
const LOGGED_ERROR_FIELDS = ['code', 'syscall', 'table', 'column', 'constraint', 'position'];

/**
 * Of an error its words, its place and the facts: libraries hang connections with their passwords on theirs, and rows.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const facts = Object.entries(error).filter(([name]) => LOGGED_ERROR_FIELDS.includes(name));
  return { type, message, stack, ...Object.fromEntries(facts) };
}
