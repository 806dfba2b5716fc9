/** Inline images, by the ids of their staged files. */
export interface PictureStore {
  add(id: string, file: Blob): string;
  getUrl(id: string): string | null;
  findIds(html: string): string[];
  /**
   * Converts HTML in the iframe to its stored form. Restores `cid:` references and the original URLs of remote images.
   */
  toStored(html: string): string;
  release(): void;
}

/** Attributes for sources that the iframe must not load, and for the staged files of images with a `cid:` reference. */
export const BLOCKED_SOURCE = 'data-held-src';
export const STAGED_ATTRIBUTE = 'data-staged';

export function createPictureStore(): PictureStore {
  const urls = new Map<string, string>();
  return {
    add(id, file) {
      const address = URL.createObjectURL(file);
      urls.set(id, address);
      return address;
    },
    getUrl: (id) => urls.get(id) ?? null,
    findIds: (html) => [...html.matchAll(/\bsrc="cid:(\d{1,15})"/g)].map(([, id]) => id!),
    toStored: (html) => toStoredHtml(html, urls),
    release() {
      for (const address of urls.values()) URL.revokeObjectURL(address);
    },
  };
}

/** @param urls URLs in the iframe, by the ids of staged files */
export function toStoredHtml(html: string, urls: ReadonlyMap<string, string>): string {
  let text = html
    .replace(new RegExp(` ${STAGED_ATTRIBUTE}="\\d+"`, 'g'), '')
    .replaceAll(` ${BLOCKED_SOURCE}="`, ' src="');
  for (const [id, address] of urls) text = text.replaceAll(`src="${address}"`, `src="cid:${id}"`);
  return text;
}
