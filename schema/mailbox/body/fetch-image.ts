import { createHash } from 'node:crypto';
import { createBudget } from '../../../src/budget.ts';
import { createCache } from '../../../src/cache.ts';
import { createClientGoneError } from '../../../src/db/stoppable.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { detectMimetype } from '../../../src/media/mimetype.ts';
import { FetchError, fetchFile, isFetchable } from '../../email/accept/fetch-file.ts';

export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const IMAGE_TIMEOUT_MS = 10_000;
const MAX_CONCURRENT_IMAGES = 64;
const MAX_CONCURRENT_IMAGES_PER_WORKSPACE = 24;
export const MAX_CONCURRENT_IMAGES_PER_USER = 12;
const MAX_IMAGE_MEMORY_BYTES = 128 * 1024 * 1024;
const MAX_IMAGE_MEMORY_BYTES_PER_WORKSPACE = 48 * 1024 * 1024;
/** Limits per process within `IMAGE_WINDOW_MS`. */
const MAX_IMAGES_PER_USER = 1_000;
const MAX_IMAGES_PER_WORKSPACE = 20_000;
const IMAGE_WINDOW_MS = 600_000;
const MAX_IMAGE_COUNTERS = 20_000;
const MAX_CACHED_IMAGES = 5_000;
const MAX_CACHED_IMAGE_BYTES = 64 * 1024 * 1024;
const IMAGE_TTL_MS = 3_600_000;

interface RemoteImage {
  content: Buffer;
  mimetype: string;
}

const BUSY_MESSAGE = 'Too many images are being fetched at the moment. Try again.';

const fetchSlots = createBudget(MAX_CONCURRENT_IMAGES, MAX_CONCURRENT_IMAGES_PER_WORKSPACE, BUSY_MESSAGE);
const fetchBytes = createBudget(MAX_IMAGE_MEMORY_BYTES, MAX_IMAGE_MEMORY_BYTES_PER_WORKSPACE, BUSY_MESSAGE);

/** Keyed by workspace and URL, so that no workspace can detect what others have requested. */
const imageCache = createCache<string, RemoteImage>({
  entries: MAX_CACHED_IMAGES,
  weight: { max: MAX_CACHED_IMAGE_BYTES, measure: ({ content }) => content.length },
  age: IMAGE_TTL_MS,
});

/** Images fetched in the current window and fetches in progress, by user and by workspace. */
const fetchCounts = createCache<string, { fetched: number; running: number }>({
  entries: MAX_IMAGE_COUNTERS,
  age: IMAGE_WINDOW_MS,
});

/**
 * Fetches a remote image. Its server learns nothing about the viewer or the page. Errors give no reason, because the
 * sender chose the URL and could otherwise probe our network.
 * @throws NOT_FOUND if the image cannot be fetched
 * @throws BUSY if the caller fetches too many images
 */
export async function fetchImage(ctx: Ctx, address: string): Promise<RemoteImage> {
  const key = `${ctx.workspace.id} ${createHash('sha256').update(address).digest('base64url')}`;
  const cachedImage = imageCache.get(key);
  if (cachedImage) return cachedImage;
  const image = await withFetchLimits(ctx, () => downloadImage(ctx, address));
  imageCache.set(key, image);
  return image;
}

async function withFetchLimits<T>({ workspace, principal }: Ctx, run: () => Promise<T>): Promise<T> {
  const getCounts = (key: string) => fetchCounts.getOrCreate(key, () => ({ fetched: 0, running: 0 }));
  const [userCounts, workspaceCounts] = [
    getCounts(`${workspace.id} ${principal!.userId}`),
    getCounts(`${workspace.id}`),
  ];
  const isFull =
    userCounts.fetched >= MAX_IMAGES_PER_USER ||
    workspaceCounts.fetched >= MAX_IMAGES_PER_WORKSPACE ||
    userCounts.running >= MAX_CONCURRENT_IMAGES_PER_USER;
  if (isFull) throw errors.busy(BUSY_MESSAGE);
  fetchSlots.reserve(1, workspace.id);
  userCounts.fetched++;
  workspaceCounts.fetched++;
  userCounts.running++;
  try {
    return await run();
  } finally {
    userCounts.running--;
    fetchSlots.release(1, workspace.id);
  }
}

async function downloadImage(
  { runtime: { config }, workspace, requestDb }: Ctx,
  address: string,
): Promise<RemoteImage> {
  const url = URL.parse(address);
  if (!url || !isFetchable(url)) throw errors.notFound('Image');
  const end = new AbortController();
  requestDb.onGone(() => end.abort());
  let reservedBytes = 0;
  const take = (bytes: number) => {
    if (reservedBytes + bytes > MAX_IMAGE_BYTES) throw new FetchError('it is too large');
    fetchBytes.reserve(bytes, workspace.id);
    reservedBytes += bytes;
  };
  try {
    const { content } = await fetchFile(url, {
      reach: { allowPrivate: config.mailImageAllowPrivate, dnsServers: config.dnsServers },
      agent: 'Atrium-Image/1.0',
      signal: AbortSignal.any([end.signal, AbortSignal.timeout(IMAGE_TIMEOUT_MS)]),
      take,
    });
    const mimetype = detectMimetype(null, '', content, false);
    if (!mimetype.startsWith('image/')) throw errors.notFound('Image');
    return { content, mimetype };
  } catch (error) {
    if (requestDb.isClientGone()) throw createClientGoneError();
    throw error instanceof FetchError ? errors.notFound('Image') : error;
  } finally {
    fetchBytes.release(reservedBytes, workspace.id);
  }
}
