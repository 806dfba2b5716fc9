import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// `node bench/lib/probe.ts <address>` sends a small request repeatedly. When it is stopped, it prints the maximum
// latency in ms.

const [, , address] = process.argv;
const agent = new Agent({ keepAlive: true });
let longest = 0;

const probe = (): Promise<void> =>
  new Promise((resolve, reject) => {
    get(address!, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });

process.once('SIGTERM', () => {
  process.stdout.write(longest.toFixed(0));
  process.exit();
});
for (;;) {
  const startTime = performance.now();
  await probe();
  longest = Math.max(longest, performance.now() - startTime);
  await sleep(5);
}
