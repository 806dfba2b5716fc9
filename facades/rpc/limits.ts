/** What one classic RPC message may cost before it is refused. Bytes, levels, counts, characters. */
export interface RpcLimits {
  /** Bytes of the request body as received. */
  bytes: number;
  /** Arrays and structs open inside each other. */
  depth: number;
  /** `<value>` elements in the whole message. */
  values: number;
  /** XML attributes in the whole message; the format defines none, some clients send namespaces. */
  attributes: number;
  /** Characters of a member name or a method name. */
  nameLength: number;
}

/** The most a body may be configured to (Odoo 19 accepts 128 MiB). */
export const RPC_BODY_BYTES_MAX = 128 * 1024 * 1024;

/** Default body size: the contract's largest call (40 MB of messages in base64, 54 MB) fits. */
export const RPC_BODY_BYTES = 64 * 1024 * 1024;

/** Body of a call that needs no more than a login: `common`, `db` and the routes of their kind. */
export const RPC_SMALL_BODY_BYTES = 1024 * 1024;

/** Levels of arrays and structs a result may have; deeper is a fault instead of a stack overflow. */
export const RPC_RESULT_DEPTH = 500;

export const RPC_LIMITS: Readonly<RpcLimits> = {
  bytes: RPC_BODY_BYTES,
  depth: 100,
  values: 500_000,
  attributes: 1_000,
  nameLength: 255,
};
