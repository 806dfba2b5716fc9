import nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { refused } from './refused.mjs';

const version = Number.parseInt(process.versions.node, 10);
if (version < 24) {
  console.error(
    `Atrium needs Node 24 or newer, and this is ${process.version}: run npm start, which brings one.`,
  );
  process.exit(1);
}
// What buffers hold counts with the heap: each 64 MB of them would have all of the heap marked, which was a fifth of the
// CPU of taking mail in.
setFlagsFromString('--external-memory-accounted-in-global-limit');
// And all of it is marked once it has doubled, not after a quarter more: half of the CPU of taking mail in.
setFlagsFromString('--heap-growing-percent=100');
// JavaScript, so that what strips types, 18 MB of memory, is loaded only for files that the cache does not hold.
nodeModule.enableCompileCache();
const { start } = await import('./start.ts').catch(refused);
await start();
