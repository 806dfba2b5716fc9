export const MAIL_FROM_SUBDOMAIN = 'mail';

export type DomainStatus = 'NOT_STARTED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'TEMPORARY_FAILURE';

export interface DomainIdentity {
  /** SUCCESS if and only if the domain can send. */
  status: DomainStatus;
  dkimStatus: DomainStatus;
  /** Names of the DKIM records, relative to the domain. For a custom key, the name is its selector. */
  dkimTokens: string[];
  /** State of the MAIL FROM domain. Null if none is configured. */
  mailFromStatus: DomainStatus | null;
  /** Reason why the domain is not verified, as reported by the provider. */
  error: string | null;
  /** Owner tag of the workspace. Null if Atrium did not create the identity. */
  owner: string | null;
}

/** Atrium's DKIM key, which the provider uses to sign. */
export interface DkimKey {
  selector: string;
  /** PKCS #1 or #8 in base64, without PEM lines. */
  privateKey: string;
}

/** Domain management of a provider. All methods reject if the provider is unavailable. */
export interface DomainIdentities {
  /** Returns null if the domain is not registered with the provider. */
  get(domain: string): Promise<DomainIdentity | null>;
  /**
   * Registers the domain for `owner`. An existing identity is not changed, except that the same owner's key is
   * replaced.
   */
  register(domain: string, owner: string, key: DkimKey): Promise<DomainIdentity>;
  remove(domain: string, owner: string): Promise<void>;
  /** Sends bounces through a subdomain, so that SPF aligns. */
  setMailFrom(domain: string): Promise<void>;
}
