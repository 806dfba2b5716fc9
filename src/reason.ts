import type { Config } from './config.ts';
import { AppError } from './errors.ts';

type Ports = Pick<Config, 'host' | 'port' | 'smtpSubmissionPort' | 'smtpSubmissionsPort'>;

/** One line for what an operator can mend, the whole story for the rest. */
export function reasonOf(error: unknown, config?: Ports): string {
  const { code, message, stack, syscall, port } = error as NodeJS.ErrnoException & { port?: number };
  const setting = port && config ? settingOf(port, config) : 'PORT';
  const place = port ?? config?.port;
  if (code === 'EADDRINUSE')
    return `port ${place} of ${config?.host} is taken; set ${setting} to another one.`;
  if (syscall === 'listen' || syscall === 'bind')
    return `it may not listen on ${config?.host}:${place}, as ${setting} says (${code}).`;
  if (error instanceof AppError && error.cause) return reasonOf(error.cause, config);
  if (AWAY.has(code ?? '')) return `the database cannot be reached: ${message || code}.`;
  if (REFUSED.has(code ?? '')) return `the database does not let it in: ${message}.`;
  if (code === 'ENOTFOUND') return `there is no host of the name it was given: ${message}.`;
  return error instanceof Error && error.constructor === Error ? message : String(stack ?? error);
}

function settingOf(port: number, config: Ports): string {
  if (port === config.smtpSubmissionPort) return 'SMTP_SUBMISSION_PORT';
  return port === config.smtpSubmissionsPort ? 'SMTP_SUBMISSIONS_PORT' : 'PORT';
}

/** Nothing answers there, or it cuts the connection. */
const AWAY = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);

/** Wrong passwords, databases and roles that do not exist, servers that are starting or full. */
const REFUSED = new Set(['28P01', '28000', '3D000', '42501', '57P03', '53300']);
