import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino';
import pretty from 'pino-pretty';

/**
 * Creates the log, in a readable format on a terminal and as JSON lines otherwise.
 * @param to a stream, 1 (stdout) for servers, or 2 (stderr) for commands, whose output is on stdout
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

/** Error properties that are safe to log. PostgreSQL's `detail` is excluded, because it contains row values. */
const LOGGED_ERROR_FIELDS = ['code', 'syscall', 'table', 'column', 'constraint', 'position'];

/**
 * Keeps only the message, the stack and safe properties of an error. Libraries also attach rows, and connections that
 * contain passwords.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { type, message, stack } = stdSerializers.err(error);
  const facts = Object.entries(error).filter(([name]) => LOGGED_ERROR_FIELDS.includes(name));
  return { type, message, stack, ...Object.fromEntries(facts) };
}
