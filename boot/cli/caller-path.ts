import { resolve } from 'node:path';

/**
 * Resolves a path relative to the caller's folder. npm and the shell function that `completion` generates run commands
 * in a different folder.
 */
export const resolveCallerPath = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);
