import { createLoadingCache } from '../cache.ts';
import { AppError } from '../errors.ts';
import { limits } from '../limits.ts';
import { createRoom } from '../room.ts';
import { type ImageHead, imageHead } from './image-head.ts';
import { isResizable, resized } from './resize.ts';
import { createFairTurns, type TurnOwner } from './turns.ts';

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

/** Widths in which pictures are made: a caller who asks for every pixel between has the same few made. */
const WIDTHS = [32, 64, 128, 256, 480, 720, 960, 1280, 1600, 1920, 2560];

/**
 * The width in which a picture is made for a box: the next step up from the one that fits. Null where it stays as it
 * is. Pure.
 */
function stepFor(box: Box, size: Box): number | null {
  const fitting = widthIn(box, size);
  const step = fitting === null ? undefined : WIDTHS.find((width) => width >= fitting);
  return step !== undefined && step < size.width ? step : null;
}

/** Sizes of pictures, by workspace and content; null where one is nothing that is made smaller. */
const heads = createLoadingCache<string, { head: ImageHead | null }>({ entries: limits.picture.heads });
heads.keep(true);

/** Pictures that were made smaller, by workspace, content and width; null where that cannot be. */
const made = createLoadingCache<string, { bytes: Buffer | null }>({
  entries: limits.picture.entries,
  weight: { most: limits.picture.kept, of: ({ bytes }) => (bytes?.length ?? 0) + 300 },
});
made.keep(true);

const waiting = createRoom(limits.picture.waiting, limits.picture.waitingOfOne);
const waitingOfUsers = createRoom(limits.picture.waiting, limits.picture.waitingOfUser);
const inTurn = createFairTurns();

/**
 * The picture in the step of width that a box asks for. It stays as it is where it fits already, is no picture that can
 * be made smaller, or too many wait.
 */
export async function fitted<F extends Picture>(file: F, box: Box, asker: TurnOwner): Promise<F> {
  if (!isResizable(file.mimetype) || file.size > limits.picture.bytes) return file;
  const head = await headOf(file, asker.workspaceId);
  const width = head && stepFor(box, head);
  if (!width) return file;
  const name = `${file.checksum}-${width}`;
  const found = await made
    .get(`${asker.workspaceId} ${name}`, async () => ({
      value: { bytes: await madeInTurn(asker, () => smaller(file, width)) },
      expires: Number.POSITIVE_INFINITY,
    }))
    .catch(originalWhereBusy);
  const bytes = found?.bytes;
  if (!bytes) return file;
  return { ...file, checksum: name, size: bytes.length, read: (range) => partOf(bytes, range) };
}

/** What the picture says of its size, before any of it is decoded; null for one with too many pixels. */
async function headOf(file: Picture, workspaceId: number): Promise<ImageHead | null> {
  const found = await heads.get(`${workspaceId} ${file.checksum}`, async () => {
    const head = imageHead(await bytesOf(file, Math.min(file.size, limits.picture.head)));
    const isFit = head && isResizable(head.mimetype) && head.width * head.height <= limits.picture.pixels;
    return { value: { head: isFit ? head : null }, expires: Number.POSITIVE_INFINITY };
  });
  return found?.head ?? null;
}

function originalWhereBusy(error: unknown): null {
  if (error instanceof AppError && error.kind === 'BUSY') return null;
  throw error;
}

/** @throws BUSY where too many wait */
async function madeInTurn<T>(asker: TurnOwner, make: () => Promise<T>): Promise<T> {
  const user = `${asker.workspaceId} ${asker.userId}`;
  waitingOfUsers.take(1, user);
  try {
    waiting.take(1, asker.workspaceId);
    try {
      return await inTurn(asker, make);
    } finally {
      waiting.give(1, asker.workspaceId);
    }
  } finally {
    waitingOfUsers.give(1, user);
  }
}

const smaller = async (file: Picture, width: number): Promise<Buffer | null> =>
  resized(await bytesOf(file, file.size), width);

async function bytesOf(file: Picture, to: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of file.read({ from: 0, to })) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function* partOf(bytes: Buffer, { from, to }: { from: number; to: number }): AsyncGenerator<Buffer> {
  yield bytes.subarray(from, to);
}
