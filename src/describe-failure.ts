import type { Config } from './config.ts';
import { AppError } from './errors.ts';

type PortSettings = Pick<Config, 'host' | 'port' | 'smtpSubmissionPort' | 'smtpSubmissionsPort'>;

/** Returns one line for an error that an operator can fix, or else the full stack. */
export function describeFailure(error: unknown, config?: PortSettings): string {
  const { name, code, message, stack, cause, syscall, port } = error as NodeJS.ErrnoException & {
    port?: number;
  };
  const setting = port && config ? findPortSetting(port, config) : 'PORT';
  const place = port ?? config?.port;
  if (code === 'EADDRINUSE')
    return `port ${place} of ${config?.host} is already in use. Set ${setting} to another port.`;
  if (syscall === 'listen' || syscall === 'bind')
    return `cannot listen on ${config?.host}:${place}, set by ${setting} (${code}).`;
  // Include the stack, so that the app's author can see where it failed.
  if (name === 'AppsError' && cause)
    return `${message}
${(cause as Error).stack}`;
  if (name === 'AppsError') return message;
  if (error instanceof AppError && error.cause) return describeFailure(error.cause, config);
  if (UNREACHABLE_CODES.has(code ?? '')) return `the database cannot be reached: ${message || code}.`;
  if (REJECTED_CODES.has(code ?? '')) return `the database rejected the connection: ${message}.`;
  if (code === 'ENOTFOUND') return `a host name could not be resolved: ${message}.`;
  return error instanceof Error && error.constructor === Error ? message : String(stack ?? error);
}

function findPortSetting(port: number, config: PortSettings): string {
  if (port === config.smtpSubmissionPort) return 'SMTP_SUBMISSION_PORT';
  return port === config.smtpSubmissionsPort ? 'SMTP_SUBMISSIONS_PORT' : 'PORT';
}

/** Error codes of a server that does not respond or closes the connection. */
const UNREACHABLE_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Error codes for wrong passwords, missing databases, roles or permissions, and servers that are starting or full. */
const REJECTED_CODES = new Set(['28P01', '28000', '3D000', '42501', '57P03', '53300']);
