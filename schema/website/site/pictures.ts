import { createCache } from '../../../src/cache.ts';
import { readBlob } from '../../../src/db/blobs/read.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { type ImageHead, parseImageHead } from '../../../src/image/image-head.ts';
import { canResize, isResizable } from '../../../src/image/resize.ts';
import { limits } from '../../../src/limits.ts';
import type { ImageRequest } from '../../../src/qweb/render.ts';

/** Per page. */
const MAX_MEASURED_IMAGES = 100;

/** The workspace's images on a page. Sizes are available only for public images. */
interface PagePictures {
  /** Must be called before each rendering, so that the page's first image is not lazy-loaded. */
  begin(): void;
  /** Returns additional attributes for an image, such as its size. */
  attributes(image: ImageRequest): string;
  /** Loads the missing sizes of requested images. @returns true if there were any */
  loadMissingSizes(): Promise<boolean>;
}

/** @param link converts a URL in the page's markup to a URL of the site */
export function createPagePictures(ctx: Ctx, link: (address: string) => string): PagePictures {
  const sizes = new Map<number, ImageHead | null>();
  const pendingIds = new Set<number>();
  let isFirst = true;
  let resizes = false;
  return {
    begin() {
      isFirst = true;
    },
    attributes(image) {
      const id = parsePictureId(image.address);
      if (id === null) return '';
      const isLazy = !isFirst;
      isFirst = false;
      const size = sizes.get(id);
      if (size === undefined) pendingIds.add(id);
      const lazyAttributes = isLazy && !image.hasLoading ? ' loading="lazy" decoding="async"' : '';
      if (!size || image.hasSize) return lazyAttributes;
      const sourceSet = resizes ? buildSourceSet(image.address, size, link, isLazy) : '';
      return ` width="${size.width}" height="${size.height}"${sourceSet}${lazyAttributes}`;
    },
    async loadMissingSizes() {
      const ids = [...pendingIds].slice(0, MAX_MEASURED_IMAGES - sizes.size);
      pendingIds.clear();
      if (ids.length === 0) return false;
      resizes = await canResize();
      for (const [id, size] of await loadSizes(ctx, ids)) sizes.set(id, size);
      for (const id of ids) if (!sizes.has(id)) sizes.set(id, null);
      return true;
    },
  };
}

/** Returns the id of the attachment whose original image is at the URL. Null for any other URL. */
function parsePictureId(address: string): number | null {
  const [, id, name] = /^\/web\/image\/(\d{1,9})(?:\/([\w.-]+))?$/.exec(address) ?? [];
  return id && !/^\d+x\d+$/.test(name ?? '') ? Number(id) : null;
}

/** Widths in pixels of the images offered to phones, tablets and desktops. */
const SOURCE_WIDTHS = [480, 960, 1600];

function buildSourceSet(
  address: string,
  size: ImageHead,
  link: (address: string) => string,
  isLazy: boolean,
): string {
  const widths = SOURCE_WIDTHS.filter((width) => width < size.width);
  if (widths.length === 0 || !isResizable(size.mimetype)) return '';
  const sources = widths.map((width) => `${link(`${address}?width=${width}`)} ${width}w`);
  sources.push(`${link(address)} ${size.width}w`);
  // A browser knows the displayed width of a lazy image when it loads the image.
  return ` srcset="${escapeHtml(sources.join(', '))}" sizes="${isLazy ? 'auto, 100vw' : '100vw'}"`;
}

/** Image sizes, by workspace and content hash. False if the content is not an image. */
const headCache = createCache<string, ImageHead | false>({ entries: limits.picture.heads });

async function loadSizes(ctx: Ctx, ids: number[]): Promise<[id: number, size: ImageHead | null][]> {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<{ id: number; hash: string }>(
    sql`select a.id, b.hash from ir_attachment a
     join svc_blob b on b.workspace_id = ${workspace} and b.hash = a.store_hash
     where a.workspace_id = ${workspace} and a.id = any(${ids}) and a.type = 'binary' and a.public
       and a.mimetype like 'image/%'`,
  );
  const sizes: [number, ImageHead | null][] = [];
  for (const { id, hash } of rows) {
    const key = `${ctx.workspace.id} ${hash}`;
    const head = headCache.get(key) ?? (await readHead(ctx, hash));
    headCache.set(key, head);
    sizes.push([id, head || null]);
  }
  return sizes;
}

async function readHead(ctx: Ctx, hash: string): Promise<ImageHead | false> {
  const chunks: Buffer[] = [];
  for await (const chunk of readBlob(ctx, hash, { to: limits.picture.head })) chunks.push(chunk);
  return parseImageHead(Buffer.concat(chunks)) ?? false;
}
