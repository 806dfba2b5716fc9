import type sharpPackage from 'sharp';
import { limits } from '../limits.ts';

// The package is optional: where it is not installed, images stay as they are.

type SharpLibrary = typeof sharpPackage;

let sharpPromise: Promise<SharpLibrary | null> | undefined;

const loadSharp = (): Promise<SharpLibrary | null> => {
  sharpPromise ??= import('sharp').then(({ default: sharp }) => configureSharp(sharp)).catch(() => null);
  return sharpPromise;
};

/** Whether images can be made smaller here. */
export const canResize = async (): Promise<boolean> => (await loadSharp()) !== null;

/** Formats that can be made smaller. A GIF may move. */
const RESIZABLE_FORMATS = new Map([
  ['image/jpeg', 'Jpeg'],
  ['image/png', 'Png'],
  ['image/webp', 'Webp'],
]);

/** Whether images of a format can be made smaller, where the package is. Pure. */
export const isResizable = (mimetype: string): boolean => RESIZABLE_FORMATS.has(mimetype);

/** What reads other formats is not for strangers' files, and one thread is enough. */
function configureSharp(sharp: SharpLibrary): SharpLibrary {
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ['VipsForeignLoad'] });
  const readers = [...RESIZABLE_FORMATS.values()].map((format) => `VipsForeignLoad${format}Buffer`);
  sharp.unblock({ operation: readers });
  return sharp;
}

/** The image in a smaller width, in its own format, upright; null where that cannot be made of it. */
export async function resizeImage(bytes: Buffer, width: number): Promise<Buffer | null> {
  const sharp = await loadSharp();
  if (!sharp || isAnimatedPng(bytes)) return null;
  try {
    const image = sharp(bytes, { limitInputPixels: limits.picture.pixels, failOn: 'error' });
    if (((await image.metadata()).pages ?? 1) > 1) return null;
    return await image.autoOrient().resize({ width }).timeout({ seconds: limits.picture.seconds }).toBuffer();
  } catch {
    return null;
  }
}

/** The chunk that says so stands before the first with pixels; the library would take the first picture alone. */
function isAnimatedPng(bytes: Buffer): boolean {
  const at = bytes.indexOf('acTL');
  return bytes[0] === 0x89 && at > 0 && at < bytes.indexOf('IDAT');
}
