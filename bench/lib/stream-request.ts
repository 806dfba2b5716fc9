import { request } from 'node:http';

// A process for bench/hostile.ts that sends a body with a given beginning and a repeated unit, regardless of the
// server's response.

/** The job, passed as JSON in the first argument. */
export interface StreamJob {
  port: number;
  path: string;
  beginning: string;
  unit: string;
  bytes: number;
}

const { port, path, beginning, unit, bytes } = JSON.parse(process.argv[2]!) as StreamJob;
const chunk = Buffer.from(unit.repeat(Math.ceil(65_536 / unit.length)));
const type = path.startsWith('/xmlrpc') ? 'text/xml' : 'application/json';
const call = request({
  port,
  path,
  method: 'POST',
  headers: { 'content-type': type, 'content-length': bytes },
});
const report = (text: string) => {
  process.stdout.write(`${text}\n`);
  process.exit(0);
};
call.on('response', (response) => response.resume().on('close', () => report(String(response.statusCode))));
call.on('error', (error) => report(error.message));
call.write(beginning);
let remainingBytes = bytes - Buffer.byteLength(beginning);
while (remainingBytes > 0) {
  const part = chunk.subarray(0, remainingBytes);
  remainingBytes -= part.length;
  if (!call.write(part)) await new Promise((resolve) => call.once('drain', resolve));
}
call.end();
