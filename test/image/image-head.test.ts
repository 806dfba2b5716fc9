import { expect, it } from 'vitest';
import { parseImageHead } from '../../src/image/image-head.ts';

const fromHex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const toHex = (text: string) => Buffer.from(text, 'latin1').toString('hex');

it.each([
  ['PNG', `89504e470d0a1a0a 0000000d ${toHex('IHDR')} 0000012c 000000c8`, ['image/png', 300, 200]],
  ['GIF', `${toHex('GIF89a')} 2c01 c800`, ['image/gif', 300, 200]],
  [
    'JPEG header after another segment',
    'ffd8 ffe0 0004 0000 ffc2 0011 08 00c8 012c 0301',
    ['image/jpeg', 300, 200],
  ],
  ['JPEG with fill bytes before a marker', 'ffd8 ff ff ffc0 0011 08 00c8 012c 03', ['image/jpeg', 300, 200]],
  [
    'JPEG rotated by 90 degrees',
    `ffd8 ffe1 0022 ${toHex('Exif')} 0000 ${toHex('MM')} 002a 00000008 0001 0112 0003 00000001 0006 0000 00000000
     ffc0 0011 08 00c8 012c 03`.replaceAll(/\s/g, ''),
    ['image/jpeg', 200, 300],
  ],
  [
    'JPEG rotated by 180 degrees, in the other byte order',
    `ffd8 ffe1 0022 ${toHex('Exif')} 0000 ${toHex('II')} 2a00 08000000 0100 1201 0300 01000000 0300 0000 00000000
     ffc0 0011 08 00c8 012c 03`.replaceAll(/\s/g, ''),
    ['image/jpeg', 300, 200],
  ],
  [
    'JPEG with a dangling Exif offset',
    `ffd8 ffe1 0010 ${toHex('Exif')} 0000 ${toHex('MM')} 002a fffffff0 ffc0 0011 08 00c8 012c 03`,
    ['image/jpeg', 300, 200],
  ],
  [
    'lossy WebP',
    `${toHex('RIFF')} 00000000 ${toHex('WEBPVP8 ')} 00000000 000000 9d012a 2c01 c800`,
    ['image/webp', 300, 200],
  ],
  [
    'lossless WebP',
    `${toHex('RIFF')} 00000000 ${toHex('WEBPVP8L')} 00000000 2f 2bc13100 0000000000`,
    ['image/webp', 300, 200],
  ],
  [
    'extended WebP',
    `${toHex('RIFF')} 00000000 ${toHex('WEBPVP8X')} 00000000 00000000 2b0100 c70000`,
    ['image/webp', 300, 200],
  ],
])(
  'reads the type and size of an image from its first bytes: %s',
  (_name, bytes, [mimetype, width, height]) => {
    expect(parseImageHead(fromHex(bytes as string))).toEqual({ mimetype, width, height });
  },
);

it.each([
  ['nothing', ''],
  ['text', toHex('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
  ['a truncated PNG', '89504e470d0a1a0a 0000000d'],
  ['a PNG without pixels', `89504e470d0a1a0a 0000000d ${toHex('IHDR')} 00000000 000000c8`],
  ['a truncated JPEG', 'ffd8 ffe0 ffff 0000'],
  ['a JPEG with a dangling segment', `ffd8 ffe0 0000 ${'00'.repeat(40)}`],
])('rejects %s as an image', (_name, bytes) => {
  expect(parseImageHead(fromHex(bytes))).toBeNull();
});
