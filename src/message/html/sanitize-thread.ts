import { type SanitizedHtml, sanitizeHtml } from './sanitize.ts';

export interface SanitizeTask {
  html: string;
  /** URLs of the files of the message by Content-ID or Content-Location. */
  files: readonly (readonly [string, string])[];
  /** With `listed`, the HTML contains placeholders, numbered by their place in `addresses` of the result. */
  remoteImages: 'hidden' | 'direct' | 'listed';
  /** Start of the placeholders. Must not occur in the HTML. */
  placeholder: string;
  /** Maximum characters of the URL of a listed image. Others are not shown. */
  maxAddress: number;
}

export interface SanitizeTaskResult extends SanitizedHtml {
  /** URLs of the listed images. */
  addresses: string[];
}

/** Sanitizes HTML in a worker thread, started by `src/thread.ts`. */
export default function sanitizeInThread(task: SanitizeTask): SanitizeTaskResult {
  const files = new Map(task.files);
  const places = new Map<string, number>();
  const list = (address: string): string | null => {
    if (address.length > task.maxAddress) return null;
    if (!places.has(address)) places.set(address, places.size);
    return `${task.placeholder}${places.get(address)}`;
  };
  const findFile = (id: string) => files.get(id) ?? null;
  const sanitized = sanitizeHtml(task.html, {
    keepsStyleSheets: true,
    cid: findFile,
    location: findFile,
    remoteImage: (address) =>
      task.remoteImages === 'listed' ? list(address) : task.remoteImages === 'direct' ? address : null,
  });
  return { ...sanitized, addresses: [...places.keys()] };
}
