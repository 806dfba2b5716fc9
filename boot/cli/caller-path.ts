import { resolve } from 'node:path';

/** A path as the caller typed it: npm and the function of `completion` run commands in another folder. */
export const resolveCallerPath = (path: string): string => resolve(process.env.INIT_CWD ?? '.', path);
