/** Authentication results: `pass`, `fail`, `none` and so on. Null if unknown. */
export interface Verdicts {
  spf: string | null;
  dkim: string | null;
  signedBy: string[];
  /** If From names several domains, the result for the strictest policy. `temperror` if no name server responded. */
  dmarc: string | null;
  /** Handling that the sender's domain requests for a DMARC failure: `none`, `quarantine` or `reject`. */
  policy: string | null;
  arc: string | null;
}

export const UNKNOWN_VERDICTS: Verdicts = {
  spf: null,
  dkim: null,
  signedBy: [],
  dmarc: null,
  policy: null,
  arc: null,
};

export const UNREAD_VERDICTS: Verdicts = { ...UNKNOWN_VERDICTS, dmarc: 'permerror' };

/** True if the envelope sender is probably forged, so that a reply could reach an uninvolved person. */
export function isSenderUnverified({ spf, signedBy }: Verdicts, sender: string): boolean {
  const domain = sender.slice(sender.lastIndexOf('@') + 1).toLowerCase();
  const isSigned = signedBy.some(
    (name) => domain === name.toLowerCase() || domain.endsWith(`.${name.toLowerCase()}`),
  );
  return spf !== null && spf !== 'pass' && !isSigned;
}

/** True if the sender's domain requests that the message be rejected or quarantined. */
export const violatesDmarcPolicy = ({ dmarc, policy }: Verdicts): boolean =>
  dmarc === 'fail' && (policy === 'reject' || policy === 'quarantine');

type SenderDoubt = 'disowned' | 'failed' | 'malformed' | 'unchecked';

/** Returns a reason to doubt that the author sent the message. Null does not prove authenticity. */
export function findSenderDoubt(verdicts: Verdicts): SenderDoubt | null {
  const { spf, dkim, dmarc } = verdicts;
  if (violatesDmarcPolicy(verdicts)) return 'disowned';
  if (dmarc === 'permerror') return 'malformed';
  if (dmarc === 'temperror') return 'unchecked';
  return dmarc === 'fail' || (dmarc === 'none' && spf === 'fail' && dkim !== 'pass') ? 'failed' : null;
}

/**
 * True if the message provably comes from the domain in From: by DMARC, by a signature of exactly that domain, or by
 * SPF.
 * @param sender envelope sender
 */
export function isSenderAuthenticated(
  { spf, signedBy, dmarc }: Verdicts,
  sender: string,
  domain: string,
): boolean {
  if (domain === '' || dmarc === 'fail') return false;
  const isSigned = signedBy.some((name) => name.toLowerCase() === domain);
  const isSent = spf === 'pass' && sender.slice(sender.lastIndexOf('@') + 1).toLowerCase() === domain;
  return dmarc === 'pass' || isSigned || isSent;
}
