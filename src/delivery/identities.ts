/** Subdomain of a domain's MAIL FROM address. */
export const MAIL_FROM_SUBDOMAIN = 'mail';

export type DomainStatus = 'NOT_STARTED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

/** What a provider says about a sending domain. */
export interface DomainIdentity {
  /** SUCCESS when, and only when, it may be sent from. */
  status: DomainStatus;
  dkimStatus: DomainStatus;
  /** Names of the DKIM records, without the domain; with a key of our own its selector. */
  dkimTokens: string[];
  /** State of the MAIL FROM domain; null when none is set. */
  mailFromStatus: DomainStatus | null;
  /** Why it is not verified, in the provider's words. */
  error: string | null;
  /** Mark of the workspace for which it was made; null when it was not made by us. */
  owner: string | null;
}

/** A DKIM key of our own that the provider signs with. */
export interface DkimKey {
  selector: string;
  /** PKCS #1 or #8 in base64, without the lines of PEM. */
  privateKey: string;
}

/**
 * The part of a provider that decides about sending domains. Every method rejects when the provider cannot be asked.
 */
export interface DomainIdentities {
  /** Null when the provider does not know the domain. */
  get(domain: string): Promise<DomainIdentity | null>;
  /** Registers the domain for `owner`; one that is known already stays as it is. */
  register(domain: string, owner: string, key: DkimKey): Promise<DomainIdentity>;
  /** Takes the domain away when it was made for `owner`. */
  remove(domain: string, owner: string): Promise<void>;
  /** Sends bounces through a subdomain of the domain, so that SPF aligns. */
  setMailFrom(domain: string): Promise<void>;
}
