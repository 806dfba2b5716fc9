/** Pictures that stand in a text, by the ids of their staged files. */
export interface PictureStore {
  /** @returns where the frame shows it from */
  add(id: string, file: Blob): string;
  getUrl(id: string): string | null;
  /** Ids of those that a text shows. */
  findIds(html: string): string[];
  /** A text of the frame as it is kept: pictures by `cid:`, and those of other servers where they were. */
  toStored(html: string): string;
  release(): void;
}

/** Attributes that hold what the frame must not load, or what it shows in place of a `cid:`. */
export const BLOCKED_SOURCE = 'data-held-src';
export const STAGED_ATTRIBUTE = 'data-staged';

export function createPictureStore(): PictureStore {
  const shown = new Map<string, string>();
  return {
    add(id, file) {
      const address = URL.createObjectURL(file);
      shown.set(id, address);
      return address;
    },
    getUrl: (id) => shown.get(id) ?? null,
    findIds: (html) => [...html.matchAll(/\bsrc="cid:(\d{1,15})"/g)].map(([, id]) => id!),
    toStored: (html) => toStoredHtml(html, shown),
    release() {
      for (const address of shown.values()) URL.revokeObjectURL(address);
    },
  };
}

/** Pure. @param shown addresses in the frame by the ids of staged files */
export function toStoredHtml(html: string, shown: ReadonlyMap<string, string>): string {
  let text = html
    .replace(new RegExp(` ${STAGED_ATTRIBUTE}="\\d+"`, 'g'), '')
    .replaceAll(` ${BLOCKED_SOURCE}="`, ' src="');
  for (const [id, address] of shown) text = text.replaceAll(`src="${address}"`, `src="cid:${id}"`);
  return text;
}
