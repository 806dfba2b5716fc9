import { type SanitizedHtml, type StyleSheetForm, sanitizeHtml } from './sanitize.ts';

export interface SanitizeTask {
  html: string;
  styles: StyleSheetForm;
  /** URLs of the message's files, by Content-ID or Content-Location. */
  files: readonly (readonly [string, string])[];
  /** If `listed`, image URLs are replaced by placeholders that contain their index in the result's `addresses`. */
  remoteImages: 'hidden' | 'direct' | 'listed';
  /** Prefix of the placeholders. Must not occur in the HTML. */
  placeholder: string;
  /** Maximum length of a listed URL. Images with longer URLs are not shown. */
  maxAddress: number;
}

export interface SanitizeTaskResult extends SanitizedHtml {
  addresses: string[];
}

/** Runs in a worker thread, started by `src/thread.ts`. */
export default function sanitizeInThread(task: SanitizeTask): SanitizeTaskResult {
  const files = new Map(task.files);
  const places = new Map<string, number>();
  const listAddress = (address: string): string | null => {
    if (address.length > task.maxAddress) return null;
    if (!places.has(address)) places.set(address, places.size);
    return `${task.placeholder}${places.get(address)}`;
  };
  const findFile = (id: string) => files.get(id) ?? null;
  const sanitized = sanitizeHtml(task.html, {
    styles: task.styles,
    cid: findFile,
    location: findFile,
    remoteImage: (address) =>
      task.remoteImages === 'listed' ? listAddress(address) : task.remoteImages === 'direct' ? address : null,
  });
  return { ...sanitized, addresses: [...places.keys()] };
}
