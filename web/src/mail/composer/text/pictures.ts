/** Pictures that stand in a text, by the ids of their staged files. */
export interface Pictures {
  /** @returns where the frame shows it from */
  add(id: string, file: Blob): string;
  shown(id: string): string | null;
  /** Ids of those that a text shows. */
  within(html: string): string[];
  /** A text of the frame as it is kept: pictures by `cid:`, and those of other servers where they were. */
  stored(html: string): string;
  release(): void;
}

/** Attributes that hold what the frame must not load, or what it shows in place of a `cid:`. */
export const HELD_SOURCE = 'data-held-src';
export const STAGED = 'data-staged';

export function pictures(): Pictures {
  const shown = new Map<string, string>();
  return {
    add(id, file) {
      const address = URL.createObjectURL(file);
      shown.set(id, address);
      return address;
    },
    shown: (id) => shown.get(id) ?? null,
    within: (html) => [...html.matchAll(/\bsrc="cid:(\d{1,15})"/g)].map(([, id]) => id!),
    stored: (html) => storedHtml(html, shown),
    release() {
      for (const address of shown.values()) URL.revokeObjectURL(address);
    },
  };
}

/** Pure. @param shown addresses in the frame by the ids of staged files */
export function storedHtml(html: string, shown: ReadonlyMap<string, string>): string {
  let text = html.replace(new RegExp(` ${STAGED}="\\d+"`, 'g'), '').replaceAll(` ${HELD_SOURCE}="`, ' src="');
  for (const [id, address] of shown) text = text.replaceAll(`src="${address}"`, `src="cid:${id}"`);
  return text;
}
