import { createBudget } from '../budget.ts';
import { createLoadingCache } from '../cache.ts';
import { AppError } from '../errors.ts';
import { createFairQueue, type QueueOwner } from '../fair-queue.ts';
import { limits } from '../limits.ts';
import { type ImageHead, parseImageHead } from './image-head.ts';
import { isResizable, MAX_PIXELS, resizeImage } from './resize.ts';

const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
/** Maximum images waiting to be resized in one process. They are resized one at a time. */
const MAX_WAITING_IMAGES = 100;
const MAX_WAITING_IMAGES_PER_WORKSPACE = 20;
/** All anonymous visitors of a workspace count as one user. */
const MAX_WAITING_IMAGES_PER_USER = 10;
/** Maximum total size of resized images that a process caches. */
const MAX_CACHED_BYTES = 64 * 1024 * 1024;
const MAX_CACHED_RESIZED_IMAGES = 5_000;

/** Maximum width and height in pixels. 0 means no limit. */
export interface ImageBox {
  width: number;
  height: number;
}

interface ImageFile {
  mimetype: string;
  checksum: string;
  /** In bytes. */
  size: number;
  read(range: { from: number; to: number }): AsyncIterable<Buffer>;
}

/** Parses a size such as `300x200`. Null for any other text. */
export function parseBox(text: string): ImageBox | null {
  const [, width, height] = /^(\d{1,5})x(\d{1,5})$/.exec(text) ?? [];
  const box = { width: Number(width), height: Number(height) };
  return box.width || box.height ? box : null;
}

/** Computes the largest width at which an image fits into a box. Null if it fits unchanged. */
function computeFittingWidth(box: ImageBox, { width, height }: ImageBox): number | null {
  const scale = Math.min((box.width || width) / width, (box.height || height) / height);
  return scale < 1 ? Math.max(1, Math.round(width * scale)) : null;
}

/** Widths of resized images. The set is fixed, so that requests for many sizes create only a few variants. */
const WIDTH_STEPS = [32, 64, 128, 256, 480, 720, 960, 1280, 1600, 1920, 2560];

/** Returns the smallest width step that is sufficient for the box. Null if the image is not resized. */
function chooseWidthStep(box: ImageBox, size: ImageBox): number | null {
  const fitting = computeFittingWidth(box, size);
  const step = fitting === null ? undefined : WIDTH_STEPS.find((width) => width >= fitting);
  return step !== undefined && step < size.width ? step : null;
}

/** Dimensions by workspace and content. Null for a file that cannot be resized. */
const headCache = createLoadingCache<string, { head: ImageHead | null }>(
  { entries: limits.picture.heads },
  true,
);

/** Resized images by workspace, content and width. Null if the image cannot be resized. */
const resizedCache = createLoadingCache<string, { bytes: Buffer | null }>(
  {
    entries: MAX_CACHED_RESIZED_IMAGES,
    weight: { max: MAX_CACHED_BYTES, measure: ({ bytes }) => (bytes?.length ?? 0) + 300 },
  },
  true,
);

const waitingBudget = createBudget(MAX_WAITING_IMAGES, MAX_WAITING_IMAGES_PER_WORKSPACE);
const userWaitingBudget = createBudget(MAX_WAITING_IMAGES, MAX_WAITING_IMAGES_PER_USER);
const runFairly = createFairQueue();

/**
 * Returns the image resized for a box. Returns the original if it fits, if it cannot be resized, or if too many
 * requests are waiting.
 */
export async function fitImage<F extends ImageFile>(
  file: F,
  box: ImageBox,
  requester: QueueOwner,
): Promise<F> {
  if (!isResizable(file.mimetype) || file.size > MAX_PICTURE_BYTES) return file;
  const head = await loadHead(file, requester.workspaceId);
  const width = head && chooseWidthStep(box, head);
  if (!width) return file;
  const name = `${file.checksum}-${width}`;
  const resized = await resizedCache
    .get(`${requester.workspaceId} ${name}`, async () => ({
      value: { bytes: await resizeInQueue(requester, () => resizeFile(file, width)) },
    }))
    .catch(useOriginalIfBusy);
  const bytes = resized?.bytes;
  if (!bytes) return file;
  return { ...file, checksum: name, size: bytes.length, read: (range) => sliceBytes(bytes, range) };
}

/** Reads the dimensions from the header, without decoding. Null if the image has too many pixels. */
async function loadHead(file: ImageFile, workspaceId: number): Promise<ImageHead | null> {
  const cachedHead = await headCache.get(`${workspaceId} ${file.checksum}`, async () => {
    const head = parseImageHead(await readBytes(file, Math.min(file.size, limits.picture.head)));
    const isFit = head && isResizable(head.mimetype) && head.width * head.height <= MAX_PIXELS;
    return { value: { head: isFit ? head : null } };
  });
  return cachedHead?.head ?? null;
}

function useOriginalIfBusy(error: unknown): null {
  if (error instanceof AppError && error.kind === 'BUSY') return null;
  throw error;
}

/** @throws BUSY if too many requests wait */
async function resizeInQueue<T>(requester: QueueOwner, make: () => Promise<T>): Promise<T> {
  const user = `${requester.workspaceId} ${requester.userId}`;
  userWaitingBudget.reserve(1, user);
  try {
    waitingBudget.reserve(1, requester.workspaceId);
    try {
      return await runFairly(requester, make);
    } finally {
      waitingBudget.release(1, requester.workspaceId);
    }
  } finally {
    userWaitingBudget.release(1, user);
  }
}

const resizeFile = async (file: ImageFile, width: number): Promise<Buffer | null> =>
  resizeImage(await readBytes(file, file.size), width);

async function readBytes(file: ImageFile, to: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of file.read({ from: 0, to })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* sliceBytes(
  bytes: Buffer,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Buffer> {
  yield bytes.subarray(from, to);
}
