import { randomUUID } from 'node:crypto';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { mapYielding, runAfterYield } from '../../../src/loop/yield.ts';
import { type SanitizedHtml, sanitizeHtml } from '../../../src/message/html/sanitize.ts';
import type { SanitizeTask, SanitizeTaskResult } from '../../../src/message/html/sanitize-thread.ts';
import { runInThread } from '../../../src/thread.ts';
import { PARSE_TIMEOUT_MS } from '../messages/read-content.ts';

export interface ImageUrls {
  /** URLs of the message's files, by Content-ID or Content-Location. */
  files: ReadonlyMap<string, string>;
  /** A function returns the URL to load an image from, or null to hide the image. */
  remote: 'hidden' | 'direct' | ((address: string) => string | null);
}

export const MAX_IMAGE_URL_CHARS = 2_048;

const THREAD_URL = new URL('../../../src/message/html/sanitize-thread.ts', import.meta.url);

/** Path prefix of remote images in the HTML from the worker thread. It is random, so that no sender can guess it. */
const PLACEHOLDER = `/mail-image-${randomUUID()}-`;

/** Longer HTML is sanitized in a worker thread. */
const MIN_THREAD_CHARS = 32 * 1024;

/** @throws BUSY if it takes too long */
export async function sanitizeMessage(ctx: Ctx, html: string, images: ImageUrls): Promise<SanitizedHtml> {
  if (html.length >= MIN_THREAD_CHARS) return sanitizeLong(ctx, html, images);
  const findFile = (id: string) => images.files.get(id) ?? null;
  const { remote } = images;
  return runAfterYield(() =>
    sanitizeHtml(html, {
      keepsStyleSheets: true,
      cid: findFile,
      location: findFile,
      remoteImage: (address) =>
        typeof remote === 'function' ? remote(address) : remote === 'direct' ? address : null,
    }),
  );
}

async function sanitizeLong(ctx: Ctx, html: string, { files, remote }: ImageUrls): Promise<SanitizedHtml> {
  const task: SanitizeTask = {
    html,
    files: [...files],
    remoteImages: typeof remote === 'function' ? 'listed' : remote,
    placeholder: PLACEHOLDER,
    maxAddress: MAX_IMAGE_URL_CHARS,
  };
  const { addresses, ...sanitized } = await runInThread<SanitizeTaskResult>(
    THREAD_URL,
    task,
    ctx.workspace.id,
    { ms: PARSE_TIMEOUT_MS },
  );
  if (typeof remote !== 'function' || addresses.length === 0) return sanitized;
  const urls = await mapYielding(addresses, remote);
  const withUrls = sanitized.html.replace(
    new RegExp(`${PLACEHOLDER}(\\d+)`, 'g'),
    (_, place: string) => urls[Number(place)] ?? '',
  );
  return { ...sanitized, html: withUrls };
}
