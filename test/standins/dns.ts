import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/**
 * A name server on loopback with A, MX and TXT records, by `TYPE name`. It never responds to names that end with
 * `.silent.example`.
 */
export async function startNameServer(
  records: Record<string, string[]>,
): Promise<{ address: string; close(): void }> {
  const socket = createSocket('udp4');
  socket.on('message', async (query, from) => {
    const { type, name, question } = parseQuestion(query);
    if (name.endsWith('.silent.example')) return;
    // A promise delays the response until the test resolves it.
    const values = (await records[`${TYPES[type]} ${name}`]) ?? [];
    socket.send(buildAnswer(query, type, question, values), from.port, from.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, close: () => void socket.close() };
}

const TYPES: Record<number, string> = { 1: 'A', 15: 'MX', 16: 'TXT' };

function parseQuestion(query: Buffer): { type: number; name: string; question: Buffer } {
  const labels: string[] = [];
  let position = 12;
  for (let length = query[position]!; length > 0; length = query[position]!) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length));
    position += length + 1;
  }
  return {
    type: query.readUInt16BE(position + 1),
    name: labels.join('.').toLowerCase(),
    question: query.subarray(12, position + 5),
  };
}

/** Builds a response with the question and its answers, or NXDOMAIN (RFC 1035). */
function buildAnswer(query: Buffer, type: number, question: Buffer, values: string[]): Buffer {
  const responses = values.map((value) => {
    const data = ENCODERS[type]!(value);
    const head = Buffer.alloc(12);
    head.writeUInt16BE(0xc00c, 0);
    head.writeUInt16BE(type, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt32BE(60, 6);
    head.writeUInt16BE(data.length, 10);
    return Buffer.concat([head, data]);
  });
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(values.length ? 0x8180 : 0x8183, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(values.length, 6);
  return Buffer.concat([head, question, ...responses]);
}

const ENCODERS: Record<number, (value: string) => Buffer> = {
  1: (address) => Buffer.from(address.split('.').map(Number)),
  15: (host) => Buffer.concat([Buffer.from([0, 10]), encodeName(host)]),
  16: (text) =>
    Buffer.concat(
      (text.match(/.{1,200}/g) ?? []).map((part) => Buffer.from([part.length, ...Buffer.from(part)])),
    ),
};

const encodeName = (name: string): Buffer =>
  Buffer.from([...name.split('.').map((label) => [label.length, ...Buffer.from(label)]), [0]].flat());
