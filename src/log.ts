import { destination, type Logger, pino } from 'pino';
import pretty from 'pino-pretty';

/** The log: readable on a terminal, JSON lines otherwise. `fd` 1 for servers, 2 for commands, whose output is stdout's own. */
export function createLog(level: string, fd: 1 | 2 = 1): Logger {
  const terminal = fd === 1 ? process.stdout.isTTY : process.stderr.isTTY;
  const options = { level, redact: ['req.headers.authorization', 'req.headers.cookie'] };
  return terminal
    ? pino(options, pretty({ destination: fd, ignore: 'pid,hostname' }))
    : pino(options, destination(fd));
}
