import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createSocketSubscriber } from '../../facades/graphql/socket-subscriber.ts';
import { errors } from '../../src/errors.ts';
import { cleanUp } from '../harness/cleanup.ts';

/** Returns the body and the errors of a response that `respond` writes. */
async function readStream(respond: (out: ServerResponse) => void) {
  const responseErrors: Error[] = [];
  const server = createServer((_request, out) => {
    out.on('error', (error) => responseErrors.push(error));
    respond(out);
  });
  cleanUp(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
  return { text, responseErrors };
}

test('a stream that has ended ignores further ends, frames and heartbeats', async () => {
  const { text, responseErrors } = await readStream((out) => {
    const subscriber = createSocketSubscriber(
      out,
      () => Promise.reject(errors.noCredential()),
      () => 'the end',
    );
    subscriber.open({}, async () => Buffer.from(''));
    for (let round = 0; round < 2; round++) {
      subscriber.end(errors.noCredential());
      subscriber.send(Buffer.from('too late'));
      subscriber.sendHeartbeat();
    }
  });
  expect([text, responseErrors]).toEqual([':\n\nthe end', []]);
});
