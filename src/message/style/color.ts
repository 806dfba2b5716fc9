import { NAMED_COLORS } from './color-names.ts';
import { parseFraction, parseLength } from './length.ts';

export const TRANSPARENT_COLOR = -1;

/** Opacity below which a color is invisible. */
const MIN_ALPHA = 0.04;

/** Parses a CSS color: `0xrrggbb`, `TRANSPARENT_COLOR`, or null if it is unknown or translucent. */
export function parseColor(colorText: string, inherited: number | null): number | null {
  const text = colorText.trim().toLowerCase();
  if (text === 'inherit' || text === 'currentcolor') return inherited;
  if (text === 'transparent') return TRANSPARENT_COLOR;
  const named = NAMED_COLORS.get(text);
  if (named !== undefined) return named;
  const hex = /^#?([0-9a-f]{3,8})$/.exec(text)?.[1];
  if (hex) return parseHexColor(hex);
  const [, name, body] = /^(rgb|hsl|hwb)a?\(([^()]{1,80})\)$/.exec(text) ?? [];
  return name === undefined ? null : parseColorFunction(name, body!);
}

function parseHexColor(hex: string): number | null {
  const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex;
  if (digits.length !== 6 && digits.length !== 8) return null;
  const alpha = digits.length === 8 ? Number.parseInt(digits.slice(6), 16) / 255 : 1;
  return addAlpha(Number.parseInt(digits.slice(0, 6), 16), alpha);
}

function parseColorFunction(name: string, body: string): number | null {
  const parts = body.trim().split(/\s*[,/]\s*|\s+/);
  if (parts.length < 3 || parts.length > 4) return null;
  const alpha = parts.length === 4 ? parseFraction(parts[3]) : 1;
  if (alpha !== null && alpha < MIN_ALPHA) return TRANSPARENT_COLOR;
  const [a, b, c] =
    name === 'rgb'
      ? parts.map((part) => parseLength(part, { percent: 2.55 }))
      : [parseHue(parts[0]!), parseFraction(parts[1]), parseFraction(parts[2])];
  if (alpha === null || a == null || b == null || c == null) return null;
  return addAlpha(toNumber(name === 'rgb' ? [a, b, c] : computeChannels(name, a, b, c)), alpha);
}

const addAlpha = (color: number, alpha: number): number | null =>
  alpha < MIN_ALPHA ? TRANSPARENT_COLOR : alpha < 1 ? null : color;

const parseHue = (text: string): number | null => parseLength(text.replace(/deg$/, ''));

/** Converts HSL or HWB to RGB (CSS Color 4). */
function computeChannels(name: string, hue: number, second: number, third: number): number[] {
  const [saturation, light] = name === 'hsl' ? [second, third] : [1, 0.5];
  const pure = [0, 8, 4].map((offset) => {
    const k = (((offset + hue / 30) % 12) + 12) % 12;
    return light - saturation * Math.min(light, 1 - light) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
  });
  if (name === 'hsl') return pure.map((channel) => channel * 255);
  const white = second + third >= 1 ? second / (second + third) : second;
  const scale = second + third >= 1 ? 0 : 1 - second - third;
  return pure.map((channel) => (channel * scale + white) * 255);
}

const toNumber = (channels: readonly number[]): number =>
  channels.reduce((sum, channel) => (sum << 8) | Math.round(Math.max(0, Math.min(channel, 255))), 0);

/** Parses the color of an attribute, for which browsers accept any text (HTML, "rules for parsing a legacy color"). */
export function parseLegacyColor(colorText: string): number | null {
  const text = colorText.trim().toLowerCase();
  if (text === '' || text === 'transparent') return null;
  const named = NAMED_COLORS.get(text);
  if (named !== undefined) return named;
  if (/^#[0-9a-f]{3}$/.test(text)) return parseHexColor(text.slice(1));
  const digits = text
    .slice(0, 128)
    .replace(/^#/, '')
    .replace(/[^0-9a-f]/g, '0');
  const length = Math.max(1, Math.ceil(digits.length / 3));
  let channels = [0, 1, 2].map((i) => digits.padEnd(length * 3, '0').slice(i * length, (i + 1) * length));
  if (length > 8) channels = channels.map((channel) => channel.slice(-8));
  while (channels[0]!.length > 2 && channels.every((channel) => channel.startsWith('0')))
    channels = channels.map((channel) => channel.slice(1));
  return toNumber(channels.map((channel) => Number.parseInt(channel.slice(0, 2), 16)));
}

/** Returns the color of a gradient if all its colors are the same. Null for any other image. */
export function parseGradient(image: string): number | null {
  const body = /^(?:repeating-)?(?:linear|radial|conic)-gradient\((.{1,200})\)$/.exec(image)?.[1];
  if (body === undefined) return null;
  const stops = body.split(/,(?![^()]{0,99}\))/).map((stop) => stop.trim().split(/\s+(?![^()]{0,99}\))/)[0]!);
  const [first = null, ...rest] = stops
    .filter(
      (stop, index) => index > 0 || !/^(?:to|-?[\d.]+(?:deg|turn|rad)|circle|ellipse|from|at)$/.test(stop),
    )
    .map((stop) => parseColor(stop, null));
  return rest.every((color) => isSameColor(color, first)) ? first : null;
}

export const formatColor = (color: number): string => `#${color.toString(16).padStart(6, '0')}`;

/** Smaller differences between color channels are invisible. */
const MIN_CHANNEL_DIFFERENCE = 8;

export const isSameColor = (a: number | null, b: number | null): boolean =>
  a !== null &&
  b !== null &&
  [16, 8, 0].every((bits) => Math.abs(((a >> bits) & 255) - ((b >> bits) & 255)) < MIN_CHANNEL_DIFFERENCE);
