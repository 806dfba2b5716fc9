/** Clients read this version before signing in, to choose a protocol variant (Odoo 19). */
export const SERVER_VERSION = '19.0';

const INFO = [19, 0, 0, 'final', 0, ''];

export const VERSION_INFO = {
  server_version: SERVER_VERSION,
  server_version_info: INFO,
  server_serie: SERVER_VERSION,
  protocol_version: 1,
};

/** Response of `GET /web/version` and `GET /json/version`: the same values under other names. */
export const WEB_VERSION = { version_info: INFO, version: SERVER_VERSION };
