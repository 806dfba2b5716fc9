import { expect, it } from 'vitest';
import { imageHead } from '../../schema/send/kit/image-size.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');
const ascii = (text: string) => Buffer.from(text, 'latin1').toString('hex');

it.each([
  ['PNG', `89504e470d0a1a0a 0000000d ${ascii('IHDR')} 0000012c 000000c8`, ['image/png', 300, 200]],
  ['GIF', `${ascii('GIF89a')} 2c01 c800`, ['image/gif', 300, 200]],
  [
    'JPEG behind another segment',
    'ffd8 ffe0 0004 0000 ffc2 0011 08 00c8 012c 0301',
    ['image/jpeg', 300, 200],
  ],
  ['JPEG with a filled marker', 'ffd8 ff ff ffc0 0011 08 00c8 012c 03', ['image/jpeg', 300, 200]],
  [
    'lossy WebP',
    `${ascii('RIFF')} 00000000 ${ascii('WEBPVP8 ')} 00000000 000000 9d012a 2c01 c800`,
    ['image/webp', 300, 200],
  ],
  [
    'lossless WebP',
    `${ascii('RIFF')} 00000000 ${ascii('WEBPVP8L')} 00000000 2f 2bc13100 0000000000`,
    ['image/webp', 300, 200],
  ],
  [
    'extended WebP',
    `${ascii('RIFF')} 00000000 ${ascii('WEBPVP8X')} 00000000 00000000 2b0100 c70000`,
    ['image/webp', 300, 200],
  ],
])('the type and size of an image are read from its head: %s', (_name, bytes, [mimetype, width, height]) => {
  expect(imageHead(hex(bytes as string))).toEqual({ mimetype, width, height });
});

it.each([
  ['nothing', ''],
  ['text', ascii('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>')],
  ['a cut PNG', '89504e470d0a1a0a 0000000d'],
  ['a PNG without pixels', `89504e470d0a1a0a 0000000d ${ascii('IHDR')} 00000000 000000c8`],
  ['a cut JPEG', 'ffd8 ffe0 ffff 0000'],
  ['a JPEG whose segments lead nowhere', `ffd8 ffe0 0000 ${'00'.repeat(40)}`],
])('%s is no image', (_name, bytes) => {
  expect(imageHead(hex(bytes))).toBeNull();
});
