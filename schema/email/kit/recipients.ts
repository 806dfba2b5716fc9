import { extractAddress } from '../../../src/message/address.ts';

interface Recipients {
  to: string[];
  cc: string[];
  bcc: string[];
}

/** Returns null if no recipient in `to` remains. */
export function removeSuppressed(
  lists: Recipients,
  suppressedAddresses: ReadonlySet<string>,
): Recipients | null {
  const filterOpen = (list: string[]) =>
    suppressedAddresses.size > 0
      ? list.filter((text) => !suppressedAddresses.has(extractAddress(text)))
      : list;
  const to = filterOpen(lists.to);
  return to.length > 0 ? { to, cc: filterOpen(lists.cc), bcc: filterOpen(lists.bcc) } : null;
}

export const getSuppressedRecipients = (
  { to, cc, bcc }: Recipients,
  suppressedAddresses: ReadonlySet<string>,
): string[] =>
  suppressedAddresses.size > 0
    ? [...to, ...cc, ...bcc].filter((text) => suppressedAddresses.has(extractAddress(text)))
    : [];

export const ALL_SUPPRESSED_REASON = 'Every To recipient is on the suppression list.';
