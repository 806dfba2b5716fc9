/** What the records of senders' domains say of a message: `pass`, `fail`, `none` …; null where it is not known. */
export interface Verdicts {
  spf: string | null;
  dkim: string | null;
  /** Domains of the signatures that are right. */
  signedBy: string[];
  /** Of several domains in From, that of the strictest policy; `temperror` where no name server answered. */
  dmarc: string | null;
  /** What the domain of the sender asks for where DMARC fails: `none`, `quarantine` or `reject`. */
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

/** Of a message that was not read at all. */
export const UNREAD_VERDICTS: Verdicts = { ...UNKNOWN_VERDICTS, dmarc: 'permerror' };

/** Whether the sender of the envelope is known not to be who it says: an answer might go to somebody else. Pure. */
export function isSenderUnverified({ spf, signedBy }: Verdicts, sender: string): boolean {
  const domain = sender.slice(sender.lastIndexOf('@') + 1).toLowerCase();
  const isSigned = signedBy.some(
    (name) => domain === name.toLowerCase() || domain.endsWith(`.${name.toLowerCase()}`),
  );
  return spf !== null && spf !== 'pass' && !isSigned;
}

/** Whether the domain of the sender wants such a message not to be taken for its own. Pure. */
export const violatesDmarcPolicy = ({ dmarc, policy }: Verdicts): boolean =>
  dmarc === 'fail' && (policy === 'reject' || policy === 'quarantine');

/**
 * Whether it is known that the domain which a message says it is from has sent it: DMARC, or a signature or the
 * envelope's server of just that domain. Pure.
 * @param sender of the envelope
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
