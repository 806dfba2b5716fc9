import { createLoadingCache } from '../cache.ts';
import { AppError } from '../errors.ts';
import { limits } from '../limits.ts';
import { createRoom } from '../room.ts';
import { imageHead } from './image-head.ts';
import { isResizable, resized } from './resize.ts';

/** Pixels that a picture may have at most; 0 for as many as it has. */
export interface Box {
  width: number;
  height: number;
}

/** A file that may be a picture. */
interface Picture {
  mimetype: string;
  checksum: string;
  /** Bytes. */
  size: number;
  read(range: { from: number; to: number }): AsyncIterable<Buffer>;
}

/** The box that a text such as `300x200` names; null for any other text. Pure. */
export function boxOf(text: string): Box | null {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  const box = { width: Number(width), height: Number(height) };
  return box.width || box.height ? box : null;
}

/** The width in which a picture fits into a box; null where it does so as it is. Pure. */
export function widthIn(box: Box, { width, height }: Box): number | null {
  const scale = Math.min((box.width || width) / width, (box.height || height) / height);
  return scale < 1 ? Math.max(1, Math.round(width * scale)) : null;
}

/** Pictures that were made smaller, by workspace, content and box; null where the original is as good as it gets. */
const made = createLoadingCache<string, { bytes: Buffer | null }>({
  entries: limits.picture.entries,
  weight: { most: limits.picture.kept, of: ({ bytes }) => (bytes?.length ?? 0) + 300 },
});
made.keep(true);

const waiting = createRoom(limits.picture.waiting, limits.picture.waitingOfOne);

/** Ends when the pictures that were asked for so far are made: one at a time. */
let turn: Promise<unknown> = Promise.resolve();

/**
 * The picture as it fits into a box. It stays as it is where it fits already, is no picture that can be made smaller,
 * or too many wait.
 */
export async function fitted<F extends Picture>(file: F, box: Box, workspaceId: number): Promise<F> {
  if (!isResizable(file.mimetype) || file.size > limits.picture.bytes) return file;
  const name = `${file.checksum}-${box.width}x${box.height}`;
  const found = await made
    .get(`${workspaceId} ${name}`, async () => ({
      value: { bytes: await inTurn(workspaceId, () => smaller(file, box)) },
      expires: Number.POSITIVE_INFINITY,
    }))
    .catch(originalWhereBusy);
  const bytes = found?.bytes;
  if (!bytes) return file;
  return { ...file, checksum: name, size: bytes.length, read: (range) => partOf(bytes, range) };
}

function originalWhereBusy(error: unknown): null {
  if (error instanceof AppError && error.kind === 'BUSY') return null;
  throw error;
}

/** @throws BUSY where too many wait */
async function inTurn<T>(workspaceId: number, make: () => Promise<T>): Promise<T> {
  waiting.take(1, workspaceId);
  const mine = turn.then(make).finally(() => waiting.give(1, workspaceId));
  turn = mine.catch(() => undefined);
  return mine;
}

async function smaller(file: Picture, box: Box): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  for await (const piece of file.read({ from: 0, to: file.size })) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const head = imageHead(bytes);
  if (!head || !isResizable(head.mimetype) || head.width * head.height > limits.picture.pixels) return null;
  const width = widthIn(box, head);
  return width === null ? null : resized(bytes, width);
}

async function* partOf(bytes: Buffer, { from, to }: { from: number; to: number }): AsyncGenerator<Buffer> {
  yield bytes.subarray(from, to);
}
