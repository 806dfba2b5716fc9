import { randomUUID } from 'node:crypto';
import { mapYielding, runAfterYield } from '../loop/yield.ts';
import { type SanitizedHtml, type StyleSheetForm, sanitizeHtml } from '../message/html/sanitize.ts';
import type { SanitizeTask, SanitizeTaskResult } from '../message/html/sanitize-thread.ts';
import { runInThread, type TaskOwner } from '../thread.ts';

export interface ImageUrls {
  /** URLs of the message's files, by Content-ID or Content-Location. */
  files: ReadonlyMap<string, string>;
  /** A function returns the URL to load an image from, or null to hide the image. */
  remote: 'hidden' | 'direct' | ((address: string) => string | null);
}

export const MAX_IMAGE_URL_CHARS = 2_048;

const THREAD_URL = new URL('../message/html/sanitize-thread.ts', import.meta.url);

/** Path prefix of remote images in the HTML from the worker thread. It is random, so that no sender can guess it. */
const PLACEHOLDER = `/mail-image-${randomUUID()}-`;

/** Longer HTML is sanitized in a worker thread. 32 kB with many style sheets take 200 ms. */
const MIN_THREAD_CHARS = 16 * 1024;

const MAX_SANITIZE_MS = 10_000;

/**
 * @throws BUSY if it takes too long
 */
export async function sanitizeMessage(
  owner: TaskOwner,
  html: string,
  images: ImageUrls,
  styles: StyleSheetForm,
): Promise<SanitizedHtml> {
  if (html.length >= MIN_THREAD_CHARS) return sanitizeLong(owner, html, images, styles);
  const findFile = (id: string) => images.files.get(id) ?? null;
  const { remote } = images;
  return runAfterYield(() =>
    sanitizeHtml(html, {
      styles,
      cid: findFile,
      location: findFile,
      remoteImage: (address) =>
        typeof remote === 'function' ? remote(address) : remote === 'direct' ? address : null,
    }),
  );
}

async function sanitizeLong(
  owner: TaskOwner,
  html: string,
  { files, remote }: ImageUrls,
  styles: StyleSheetForm,
): Promise<SanitizedHtml> {
  const task: SanitizeTask = {
    html,
    styles,
    files: [...files],
    remoteImages: typeof remote === 'function' ? 'listed' : remote,
    placeholder: PLACEHOLDER,
    maxAddress: MAX_IMAGE_URL_CHARS,
  };
  const { addresses, ...sanitized } = await runInThread<SanitizeTaskResult>(THREAD_URL, task, owner, {
    ms: MAX_SANITIZE_MS,
  });
  if (typeof remote !== 'function' || addresses.length === 0) return sanitized;
  const urls = await mapYielding(addresses, remote);
  const withUrls = sanitized.html.replace(
    new RegExp(`${PLACEHOLDER}(\\d+)`, 'g'),
    (_, place: string) => urls[Number(place)] ?? '',
  );
  return { ...sanitized, html: withUrls };
}
