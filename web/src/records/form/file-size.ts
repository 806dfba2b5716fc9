import { formatNumber } from '../../i18n/format.ts';

/** The size of a file, for people. Pure. */
export const sizeOf = (bytes: number): string =>
  bytes < 1_000_000
    ? `${formatNumber(Math.ceil(bytes / 1000))} kB`
    : `${formatNumber(Math.round(bytes / 100_000) / 10)} MB`;
