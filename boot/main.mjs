import nodeModule from 'node:module';
import { setFlagsFromString } from 'node:v8';

const version = Number.parseInt(process.versions.node, 10);
if (version < 24) {
  console.error(
    `Atrium needs Node 24 or newer, and this is ${process.version}: run npm start, which brings one.`,
  );
  process.exit(1);
}
// Counts buffers toward the heap limit. Otherwise, every 64 MB of buffers triggers a full mark phase, which took a
// fifth of the CPU time when receiving mail.
setFlagsFromString('--external-memory-accounted-in-global-limit');
// Marks the heap only after it has doubled. With the default growth of a quarter, marking took half of the CPU time
// when receiving mail.
setFlagsFromString('--heap-growing-percent=100');
// Written in JavaScript, so that the type stripper (18 MB of memory) is loaded only if the compile cache misses.
nodeModule.enableCompileCache();
const { start } = await import('./start.ts');
await start();
