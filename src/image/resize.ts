import type sharpPackage from 'sharp';

// The sharp package is optional. Without it, images are not resized.

/** Maximum pixels of an image, according to its header. Larger images are never decoded. */
export const MAX_PIXELS = 25_000_000;
const RESIZE_TIMEOUT_SECONDS = 10;

type SharpLibrary = typeof sharpPackage;

let sharpPromise: Promise<SharpLibrary | null> | undefined;

const loadSharp = (): Promise<SharpLibrary | null> => {
  sharpPromise ??= import('sharp').then(({ default: sharp }) => configureSharp(sharp)).catch(() => null);
  return sharpPromise;
};

export const canResize = async (): Promise<boolean> => (await loadSharp()) !== null;

/** GIF is excluded, because it may be animated. */
const RESIZABLE_FORMATS = new Map([
  ['image/jpeg', 'Jpeg'],
  ['image/png', 'Png'],
  ['image/webp', 'Webp'],
]);

/** Does not check whether the sharp package is installed. */
export const isResizable = (mimetype: string): boolean => RESIZABLE_FORMATS.has(mimetype);

/** Allows only the required decoders, because the files are untrusted. Uses one thread, which is sufficient. */
function configureSharp(sharp: SharpLibrary): SharpLibrary {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const readers = [...RESIZABLE_FORMATS.values()].map((format) => `VipsForeignLoad${format}Buffer`);
  sharp.unblock({ operation: readers });
  return sharp;
}

/** Scales the image down in the same format and applies its rotation. Null if that is not possible. */
export async function resizeImage(bytes: Buffer, width: number): Promise<Buffer | null> {
  const sharp = await loadSharp();
  if (!sharp || isAnimatedPng(bytes)) return null;
  try {
    const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: 'error' });
    if (((await image.metadata()).pages ?? 1) > 1) return null;
    return await image.autoOrient().resize({ width }).timeout({ seconds: RESIZE_TIMEOUT_SECONDS }).toBuffer();
  } catch {
    return null;
  }
}

/** The chunk that marks an animation precedes the pixel data. The library would only read the first frame. */
function isAnimatedPng(bytes: Buffer): boolean {
  const index = bytes.indexOf('acTL');
  return bytes[0] === 0x89 && index > 0 && index < bytes.indexOf('IDAT');
}
