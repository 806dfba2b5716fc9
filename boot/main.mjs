import { enableCompileCache } from 'node:module';

// JavaScript, so that what strips types, 18 MB of memory, is loaded only for files that the cache does not hold.
enableCompileCache();
const { start } = await import('./start.ts');
await start();
