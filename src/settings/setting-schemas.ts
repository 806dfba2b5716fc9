import { isIP } from 'node:net';
import { z } from 'zod';

export function buildPortSchema() {
  const rule = 'must be a whole number from 0 to 65535 (0 picks a free port)';
  return z
    .string()
    .regex(/^\d{1,5}$/, rule)
    .transform(Number)
    .refine((port) => port <= 65_535, rule);
}

export function buildChoiceSchema<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` });
}

export function buildDayCountSchema() {
  return z.string().regex(/^[1-9]\d{0,3}$/, 'must be a number of days from 1 to 9999');
}

export const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Accepts an origin as in the `Origin` header: scheme, host and port, but no path, `*` or `null`. */
export const isOrigin = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).origin === text.toLowerCase();

/** Accepts an IP address, or a network such as `10.0.0.0/8` or `fd00::/8`. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const maxPrefix = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) > 0 &&
    more === undefined &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxPrefix))
  );
}

/** Accepts an IP address with an optional port, such as `9.9.9.9`, `127.0.0.1:53` or `[::1]:53`. */
export function isServerAddress(text: string): boolean {
  const bareText =
    /^\[(.+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? (isIP(text) ? text : text.replace(/:\d{1,5}$/, ''));
  return isIP(bareText) > 0;
}

/** @param kind description for the error message */
export function buildUrlSchema(kind: string, ...protocols: string[]) {
  const isAllowedUrl = (text: string) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
  return z.string().refine(isAllowedUrl, `must be ${kind}`);
}

export const buildTopicArnsSchema = () =>
  z
    .string()
    .regex(
      /^\s*arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w.-]+\s*(?:,\s*arn:[a-z-]+:sns:[a-z0-9-]+:\d{12}:[\w.-]+\s*)*$/,
      'must be ARNs of SNS topics separated by commas',
    );
