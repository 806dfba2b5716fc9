import type { Config } from './config.ts';

/** One line for what an operator can mend, the whole story for the rest. */
export function reasonOf(error: unknown, config?: Pick<Config, 'host' | 'port'>): string {
  const { code, message, stack, syscall } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE')
    return `port ${config?.port} of ${config?.host} is taken; set PORT to another one.`;
  if (syscall === 'listen' || syscall === 'bind')
    return `it may not listen on ${config?.host}:${config?.port} (${code}).`;
  if (DATABASE.has(code ?? '')) return `the database does not let it in: ${message || code}.`;
  if (code === 'ENOTFOUND') return `there is no host of the name it was given: ${message}.`;
  return error instanceof Error && error.constructor === Error ? message : String(stack ?? error);
}

/** Refused connections, wrong passwords, databases and roles that do not exist, servers that are starting or full. */
const DATABASE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  '28P01',
  '28000',
  '3D000',
  '42501',
  '57P03',
  '53300',
]);
