import { createHash } from 'node:crypto';
import { createBudget } from '../../../src/budget.ts';
import { createCache } from '../../../src/cache.ts';
import { clientGone } from '../../../src/db/stoppable.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { detectMimetype } from '../../../src/media/mimetype.ts';
import { FetchError, fetchFile, isFetchable } from '../../email/accept/fetch-file.ts';

export interface RemoteImage {
  content: Buffer;
  mimetype: string;
}

const BUSY_MESSAGE = 'Too many images are being fetched at the moment; try again.';

const fetchSlots = createBudget(limits.mail.imagesAtOnce, limits.mail.imagesAtOnceOfOne, BUSY_MESSAGE);
const fetchBytes = createBudget(limits.mail.imagesFetched, limits.mail.imagesFetchedOfOne, BUSY_MESSAGE);

/** Keyed by workspace and address, so that no workspace can detect what others have requested. */
const imageCache = createCache<string, RemoteImage>({
  entries: limits.mail.cachedImages,
  weight: { most: limits.mail.cachedImageBytes, of: ({ content }) => content.length },
  age: limits.mail.imageAge,
});

/** Images that a user or workspace has fetched in the current window, and fetches in progress. */
const fetchCounts = createCache<string, { fetched: number; running: number }>({
  entries: limits.mail.imageCounts,
  age: limits.mail.imageWindow,
});

/**
 * Fetches a remote image. Its server learns neither the viewer nor the page.
 * @throws NOT_FOUND if the URL cannot be fetched or is not an image. The error gives no reason, because the sender
 * chose the URL and could otherwise probe our network.
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
  const of = (key: string) => fetchCounts.getOrCreate(key, () => ({ fetched: 0, running: 0 }));
  const [ownSlots, all] = [of(`${workspace.id} ${principal!.userId}`), of(`${workspace.id}`)];
  const isFull =
    ownSlots.fetched >= limits.mail.imagesOfUser ||
    all.fetched >= limits.mail.imagesOfOne ||
    ownSlots.running >= limits.mail.userConcurrentImages;
  if (isFull) throw errors.busy(BUSY_MESSAGE);
  fetchSlots.reserve(1, workspace.id);
  ownSlots.fetched++;
  all.fetched++;
  ownSlots.running++;
  try {
    return await run();
  } finally {
    ownSlots.running--;
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
    if (reservedBytes + bytes > limits.mail.imageBytes) throw new FetchError('it is too large');
    fetchBytes.reserve(bytes, workspace.id);
    reservedBytes += bytes;
  };
  try {
    const { content } = await fetchFile(url, {
      reach: { allowPrivate: config.mailImageAllowPrivate, dnsServers: config.dnsServers },
      agent: 'Atrium-Image/1.0',
      signal: AbortSignal.any([end.signal, AbortSignal.timeout(limits.mail.imageTime)]),
      take,
    });
    const mimetype = detectMimetype(null, '', content, false);
    if (!mimetype.startsWith('image/')) throw errors.notFound('Image');
    return { content, mimetype };
  } catch (error) {
    if (requestDb.isClientGone()) throw clientGone();
    throw error instanceof FetchError ? errors.notFound('Image') : error;
  } finally {
    fetchBytes.release(reservedBytes, workspace.id);
  }
}
